//! `QUESTIONS_EMITTED`: what is asked about the open places of a draft, and whether it may be.

use super::{Verdict, Walk};
use crate::diagnostic::{self, Diagnostic};
use crate::finding::{FailureType, Finding};
use crate::graph;
use crate::planning::Trigger;
use crate::planning::ask::{Packing, pack, question_id};
use crate::planning::audit::{Noted, QuestionTrigger};
use crate::planning::questions_pack::{self, Question, QuestionPack};
use crate::planning::shelf::Unfit;
use crate::planning::tape::Guard;

impl Walk<'_> {
    pub(super) fn emit_questions(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let number = u32::try_from(self.round).unwrap_or(u32::MAX).saturating_add(1);
        let asked = (0..).zip(&self.asked).map(|(at, _)| question_id(self.before.saturating_add(at)));
        let affected: Vec<Vec<String>> = asked.map(|id| self.waiting_for(&id)).collect();
        let emitted = pack(
            &self.asked,
            &affected,
            &Packing {
                run_id: &self.run_id,
                intent_id: &intent.id,
                created_at: &intent.created_at,
                number,
                spent: self.before,
                policy: &effective,
            },
        );
        let needed = usize::try_from(effective.min_evidence_count.max(1)).unwrap_or(usize::MAX);
        let bare = emitted.questions.iter().find(|question| question.evidence_refs.len() < needed);
        let asked = emitted.policy_constraints.budget_consumed.unwrap_or(u32::MAX);
        let affordable = asked <= effective.question_budget;
        let budget = format!("{asked} of {} asked", effective.question_budget);
        let evidence = bare.map_or_else(|| "every one".to_owned(), |it| it.question_id.clone());
        let guards = vec![
            Guard::new("question_budget_available", affordable, budget.clone()),
            Guard::new("questions_have_evidence", bare.is_none(), evidence),
            Guard::new("questions_have_defaults", true, "every one"),
        ];
        let unsupported = bare.map(|question| unsupported(question, needed));
        let finding = if affordable { unsupported } else { Some(unaffordable(&budget)) };
        if let Some(finding) = finding {
            return Ok(Verdict::ended(Trigger::QuestionsRejected, guards, vec![finding]));
        }
        let file = format!("questions.{number}.json");
        let draft = format!("graph.draft.{}.json", self.revision);
        self.shelf.put(&file, &questions_pack::SCHEMA, &emitted, &[&draft])?;
        self.note_questions(&emitted);
        self.pack = Some(emitted);
        Ok(Verdict::new(Trigger::QuestionsSent, guards))
    }

    /// The nodes of the draft that wait for a question.
    fn waiting_for(&self, id: &str) -> Vec<String> {
        let Some(draft) = &self.graph else { return Vec::new() };
        let place = draft.nodes.iter().find(|node| node.question_ref.as_deref() == Some(id));
        let waiting = place.map(|node| graph::affected(draft, &node.node_id)).unwrap_or_default();
        waiting.into_iter().map(|node| node.node_id.clone()).collect()
    }

    fn note_questions(&mut self, emitted: &QuestionPack) {
        let budget_remaining = emitted.policy_constraints.budget_remaining.unwrap_or(0);
        for question in &emitted.questions {
            self.note(Noted::QuestionEmitted {
                question_trigger_record: QuestionTrigger {
                    question_id: question.question_id.clone(),
                    reason: question.question_text.clone(),
                    blocking_level: question.blocking_level.into(),
                    budget_remaining,
                },
            });
        }
    }
}

fn unaffordable(budget: &str) -> Finding {
    let diagnostic =
        Diagnostic::error(diagnostic::PLANNING_UNSETTLED, format!("more is asked than may be: {budget}"));
    Finding::blocked(diagnostic, FailureType::PolicyViolation)
        .shown_by(["intent://interaction/question_budget".to_owned()])
}

fn unsupported(question: &Question, needed: usize) -> Finding {
    let named = question.evidence_refs.len();
    let message =
        format!("`{}` names {named} references and the policy wants {needed}", question.question_id);
    let diagnostic = Diagnostic::error(diagnostic::PLANNING_QUESTION_EVIDENCE, message);
    Finding::blocked(diagnostic, FailureType::PolicyViolation).shown_by(question.evidence_refs.clone())
}
