//! What a graph is built from: plain data, apart from where it comes from, so that an intent, a plan or a test can
//! bind it.

use std::collections::BTreeSet;

use super::Lineage;
use crate::vocabulary::{Decision, Effect, Mode, ReviewCategory, Risk, Stage};

/// Everything that a graph is built from.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    /// What the graph is called.
    pub graph_id: &'a str,
    /// The intent that is planned.
    pub intent_id: &'a str,
    /// The time of the intent, in its own spelling.
    pub created_at: &'a str,
    /// Which draft of the run this is, from one.
    pub revision: u32,
    /// How much the run may ask.
    pub mode: Mode,
    /// The selected workflows; their order decides where there is a choice.
    pub workflows: Vec<Workflow<'a>>,
    /// The selected agents; the first one does what fits nobody.
    pub agents: Vec<Agent<'a>>,
    /// The planned commands in the order of the plan. Ids may repeat: a command is its place in this list.
    pub commands: Vec<Command<'a>>,
    /// What somebody has to look at; order and repetition mean nothing.
    pub reviews: Vec<ReviewCategory>,
    /// The questions that stand in the draft, in the order in which they are asked.
    pub questions: Vec<Placeholder<'a>>,
    /// What all of this is derived from; registry items are sorted here.
    pub lineage: Lineage,
}

/// A selected workflow.
#[derive(Clone, Debug)]
pub struct Workflow<'a> {
    /// Its id; a workflow that is selected twice is one with the stages of both.
    pub id: &'a str,
    /// Its stages in the order in which they follow each other.
    pub stages: Vec<Stage>,
    /// Why it was selected.
    pub reason: Option<&'a str>,
}

/// A selected agent.
#[derive(Clone, Debug)]
pub struct Agent<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is selected as.
    pub role: &'a str,
    /// What it answers for, in words.
    pub responsibilities: Vec<&'a str>,
}

/// A planned command, judged.
#[derive(Clone, Debug)]
pub struct Command<'a> {
    /// The registry's id.
    pub id: &'a str,
    /// What it shall achieve.
    pub intent: &'a str,
    /// What it does to the world: declared, and from the registry.
    pub effects: BTreeSet<Effect>,
    /// Its effective risk.
    pub risk: Risk,
    /// What it rests on.
    pub evidence_refs: Vec<&'a str>,
    /// What the rules say about it.
    pub decision: Decision,
    /// The rules that fired.
    pub rule_refs: Vec<&'a str>,
    /// Why the rules say so.
    pub reason: &'a str,
    /// The workflows and phases that the registry links it to; names that are not selected are passed over.
    pub links: Vec<(&'a str, &'a str)>,
    /// The roles that the registry recommends, the best one first.
    pub recommended_roles: Vec<&'a str>,
    /// The files that it is about.
    pub files: Vec<&'a str>,
}

/// A question that holds a place in the draft.
#[derive(Clone, Copy, Debug)]
pub struct Placeholder<'a> {
    /// The question's id.
    pub id: &'a str,
    /// The command that waits for it, as an index; none where the whole plan does.
    pub about: Option<usize>,
    /// What is asked.
    pub text: &'a str,
}

impl Command<'_> {
    /// Whether it only looks.
    pub(super) fn only_reads(&self) -> bool {
        !self.effects.is_empty() && self.effects.iter().all(|effect| *effect == Effect::Read)
    }
}
