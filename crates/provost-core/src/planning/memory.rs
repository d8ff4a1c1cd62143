//! What was learned before and is worth knowing now: items that people and agents write, and the pack that a plan
//! is made with, version 1.0.0. Apart because choosing among items is a rule that anybody can repeat.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::canonical;
use crate::diagnostic::{self, quoted};
use crate::digest::Digest;
use crate::document::{Document, Mismatch, Unreadable, Value, from_value};
use crate::schema::{
    Alphabet, Part, Pattern, Schema, Shape, UNBOUNDED, choice, id, integer, list, map, matching, number,
    object, open, optional, required, text,
};
use crate::time::Timestamp;

/// The version of a pack's form.
pub const VERSION: &str = "1.0.0";

/// Below this nobody should rely on it.
pub const CONFIDENCE_MIN: f64 = 0.3;

/// What an item counts as where it does not say how sure it is.
const CONFIDENCE_UNSAID: f64 = 0.5;

/// The most tokens of a pack.
pub const TOKENS_MAX: u64 = 4_000;

/// The most memories of a pack.
pub const MEMORIES_MAX: usize = 100;

/// How long a temporary item counts.
const TEMPORARY_MS: u64 = 7 * 24 * 60 * 60 * 1000;

const ENTRIES_MAX: u32 = 1_000;
const COUNT_MAX: i64 = 1_000_000_000;
const WORD: Shape = text(1, 200);
const WORDS: Shape = list(&WORD, 0, ENTRIES_MAX);
const TIME: Shape = matching(Pattern::Timestamp);

/// What a memory item has to look like.
pub const ITEM: Schema =
    Schema { name: "memory_item", version: "2.0.0", title: "something worth remembering", root: ITEM_SHAPE };

const ITEM_SHAPE: Shape = object(&[
    optional("schema_version", choice(&["1.0.0", "2.0.0"]), "the version of the form"),
    required(
        "id",
        id(&[Part::Literal("mem-"), Part::Run(Alphabet::LowerDigit, 1, UNBOUNDED)]),
        "its id, such as mem-1",
    ),
    required("scope", choice(<Scope as VariantNames>::VARIANTS), "for whom it holds"),
    required("type", choice(<MemoryKind as VariantNames>::VARIANTS), "what it is"),
    required(
        "content",
        open(&[
            required("summary", text(1, 2000), "what to remember, in a sentence"),
            optional("details", text(0, 16_000), "more about it"),
            optional("examples", list(&EXAMPLE, 0, ENTRIES_MAX), "how it looks"),
        ]),
        "what to remember",
    ),
    optional("tags", WORDS, "words to find it by"),
    optional("sources", WORDS, "what it rests on"),
    optional("confidence", number(0.0, 1.0), "how sure it is"),
    required("created_at", TIME, "when it was written"),
    optional("updated_at", TIME, "when it was last changed"),
    optional("last_used_at", TIME, "when it was last used"),
    optional("use_count", integer(0, COUNT_MAX), "how often it was used"),
    optional("project_id", WORD, "the project that it is about"),
    optional(
        "retention_policy",
        object(&[
            required("type", choice(<Retention as VariantNames>::VARIANTS), "how long it counts"),
            optional("expires_at", TIME, "when it counts no longer"),
            optional("auto_cleanup", Shape::Flag, "whether it may be removed then"),
        ]),
        "how long it counts",
    ),
    optional("metadata", open(&[]), "anything else"),
]);

const EXAMPLE: Shape = text(1, 4000);

/// What a pack has to look like.
pub const PACK: Schema = Schema {
    name: "memory_pack",
    version: VERSION,
    title: "what is remembered for one purpose",
    root: object(&[
        required("schema_version", Shape::Exactly(VERSION), "the version of the form"),
        required("project_id", WORD, "the project"),
        required("agent_type", WORD, "for whom"),
        optional("task_id", WORD, "for which task"),
        required("memories", list(&ITEM_SHAPE, 0, ENTRIES_MAX), "the items; there may be none"),
        optional(
            "summary",
            object(&[
                optional("total_memories", integer(0, COUNT_MAX), "how many there are"),
                optional("by_type", map(&COUNT, ENTRIES_MAX), "how many of each type"),
                optional("by_scope", map(&COUNT, ENTRIES_MAX), "how many of each scope"),
            ]),
            "how many there are",
        ),
        required("generated_at", TIME, "when it was put together"),
        optional(
            "metadata",
            open(&[
                optional("filters_applied", WORDS, "what decided which items are in it"),
                optional("confidence_threshold", number(0.0, 1.0), "the least confidence"),
            ]),
            "how it was put together",
        ),
    ]),
};

const COUNT: Shape = integer(0, COUNT_MAX);

