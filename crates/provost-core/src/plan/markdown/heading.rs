//! Headings and what they begin, apart because a heading that only looks like a task's would lose the task unseen.

use crate::plan::scan::Line;

/// A heading.
#[derive(Clone, Copy)]
pub(super) struct Heading<'t> {
    pub(super) level: usize,
    /// What it says, without the marks around it.
    pub(super) text: Line<'t>,
}

/// What a heading begins.
pub(super) enum Rank {
    Phase,
    Task,
    /// It says phase or task and has a number, but not the level; with what would be right.
    Misplaced(&'static str),
    Other,
}

impl<'t> Heading<'t> {
    /// The heading that a line is, if it is one.
    pub(super) fn of(line: Line<'t>) -> Option<Self> {
        let indent = line.text.bytes().take_while(|byte| *byte == b' ').count();
        let marked = line.from(indent);
        let level = marked.text.bytes().take_while(|byte| *byte == b'#').count();
        let text = marked.from(level);
        let is_heading = indent <= 3
            && (1..=6).contains(&level)
            && (text.text.is_empty() || text.text.starts_with([' ', '\t']));
        if !is_heading {
            return None;
        }
        let text = text.trimmed();
        let bare = text.text.trim_end_matches('#');
        let is_closed = bare.is_empty() || bare.ends_with([' ', '\t']);
        let text = if is_closed { Line { text: bare.trim_end(), ..text } } else { text };
        Some(Self { level, text })
    }

    /// What it begins.
    pub(super) fn rank(self) -> Rank {
        let after = |word| after(self.text, word);
        let (task, phase) = (after("task"), after("phase"));
        let has_colon = self.text.text.contains(':');
        let is_numbered = {
            let (number, _) = self.parts();
            has_colon
                && !number.text.contains(char::is_whitespace)
                && number.text.contains(|digit: char| digit.is_ascii_digit())
        };
        match (self.level, task.is_some(), phase.is_some()) {
            (4, true, _) => Rank::Task,
            (3, _, true) if has_colon || is_numbered => Rank::Phase,
            (_, true, _) if is_numbered => Rank::Misplaced("`#### Task ID: title`"),
            (_, _, true) if is_numbered => Rank::Misplaced("`### Phase N: name`"),
            _ => Rank::Other,
        }
    }

    /// What stands between the first word and the colon, and what stands behind the colon.
    pub(super) fn parts(self) -> (Line<'t>, Option<Line<'t>>) {
        let rest = after(self.text, "task").or_else(|| after(self.text, "phase")).unwrap_or(self.text);
        match rest.text.split_once(':') {
            Some((name, title)) => (rest.part(name).trimmed(), Some(rest.part(title).trimmed())),
            None => (rest.trimmed(), None),
        }
    }
}

/// What follows a word at the beginning of a text.
fn after<'t>(text: Line<'t>, word: &str) -> Option<Line<'t>> {
    let (first, rest) = text.text.split_at_checked(word.len())?;
    let is_word = rest.is_empty() || rest.starts_with([' ', '\t', ':']);
    (first.eq_ignore_ascii_case(word) && is_word).then(|| text.from(word.len()))
}
