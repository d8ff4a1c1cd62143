//! A registry as one document, and back: a plan is made again from the content that it was made with, whatever has become
//! of the files since. Where files lay is not kept; content is known by its id.

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use super::content::{Kind, Status};
use super::snapshot::{Broken, Item, Registry, Source, by_words};
use crate::canonical::{self, NotCanonical};
use crate::diagnostic::{self, CODES, Diagnostic};
use crate::document::{self, Document, Limits, Unreadable, Value};
use crate::schema::{Schema, Shape, choice, list, object, required, text};

/// The name of the form.
const FORM: &str = "provost/registry/1";

/// The shape of `registry.json`.
pub(crate) const SNAPSHOT: Schema = Schema {
    name: "registry_snapshot",
    version: "1.0.0",
    title: "Everything of a registry that a plan was made with",
    root: object(&[
        required("schema", Shape::Exactly(FORM), "the name of the form"),
        required(
            "items",
            list(
                &object(&[
                    required("kind", KIND, "what it is"),
                    required("document", Shape::Anything, "what it says; its own schema describes it"),
                ]),
                0,
                1_000_000,
            ),
            "content that has the right shape",
        ),
        required("broken", list(&BROKEN, 0, 1_000_000), "files that could not be used"),
    ]),
};

const KIND: Shape = choice(<Kind as VariantNames>::VARIANTS);

const BROKEN: Shape = object(&[
    required("kind", KIND, "what it should hold"),
    required("id", Shape::Nullable(&Shape::Anything), "the id that it gives itself"),
    required("status", choice(<Status as VariantNames>::VARIANTS), "whether it would be used"),
    required("path", Shape::Anything, "its file, from the top of the registry"),
    required(
        "defects",
        list(
            &object(&[
                required("code", text(1, 120), "its code"),
                required("message", Shape::Anything, "what is wrong"),
            ]),
            1,
            1_000_000,
        ),
        "what is wrong",
    ),
]);

#[derive(Serialize)]
struct Frozen<'r> {
    schema: &'static str,
    items: Vec<FrozenItem<'r>>,
    broken: Vec<FrozenBroken>,
}

#[derive(Serialize)]
struct FrozenItem<'r> {
    kind: Kind,
    document: &'r Value,
}

#[derive(Serialize, Deserialize)]
struct FrozenBroken {
    kind: Kind,
    id: Option<String>,
    status: Status,
    path: String,
    defects: Vec<FrozenDefect>,
}

#[derive(Serialize, Deserialize)]
struct FrozenDefect {
    code: String,
    message: String,
}

impl Registry {
    /// All of it as canonical bytes.
    pub fn frozen(&self) -> Result<Vec<u8>, NotCanonical> {
        let items = self
            .items()
            .iter()
            .map(|Item { kind, document, .. }| FrozenItem { kind: *kind, document: &document.root });
        let broken = self.broken().iter().map(|broken| FrozenBroken {
            kind: broken.kind,
            id: broken.id.clone(),
            status: broken.status,
            path: broken.path.clone(),
            defects: by_words(&broken.defects).map(defect).collect(),
        });
        canonical::to_vec(&Frozen { schema: FORM, items: items.collect(), broken: broken.collect() })
    }

    /// Reads what was frozen; the caller has verified its digest.
    pub fn thawed(document: &Document) -> Result<Registry, Unreadable> {
        let refuse = |what: &str| {
            Unreadable::of(document.error(diagnostic::SCHEMA_NOT_ALLOWED, document.root.span, what))
        };
        let root = &document.root;
        if root.get("schema").and_then(Value::as_str) != Some(FORM) {
            return Err(refuse("this is not a frozen registry"));
        }
        let listed = |key: &str| root.get(key).and_then(Value::as_array).unwrap_or_default();
        let mut sources = Vec::new();
        for item in listed("items") {
            let kind: Option<Kind> =
                item.get("kind").and_then(Value::as_str).and_then(|kind| kind.parse().ok());
            let (Some(kind), Some(own)) = (kind, item.get("document")) else {
                return Err(refuse("an item of the frozen registry has no kind or no document"));
            };
            let id = own.get("id").and_then(Value::as_str).unwrap_or("content");
            let path = format!("{}/{id}.json", kind.folder());
            let bytes = canonical::to_vec(own).map_err(|error| refuse(&error.to_string()))?;
            let limits = Limits { bytes_max: u32::MAX, ..Limits::default() };
            let read = document::read(&path, &bytes, &limits);
            sources.push(Source { kind, path, read });
        }
        let mut broken = Vec::new();
        for it in listed("broken") {
            let frozen: FrozenBroken =
                document::from_value(it).map_err(|error| refuse(&error.to_string()))?;
            broken.push(Broken {
                kind: frozen.kind,
                id: frozen.id,
                status: frozen.status,
                defects: frozen.defects.iter().map(restored).collect(),
                path: frozen.path,
            });
        }
        Ok(Registry::new(sources).with_broken(broken))
    }
}

fn defect(diagnostic: &Diagnostic) -> FrozenDefect {
    FrozenDefect { code: diagnostic.code.name().to_owned(), message: diagnostic.message.clone() }
}

fn restored(defect: &FrozenDefect) -> Diagnostic {
    let code =
        CODES.iter().find(|code| code.name() == defect.code).copied().unwrap_or(diagnostic::PROVOST_BUG);
    Diagnostic::error(code, defect.message.clone())
}
