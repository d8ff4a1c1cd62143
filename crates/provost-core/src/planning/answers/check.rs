//! Answers against the questions they answer: everything that does not fit at once, with its place.

use std::collections::BTreeSet;

use super::super::questions_pack::{BlockingLevel, Question, QuestionPack};
use super::super::reference::Reference;
use super::{AnswerPack, SCHEMA};
use crate::canonical::checksum::{self, Profile};
use crate::diagnostic::{
    ANSWERS_CHECKSUM, ANSWERS_CRITICAL, ANSWERS_OVERRIDE, ANSWERS_PACK, ANSWERS_QUESTION, ANSWERS_RED_LINE,
    ANSWERS_REFERENCE, ANSWERS_VALUE, SCHEMA_UNKNOWN_KEY, Span, quoted,
};
use crate::digest::Digest;
use crate::document::{Defects, Document, Limits, Unreadable, Value};
use crate::finding::{Finding, RedLine};
use crate::gate::{self, Hit};
use crate::plan::repository_path;

/// Whether a default may stand in for the answer to a critical question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// It may: the policy has `auto_fallback`.
    Permitted,
    /// A person has to answer.
    Forbidden,
}

/// Answers that are not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// They do not fit; the run goes on waiting.
    Malformed(Unreadable),
    /// They carry something to be run; the run ends.
    RedLine(Vec<Finding>),
}

/// AP3: keys that would replace what is planned, in their bare form.
const OVERRIDES: &[&str] = &["commandoverride", "workflowoverride", "agentoverride"];

/// Reads answers to a pack, or says everything that is wrong with them.
pub fn read(document: &Document, asked: &QuestionPack, fallback: Fallback) -> Result<AnswerPack, Refused> {
    let is_override = |hit: &Hit| OVERRIDES.contains(&hit.word);
    let (overrides, crossed): (Vec<Hit>, Vec<Hit>) =
        gate::keys(document, OVERRIDES).into_iter().partition(is_override);
    if !crossed.is_empty() {
        let finding = |hit: Hit| {
            let message = format!("the key {} is one that nothing to be planned may have", quoted(&hit.key));
            Finding::crossed(RedLine::I1, document.error(ANSWERS_RED_LINE, hit.span, message))
        };
        return Err(Refused::RedLine(crossed.into_iter().map(finding).collect()));
    }
    let mut check = Check { asked, fallback, defects: Defects::new(&Limits::default()) };
    check.replacing(&overrides);
    check.lineage(&document.root);
    check.answers(&document.root);
    check.checksum(&document.root);
    let defects = check.defects;
    let found = (!defects.is_empty()).then(|| defects.into_unreadable(&document.name, &document.lines));
    match (SCHEMA.read(document), found) {
        (Ok(pack), None) => Ok(pack),
        (Ok(_), Some(found)) => Err(Refused::Malformed(found)),
        (Err(form), found) => Err(Refused::Malformed(together(form, found, &overrides))),
    }
}

/// Both lists as one in the order of places; a key that would replace something is not unknown as well.
fn together(mut form: Unreadable, found: Option<Unreadable>, overrides: &[Hit]) -> Unreadable {
    let span = |place: Option<&crate::diagnostic::Place>| place.and_then(|place| place.span);
    form.defects.retain(|defect| {
        let at = span(defect.place.as_deref());
        defect.code != SCHEMA_UNKNOWN_KEY || !overrides.iter().any(|hit| at == Some(hit.span))
    });
    if let Some(found) = found {
        form.defects.extend(found.defects);
        form.omitted += found.omitted;
    }
    form.defects.sort_by_key(|defect| (span(defect.place.as_deref()), defect.code.name()));
    form
}

struct Check<'q> {
    asked: &'q QuestionPack,
    fallback: Fallback,
    defects: Defects,
}

