//! What is known of a repository before anything is planned: a `FactPack`, version 1.0.0. Apart from scanning because
//! a pack may come from elsewhere, and is held to the same form.
//!
//! Commands in it are evidence that a project can be tested, in the words of the project; nothing that Provost
//! writes carries them on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantNames};

use crate::canonical;
use crate::diagnostic;
use crate::digest::Digest;
use crate::document::{Document, Mismatch, Unreadable, from_value};
use crate::plan::pattern;
use crate::schema::{
    Alphabet, Part, Pattern, Schema, Shape, UNBOUNDED, choice, id, integer, list, map, matching, object,
    optional, required, text,
};
use crate::vocabulary::Sensitivity;

/// The version of the form.
pub const VERSION: &str = "1.0.0";

/// The most files that a pack may list.
pub const FILES_MAX: u32 = 50_000;

/// The most entries of the other lists.
const ENTRIES_MAX: u32 = 2_000;

/// The largest whole number that every reader of JSON agrees on.
const WHOLE_MAX: i64 = 9_007_199_254_740_991;

/// What a pack has to look like.
pub const SCHEMA: Schema = Schema {
    name: "factpack",
    version: VERSION,
    title: "what is known of a repository",
    root: object(&[
        optional("schema", Shape::Exactly("provost/scan/1"), "where `provost scan --json` printed it"),
        required("schema_version", Shape::Exactly(VERSION), "the version of the form"),
        required("project_id", text(1, 128), "the project"),
        required("repo_root", text(1, 512), "where it is, for people"),
        optional("repo_fingerprint", FINGERPRINT, "which state of it"),
        required("detected_projects", list(&PROJECT, 0, ENTRIES_MAX), "its parts"),
        optional("languages", list(&LANGUAGE, 0, ENTRIES_MAX), "what it is written in"),
        optional("commands", map(&COMMAND, ENTRIES_MAX), "its own commands, as evidence"),
        optional("governance", GOVERNANCE, "what governs it"),
        optional("constraints", CONSTRAINTS, "what has to be minded"),
        required("evidence", list(&EVIDENCE, 1, ENTRIES_MAX), "what the facts rest on"),
        optional("files", list(&FILE, 0, FILES_MAX), "its tracked files"),
        optional("files_total", integer(0, WHOLE_MAX), "how many tracked files there are"),
        optional("truncated", Shape::Flag, "whether something was left out"),
        optional("scanned_at", matching(Pattern::Timestamp), "when somebody looked"),
    ]),
};

const PATH: Shape = text(1, 4096);
const COMMAND: Shape = text(1, 4096);
const WORD: Shape = text(1, 200);
const PATHS: Shape = list(&PATH, 0, ENTRIES_MAX);

const FINGERPRINT: Shape = object(&[
    optional("hash", text(1, 128), "a digest of the list of files"),
    optional("git_commit", text(1, 128), "the commit that is checked out"),
]);

const PROJECT: Shape = object(&[
    required("type", choice(ProjectKind::VARIANTS), "what it is"),
    required("framework", WORD, "what it is built on"),
    required("root_path", PATH, "where it is, from the top"),
    optional("language", WORD, "what it is written in"),
    optional("version", WORD, "the version of what it is built on"),
]);

const LANGUAGE: Shape = object(&[
    required("name", WORD, "its name"),
    required("files", integer(1, WHOLE_MAX), "how many files are written in it"),
]);

const GOVERNANCE: Shape = object(&[
    optional("docs_root", PATH, "where its documents are"),
    optional("gates", PATHS, "what has to pass"),
    optional("ci_config", PATH, "what a server does with it"),
    optional("rules", PATHS, "its rules"),
]);

const CONSTRAINTS: Shape = object(&[
    optional("data_sensitivity", choice(Sensitivity::VARIANTS), "how sensitive its content is"),
    optional("notes", list(&NOTE, 0, ENTRIES_MAX), "anything else"),
]);

const NOTE: Shape = text(1, 1000);

const EVIDENCE: Shape = object(&[
    required(
        "id",
        id(&[Part::Literal("ev"), Part::Run(Alphabet::Digit, 1, UNBOUNDED)]),
        "its id, such as ev001",
    ),
    required("source_file", PATH, "the file, from the top"),
    required("category", choice(Category::VARIANTS), "what kind of fact it supports"),
    optional("snippet", text(0, 4000), "the words that matter"),
    optional("line_range", list(&LINE, 2, 2), "their lines, first and last"),
    optional("description", text(0, 1000), "what it shows"),
]);

const LINE: Shape = integer(1, WHOLE_MAX);

const FILE: Shape = object(&[
    required("path", PATH, "where it is, from the top"),
    required("sha256", matching(Pattern::Sha256), "the digest of its bytes"),
    required("bytes", integer(0, WHOLE_MAX), "how long it is"),
]);

