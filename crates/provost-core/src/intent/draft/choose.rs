//! What of the registry a goal is planned with: workflow, stages, commands, agents. Apart because every choice is a
//! default that a person may want otherwise, so each has a reason in words.

use std::cmp::Reverse;

use super::{Wish, words};
use crate::diagnostic::{self, Diagnostic, quoted};
use crate::planning::risk;
use crate::registry::{Command, Item, Kind, Registry, Resolution, Spec};
use crate::vocabulary::{Effect, Risk, Stage};

/// What a goal is planned with.
pub(super) struct Choice<'r> {
    pub(super) workflow: &'r Item,
    pub(super) reason: String,
    pub(super) stages: Vec<Stage>,
    pub(super) commands: Vec<Chosen<'r>>,
    pub(super) agents: Vec<(&'r Item, Vec<String>)>,
    pub(super) notes: Vec<String>,
}

/// A command and what it is planned to do.
#[derive(Clone)]
pub(super) struct Chosen<'r> {
    pub(super) item: &'r Item,
    command: &'r Command,
    /// What it does, in the words that an intent has.
    pub(super) effects: Vec<Effect>,
}

impl<'r> Chosen<'r> {
    fn of(item: &'r Item) -> Option<Chosen<'r>> {
        let command = item.command()?;
        // An intent has no word for these two; they are ways of writing.
        let spoken = |effect| {
            if matches!(effect, Effect::Delete | Effect::Configure) { Effect::Write } else { effect }
        };
        let mut effects: Vec<Effect> = command.changes().map(spoken).collect();
        effects.sort_unstable();
        effects.dedup();
        if effects.is_empty() {
            effects.push(Effect::Read);
        }
        Some(Chosen { item, command, effects })
    }

    pub(super) fn title(&self) -> &'r str {
        if self.command.title.is_empty() { &self.item.id } else { &self.command.title }
    }

    /// What is at stake, as planning will count it.
    pub(super) fn risk(&self) -> Risk {
        self.command.risk_level.unwrap_or(Risk::Low).max(risk::floor(&self.effects))
    }

    fn writes(&self) -> bool {
        self.effects.iter().any(|effect| effect.writes())
    }

    fn words(&self) -> Vec<String> {
        words::of(&format!("{} {}", self.item.id, self.command.title))
    }

    fn is_in(&self, workflow: &str, stage: Stage) -> bool {
        self.command.stages_in(workflow).any(|it| it == stage)
    }

    fn is_linked(&self, workflow: &str) -> bool {
        self.command.workflow_links.iter().any(|link| link.workflow == workflow)
    }
}

pub(super) fn choose<'r>(wish: &Wish<'_>, registry: &'r Registry) -> Result<Choice<'r>, Diagnostic> {
    let all: Vec<Chosen<'r>> = registry.usable(Kind::Command).filter_map(Chosen::of).collect();
    let goal = words::of(wish.goal);
    let (workflow, reason) = match wish.workflow {
        Some(id) => (named(registry, id)?, "it was asked for".to_owned()),
        None => by_goal(registry, &all, &goal)?,
    };
    let mut notes = Vec::new();
    let has_models = registry.usable(Kind::Model).next().is_some();
    let commands = commands(workflow, &all, &goal, has_models, &mut notes)?;
    let stages = stages(workflow, &commands);
    let agents = agents(registry, &commands)?;
    Ok(Choice { workflow, reason, stages, commands, agents, notes })
}

fn named<'r>(registry: &'r Registry, id: &str) -> Result<&'r Item, Diagnostic> {
    let refused = |why: String| Diagnostic::error(diagnostic::INTENT_WORKFLOW, why);
    match registry.resolve(Kind::Workflow, id, None) {
        Resolution::Usable(item) => Ok(item),
        Resolution::NotUsable(status) => Err(refused(format!("the workflow {} is {status}", quoted(id)))),
        Resolution::Broken(_) => Err(refused(format!("the workflow {} cannot be read", quoted(id)))),
        Resolution::Unknown { nearest } => {
            let refused = refused(format!("the registry has no workflow {}", quoted(id)));
            Err(match nearest {
                Some(near) => refused.with_help(format!("did you mean `{}`?", near.id)),
                None => refused,
            })
        }
    }
}

/// The workflow that the goal speaks of, else one that implements something.
fn by_goal<'r>(
    registry: &'r Registry,
    all: &[Chosen<'r>],
    goal: &[String],
) -> Result<(&'r Item, String), Diagnostic> {
    let workflows: Vec<&Item> = registry.usable(Kind::Workflow).collect();
    let spoken = |item: &Item| {
        let described =
            if let Spec::Workflow(it) = &item.spec { words::of(&it.description) } else { Vec::new() };
        4 * words::shared(goal, &words::of(&item.id)) + words::shared(goal, &described)
    };
    let best = workflows.iter().map(|item| spoken(item)).max().unwrap_or(0);
    // One word of a description is chance.
    let mut rivals = workflows.iter().filter(|item| spoken(item) == best);
    if best >= 2
        && let (Some(item), None) = (rivals.next(), rivals.next())
    {
        return Ok((item, format!("the goal speaks of it: `{}`", item.id.replace('_', " "))));
    }
    let writes =
        |item: &&&Item| all.iter().any(|it| it.writes() && it.is_in(&item.id, Stage::Implementation));
    let implements = |item: &&&Item| item.id.split('_').any(|word| word.starts_with("implement"));
    let default = workflows.iter().find(|item| implements(item) && writes(item));
    let default = default.or_else(|| workflows.iter().find(writes)).or_else(|| workflows.first());
    let reason = "the goal names no workflow, and this one implements something".to_owned();
    default.map(|item| (*item, reason)).ok_or_else(|| {
        Diagnostic::error(diagnostic::INTENT_WORKFLOW, "the registry has no workflow that may be used")
    })
}

