//! Answers to the questions of a planning run, as the document that comes back; apart from what they change in a plan,
//! because a pack that does not fit its questions is refused before anything is changed, and the run goes on waiting.

mod build;
mod check;
mod shape;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::canonical::{self, NotCanonical};
use crate::digest::Digest;
use crate::vocabulary::{ReviewCategory, Risk};

pub use build::{NotAnswers, build};
pub use check::{Fallback, Refused, read};
pub use shape::{SCHEMA, VERSION};

/// Answers to a question pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerPack {
    /// Its id.
    pub pack_id: String,
    /// Always [`VERSION`].
    pub schema_version: String,
    /// The questions that are answered.
    pub question_pack_id: String,
    /// The intent that is planned.
    pub intent_id: String,
    /// The run that asked.
    pub run_id: String,
    /// The answers.
    pub answers: Vec<Answer>,
    /// When they were given.
    pub provided_at: String,
    /// How much was answered, as whoever answered counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completeness: Option<Completeness>,
    /// Who answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    /// The digest of the rest, by RFC 8785 without this key.
    pub checksum: String,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The question.
    pub question_id: String,
    /// What kind of answer it is.
    pub answer_type: AnswerType,
    /// The answer.
    pub answer_text: String,
    /// The same as data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_data: Option<AnswerData>,
    /// What it rests on.
    pub evidence_refs: Vec<String>,
    /// When it was given.
    pub provided_at: String,
    /// By whom.
    pub provided_by: ProvidedBy,
    /// How sure they are, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AnswerType {
    /// Words.
    Text,
    /// One of the suggested answers.
    Choice,
    /// Data, and words for people.
    Structured,
    /// What the question says happens without an answer.
    Fallback,
}

/// Who gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ProvidedBy {
    /// A person.
    Human,
    /// Nobody: the default of the question.
    Fallback,
    /// Nobody: the default of the policy.
    PolicyDefault,
}

/// What an answer may change, as data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerData {
    /// Paths that are meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// What somebody has to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_categories: Option<Vec<ReviewCategory>>,
    /// What is at stake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_level: Option<Risk>,
    /// How it is taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollback_plan: Option<String>,
    /// A planned command that is wanted after all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enable_command: Option<String>,
}

/// How much was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completeness {
    /// How many questions there were.
    pub total_questions: u32,
    /// How many have an answer.
    pub answered: u32,
    /// Those that have none.
    pub unanswered_question_ids: Vec<String>,
    /// Whether a default stands in for an answer.
    pub fallback_used: bool,
}

/// Who answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answerer_id: Option<String>,
    /// The sitting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

impl AnswerPack {
    /// The answer to a question.
    pub fn answer(&self, question_id: &str) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.question_id == question_id)
    }

    /// The digest that its checksum has to be: of everything but the checksum.
    pub fn digest(&self) -> Result<Digest, NotCanonical> {
        let described = |error: serde_json::Error| NotCanonical::Undescribed(error.to_string());
        let mut value = serde_json::to_value(self).map_err(described)?;
        if let Some(object) = value.as_object_mut() {
            object.remove("checksum");
        }
        canonical::digest(&value)
    }
}
