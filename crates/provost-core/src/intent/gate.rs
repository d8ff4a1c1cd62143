//! Gate D as intents and answers meet it: what the gate finds, in the words of their findings.

use crate::diagnostic::{Span, quoted};
use crate::document::{Document, Kind, Value};

/// Something to be run.
pub(crate) struct Hit {
    /// Where it stands.
    pub(crate) span: Span,
    /// The same, if it is a key.
    pub(crate) key: Option<Span>,
    /// What it is.
    pub(crate) message: String,
}

const FORBIDDEN: &[&str] = &[
    "execute",
    "exec",
    "eval",
    "run",
    "shell",
    "bash",
    "python",
    "powershell",
    "subprocess",
    "commandline",
    "script",
    "ossystem",
];

/// Everything in an intent.
pub(super) fn hits(document: &Document) -> Vec<Hit> {
    keys(document)
}

/// The keys of a document.
pub(crate) fn keys(document: &Document) -> Vec<Hit> {
    let mut hits = Vec::new();
    walk(&document.root, &mut hits);
    hits
}

/// A key as the gate compares it.
pub(crate) fn folded(key: &str) -> String {
    key.chars().filter(|it| !matches!(it, '-' | '_')).flat_map(char::to_lowercase).collect()
}

fn walk(value: &Value, hits: &mut Vec<Hit>) {
    match &value.kind {
        Kind::Array(elements) => elements.iter().for_each(|element| walk(element, hits)),
        Kind::Object(object) => {
            for member in object {
                if FORBIDDEN.contains(&folded(&member.key).as_str()) {
                    let message =
                        format!("the key {} is one that nothing to be planned may have", quoted(&member.key));
                    hits.push(Hit { span: member.key_span, key: Some(member.key_span), message });
                }
                walk(&member.value, hits);
            }
        }
        _ => {}
    }
}
