//! A planned command with all that is known of it: what the registry says beside what the intent declares. Apart because
//! rules, risk, graph, questions and review must not each put the two together in their own way.

use super::risk;
use crate::intent::{Intent, PlannedCommand};
use crate::registry::{Command, Item, Kind, Registry, Resolution};
use crate::vocabulary::{Effect, Risk, Stage};

/// A planned command with all that is known of it.
#[derive(Clone, Debug)]
pub struct Action<'i> {
    /// Its place in the plan; the same command may be planned twice.
    pub index: usize,
    /// What the intent says.
    pub planned: &'i PlannedCommand,
    /// What the registry says.
    pub content: &'i Item,
    /// The registry's command.
    pub command: &'i Command,
    /// What it does to the world, declared or not.
    pub effects: Vec<Effect>,
    /// What the registry says that it does and the intent does not declare.
    pub undeclared: Vec<Effect>,
    /// What is at stake: the most that anybody says.
    pub risk: Risk,
    /// The workflow and stage that it was placed in.
    pub placed: Option<(String, Stage)>,
}

impl<'i> Action<'i> {
    /// The planned commands of an intent whose references all resolve.
    pub fn all(intent: &'i Intent, registry: &'i Registry) -> Vec<Action<'i>> {
        let planned = intent.planned_commands.iter().enumerate();
        planned.filter_map(|(index, planned)| Action::of(index, planned, registry)).collect()
    }

    fn of(index: usize, planned: &'i PlannedCommand, registry: &'i Registry) -> Option<Action<'i>> {
        let Resolution::Usable(content) = registry.resolve(Kind::Command, &planned.command_id, None) else {
            return None;
        };
        let command = content.command()?;
        let mut effects = planned.effects.clone();
        let mut undeclared: Vec<Effect> =
            command.changes().filter(|effect| !planned.effects.contains(effect)).collect();
        undeclared.sort_unstable();
        undeclared.dedup();
        effects.extend(&undeclared);
        effects.sort_unstable();
        effects.dedup();
        let stated = planned.risk_level.max(command.risk_level.unwrap_or(Risk::Low));
        let risk = stated.max(risk::floor(&effects));
        Some(Action { index, planned, content, command, effects, undeclared, risk, placed: None })
    }

    /// Whether it leaves something changed.
    pub fn writes(&self) -> bool {
        self.effects.iter().any(|effect| effect.writes())
    }

    /// Where the registry says it.
    pub fn content_ref(&self) -> String {
        format!("registry://commands/{}@{}", self.content.id, self.content.version)
    }

    /// The files of its own that its evidence names.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let path = |reference: &'i String| reference.strip_prefix("scan://file/")?.split('#').next();
        self.planned.evidence_refs.iter().filter_map(path)
    }
}
