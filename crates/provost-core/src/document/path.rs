//! The way to a value, apart because messages name it while validators only carry spans.

use std::fmt;

use super::value::{Kind, Value};
use crate::diagnostic::Span;

/// The steps from the root of a document to a value, written like `nodes[3].effects`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<'d>(Vec<Step<'d>>);

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'d> {
    /// Into the value under a key.
    Key(&'d str),
    /// Into an element of a list, from 0.
    Index(usize),
}

impl<'d> Path<'d> {
    /// Follows a span inwards; lists and objects are searched, not scanned.
    pub(super) fn to(root: &'d Value, span: Span) -> Self {
        let mut steps = Vec::new();
        let mut at = root;
        while at.span != span {
            let next = match &at.kind {
                Kind::Array(elements) => {
                    let index = elements.partition_point(|element| element.span.end < span.end);
                    elements.get(index).map(|element| (Step::Index(index), element.span, element))
                }
                Kind::Object(object) => {
                    let members = object.as_slice();
                    let index = members.partition_point(|member| member.value.span.end < span.end);
                    members.get(index).map(|member| {
                        let whole = Span { start: member.key_span.start, end: member.value.span.end };
                        (Step::Key(&member.key), whole, &member.value)
                    })
                }
                _ => None,
            };
            let Some((step, whole, value)) = next.filter(|(_, whole, _)| whole.contains(span)) else { break };
            steps.push(step);
            at = value;
            if !value.span.contains(span) || whole == span {
                break;
            }
        }
        Self(steps)
    }

    /// A path of steps, outermost first.
    pub(crate) fn of(steps: &[Step<'d>]) -> Self {
        Self(steps.to_vec())
    }

    /// The steps, outermost first; none for the root.
    pub fn steps(&self) -> &[Step<'d>] {
        &self.0
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the document");
        }
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if is_plain(key) => write!(f, "{}{key}", if at == 0 { "" } else { "." })?,
                Step::Key(key) => match key.char_indices().nth(SHOWN_MAX) {
                    Some((end, _)) => write!(f, "[{:?}…]", key.get(..end).unwrap_or_default())?,
                    None => write!(f, "[{key:?}]")?,
                },
            }
        }
        Ok(())
    }
}

/// How many characters of a key are shown; keys come from outside and may be as long as a document.
const SHOWN_MAX: usize = 60;

/// Tells whether a key needs no quotes.
fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= SHOWN_MAX
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$'))
}
