//! The body of a signal in text, cut into its labelled fields, apart because nothing here knows what a field means.

use std::collections::BTreeMap;

use super::fence;
use super::field::{IGNORED, TASK};
use super::{Name, Shape};

/// How many bytes of one field are looked at; what is kept of it is less.
const RAW_MAX: usize = 64 << 10;
/// How far a line is indented that continues the one before; this much is taken off.
const INDENT: usize = 4;
/// How long a label may be, with what decorates it.
const LABEL_MAX: usize = 64;

/// The fields of a body by their keys.
pub(super) type Sections = BTreeMap<&'static str, Section>;

/// What stands behind and below one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    /// The rest of the label's line.
    inline: String,
    /// The lines below.
    below: String,
    /// Whether there was more than is looked at.
    pub(super) cut: bool,
}

/// Cuts a body into its fields.
pub(super) fn sections(name: Name, body: &str) -> Sections {
    let has_table = name.fields().iter().any(|field| field.shape == Shape::Claims);
    let mut sections = Sections::new();
    let mut current: Option<&'static str> = None;
    let mut block = None;
    for line in body.split('\n') {
        if !fence::step(&mut block, line) {
            if has_table && line.starts_with('|') {
                // A table is the matrix wherever it stands.
                sections.entry("matrix").or_default().push(line);
                continue;
            }
            if let Some((label, rest)) = label(line)
                && let Some(key) = key(name, label)
            {
                current = Some(key);
                sections.entry(key).or_default().push_inline(rest);
                continue;
            }
        }
        if let Some(key) = current {
            sections.entry(key).or_default().push(line);
        }
    }
    sections
}

/// The key of a label: of a field, or an empty one that nobody asks for.
fn key(name: Name, label: &str) -> Option<&'static str> {
    let is = |known: &str| known.eq_ignore_ascii_case(label);
    let field =
        name.fields().iter().chain([&TASK]).find(|it| is(it.label) || it.also.iter().any(|it| is(it)));
    field.map(|it| it.key).or_else(|| IGNORED.iter().any(|it| is(it)).then_some(""))
}

/// Splits `Label: rest`, also where the label is set in bold or as a heading.
fn label(line: &str) -> Option<(&str, &str)> {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len();
    let bare = if is_heading { heading.trim_start() } else { line };
    let bold = bare.strip_prefix("**");
    let bare = bold.unwrap_or(bare);
    let head: &str = bare.get(..bare.floor_char_boundary(LABEL_MAX))?;
    let Some(colon) = head.find(':') else {
        return is_heading.then(|| (head.trim_end().trim_end_matches('*'), ""));
    };
    let (label, rest) = bare.split_at_checked(colon)?;
    let rest = rest.strip_prefix(':')?;
    let rest =
        if bold.is_some() && !label.ends_with('*') { rest.strip_prefix("**").unwrap_or(rest) } else { rest };
    Some((label.trim_end_matches('*'), rest.trim()))
}

impl Section {
    fn push_inline(&mut self, rest: &str) {
        if self.inline.is_empty() && self.below.is_empty() {
            rest.get(..rest.floor_char_boundary(RAW_MAX)).unwrap_or_default().clone_into(&mut self.inline);
            self.cut |= self.inline.len() < rest.len();
        } else {
            self.push(rest);
        }
    }

    fn push(&mut self, line: &str) {
        let room = RAW_MAX.saturating_sub(self.below.len());
        let kept = line.get(..line.floor_char_boundary(room)).unwrap_or_default();
        self.cut |= kept.len() < line.len();
        if room > 0 {
            self.below.push_str(kept);
            self.below.push('\n');
        }
    }

    /// The field as one text.
    pub(super) fn text(&self) -> String {
        let mut text = self.inline.clone();
        for line in self.below.lines() {
            text.push('\n');
            text.push_str(dedented(line));
        }
        text
    }

    /// The lines below the label that are rows of a table.
    pub(super) fn rows(&self) -> impl Iterator<Item = &str> {
        self.below.lines().map(str::trim).filter(|line| line.starts_with('|'))
    }

    /// The field as a list: one element a bullet, or all of it where there are none.
    pub(super) fn items(&self, by_commas: bool) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        let inline = self.inline.as_str();
        if !["", "none", "n/a", "-"].iter().any(|nothing| nothing.eq_ignore_ascii_case(inline)) {
            let parts = inline.split(", ").map(str::to_owned);
            items.extend(parts.take(if by_commas { usize::MAX } else { 0 }));
            if !by_commas {
                items.push(inline.to_owned());
            }
        }
        let mut base = None;
        let mut after_blank = false;
        for line in self.below.lines() {
            let text = line.trim_start_matches(' ');
            let indent = line.len() - text.len();
            match bullet(text).filter(|_| base.is_none_or(|base| indent <= base)) {
                Some(item) => {
                    base = Some(indent);
                    items.push(item.to_owned());
                }
                // What stands unindented behind a blank line has left the list.
                None if after_blank && indent == 0 && !items.is_empty() && !text.is_empty() => break,
                None => match items.last_mut() {
                    Some(last) => {
                        last.push('\n');
                        last.push_str(dedented(line));
                    }
                    None if text.is_empty() => {}
                    None => items.push(text.to_owned()),
                },
            }
            after_blank = text.is_empty();
        }
        items
    }
}

/// The text behind a bullet or a number.
fn bullet(text: &str) -> Option<&str> {
    let numbered = || {
        let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
        let digits = text.len() - rest.len();
        (1..=3).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
    };
    let rest = text.strip_prefix(['-', '*', '•']).or_else(numbered)?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
}

fn dedented(line: &str) -> &str {
    let indent = line.bytes().take(INDENT).take_while(|byte| *byte == b' ').count();
    line.get(indent..).unwrap_or_default()
}
