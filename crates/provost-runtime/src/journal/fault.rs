//! What can go wrong with a journal: the disk, the bytes, or the program that wrote them.

use std::io;

use provost_core::decider::{Impossible, Unreadable};
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::record::{Damage, Head, Sequence};

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The disk said no.
    #[error("cannot {doing}: {source}")]
    Disk {
        /// What was tried.
        doing: String,
        /// What it said.
        source: io::Error,
    },
    /// The disk would not show what it has.
    #[error("cannot read {what}: {source}")]
    Unread {
        /// What was to be read.
        what: String,
        /// What the disk said.
        source: io::Error,
    },
    /// Somebody else may write now.
    #[error("this process no longer holds the project: {0}")]
    Fenced(io::Error),
    /// The bytes are not those that were written.
    #[error("the journal is damaged at record {}, {segment} byte {}: {}", .damage.sequence, .damage.offset, .damage.why)]
    Damaged {
        /// The segment's file name.
        segment: String,
        /// Where in it, and how it shows.
        damage: Damage,
    },
    /// A newer program wrote here.
    #[error("record {sequence} was written by a newer Provost: {why}")]
    Newer {
        /// The first record that is not understood.
        sequence: Sequence,
        /// How it shows.
        why: String,
    },
    /// A record says something that cannot have happened.
    #[error("record {sequence} contradicts the records before it: {why}")]
    Impossible {
        /// The record.
        sequence: Sequence,
        /// What it says and what speaks against it.
        why: String,
    },
    /// Somebody else appended.
    #[error("the journal ends at record {}, not at {}", .found.sequence, .expected.sequence)]
    Moved {
        /// Where the driver believed it to end.
        expected: Head,
        /// Where it ends.
        found: Head,
    },
    /// A fault came before and the journal was not opened again.
    #[error("the journal is not open")]
    NotOpen,
}

/// Why a reader stops.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The record is not understood.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The record contradicts those before it.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Whoever reads has seen enough, or cannot take more.
    #[error(transparent)]
    Reader(#[from] io::Error),
}

impl Fault {
    pub(crate) fn disk(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Fault {
        move |source| Fault::Disk { doing: doing.into(), source }
    }

    /// The right to write is gone, or the disk does not say.
    pub(crate) fn fenced(source: io::Error) -> Fault {
        let said_by_disk = source.raw_os_error().is_some() && source.kind() != io::ErrorKind::NotFound;
        if said_by_disk { Fault::disk("look at the lock")(source) } else { Fault::Fenced(source) }
    }

    pub(crate) fn reading(what: &str) -> impl FnOnce(io::Error) -> Fault {
        move |source| Fault::Unread { what: what.to_owned(), source }
    }

    pub(crate) fn stopped(sequence: Sequence, stop: Stop) -> Fault {
        match stop {
            Stop::Unreadable(why @ Unreadable::Newer(_)) => Fault::Newer { sequence, why: why.to_string() },
            Stop::Reader(source) => Fault::Disk { doing: format!("pass on record {sequence}"), source },
            Stop::Unreadable(why) => Fault::Impossible { sequence, why: why.to_string() },
            Stop::Impossible(why) => Fault::Impossible { sequence, why: why.to_string() },
        }
    }

    /// What people are told.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self {
            Fault::Disk { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                diagnostic::DISK_FULL
            }
            Fault::Disk { source, .. } if source.kind() == io::ErrorKind::QuotaExceeded => {
                diagnostic::DISK_FULL
            }
            Fault::Disk { .. } | Fault::NotOpen => diagnostic::JOURNAL_DISK,
            Fault::Unread { .. } => diagnostic::JOURNAL_UNREADABLE,
            Fault::Fenced(_) => diagnostic::PROJECT_LOST,
            Fault::Damaged { .. } => diagnostic::JOURNAL_DAMAGED,
            Fault::Newer { .. } => diagnostic::JOURNAL_NEWER,
            Fault::Impossible { .. } => diagnostic::JOURNAL_IMPOSSIBLE,
            Fault::Moved { .. } => diagnostic::JOURNAL_MOVED,
        };
        Diagnostic::error(code, self.to_string())
    }
}
