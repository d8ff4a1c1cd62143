//! How a command ends, apart because scripts rely on the numbers and every code names one.

use serde::{Serialize, Serializer};
use strum::VariantArray;

/// The exit status of a command; the numbers never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
#[repr(u8)]
pub enum Exit {
    /// What was asked for is done.
    Done = 0,
    /// The world did not play along: a full disk, a missing program.
    Fault = 1,
    /// The command line or a document could not be understood.
    Usage = 2,
    /// Planning is blocked and whoever submitted the intent can mend it.
    Blocked = 3,
    /// Planning was ended by a red line or by defective governance content.
    Aborted = 4,
    /// A person has to answer first.
    Waiting = 5,
    /// Verification failed or the journal is damaged.
    Unverified = 6,
    /// The delivery ended with tasks that are not complete.
    Incomplete = 7,
    /// Another process holds the project.
    Held = 8,
    /// The command is not possible now.
    Refused = 9,
    /// Provost itself is wrong.
    Bug = 70,
    /// Ended by SIGINT.
    Interrupted = 130,
    /// Ended by SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// The number that the process ends with.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_a_promise() {
        let numbers: Vec<u8> = Exit::VARIANTS.iter().map(|exit| exit.number()).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 70, 130, 143]);
    }
}
