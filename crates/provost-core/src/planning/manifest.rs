//! The manifest of a run: what went in, what came out, and which registry content all of it rests on. Apart because it is
//! the one document that the record names: whoever trusts its digest can check everything else.

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use super::shelf::{Listed, Paper};
use super::{PLANNER_VERSION, Phase};
use crate::canonical::{self, NotCanonical};
use crate::digest::Digest;
use crate::graph::RegistryVersion;
use crate::registry::Kind;
use crate::schema::{Pattern, Schema, Shape, choice, list, matching, object, optional, required, text};

/// The file that it is.
pub const FILE: &str = "manifest.json";

/// What went in, what came out, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The run.
    pub run_id: String,
    /// The intent.
    pub intent_id: String,
    /// The form of the manifest.
    pub schema_version: String,
    /// What planned.
    pub coordinator_version: String,
    /// Where the run came to rest.
    pub final_state: Phase,
    /// The run that this one replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The checksum that the intent declares, and the profile in which it holds.
    pub intent_checksum: IntentChecksum,
    /// Every document but this one, in the order of their names.
    pub artifacts: Vec<Listed>,
    /// The registry content that the run rests on.
    pub registry_versions: Vec<RegistryVersion>,
    /// The digest of the last line of the audit.
    pub audit_head: Digest,
    /// The digest of everything above.
    pub bundle_checksum: Digest,
}

/// The checksum that an intent declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentChecksum {
    /// As declared.
    pub declared: String,
    /// The profile in which it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
}

/// What a manifest is made from.
pub struct Contents<'c> {
    /// The run.
    pub run_id: &'c str,
    /// The intent.
    pub intent_id: &'c str,
    /// Where the run came to rest.
    pub final_state: Phase,
    /// The run that this one replaces.
    pub supersedes: Option<&'c str>,
    /// The checksum that the intent declares.
    pub intent_checksum: IntentChecksum,
    /// The documents.
    pub papers: &'c [Paper],
    /// The registry content that the run rests on.
    pub registry_versions: Vec<RegistryVersion>,
    /// The digest of the last line of the audit.
    pub audit_head: Digest,
}

impl Manifest {
    /// Makes the manifest of a run.
    pub fn new(contents: Contents<'_>) -> Result<Manifest, NotCanonical> {
        let mut artifacts: Vec<Listed> = contents.papers.iter().map(Paper::listed).collect();
        artifacts.sort();
        let mut manifest = Manifest {
            run_id: contents.run_id.to_owned(),
            intent_id: contents.intent_id.to_owned(),
            schema_version: SCHEMA.version.to_owned(),
            coordinator_version: PLANNER_VERSION.to_owned(),
            final_state: contents.final_state,
            supersedes: contents.supersedes.map(str::to_owned),
            intent_checksum: contents.intent_checksum,
            artifacts,
            registry_versions: contents.registry_versions,
            audit_head: contents.audit_head,
            bundle_checksum: Digest::ZERO,
        };
        manifest.bundle_checksum = manifest.covered()?;
        Ok(manifest)
    }

    /// The digest of everything but itself.
    pub fn covered(&self) -> Result<Digest, NotCanonical> {
        canonical::digest(&Manifest { bundle_checksum: Digest::ZERO, ..self.clone() })
    }

    /// The digest of what does not depend on the clock: two runs with the same one are the same plan.
    pub fn content_digest(&self) -> Result<Digest, NotCanonical> {
        let contents: Vec<(&str, &Digest)> =
            self.artifacts.iter().map(|it| (it.file.as_str(), &it.content_digest)).collect();
        canonical::digest(&contents)
    }
}

const DIGEST: Shape = matching(Pattern::Sha256);

/// The shape of `manifest.json`.
pub const SCHEMA: Schema = Schema {
    name: "run_manifest",
    version: "1.0.0",
    title: "What a run was made from and what it left",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("schema_version", text(5, 20), "the form of the manifest"),
        required("coordinator_version", text(5, 20), "what planned"),
        required("final_state", super::PHASE, "where the run came to rest"),
        optional("supersedes", super::RUN_ID, "the run that this one replaces"),
        required(
            "intent_checksum",
            object(&[
                required("declared", text(0, 256), "as declared"),
                optional("profile", text(1, 40), "the profile in which it holds"),
            ]),
            "the checksum that the intent declares",
        ),
        required(
            "artifacts",
            list(
                &object(&[
                    required("file", text(1, 120), "the file"),
                    required("type", text(1, 120), "what it is"),
                    required("schema_version", text(1, 20), "the version of its form"),
                    required("checksum", DIGEST, "the digest of its bytes"),
                    required("content_digest", DIGEST, "the digest of what does not depend on the clock"),
                    required("derived_from", list(&text(1, 120), 0, 100), "the files that it was made from"),
                ]),
                1,
                200,
            ),
            "every document but this one",
        ),
        required(
            "registry_versions",
            list(&REGISTRY_VERSION, 0, 100_000),
            "the content that the run rests on",
        ),
        required("audit_head", DIGEST, "the digest of the last line of the audit"),
        required("bundle_checksum", DIGEST, "the digest of everything else here"),
    ]),
};

/// One item of the registry, in documents of ours.
pub(crate) const REGISTRY_VERSION: Shape = object(&[
    required("kind", choice(<Kind as VariantNames>::VARIANTS), "what it is"),
    required("id", text(1, 256), "its id"),
    required("version", text(1, 64), "its version"),
    required("checksum", DIGEST, "the digest of its content"),
]);