/// For whom an item holds; the greater matters more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In one repository.
    Repo,
    /// In one project.
    Project,
    /// For one agent.
    Agent,
    /// For one task.
    Task,
}

impl Scope {
    /// How much nearness counts.
    const fn weight(self) -> f64 {
        match self {
            Scope::Global => 1.0,
            Scope::Repo => 2.0,
            Scope::Project => 3.0,
            Scope::Agent => 4.0,
            Scope::Task => 5.0,
        }
    }
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum MemoryKind {
    /// Something was decided.
    Decision,
    /// Something is always done so.
    Convention,
    /// Something has to be kept.
    Constraint,
    /// Something is known to be wrong.
    KnownIssue,
    /// How something is done.
    Playbook,
    /// What a word means.
    Glossary,
}

/// How long an item counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Retention {
    /// A week.
    Temporary,
    /// As long as the project.
    Project,
    /// For ever.
    Permanent,
}

/// Something worth remembering.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryItem {
    /// Its id.
    pub id: String,
    /// For whom it holds.
    pub scope: Scope,
    /// What it is.
    pub kind: MemoryKind,
    /// What to remember, in a sentence.
    pub summary: String,
    /// How sure it is, where it says.
    pub confidence: Option<f64>,
    /// How often it was used.
    pub use_count: u32,
    /// The project that it is about, where it says.
    pub project_id: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
    /// How long it counts.
    pub retention: Option<Retention>,
    /// When it counts no longer, where it says.
    pub expires_at: Option<Timestamp>,
    /// The item as it was written; a pack carries all of it.
    pub value: serde_json::Value,
}

#[derive(Deserialize)]
struct Raw {
    id: String,
    scope: Scope,
    #[serde(rename = "type")]
    kind: MemoryKind,
    content: RawContent,
    confidence: Option<f64>,
    #[serde(default)]
    use_count: u32,
    project_id: Option<String>,
    created_at: String,
    retention_policy: Option<RawRetention>,
}

#[derive(Deserialize)]
struct RawContent {
    summary: String,
}

#[derive(Deserialize)]
struct RawRetention {
    #[serde(rename = "type")]
    kind: Retention,
    expires_at: Option<String>,
}

/// What is remembered for one purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryPack {
    /// The version of the form.
    pub schema_version: String,
    /// The project.
    pub project_id: String,
    /// For whom.
    pub agent_type: String,
    /// For which task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// The items as they were written, the most important first.
    pub memories: Vec<serde_json::Value>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// When it was put together, as spelled; no part of the content.
    pub generated_at: String,
    /// How it was put together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<serde_json::Value>,
}

/// How many items there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// In all.
    #[serde(default)]
    pub total_memories: u64,
    /// Of each type.
    #[serde(default)]
    pub by_type: BTreeMap<String, u64>,
    /// Of each scope.
    #[serde(default)]
    pub by_scope: BTreeMap<String, u64>,
}

impl MemoryItem {
    /// Reads an item, or says everything that is wrong with it.
    pub fn read(document: &Document) -> Result<Self, Unreadable> {
        ITEM.check(document)?;
        Self::of(document, &document.root)
    }

    /// Reads an item that satisfies its shape.
    fn of(document: &Document, value: &Value) -> Result<Self, Unreadable> {
        let raw: Raw = typed(document, value)?;
        let time = |text: &str| Timestamp::from_rfc3339(text);
        Ok(Self {
            id: raw.id,
            scope: raw.scope,
            kind: raw.kind,
            summary: raw.content.summary,
            confidence: raw.confidence,
            use_count: raw.use_count,
            project_id: raw.project_id,
            created_at: time(&raw.created_at).unwrap_or_default(),
            retention: raw.retention_policy.as_ref().map(|policy| policy.kind),
            expires_at: raw.retention_policy.and_then(|policy| time(&policy.expires_at?)),
            value: typed(document, value)?,
        })
    }

    /// How sure it is, or what counts where it does not say.
    pub fn confidence(&self) -> f64 {
        self.confidence.unwrap_or(CONFIDENCE_UNSAID)
    }

    /// How much it matters: the nearer, the surer, the more often used.
    fn priority(&self) -> f64 {
        self.scope.weight() * self.confidence() * (1.0 + 0.1 * f64::from(self.use_count))
    }

    /// Whether it still counts at a time.
    fn counts_at(&self, now: Timestamp) -> bool {
        let week =
            (self.retention == Some(Retention::Temporary)).then(|| self.created_at.plus_ms(TEMPORARY_MS));
        self.expires_at.or(week).is_none_or(|end| now < end)
    }