/// What is known of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactPack {
    /// The version of the form.
    pub schema_version: String,
    /// The project.
    pub project_id: String,
    /// Where it is, for people.
    pub repo_root: String,
    /// Which state of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repo_fingerprint: Option<Fingerprint>,
    /// Its parts.
    pub detected_projects: Vec<Project>,
    /// What it is written in, most files first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<Language>,
    /// Its own commands by name, as evidence.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub commands: BTreeMap<String, String>,
    /// What governs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governance: Option<Governance>,
    /// What has to be minded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Constraints>,
    /// What the facts rest on.
    pub evidence: Vec<Evidence>,
    /// Its tracked files by path; `None` where a pack does not say, which is not the same as none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<File>>,
    /// How many tracked files there are, listed or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_total: Option<u64>,
    /// Whether something was left out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// When somebody looked; no part of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scanned_at: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Which state of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// A digest of the list of files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The commit that is checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_commit: Option<String>,
}

/// A part of a repository that is built by itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Project {
    /// Where it is, from the top.
    pub root_path: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ProjectKind,
    /// What it is built on.
    pub framework: String,
    /// What it is written in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The version of what it is built on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// What a part of a repository is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantNames
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ProjectKind {
    /// What people see.
    Frontend,
    /// What answers it.
    Backend,
    /// Both.
    Fullstack,
    /// What others build on.
    Library,
    /// What people type.
    Cli,
}

/// What files are written in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// Its name.
    pub name: String,
    /// How many files are written in it.
    pub files: u64,
}

/// What governs a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Governance {
    /// Where its documents are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_root: Option<String>,
    /// What has to pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<String>,
    /// What a server does with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci_config: Option<String>,
    /// Its rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// What has to be minded in a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraints {
    /// How sensitive its content is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_sensitivity: Option<Sensitivity>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a fact rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Its id.
    pub id: String,
    /// The file, from the top.
    pub source_file: String,
    /// What kind of fact it supports.
    pub category: Category,
    /// The words that matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// Their lines, first and last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_range: Option<[u64; 2]>,
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// What kind of fact something supports.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantNames
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Category {
    /// What it is built on.
    Dependency,
    /// How it behaves.
    Config,
    /// What can be run.
    Script,
    /// What is said of it.
    Documentation,
    /// What it does.
    Code,
    /// What has to be minded.
    Constraint,
}

/// A tracked file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct File {
    /// Where it is, from the top.
    pub path: String,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// How long it is.
    pub bytes: u64,
}

impl FactPack {
    /// Reads a pack, or says everything that is wrong with it.
    pub fn read(document: &Document) -> Result<Self, Unreadable> {
        SCHEMA.check(document)?;
        let mut pack: Self = from_value(&document.root).map_err(|mismatch: Mismatch| {
            let at = mismatch.span().unwrap_or(document.root.span);
            Unreadable::of(document.error(diagnostic::SCHEMA_WRONG_TYPE, at, mismatch.to_string()))
        })?;
        // Found by search, and of one content whatever the order of the list.
        pack.files.iter_mut().for_each(|files| files.sort());
        let twice = |list: &[File]| list.array_windows().find(|[one, other]| one.path == other.path).cloned();
        if let Some([file, _]) = pack.files.as_deref().and_then(twice) {
            let message = format!("the file {} is listed twice", diagnostic::quoted(&file.path));
            let at = document.root.get("files").map_or(document.root.span, |files| files.span);
            return Err(Unreadable::of(document.error(diagnostic::SCHEMA_NOT_ALLOWED, at, message)));
        }
        Ok(pack)
    }

    /// The same without when somebody looked.
    #[must_use]
    pub fn timeless(&self) -> Self {
        Self { scanned_at: None, ..self.clone() }
    }

    /// The digest of what is known; when somebody looked is no part of it.
    pub fn content_digest(&self) -> Digest {
        let content = self.timeless();
        // Whole numbers are within bounds by the schema, and the rest is text, so there is a canonical form.
        canonical::digest(&content).unwrap_or(Digest::ZERO)
    }

    /// Whether a file is among those listed; `None` where the pack lists none, or not all of them.
    pub fn has_file(&self, path: &str) -> Option<bool> {
        let files = self.files.as_deref()?;
        match files.binary_search_by(|file| file.path.as_str().cmp(path)) {
            Ok(_) => Some(true),
            Err(_) if self.truncated => None,
            Err(_) => Some(false),
        }
    }

    /// The same for whatever a pattern means.
    pub fn has_any(&self, pattern: &str) -> Option<bool> {
        let found = self.has_file(pattern);
        let is_meant = |file: &File| pattern::matches(pattern, &file.path);
        if found == Some(false) && self.files.iter().flatten().any(is_meant) { Some(true) } else { found }
    }

    /// The evidence with an id.
    pub fn evidence(&self, id: &str) -> Option<&Evidence> {
        self.evidence.iter().find(|evidence| evidence.id == id)
    }
}
