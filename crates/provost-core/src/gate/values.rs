//! Values that look like a call, outside prose: a sentence may speak of a shell script, an id or a path may not be one.

use super::{Hit, shown, walk};
use crate::document::{Document, Kind, Path, Step};

/// Fields in which people write sentences.
pub const PROSE: &[&str] = &[
    "title",
    "description",
    "goal",
    "success_criteria",
    "non_goals",
    "reason",
    "intent",
    "drivers",
    "responsibilities",
    "role",
];

/// What a call looks like: words that follow each other with nothing but blanks, quotes and punctuation between.
const CALLS: &[(&str, &[&str])] = &[
    ("subprocess", &["subprocess"]),
    ("command_line", &["command_line"]),
    ("shell execute", &["shell", "execute"]),
    ("bash -c", &["bash", "-c"]),
    ("python -c", &["python", "-c"]),
    ("powershell -command", &["powershell", "-command"]),
    ("os.system", &["os.system"]),
    ("exec(", &["exec", "("]),
    ("eval(", &["eval", "("]),
];

/// Finds text values that look like a call, but for those under the keys of prose and under ids.
pub fn values(document: &Document, prose: &[&str]) -> Vec<Hit> {
    let mut hits = Vec::new();
    walk(&document.root, &mut Vec::new(), &mut |way, value| {
        let Kind::String(text) = &value.kind else { return };
        let is_spared = |step: &Step<'_>| matches!(step, Step::Key(key) if prose.contains(key) || is_id(key));
        if way.iter().any(is_spared) {
            return;
        }
        if let Some(word) = call_in(text) {
            let key =
                way.iter().rev().find_map(|step| if let Step::Key(key) = step { Some(*key) } else { None });
            let path = Path::of(way).to_string();
            hits.push(Hit { path, span: value.span, key: key.unwrap_or_default().to_owned(), word });
        }
    });
    hits
}

fn is_id(key: &str) -> bool {
    key == "id" || key.ends_with("_id")
}

fn call_in(text: &str) -> Option<&'static str> {
    let text: String = shown(text).collect();
    CALLS.iter().find(|(_, words)| has_words(&text, words)).map(|(name, _)| *name)
}

/// Tells whether the words follow each other anywhere.
fn has_words(text: &str, words: &[&str]) -> bool {
    let Some((first, others)) = words.split_first() else { return false };
    text.match_indices(first).any(|(at, _)| {
        let rest = text.get(at + first.len()..).unwrap_or_default();
        let behind = others.iter().try_fold(rest, |rest, word| gapless(rest).strip_prefix(word));
        // An option ends where its letters do: a folder `python-client` is no call.
        let is_option = words.last().is_some_and(|word| word.starts_with('-'));
        behind.is_some_and(|behind| !is_option || !behind.starts_with(char::is_alphanumeric))
    })
}

/// The text without what may stand between two words of a call.
fn gapless(text: &str) -> &str {
    // Bounded, so that a long run of blanks is not read once for each word before it.
    let gap = text.char_indices().take(16).take_while(|(_, it)| " \t\n\"'.:_".contains(*it)).last();
    gap.map_or(text, |(at, last)| text.get(at + last.len_utf8()..).unwrap_or_default())
}
