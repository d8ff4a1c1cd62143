//! Lists as people write them: bullets, numbers, check boxes, commas; apart because five fields share them.

use crate::diagnostic::Span;
use crate::plan::draft::Placed;
use crate::plan::scan::{Line, LineKind, one_line};

/// The entries of a list, each on one line; a paragraph without a bullet is an entry too.
pub(super) fn items(lines: &[Line<'_>]) -> Vec<Placed<String>> {
    let mut items: Vec<Placed<String>> = Vec::new();
    let mut is_open = false;
    for line in lines.iter().filter(|line| line.kind != LineKind::Comment) {
        let line = line.trimmed();
        if line.text.is_empty() {
            is_open = false;
            continue;
        }
        let (entry, is_bullet) = entry(line);
        let Span { end, .. } = entry.span();
        match items.last_mut().filter(|_| is_open && !is_bullet) {
            Some(item) => {
                item.value.push('\n');
                item.value.push_str(entry.text);
                item.span.end = end;
            }
            None => items.push(Placed { value: entry.text.to_owned(), span: entry.span() }),
        }
        is_open = true;
    }
    for item in &mut items {
        item.value = one_line(&item.value);
    }
    items.retain(|item| !item.value.is_empty() && !is_none(&item.value));
    items
}

/// The entries of a list that may also be separated by commas, back-quotes removed.
pub(super) fn pieces<'t>(lines: &[Line<'t>]) -> Vec<Line<'t>> {
    let mut pieces = Vec::new();
    for line in lines.iter().filter(|line| line.kind != LineKind::Comment) {
        let (entry, _) = entry(line.trimmed());
        for piece in at_commas(entry.text) {
            let piece = unquoted(entry.part(piece).trimmed());
            if !piece.text.is_empty() && !is_none(piece.text) {
                pieces.push(piece);
            }
        }
    }
    pieces
}

/// The text without back-quotes around it.
pub(super) fn unquoted(text: Line<'_>) -> Line<'_> {
    let inner = text.text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.map_or(text, |inner| text.part(inner).trimmed())
}

/// Tells whether a text is the word for an empty list.
fn is_none(text: &str) -> bool {
    text.trim_end_matches('.').eq_ignore_ascii_case("none")
}

/// Splits at commas that are neither in back-quotes nor in the braces of a glob.
fn at_commas(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let mut is_code = false;
    text.split(|character: char| {
        match character {
            '`' => is_code = !is_code,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && !is_code && depth == 0
    })
    .collect()
}

/// A trimmed line without its bullet and check box, and whether it had a bullet.
fn entry(line: Line<'_>) -> (Line<'_>, bool) {
    let Some(rest) = bullet(line) else { return (line, false) };
    let boxes = ["[ ]", "[x]", "[X]"];
    let unboxed = boxes.iter().find_map(|it| rest.text.strip_prefix(it));
    match unboxed.filter(|text| text.is_empty() || text.starts_with(char::is_whitespace)) {
        Some(text) => (rest.part(text).trimmed(), true),
        None => (rest, true),
    }
}

/// What follows a bullet or a number.
pub(super) fn bullet(line: Line<'_>) -> Option<Line<'_>> {
    let digits = line.text.bytes().take_while(u8::is_ascii_digit).count();
    let marked = line.from(digits);
    let is_mark = match marked.text.bytes().next()? {
        b'-' | b'*' | b'+' => digits == 0,
        b'.' | b')' => (1..=9).contains(&digits),
        _ => false,
    };
    let rest = marked.from(1);
    let is_apart = rest.text.is_empty() || rest.text.starts_with(char::is_whitespace);
    (is_mark && is_apart).then(|| rest.trimmed())
}
