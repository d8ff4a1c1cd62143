//! Agents that read a prompt and print text: every line is what they say, and nothing but their exit tells their end.

use super::{Adapter, Fed, Grant, Heard};

/// Whoever has no protocol.
#[derive(Debug)]
pub(super) struct Text;

impl Adapter for Text {
    fn begin(&mut self, prompt: &str) -> Vec<u8> {
        prompt.as_bytes().to_vec()
    }

    fn feed(&mut self, line: &str) -> Fed {
        Fed::of([Heard::Text(line.to_owned())])
    }

    fn answer(&mut self, _request: &str, _grant: &Grant) -> Vec<u8> {
        Vec::new()
    }

    fn interrupt(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn is_over(&self) -> bool {
        true
    }
}
