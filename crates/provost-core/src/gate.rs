//! Gate D: what looks like something to execute has no place in a plan, apart because intents, answers and produced
//! artifacts are all held to the same short list, whatever their schemas leave open.
//!
//! Keys are compared whole after their disguises are taken off: compatibility forms, characters without a shape,
//! case, hyphens, underscores, dots, blanks and control characters. Letters of other scripts that only look alike are
//! another matter: they are other words, no reader takes them for the word, and closed schemas refuse them.

mod values;

use unicode_normalization::UnicodeNormalization as _;

use crate::diagnostic::Span;
use crate::document::{Document, Kind, Path, Step, Value};

pub use values::{PROSE, values};

/// Keys that say that something is to be executed, in their bare form.
pub const KEYS: &[&str] = &[
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

/// Keys that say so in a command of the registry, and are harmless words elsewhere.
pub const COMMAND_KEYS: &[&str] = &["code", "payload", "invoke", "executable"];

/// Something that looks like something to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The way to it.
    pub path: String,
    /// Where the key or the value stands.
    pub span: Span,
    /// The key as it is written.
    pub key: String,
    /// The word or the pattern that it is.
    pub word: &'static str,
}

/// Finds keys at any depth that are in [`KEYS`] or among the extra ones, in the order of the document.
pub fn keys(document: &Document, extra: &[&'static str]) -> Vec<Hit> {
    let mut hits = Vec::new();
    walk(&document.root, &mut Vec::new(), &mut |way, value| {
        let Kind::Object(object) = &value.kind else { return };
        for member in object {
            let Some(word) = word_of(&member.key, extra) else { continue };
            let steps: Vec<Step<'_>> = way.iter().copied().chain([Step::Key(&member.key)]).collect();
            let path = Path::of(&steps).to_string();
            hits.push(Hit { path, span: member.key_span, key: member.key.to_string(), word });
        }
    });
    hits.sort_by_key(|hit| hit.span);
    hits
}

/// Visits every value; recursion is bounded by the reader's limit on depth.
fn walk<'d>(value: &'d Value, way: &mut Vec<Step<'d>>, visit: &mut impl FnMut(&[Step<'d>], &'d Value)) {
    visit(way, value);
    match &value.kind {
        Kind::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                way.push(Step::Index(index));
                walk(element, way, visit);
                way.pop();
            }
        }
        Kind::Object(object) => {
            for member in object {
                way.push(Step::Key(&member.key));
                walk(&member.value, way, visit);
                way.pop();
            }
        }
        _ => {}
    }
}

fn word_of(key: &str, extra: &[&'static str]) -> Option<&'static str> {
    let bare = bare(key)?;
    KEYS.iter().chain(extra).copied().find(|word| *word == bare)
}

/// A key without its disguises; none if it is longer than any word that is looked for.
fn bare(key: &str) -> Option<String> {
    const LEN_MAX: usize = 16;
    let mut bare = String::new();
    for character in shown(key).filter(|it| !is_between(*it)) {
        bare.push(character);
        if bare.len() > LEN_MAX {
            return None;
        }
    }
    Some(bare)
}

/// A text as a reader sees it, in small letters: without what has no shape, and without compatibility forms.
fn shown(text: &str) -> impl Iterator<Item = char> {
    let seen = text.chars().filter(|it| !is_ignorable(*it)).nfkc().filter(|it| !is_ignorable(*it));
    // A dotted capital has a small letter with a dot of its own.
    seen.flat_map(char::to_lowercase).filter(|it| *it != '\u{307}').nfkc()
}

/// What may stand between the letters of a word without making it another one.
fn is_between(character: char) -> bool {
    let joins = matches!(character, '-' | '_' | '.' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    joins || character.is_whitespace() || character.is_control()
}

/// Characters that have no shape of their own: those that Unicode calls default ignorable.
fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}
