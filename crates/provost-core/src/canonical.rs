//! Canonical bytes by RFC 8785: one document, one spelling, one digest, whatever the order of its keys.
//!
//! Apart because these bytes are a promise: what has been frozen must digest the same for ever, and every other
//! implementation of the RFC must agree. What is written here is always accepted by [`crate::document`] and
//! gives the same bytes again.

pub mod checksum;
mod number;
mod order;
mod spelled;
mod text;
mod writer;

use serde::Serialize;

use crate::digest::Digest;

pub(crate) use number::{INTEGER_MAX, write_double, written_as_unsafe_integer};
pub(crate) use order::utf16_order;
pub(crate) use text::clean_len;

/// The data has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCanonical {
    /// A whole number that a double does not hold exactly, so that readers would disagree on it.
    #[error("the integer `{0}` is beyond ±9007199254740991")]
    Integer(String),
    /// JSON has no spelling for it.
    #[error("a number is infinite or not a number")]
    NotFinite,
    /// Two values under one key; which of them counts would be the reader's choice.
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    /// A key of a map that is not a string; any spelling for it would be a convention of ours.
    #[error("a key of a map is not a string")]
    KeyNotString,
    /// JSON text of another library, whose spelling would have to be trusted.
    #[error("the data holds JSON that is already written")]
    AlreadyWritten,
    /// The data's own description of itself failed.
    #[error("the data could not be described: {0}")]
    Undescribed(String),
}

impl serde::ser::Error for NotCanonical {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Undescribed(message.to_string())
    }
}

/// The canonical bytes of a document of ours or of one that was read.
pub fn to_vec<T: Serialize + ?Sized>(document: &T) -> Result<Vec<u8>, NotCanonical> {
    writer::write(document)
}

/// The digest of the canonical bytes.
pub fn digest<T: Serialize + ?Sized>(document: &T) -> Result<Digest, NotCanonical> {
    to_vec(document).map(|bytes| Digest::of(&bytes))
}
