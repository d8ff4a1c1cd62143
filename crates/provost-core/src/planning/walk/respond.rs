//! `AWAITING_ANSWERS`: what came for a pack of questions, held against what is decided.

use super::{NoRun, Verdict, Walk};
use crate::canonical::checksum;
use crate::diagnostic::{self, Diagnostic, quoted};
use crate::digest::Digest;
use crate::document::{Document, Unreadable, Value};
use crate::finding::{FailureType, Finding};
use crate::intent::LockMode;
use crate::limits::Limit;
use crate::planning::Trigger;
use crate::planning::answered::{Conflict, Verdicts, without_default};
use crate::planning::answers::{self, AnswerPack, AnswerType, Fallback, Refused};
use crate::planning::ask::question_id;
use crate::planning::audit::{ConflictHandling, Noted};
use crate::planning::inputs::Round;
use crate::planning::tape::Guard;
use crate::vocabulary::{Decision, Risk};

impl Walk<'_> {
    /// Answers that do not fit their questions are refused, and the run goes on waiting.
    pub(super) fn take_round(&mut self, round: &Round) -> Result<Verdict, NoRun> {
        self.round += 1;
        let Round::Answers(document) = round else { return Ok(self.take_defaults()) };
        let auto_fallback = self.effective.as_ref().is_some_and(|effective| effective.auto_fallback);
        let fallback = if auto_fallback { Fallback::Permitted } else { Fallback::Forbidden };
        let Some(asked) = &self.pack else { return Ok(super::unbound()) };
        let read = answers::read(document, asked, fallback);
        let bytes = checksum::spelled(&document.root);
        let digest = Digest::of(&bytes);
        let file = format!("answers.{}.json", self.round);
        self.shelf.input(&file, answers::SCHEMA.name, answers::SCHEMA.version, bytes, digest);
        match read {
            Ok(pack) => match self.unfitting(&pack, document) {
                None => Ok(self.take_answers(&pack)),
                Some(unfitting) => Err(NoRun::Answers(unfitting)),
            },
            Err(Refused::Malformed(defects)) => Err(NoRun::Answers(defects)),
            Err(Refused::RedLine(findings)) => {
                let guard =
                    Guard::new("no_execution_payload", false, "an answer carries something to be run");
                Ok(Verdict::ended(Trigger::RedLineCrossed, vec![guard], findings))
            }
        }
    }

    /// Answers that say nothing about what was asked; taken for one, they would settle a question that nobody answered.
    fn unfitting(&self, pack: &AnswerPack, document: &Document) -> Option<Unreadable> {
        let listed = document.root.get("answers").and_then(Value::as_array).unwrap_or_default();
        let asked =
            (0..).zip(&self.asked).map(|(at, place)| (question_id(self.before.saturating_add(at)), place));
        let mut defects = Vec::new();
        for (id, place) in asked {
            let answers = pack.answers.iter().zip(listed).filter(|(answer, _)| answer.question_id == id);
            let given = answers.filter(|(answer, _)| answer.answer_type != AnswerType::Fallback);
            for (answer, value) in given.filter(|(answer, _)| !place.takes(answer)) {
                let text = quoted(&answer.answer_text);
                let message = format!("{text} is none of the answers that `{id}` takes");
                let choices: Vec<String> =
                    place.suggested.iter().map(|it| quoted(&it.answer_text).to_string()).collect();
                let span = value.get("answer_text").unwrap_or(value).span;
                let defect = document.error(diagnostic::ANSWERS_VALUE, span, message);
                defects.push(defect.with_help(format!("answer with one of: {}", choices.join(", "))));
            }
        }
        (!defects.is_empty()).then_some(Unreadable { defects, omitted: 0 })
    }

    fn take_answers(&mut self, pack: &AnswerPack) -> Verdict {
        self.note(Noted::AnswerReceived { answer_pack_id: pack.pack_id.clone() });
        let lock = self.examined.intent.as_ref().map(|intent| &intent.constraints.lock_scope);
        let locked = lock.filter(|lock| lock.mode == LockMode::Files).map(|lock| lock.paths.as_slice());
        let denied = self.actions.iter().filter(|action| {
            self.judged
                .commands
                .get(action.index)
                .is_some_and(|it| it.decision == Decision::Deny || it.deferred)
        });
        let verdicts = Verdicts {
            risk: self.risk.as_ref().map_or(Risk::Low, |risk| risk.overall),
            locked,
            denied: denied.map(|action| action.planned.command_id.as_str()).collect(),
        };
        let conflicts = self.answered.take(&self.asked, self.before, &pack.answers, &verdicts);
        for Conflict { question_id, what } in &conflicts {
            self.note(Noted::ConflictDetected {
                conflict_handling_record: ConflictHandling {
                    question_id: question_id.clone(),
                    conflict: what.clone(),
                    resolution_strategy: "rules are asked again and the question stays open",
                },
            });
        }
        let reason = conflicts.first().map_or_else(|| "none".to_owned(), |it| it.what.clone());
        let guards = vec![
            Guard::new("answers_valid", true, format!("{} answers", pack.answers.len())),
            Guard::new("no_rule_conflicts", conflicts.is_empty(), reason),
        ];
        if conflicts.is_empty() {
            return Verdict::new(Trigger::AnswersAccepted, guards);
        }
        // The first draft is revision 1, so its number is also one more than the conflicts so far.
        if self.revision > Limit::AnswerConflicts.default_value() {
            let findings = conflicts.iter().map(conflicting).collect();
            return Verdict::ended(Trigger::ConflictsExhausted, guards, findings);
        }
        self.revision += 1;
        Verdict::new(Trigger::AnswersConflicted, guards)
    }

    fn take_defaults(&mut self) -> Verdict {
        let asked = &self.asked;
        let auto_fallback = self.effective.as_ref().is_some_and(|effective| effective.auto_fallback);
        let lost: Vec<Finding> = without_default(asked, auto_fallback)
            .into_iter()
            .map(|place| {
                let message = format!("nobody answered, and no default may stand in: {}", place.text);
                let diagnostic = Diagnostic::error(diagnostic::PLANNING_UNANSWERED, message);
                Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                    .shown_by(place.evidence.clone())
            })
            .collect();
        let guard = Guard::new(
            "defaults_usable",
            lost.is_empty(),
            format!("{} of {} questions have none", lost.len(), asked.len()),
        );
        if !lost.is_empty() {
            return Verdict::ended(Trigger::AnswersMissing, vec![guard], lost);
        }
        for place in asked {
            self.answered.take_default(place);
        }
        Verdict::new(Trigger::DefaultsApplied, vec![guard])
    }
}

fn conflicting(conflict: &Conflict) -> Finding {
    let message = format!(
        "the answer to `{}` contradicts a verdict for the fourth time: {}",
        conflict.question_id, conflict.what
    );
    let diagnostic = Diagnostic::error(diagnostic::PLANNING_CONFLICT, message);
    Finding::blocked(diagnostic, FailureType::ConstraintViolation)
        .shown_by([format!("run://questions#{}", conflict.question_id)])
}
