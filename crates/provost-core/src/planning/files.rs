//! A run's files, found by name and read. Apart because whoever shows a plan and whoever makes it again read the same
//! files, and a file that cannot be read is the same news to both.

use serde::de::DeserializeOwned;

use super::bundle::File;
use crate::document::{self, Document, Limits, Unreadable};

/// Why a frozen plan cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum NotFrozen {
    /// A file is missing.
    #[error("`{0}` is missing")]
    Missing(String),
    /// A file cannot be read as what it should be.
    #[error("`{file}` cannot be read: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
}

/// The files of a run.
pub(super) struct Files<'f>(pub(super) &'f [File]);

impl Files<'_> {
    /// The bytes of a file, where there is one of that name.
    pub(super) fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|file| file.name == name).map(|file| file.bytes.as_slice())
    }

    /// A document of ours, where it is there.
    pub(super) fn own<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, NotFrozen> {
        let Some(bytes) = self.bytes(name) else { return Ok(None) };
        serde_json::from_slice(bytes).map(Some).map_err(|error| unreadable(name, &error))
    }

    /// A document of ours that has to be there.
    pub(super) fn needed<T: DeserializeOwned>(&self, name: &str) -> Result<T, NotFrozen> {
        self.own(name)?.ok_or_else(|| NotFrozen::Missing(name.to_owned()))
    }

    /// The last of our documents that are numbered; the first may have no number.
    pub(super) fn last<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, NotFrozen> {
        let number = |file: &File| -> Option<u32> {
            let between = file.name.strip_prefix(name)?.strip_suffix(".json")?;
            if between.is_empty() { Some(1) } else { between.strip_prefix('.')?.parse().ok() }
        };
        let numbered = self.0.iter().filter_map(|file| Some((number(file)?, &file.name)));
        numbered.max().map_or(Ok(None), |(_, file)| self.own(file))
    }

    /// A copy of what went in, read as strictly as what it is a copy of.
    pub(super) fn document(&self, name: &str) -> Result<Document, NotFrozen> {
        let bytes = self.bytes(name).ok_or_else(|| NotFrozen::Missing(name.to_owned()))?;
        let limits = Limits { bytes_max: u32::MAX, ..Limits::default() };
        document::read(name, bytes, &limits).map_err(|it| unreadable(name, &it))
    }

    /// The same, as what it says.
    pub(super) fn read<T>(
        &self,
        name: &str,
        read: impl Fn(&Document) -> Result<T, Unreadable>,
    ) -> Result<T, NotFrozen> {
        read(&self.document(name)?).map_err(|it| unreadable(name, &it))
    }

    /// The same, where it is there.
    pub(super) fn optional<T>(
        &self,
        name: &str,
        read: impl Fn(&Document) -> Result<T, Unreadable>,
    ) -> Result<Option<T>, NotFrozen> {
        if self.bytes(name).is_none() { Ok(None) } else { self.read(name, read).map(Some) }
    }
}

fn unreadable(file: &str, why: &dyn std::fmt::Display) -> NotFrozen {
    NotFrozen::Unreadable { file: file.to_owned(), why: why.to_string() }
}
