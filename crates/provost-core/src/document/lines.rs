//! From a byte to line and column, apart because offsets are kept everywhere and places are asked for seldom.

use crate::diagnostic::Span;

/// A line and a column, both from 1; columns count characters, so that a place is where an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line; a line ends with a line feed.
    pub line: u32,
    /// The column, in Unicode scalar values; a carriage return and a tab count as one.
    pub column: u32,
}

/// Where lines begin and where characters are longer than a byte.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// The first byte of every line but the first.
    starts: Vec<u32>,
    /// For every character longer than a byte: its first byte, and how many bytes beyond one per character come
    /// up to its end. Not a lookup in the text, so that a place costs the same on a line of any length.
    wide: Vec<(u32, u32)>,
}

impl LineIndex {
    /// Indexes a text of less than 4 GiB.
    pub fn new(text: &str) -> Self {
        let mut index = Self { starts: Vec::new(), wide: Vec::new() };
        let mut extra = 0;
        for (at, byte) in (0_u32..).zip(text.bytes()) {
            match byte {
                b'\n' => index.starts.push(at + 1),
                0..0xc0 => {}
                lead => {
                    extra += match lead {
                        0xf0.. => 3,
                        0xe0.. => 2,
                        _ => 1,
                    };
                    index.wide.push((at, extra));
                }
            }
        }
        index
    }

    /// The line and column of a byte; a byte inside a character counts as the character.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let lines_before = self.starts.partition_point(|&start| start <= offset);
        let start = lines_before.checked_sub(1).and_then(|last| self.starts.get(last)).copied().unwrap_or(0);
        let line = u32::try_from(lines_before).unwrap_or(u32::MAX).saturating_add(1);
        let characters = self.characters_before(offset).saturating_sub(self.characters_before(start));
        LineColumn { line, column: characters + 1 }
    }

    /// The line and column where a span begins.
    pub fn start(&self, span: Span) -> LineColumn {
        self.line_column(span.start)
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let wide_before = self.wide.partition_point(|&(at, _)| at < offset);
        let last = wide_before.checked_sub(1).and_then(|last| self.wide.get(last));
        let Some(&(at, extra)) = last else { return offset };
        let before_last =
            wide_before.checked_sub(2).and_then(|last| self.wide.get(last)).map_or(0, |wide| wide.1);
        // Inside the last wide character not all of its bytes have been passed.
        let end = at + 1 + (extra - before_last);
        if offset < end { at - before_last } else { offset - extra }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offset_as_counted_by_hand() {
        let text = "a\né😂b\r\n\n\u{feff}x\u{301}\n";
        let index = LineIndex::new(text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..at];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let expected = LineColumn {
                line: u32::try_from(before.matches('\n').count()).unwrap() + 1,
                column: u32::try_from(text[line_start..at].chars().count()).unwrap() + 1,
            };
            assert_eq!(index.line_column(u32::try_from(at).unwrap()), expected, "{at}");
        }
        let inside = index.line_column(u32::try_from(text.find('😂').unwrap()).unwrap() + 2);
        assert_eq!(inside, LineColumn { line: 2, column: 2 });
    }
}
