//! What is passed over: white space, comments, and what is nested too deeply to be read.

use super::{Read, Reader, Stop};
use crate::diagnostic::{DOCUMENT_COMMENT, DOCUMENT_TOO_DEEP};

impl Reader<'_> {
    /// Passes over white space; comments are reported and passed over.
    pub(super) fn blank(&mut self) {
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
            self.at += blank;
            let rest = self.text.get(self.at..).unwrap_or_default();
            let len = if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                return;
            };
            let start = self.at;
            self.at += len;
            self.report(DOCUMENT_COMMENT, start, || "JSON has no comments".to_owned());
        }
    }

    /// Passes over a list or an object without reading it, however deep it goes on.
    pub(super) fn skip_too_deep(&mut self) -> Read<()> {
        let depth_max = self.limits.depth_max;
        let message = || format!("lists and objects are nested more than {depth_max} deep");
        self.report(DOCUMENT_TOO_DEEP, self.at, message);
        let open = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            self.step();
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                b'"' => self.skip_string(),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
        let Stop = self.unclosed(open, "`]`");
        Err(Stop)
    }

    /// Passes over the rest of a string.
    fn skip_string(&mut self) {
        while let Some(byte) = self.peek() {
            self.step();
            match byte {
                b'"' => return,
                b'\\' if self.peek().is_some() => {
                    self.step();
                }
                _ => {}
            }
        }
    }
}
