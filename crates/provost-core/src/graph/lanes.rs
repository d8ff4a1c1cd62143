//! Who does what, apart because it is decided before any node exists: phases and gates follow the actions they are for.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use super::node::Assignment;
use super::outline::{Agent, Command};
use crate::vocabulary::Stage;

/// The selected agents by what they can be found by; a lane is an index into the selection.
#[derive(Debug)]
pub(super) struct Lanes {
    by_name: BTreeMap<String, usize>,
    by_stage: BTreeMap<Stage, usize>,
}

/// The words by which responsibilities name a stage.
const fn words(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Setup => &["setup", "prepare", "preparation"],
        Stage::Analysis => &["analysis", "analyse", "analyze"],
        Stage::Design => &["design"],
        Stage::Implementation => &["implementation", "implement"],
        Stage::Validation => &["validation", "validate", "test", "tests", "testing"],
        Stage::Review => &["review", "reviews"],
        Stage::Release => &["release", "releases", "deploy", "deployment"],
        Stage::Operations => &["operations", "operate"],
        Stage::Postmortem => &["postmortem", "postmortems"],
    }
}

impl Lanes {
    pub(super) fn of(agents: &[Agent<'_>]) -> Self {
        let mut by_name = BTreeMap::new();
        // Ids before roles: an id means one agent, a role may be shared.
        for (lane, agent) in agents.iter().enumerate() {
            by_name.entry(plain(agent.id)).or_insert(lane);
        }
        for (lane, agent) in agents.iter().enumerate() {
            by_name.entry(plain(agent.role)).or_insert(lane);
        }
        // What is nothing but marks names nobody.
        by_name.remove("");
        let mut by_stage = BTreeMap::new();
        for (lane, agent) in agents.iter().enumerate() {
            for stage in named(&agent.responsibilities) {
                by_stage.entry(stage).or_insert(lane);
            }
        }
        Self { by_name, by_stage }
    }

    /// The lane of an action, and what decided it.
    pub(super) fn of_command(&self, command: &Command<'_>, stage: Stage) -> (usize, Assignment) {
        let role = command.recommended_roles.iter().find_map(|role| self.by_name.get(&plain(role)));
        match (role, self.by_stage.get(&stage)) {
            (Some(&lane), _) => (lane, Assignment::Role),
            (None, Some(&lane)) => (lane, Assignment::Responsibility),
            (None, None) => (0, Assignment::First),
        }
    }

    /// The lane of what stands in a stage and belongs to no action.
    pub(super) fn of_stage(&self, stage: Stage) -> usize {
        self.by_stage.get(&stage).copied().unwrap_or(0)
    }
}

/// A name without the differences of spelling that people do not see: case, and what stands between words.
fn plain(name: &str) -> String {
    name.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect::<Vec<_>>()
        .join("_")
}

/// The stages that responsibilities name.
fn named(responsibilities: &[&str]) -> Vec<Stage> {
    let all =
        responsibilities.iter().flat_map(|text| text.split(|character: char| !character.is_alphanumeric()));
    let said: std::collections::BTreeSet<String> = all.map(str::to_lowercase).collect();
    let names = |stage: &Stage| words(*stage).iter().any(|word| said.contains(*word));
    Stage::VARIANTS.iter().copied().filter(names).collect()
}