    /// About how many tokens its words take: one for every four characters, as is usual.
    fn tokens(&self) -> u64 {
        fn characters(value: &serde_json::Value) -> usize {
            match value {
                serde_json::Value::String(text) => text.chars().count(),
                serde_json::Value::Array(list) => list.iter().map(characters).sum(),
                serde_json::Value::Object(map) => map.values().map(characters).sum(),
                _ => 0,
            }
        }
        let words = self.value.get("content").map_or(0, characters);
        u64::try_from(words.div_ceil(4)).unwrap_or(u64::MAX)
    }
}

fn typed<'d, T: Deserialize<'d>>(document: &Document, value: &'d Value) -> Result<T, Unreadable> {
    from_value(value).map_err(|mismatch: Mismatch| {
        let at = mismatch.span().unwrap_or(value.span);
        Unreadable::of(document.error(diagnostic::SCHEMA_WRONG_TYPE, at, mismatch.to_string()))
    })
}

impl MemoryPack {
    /// Reads a pack, or says everything that is wrong with it.
    pub fn read(document: &Document) -> Result<Self, Unreadable> {
        PACK.check(document)?;
        let pack: Self = typed(document, &document.root)?;
        let memories = document.root.get("memories").and_then(Value::as_array).unwrap_or_default();
        let mut seen = std::collections::BTreeSet::new();
        for memory in memories {
            let id = memory.get("id").and_then(Value::as_str).unwrap_or_default();
            if !seen.insert(id) {
                let message = format!("the memory {} is there twice", quoted(id));
                return Err(Unreadable::of(document.error(
                    diagnostic::SCHEMA_NOT_ALLOWED,
                    memory.span,
                    message,
                )));
            }
        }
        Ok(pack)
    }

    /// Chooses among items for a plan of a project, as of the time that the plan carries.
    ///
    /// The result does not depend on the order of the items. One that does not fit into what is left of the tokens
    /// is passed over, and smaller ones behind it may still be taken.
    pub fn choose(items: &[MemoryItem], project_id: &str, generated_at: &str) -> Self {
        let now = Timestamp::from_rfc3339(generated_at);
        let fits = |item: &&MemoryItem| {
            let elsewhere = item.project_id.as_deref().is_some_and(|project| project != project_id);
            // A plan is made for no task yet.
            item.scope != Scope::Task
                && (item.scope == Scope::Global || !elsewhere)
                && item.confidence() >= CONFIDENCE_MIN
                && now.is_none_or(|now| item.counts_at(now))
        };
        let mut fitting: Vec<&MemoryItem> = items.iter().filter(fits).collect();
        fitting.sort_by(|one, other| by_priority(one, other));
        let mut tokens = 0;
        let mut chosen = Vec::new();
        let mut left_out = 0;
        for item in fitting {
            let with = tokens + item.tokens();
            if with > TOKENS_MAX || chosen.len() == MEMORIES_MAX {
                left_out += 1;
                continue;
            }
            tokens = with;
            chosen.push(item);
        }
        let metadata = serde_json::json!({
            "filters_applied": ["scope: global, project, repo, agent", "confidence", "retention", "tokens: 4000", "memories: 100"],
            "confidence_threshold": CONFIDENCE_MIN,
            "left_out": left_out,
        });
        Self {
            schema_version: VERSION.to_owned(),
            project_id: project_id.to_owned(),
            agent_type: "coordinator".to_owned(),
            task_id: None,
            memories: chosen.iter().map(|item| item.value.clone()).collect(),
            summary: Some(Summary::of(&chosen)),
            generated_at: generated_at.to_owned(),
            metadata: Some(metadata),
        }
    }

    /// The digest of what is remembered; when it was put together is no part of it.
    pub fn content_digest(&self) -> Digest {
        let content = Self { generated_at: String::new(), ..self.clone() };
        // The reader has refused numbers without a canonical form.
        canonical::digest(&content).unwrap_or(Digest::ZERO)
    }

    /// The ids of its memories, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.memories.iter().filter_map(|memory| memory.get("id")?.as_str())
    }

    /// Whether an item is in it.
    pub fn has(&self, id: &str) -> bool {
        self.memories.iter().any(|memory| memory.get("id").and_then(serde_json::Value::as_str) == Some(id))
    }
}

impl Summary {
    fn of(items: &[&MemoryItem]) -> Self {
        let mut summary = Self::default();
        for item in items {
            summary.total_memories += 1;
            *summary.by_type.entry(item.kind.to_string()).or_default() += 1;
            *summary.by_scope.entry(item.scope.to_string()).or_default() += 1;
        }
        summary
    }
}

/// What matters most first; among equals the id decides, so that the order is always the same.
fn by_priority(one: &MemoryItem, other: &MemoryItem) -> Ordering {
    other.priority().total_cmp(&one.priority()).then_with(|| one.id.cmp(&other.id))
}