/// One that looks, one that changes, one that verifies, as far as the workflow has them.
fn commands<'r>(
    workflow: &Item,
    all: &[Chosen<'r>],
    goal: &[String],
    has_models: bool,
    notes: &mut Vec<String>,
) -> Result<Vec<Chosen<'r>>, Diagnostic> {
    let id = workflow.id.as_str();
    let mut linked: Vec<&Chosen<'r>> = all.iter().filter(|it| it.is_linked(id)).collect();
    if !linked.iter().any(|it| it.writes()) {
        // Links are often stale; commands that belong nowhere else stand in.
        linked.extend(all.iter().filter(|it| it.writes()));
        if linked.iter().any(|it| it.writes()) {
            notes.push(format!(
                "no command that changes something is linked to `{id}`; one of the others was taken"
            ));
        }
    }
    // The stage decides, then the words of the goal, then the name. Without models nothing of high risk can be planned
    // where a rule asks for one, so such commands come last.
    let best = |fits: &dyn Fn(&Chosen<'r>) -> bool| {
        let fitting = linked.iter().filter(|it| fits(it));
        let rank = |it: &&&Chosen<'r>| {
            let stage = it.is_in(id, Stage::Implementation);
            let shared = words::shared(goal, &it.words());
            (!has_models && it.risk() >= Risk::High, Reverse(stage), Reverse(shared), it.item.id.clone())
        };
        fitting.min_by_key(rank).map(|it| (*it).clone())
    };
    let looks = best(&|it| !it.writes() && it.is_in(id, Stage::Analysis));
    let changes = best(&Chosen::writes);
    let verifies = best(&|it| !it.writes() && it.is_in(id, Stage::Validation));
    let Some(changes) = changes else {
        let message = format!("the registry has no command that changes something, for `{id}` or at all");
        return Err(Diagnostic::error(diagnostic::INTENT_NO_COMMAND, message));
    };
    let mut commands: Vec<Chosen<'r>> = looks.into_iter().collect();
    commands.push(changes);
    commands.extend(verifies.filter(|it| commands.iter().all(|other| other.item.id != it.item.id)));
    Ok(commands)
}

/// The generic stages that the workflow names itself, else those of its commands, else what every change has.
fn stages(workflow: &Item, commands: &[Chosen<'_>]) -> Vec<Stage> {
    let own: Vec<Stage> = match &workflow.spec {
        Spec::Workflow(it) => it.phases.iter().filter_map(|phase| phase.id.parse().ok()).collect(),
        _ => Vec::new(),
    };
    let of_commands = || commands.iter().flat_map(|it| it.command.stages_in(&workflow.id)).collect();
    let mut stages: Vec<Stage> = if own.is_empty() { of_commands() } else { own };
    if stages.is_empty() {
        stages = vec![Stage::Analysis, Stage::Implementation, Stage::Validation, Stage::Review];
    }
    stages.sort_unstable();
    stages.dedup();
    stages
}

/// Those whom the commands recommend, else the first that there is.
fn agents<'r>(
    registry: &'r Registry,
    commands: &[Chosen<'r>],
) -> Result<Vec<(&'r Item, Vec<String>)>, Diagnostic> {
    let usable = |id: &String| match registry.resolve(Kind::Agent, id, None) {
        Resolution::Usable(item) => Some(item),
        _ => None,
    };
    let mut found: Vec<&Item> = Vec::new();
    for chosen in commands {
        if let Some(item) = chosen.command.recommended_roles.iter().find_map(usable)
            && found.iter().all(|other| other.id != item.id)
        {
            found.push(item);
        }
    }
    if found.is_empty() {
        found.extend(registry.usable(Kind::Agent).next());
    }
    if found.is_empty() {
        return Err(Diagnostic::error(
            diagnostic::INTENT_NO_COMMAND,
            "the registry has no agent that may be used",
        ));
    }
    let duties = |item: &Item| {
        let own = if let Spec::Agent(agent) = &item.spec { agent.responsibilities.as_slice() } else { &[] };
        let fits = |text: &&String| (3..=200).contains(&text.chars().count());
        let duties: Vec<String> = own.iter().filter(fits).take(12).cloned().collect();
        if duties.is_empty() { vec!["takes part in the plan".to_owned()] } else { duties }
    };
    Ok(found.into_iter().map(|item| (item, duties(item))).collect())
}
