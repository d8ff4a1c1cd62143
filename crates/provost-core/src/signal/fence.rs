//! Fenced blocks as `CommonMark` draws them, apart because the scanner, the body reader and the prompts must agree on
//! where an example begins and ends.

/// A block that has been opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    length: usize,
}

/// A line that opens a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening<'l> {
    /// The block.
    pub(super) fence: Fence,
    /// How far the line is indented.
    pub(super) indent: usize,
    /// What stands behind the marks.
    pub(super) info: &'l str,
}

/// Reads a line as the beginning of a block.
pub(super) fn opening(line: &str) -> Option<Opening<'_>> {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    let mark = rest.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let info = rest.trim_start_matches(mark);
    let length = rest.len() - info.len();
    // Backticks behind backticks are a span of code within a line.
    let is_fence = indent <= 3 && length >= 3 && !(mark == '`' && info.contains('`'));
    is_fence.then(|| Opening { fence: Fence { mark, length }, indent, info: info.trim() })
}

impl Fence {
    /// Tells whether a line ends the block.
    pub(super) fn is_closed_by(self, line: &str) -> bool {
        opening(line).is_some_and(|it| {
            it.fence.mark == self.mark && it.fence.length >= self.length && it.info.is_empty()
        })
    }
}

/// Follows blocks line by line; tells whether the line belongs to one, its fences included.
pub(super) fn step(open: &mut Option<Fence>, line: &str) -> bool {
    if let Some(fence) = *open {
        if fence.is_closed_by(line) {
            *open = None;
        }
        return true;
    }
    *open = opening(line).map(|it| it.fence);
    open.is_some()
}

/// The longest run of a character in a text: a fence that is longer cannot be closed by it.
pub(crate) fn longest_run(text: &str, mark: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_open_and_close_as_in_commonmark() {
        for (line, opens) in [
            ("```", true),
            ("~~~~ text", true),
            ("   ```json", true),
            ("    ```", false),
            ("``", false),
            ("``` a ` b", false),
            ("~~~ a ` b", true),
            ("\t```", false),
        ] {
            assert_eq!(opening(line).is_some(), opens, "{line:?}");
        }
        let fence = opening("````provost").unwrap().fence;
        for (line, closes) in
            [("```", false), ("````", true), ("  `````  ", true), ("```` x", false), ("~~~~", false)]
        {
            assert_eq!(fence.is_closed_by(line), closes, "{line:?}");
        }
    }
}