impl Check<'_> {
    /// The answers are for these questions and no others.
    fn lineage(&mut self, root: &Value) {
        for (key, wanted) in [
            ("question_pack_id", &self.asked.pack_id),
            ("intent_id", &self.asked.intent_id),
            ("run_id", &self.asked.coordinator_run_id),
        ] {
            let Some(value) = root.get(key) else { continue };
            let Some(found) = value.as_str().filter(|found| found != wanted) else { continue };
            self.defects.report(ANSWERS_PACK, value.span, || {
                format!("{key} is {}, and {} is asked", quoted(found), quoted(wanted))
            });
        }
    }

    fn answers(&mut self, root: &Value) {
        let answers = root.get("answers");
        let mut seen = BTreeSet::new();
        let mut settled = BTreeSet::new();
        for answer in answers.and_then(Value::as_array).unwrap_or_default() {
            self.evidence(answer);
            if let Some(data) = answer.get("answer_data") {
                self.data(data);
            }
            let Some(id) = answer.get("question_id") else { continue };
            let Some(text) = id.as_str() else { continue };
            let Some(question) = self.asked.question(text) else {
                let message = || format!("the pack has no question {}", quoted(text));
                self.defects.report(ANSWERS_QUESTION, id.span, message);
                continue;
            };
            if !seen.insert(text) {
                let message = || format!("the question {} is answered twice", quoted(text));
                self.defects.report(ANSWERS_QUESTION, id.span, message);
            }
            self.value(question, answer);
            if answer.get("provided_by").and_then(Value::as_str) == Some("human") {
                settled.insert(text);
            }
        }
        if self.fallback == Fallback::Forbidden {
            self.critical(&settled, answers.unwrap_or(root).span);
        }
    }

    /// AP2: what an answer rests on can be looked at.
    fn evidence(&mut self, answer: &Value) {
        for value in answer.get("evidence_refs").and_then(Value::as_array).unwrap_or_default() {
            let Some(text) = value.as_str() else { continue };
            if let Err(why) = text.parse::<Reference>() {
                let message = || format!("the reference {} {why}", quoted(text));
                self.defects.report(ANSWERS_REFERENCE, value.span, message);
            }
        }
    }

    fn data(&mut self, data: &Value) {
        for value in data.get("paths").and_then(Value::as_array).unwrap_or_default() {
            let Some(text) = value.as_str() else { continue };
            if let Err(why) = repository_path(text) {
                let message = || format!("the path {} {why}", quoted(text));
                self.defects.report(ANSWERS_REFERENCE, value.span, message);
            }
        }
    }

    /// AP3: no key, however deep and however spelled, replaces what is planned.
    fn replacing(&mut self, overrides: &[Hit]) {
        for hit in overrides {
            let message = || format!("the key {} would replace what is planned", quoted(&hit.key));
            self.defects.report(ANSWERS_OVERRIDE, hit.span, message);
        }
    }

    fn value(&mut self, question: &Question, answer: &Value) {
        let id = &question.question_id;
        match answer.get("answer_type").and_then(Value::as_str) {
            Some("choice") => {
                let Some(value) = answer.get("answer_text") else { return };
                let Some(text) = value.as_str() else { return };
                if question.suggested_answers.iter().any(|suggested| suggested.answer_text == text) {
                    return;
                }
                self.defects.report(ANSWERS_VALUE, value.span, || {
                    format!("{} is none of the suggested answers of `{id}`", quoted(text))
                });
            }
            Some("structured") if answer.get("answer_data").is_none() => {
                let message = || format!("the answer to `{id}` is structured and has no answer_data");
                self.defects.report(ANSWERS_VALUE, answer.span, message);
            }
            _ => {}
        }
    }

    fn critical(&mut self, settled: &BTreeSet<&str>, span: Span) {
        for question in &self.asked.questions {
            let id = &question.question_id;
            if question.blocking_level == BlockingLevel::Critical && !settled.contains(id.as_str()) {
                let message = || format!("the critical question `{id}` is not answered by a person");
                self.defects.report(ANSWERS_CRITICAL, span, message);
            }
        }
    }

    fn checksum(&mut self, root: &Value) {
        let Some(value) = root.get("checksum") else { return };
        let Some(written) = value.as_str().and_then(|text| text.parse::<Digest>().ok()) else { return };
        if checksum::of(root, &["checksum"], Profile::Jcs) != written {
            let message = || "checksum is not the digest of these answers".to_owned();
            self.defects.report(ANSWERS_CHECKSUM, value.span, message);
        }
    }
}
