//! What people answered, over all packs of a run, and where an answer contradicts what is already decided. Apart because
//! an answer never changes the plan by itself: it is read here, and the rules judge what follows.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{Answer, AnswerType};
use super::ask::question_id;
use super::open::{Matter, Open, covers};
use super::questions_pack::{BlockingLevel, DefaultKind};
use crate::vocabulary::{ReviewCategory, Risk};

/// What was settled so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    settled: BTreeMap<Matter, Said>,
    /// How the change is undone.
    pub rollback: Option<String>,
    /// Review categories beyond those of the intent.
    pub categories: BTreeSet<ReviewCategory>,
    /// Commands that are left out.
    pub dropped: BTreeSet<usize>,
    /// Commands that somebody has to look at because an open place took its default.
    pub reviewed: BTreeSet<usize>,
    /// Whether the plan is wanted no longer.
    pub withdrawn: bool,
}

/// Who settled an open place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// A person.
    Answer,
    /// Its default.
    Default,
}

/// An answer that contradicts what is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The question.
    pub question_id: String,
    /// What it contradicts.
    pub what: String,
}

/// What answers are held against.
pub struct Verdicts<'v> {
    /// What is at stake in all, below which no answer can go.
    pub risk: Risk,
    /// The paths that may be written; none where paths are not locked.
    pub locked: Option<&'v [String]>,
    /// Commands that are denied, whatever is answered.
    pub denied: Vec<&'v str>,
}

impl Answered {
    /// Whether an open place is settled.
    pub fn settles(&self, matter: &Matter) -> bool {
        self.settled.contains_key(matter)
    }

    /// Takes the answers to one pack; those that contradict a verdict are given back and settle nothing.
    pub fn take(
        &mut self,
        asked: &[Open],
        spent: u32,
        answers: &[Answer],
        verdicts: &Verdicts<'_>,
    ) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        for (at, place) in (0..).zip(asked) {
            let question_id = question_id(spent.saturating_add(at));
            let given = answers.iter().find(|answer| answer.question_id == question_id);
            match given {
                Some(answer) if answer.answer_type != AnswerType::Fallback => {
                    match conflict(place, answer, verdicts) {
                        Some(what) => conflicts.push(Conflict { question_id, what }),
                        None => self.settle(place, answer),
                    }
                }
                _ => self.take_default(place),
            }
        }
        conflicts
    }

    /// Settles a place by its default.
    pub fn take_default(&mut self, place: &Open) {
        match (place.default.kind, place.about) {
            (DefaultKind::DropAction, Some(command)) => {
                self.dropped.insert(command);
            }
            (DefaultKind::RequireReview, Some(command)) => {
                self.reviewed.insert(command);
            }
            _ => {}
        }
        if place.matter == Matter::ReviewCategory {
            self.categories.insert(ReviewCategory::Architecture);
        }
        self.settled.insert(place.matter.clone(), Said::Default);
    }

    fn settle(&mut self, place: &Open, answer: &Answer) {
        let text = answer.answer_text.trim();
        match &place.matter {
            Matter::NoCommands => self.withdrawn |= text == "withdraw",
            Matter::Evidence { command, .. } if text == "drop" => {
                self.dropped.insert(*command);
            }
            Matter::Evidence { .. } | Matter::OutsideLock { .. } => {}
            Matter::Rollback => {
                let data = answer.answer_data.as_ref().and_then(|data| data.rollback_plan.as_deref());
                self.rollback = Some(data.unwrap_or(text).to_owned());
            }
            Matter::ReviewCategory => {
                let named = answer.answer_data.as_ref().and_then(|data| data.review_categories.as_deref());
                self.categories.extend(named.unwrap_or_default());
                self.categories.extend(text.parse::<ReviewCategory>());
            }
        }
        self.settled.insert(place.matter.clone(), Said::Answer);
    }
}

/// The open places that a time-out leaves without a usable default.
pub fn without_default(asked: &[Open], auto_fallback: bool) -> Vec<&Open> {
    let lost = |place: &&Open| {
        place.default.kind == DefaultKind::Block || (place.level == BlockingLevel::Critical && !auto_fallback)
    };
    asked.iter().filter(lost).collect()
}

fn conflict(place: &Open, answer: &Answer, verdicts: &Verdicts<'_>) -> Option<String> {
    let data = answer.answer_data.as_ref()?;
    if let Some(id) = data.enable_command.as_deref().filter(|id| verdicts.denied.contains(id)) {
        return Some(format!("it would have `{id}` planned, which a rule denies"));
    }
    let drops = data.review_categories.as_ref().is_some_and(Vec::is_empty);
    if drops && place.matter == Matter::ReviewCategory {
        return Some("it takes away a review that a rule requires".to_owned());
    }
    if let Some(risk) = data.risk_level.filter(|risk| *risk < verdicts.risk) {
        return Some(format!("it calls the risk {risk} where the rules found {}", verdicts.risk));
    }
    let outside = |path: &&String| verdicts.locked.is_some_and(|locked| !covers(locked, path));
    let path = data.paths.iter().find(outside)?;
    Some(format!("it selects `{path}`, which is not locked"))
}
