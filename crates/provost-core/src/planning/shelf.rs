//! The documents of a run, as they are put on the shelf: canonical bytes, examined before anything rests on them. Apart
//! because what is frozen must be what was examined, byte for byte.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::canonical;
use crate::digest::Digest;
use crate::document::{self, Limits};
use crate::gate;
use crate::schema::Schema;

/// A document of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The file that it is.
    pub file: String,
    /// What it is.
    pub kind: &'static str,
    /// The version of its form.
    pub schema_version: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The digest of its bytes.
    pub checksum: Digest,
    /// The digest of what does not depend on the clock.
    pub content_digest: Digest,
    /// The files that it was made from.
    pub derived_from: Vec<String>,
}

/// What a paper is to others: the manifest lists these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Listed {
    /// The file.
    pub file: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// The version of its form.
    pub schema_version: String,
    /// The digest of its bytes.
    pub checksum: Digest,
    /// The digest of what does not depend on the clock.
    pub content_digest: Digest,
    /// The files that it was made from.
    pub derived_from: Vec<String>,
}

/// A document of our own that is not what it should be: a defect of Provost, or a planted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not fit to be frozen: {}", self.file, self.why)
    }
}

/// Looks at a document before anything rests on it.
pub trait Examine {
    /// Says what is wrong with it.
    fn examine(&self, file: &str, schema: &Schema, bytes: &[u8]) -> Result<(), Unfit>;
}

/// The examination that counts: the document's own schema, and no word of execution among its keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strict;

impl Examine for Strict {
    fn examine(&self, file: &str, schema: &Schema, bytes: &[u8]) -> Result<(), Unfit> {
        let unfit = |why: String| Unfit { file: file.to_owned(), why };
        let limits = Limits { bytes_max: u32::MAX, ..Limits::default() };
        let document = document::read(file, bytes, &limits).map_err(|it| unfit(it.to_string()))?;
        schema.check(&document).map_err(|it| unfit(it.to_string()))?;
        match gate::keys(&document, &[]).first() {
            Some(hit) => Err(unfit(format!("its key `{}` asks for execution", hit.key))),
            None => Ok(()),
        }
    }
}

/// All documents of a run, in the order in which they came.
pub struct Shelf<'e> {
    papers: Vec<Paper>,
    examine: &'e dyn Examine,
}

impl<'e> Shelf<'e> {
    /// An empty shelf.
    pub fn new(examine: &'e dyn Examine) -> Shelf<'e> {
        Shelf { papers: Vec::new(), examine }
    }

    /// Puts a copy of an input on it; inputs were examined when they were read.
    pub fn input(
        &mut self,
        file: &str,
        kind: &'static str,
        version: &'static str,
        bytes: Vec<u8>,
        content: Digest,
    ) {
        let checksum = Digest::of(&bytes);
        self.papers.push(Paper {
            file: file.to_owned(),
            kind,
            schema_version: version,
            bytes,
            checksum,
            content_digest: content,
            derived_from: Vec::new(),
        });
    }

    /// Puts a document of our own on it, once it is examined.
    pub fn put<T: Serialize>(
        &mut self,
        file: &str,
        schema: &Schema,
        paper: &T,
        from: &[&str],
    ) -> Result<(), Unfit> {
        let unfit = |why: String| Unfit { file: file.to_owned(), why };
        let bytes = canonical::to_vec(paper).map_err(|error| unfit(error.to_string()))?;
        let content = Digest::of(&bytes);
        self.put_bytes(file, schema, bytes, content, from)
    }

    /// Puts bytes of our own on it, whose digest without what the clock says is known.
    pub fn put_bytes(
        &mut self,
        file: &str,
        schema: &Schema,
        bytes: Vec<u8>,
        content_digest: Digest,
        from: &[&str],
    ) -> Result<(), Unfit> {
        self.examine.examine(file, schema, &bytes)?;
        self.papers.push(Paper {
            file: file.to_owned(),
            kind: schema.name,
            schema_version: schema.version,
            checksum: Digest::of(&bytes),
            bytes,
            content_digest,
            derived_from: from.iter().map(|&file| file.to_owned()).collect(),
        });
        Ok(())
    }

    /// Looks at bytes that are a part of a document.
    pub fn examine(&self, file: &str, schema: &Schema, bytes: &[u8]) -> Result<(), Unfit> {
        self.examine.examine(file, schema, bytes)
    }

    /// What is on it from a place on.
    pub fn since(&self, from: usize) -> &[Paper] {
        self.papers.get(from..).unwrap_or_default()
    }

    /// How many documents are on it.
    pub fn len(&self) -> usize {
        self.papers.len()
    }

    /// Takes off what came after so many documents.
    pub fn truncate(&mut self, len: usize) {
        self.papers.truncate(len);
    }

    /// Whether nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.papers.is_empty()
    }

    /// All that is on it.
    pub fn into_papers(self) -> Vec<Paper> {
        self.papers
    }
}

impl Paper {
    /// How the manifest lists it.
    pub fn listed(&self) -> Listed {
        Listed {
            file: self.file.clone(),
            kind: self.kind.to_owned(),
            schema_version: self.schema_version.to_owned(),
            checksum: self.checksum,
            content_digest: self.content_digest,
            derived_from: self.derived_from.clone(),
        }
    }
}
