//! Lines of Markdown, with code blocks and comments told apart from prose; apart because Markdown and the strings
//! of the JSON form must agree on what a text is before either is digested.

use crate::diagnostic::Span;

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// The offset of the first byte of `text`.
    pub(super) start: u32,
    pub(super) text: &'t str,
    pub(super) kind: LineKind,
}

/// What a line is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Prose,
    /// A fenced code block, its fences included.
    Code,
    /// A comment that begins at the start of a line; readers of the rendered page do not see it.
    Comment,
}

/// A code block or comment that is never closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) span: Span,
    pub(super) what: &'static str,
}

impl<'t> Line<'t> {
    /// The part of the line from a byte on.
    pub(super) fn from(self, at: usize) -> Self {
        Self { start: self.start + size(at), text: self.text.get(at..).unwrap_or_default(), ..self }
    }

    /// The same without blanks around it.
    pub(super) fn trimmed(self) -> Self {
        let blanks = self.text.len() - self.text.trim_start().len();
        let from = self.from(blanks);
        Self { text: from.text.trim_end(), ..from }
    }

    pub(super) fn span(self) -> Span {
        Span { start: self.start, end: self.start + size(self.text.len()) }
    }

    pub(super) fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }

    /// The part that stands in this line, given as a slice of its text.
    pub(super) fn part(self, part: &'t str) -> Self {
        let at = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        Self { start: self.start + size(at), text: part, ..self }
    }
}

/// A length as it is counted in spans; texts are below 4 GiB.
pub(super) fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Splits a text into lines, and says what was left open at its end.
pub(super) fn scan(text: &str) -> (Vec<Line<'_>>, Option<Open>) {
    let mut lines = Vec::new();
    let mut inside = Inside::Prose;
    let mut opened = Span::default();
    let mut start = 0;
    // A mark at the very beginning says only that the file is UTF-8.
    let marked = text.starts_with('\u{feff}');
    for whole in text.split_inclusive('\n') {
        let line = whole.strip_suffix('\n').unwrap_or(whole);
        let line =
            Line { start: size(start), text: line.strip_suffix('\r').unwrap_or(line), kind: LineKind::Prose };
        let line = if start == 0 && marked { line.from('\u{feff}'.len_utf8()) } else { line };
        start += whole.len();
        let was_prose = matches!(inside, Inside::Prose);
        let kind = inside.step(line.text);
        if was_prose && kind != LineKind::Prose {
            opened = line.trimmed().span();
        }
        lines.push(Line { kind, ..line });
    }
    let what = match inside {
        Inside::Prose => return (lines, None),
        Inside::Code { .. } => "code block",
        Inside::Comment => "comment",
    };
    (lines, Some(Open { span: opened, what }))
}

/// What the next line stands in.
#[derive(Clone, Copy)]
enum Inside {
    Prose,
    Code { mark: u8, length: usize },
    Comment,
}

impl Inside {
    /// Says what a line is, and moves on.
    fn step(&mut self, text: &str) -> LineKind {
        let trimmed = text.trim();
        match *self {
            Self::Prose => {
                if let Some((mark, length)) = fence(trimmed) {
                    *self = Self::Code { mark, length };
                    return LineKind::Code;
                }
                if let Some(rest) = trimmed.strip_prefix("<!--") {
                    if !rest.contains("-->") {
                        *self = Self::Comment;
                    }
                    return LineKind::Comment;
                }
                LineKind::Prose
            }
            Self::Code { mark, length } => {
                if trimmed.len() >= length && trimmed.bytes().all(|byte| byte == mark) {
                    *self = Self::Prose;
                }
                LineKind::Code
            }
            Self::Comment => {
                if trimmed.contains("-->") {
                    *self = Self::Prose;
                }
                LineKind::Comment
            }
        }
    }
}

/// The fence that a line opens, if it opens one.
fn fence(trimmed: &str) -> Option<(u8, usize)> {
    let mark = *trimmed.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let length = trimmed.bytes().take_while(|byte| *byte == mark).count();
    // Three marks with more of them behind are code within a line.
    let is_fence = length >= 3 && (mark == b'~' || !trimmed.get(length..)?.contains('`'));
    is_fence.then_some((mark, length))
}

/// Lines as one text: code verbatim, comments left out, no blanks at ends, no two blank lines in prose.
pub(super) fn block<'t>(lines: impl IntoIterator<Item = Line<'t>>) -> String {
    let mut text = String::new();
    let mut is_gap = false;
    for line in lines {
        let shown = match line.kind {
            LineKind::Comment => continue,
            LineKind::Code => line.text,
            LineKind::Prose => line.text.trim_end(),
        };
        if shown.is_empty() && line.kind == LineKind::Prose {
            is_gap = !text.is_empty();
            continue;
        }
        if !text.is_empty() {
            text.push_str(if is_gap { "\n\n" } else { "\n" });
        }
        text.push_str(shown);
        is_gap = false;
    }
    text
}

/// A text on one line, blanks outside of back-quoted code drawn together.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut is_code = false;
    for character in text.trim().chars() {
        let character = if matches!(character, '\n' | '\r' | '\t') { ' ' } else { character };
        is_code ^= character == '`';
        if is_code || !character.is_whitespace() {
            line.push(character);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line
}

/// Every character that has no place in a plan, with its offset: it would act on a terminal or hide text.
pub(super) fn forbidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let follows = |at: usize| text.as_bytes().get(at + 1) == Some(&b'\n');
    text.char_indices().filter(move |&(at, character)| match character {
        '\n' | '\t' => false,
        '\r' => !follows(at),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => true,
        other => other.is_control(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_comments_are_told_apart() {
        let text = "a\r\n```sh\n# b\n~~~\n````\n<!-- x\n--> y\nz ```not```\n~~~ `info`\n";
        let (lines, open) = scan(text);
        let kinds: String = lines
            .iter()
            .map(|line| match line.kind {
                LineKind::Prose => 'p',
                LineKind::Code => 'c',
                LineKind::Comment => '-',
            })
            .collect();
        assert_eq!(kinds, "pcccc--pc");
        assert_eq!(open.map(|open| open.what), Some("code block"));
        assert_eq!(lines[0].text, "a");
        assert_eq!(lines[1].start, 3);
    }

    #[test]
    fn blocks_and_lines_have_one_spelling() {
        let text = "\n\n  a  \n\n\n<!-- gone -->\n```\n x \n\n\n```\nb\n\n";
        assert_eq!(block(scan(text).0), "  a\n\n```\n x \n\n\n```\nb");
        assert_eq!(one_line("  a \n b `c  d`  e "), "a b `c  d` e");
    }
}
