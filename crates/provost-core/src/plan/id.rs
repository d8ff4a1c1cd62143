//! The names of tasks, apart because they become branches, folders and trailers: one grammar keeps them harmless.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most characters of an id.
const LENGTH_MAX: usize = 64;

/// The name of a task: letters and digits in parts joined by single hyphens, such as `1-auth-2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
// INVARIANT: private, so that no id exists that the grammar refuses.
pub struct TaskId(String);

/// Why a text is not the id of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATaskId {
    /// There is nothing.
    #[error("is empty")]
    Empty,
    /// It does not fit into the names that are made from it.
    #[error("is longer than {LENGTH_MAX} characters")]
    TooLong,
    /// It has a character or an arrangement of hyphens that the grammar does not know.
    #[error("is not letters and digits joined by single hyphens")]
    Grammar,
    /// It is the word for the absence of blockers.
    #[error("is the word for no task at all")]
    Reserved,
}

impl TaskId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TaskId {
    type Err = NotATaskId;

    fn from_str(text: &str) -> Result<Self, NotATaskId> {
        if text.is_empty() {
            return Err(NotATaskId::Empty);
        }
        if text.len() > LENGTH_MAX {
            return Err(NotATaskId::TooLong);
        }
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !text.split('-').all(is_part) {
            return Err(NotATaskId::Grammar);
        }
        if text.eq_ignore_ascii_case("none") {
            return Err(NotATaskId::Reserved);
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for TaskId {
    type Error = NotATaskId;

    fn try_from(text: String) -> Result<Self, NotATaskId> {
        text.parse()
    }
}

impl From<TaskId> for String {
    fn from(id: TaskId) -> Self {
        id.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar() {
        for good in ["1", "a", "1-1-1", "1-auth-1", "task-3-1-1", "A9-b", &"x".repeat(64)] {
            assert_eq!(good.parse::<TaskId>().unwrap().to_string(), good);
        }
        for (bad, why) in [
            ("", NotATaskId::Empty),
            (&*"x".repeat(65), NotATaskId::TooLong),
            ("-1", NotATaskId::Grammar),
            ("1-", NotATaskId::Grammar),
            ("1--1", NotATaskId::Grammar),
            ("1.1", NotATaskId::Grammar),
            ("é", NotATaskId::Grammar),
            ("a/../b", NotATaskId::Grammar),
            ("None", NotATaskId::Reserved),
        ] {
            assert_eq!(bad.parse::<TaskId>(), Err(why), "{bad}");
        }
    }
}
