//! Answers as a person types them, made into a sealed pack that passes its own check.

use std::collections::BTreeSet;

use super::super::questions_pack::QuestionPack;
use super::{Answer, AnswerPack, AnswerType, Completeness, Metadata, ProvidedBy, VERSION};
use crate::canonical::NotCanonical;
use crate::diagnostic::{ANSWERS_QUESTION, ANSWERS_VALUE, Diagnostic, nearest, quoted};
use crate::time::Timestamp;

/// What was typed cannot become answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnswers {
    /// It does not fit the questions; everything that is wrong.
    #[error("{} answers do not fit the questions", .0.len())]
    Unfit(Vec<Diagnostic>),
    /// It has no canonical form.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
}

/// Makes a sealed pack of `(question, answer)` pairs that a person gave.
pub fn build(
    asked: &QuestionPack,
    given: &[(&str, &str)],
    who: &str,
    at: Timestamp,
) -> Result<AnswerPack, NotAnswers> {
    let wrong = unfit(asked, given);
    if !wrong.is_empty() {
        return Err(NotAnswers::Unfit(wrong));
    }
    let provided_at = at.to_string();
    let answers = given.iter().map(|(id, text)| answer(asked, id, text, &provided_at)).collect();
    let unanswered = asked.questions.iter().map(|question| question.question_id.clone());
    let unanswered: Vec<String> =
        unanswered.filter(|id| given.iter().all(|(given, _)| given != id)).collect();
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let mut pack = AnswerPack {
        pack_id: String::new(),
        schema_version: VERSION.to_owned(),
        question_pack_id: asked.pack_id.clone(),
        intent_id: asked.intent_id.clone(),
        run_id: asked.coordinator_run_id.clone(),
        answers,
        provided_at,
        completeness: Some(Completeness {
            total_questions: count(asked.questions.len()),
            answered: count(given.len()),
            unanswered_question_ids: unanswered,
            fallback_used: false,
        }),
        metadata: Some(Metadata { answerer_id: Some(who.to_owned()), session_id: None }),
        checksum: String::new(),
    };
    // The id is that of the content, so that the same answers are the same pack.
    let name = pack.digest()?.to_string();
    pack.pack_id = format!("apack_{}", name.get(..16).unwrap_or_default());
    pack.checksum = pack.digest()?.to_string();
    Ok(pack)
}

fn answer(asked: &QuestionPack, id: &str, text: &str, provided_at: &str) -> Answer {
    let is_choice = asked.question(id).is_some_and(|question| {
        question.suggested_answers.iter().any(|suggested| suggested.answer_text == text)
    });
    Answer {
        question_id: id.to_owned(),
        answer_type: if is_choice { AnswerType::Choice } else { AnswerType::Text },
        answer_text: text.to_owned(),
        answer_data: None,
        // A person's word rests on what they were asked.
        evidence_refs: vec![format!("question://{}#{id}", asked.pack_id)],
        provided_at: provided_at.to_owned(),
        provided_by: ProvidedBy::Human,
        confidence: None,
        rationale: None,
    }
}

fn unfit(asked: &QuestionPack, given: &[(&str, &str)]) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    if given.is_empty() {
        wrong.push(Diagnostic::error(ANSWERS_VALUE, "nothing is answered"));
    }
    for (id, text) in given {
        if asked.question(id).is_none() {
            let known = asked.questions.iter().map(|question| question.question_id.as_str());
            let said =
                Diagnostic::error(ANSWERS_QUESTION, format!("the pack has no question {}", quoted(id)));
            wrong.push(match nearest(id, known) {
                Some(near) => said.with_help(format!("did you mean `{near}`?")),
                None => said,
            });
        } else if !seen.insert(*id) {
            let message = format!("the question {} is answered twice", quoted(id));
            wrong.push(Diagnostic::error(ANSWERS_QUESTION, message));
        }
        let characters = text.chars().count();
        if !(1..=10_000).contains(&characters) {
            let message = format!(
                "the answer to {} has {characters} characters, and 1 to 10000 are accepted",
                quoted(id)
            );
            wrong.push(Diagnostic::error(ANSWERS_VALUE, message));
        }
    }
    wrong
}
