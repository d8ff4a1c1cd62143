//! From a checked document to a type of ours, apart because only what its schema accepts is ever typed.

use serde::Deserialize;

use super::Schema;
use crate::diagnostic::SCHEMA_WRONG_TYPE;
use crate::document::{Document, Unreadable, from_value};

impl Schema {
    /// Checks a whole document and makes a typed value of it, or says everything that is wrong.
    pub fn read<'d, T: Deserialize<'d>>(&self, document: &'d Document) -> Result<T, Unreadable> {
        self.check(document)?;
        from_value(&document.root).map_err(|mismatch| {
            let span = mismatch.span().unwrap_or(document.root.span);
            let defect = document.error(SCHEMA_WRONG_TYPE, span, mismatch.to_string());
            Unreadable { defects: vec![defect], omitted: 0 }
        })
    }
}
