//! References to evidence, in one grammar whatever tool wrote them; apart from the packs that they lead into, so that
//! one can be read, and refused, before any pack is there.

use std::fmt;
use std::str::FromStr;

use crate::diagnostic::is_hidden;

/// The most characters of a reference.
pub const CHARACTERS_MAX: usize = 256;

/// A reference, `scheme://path[#fragment]`; registry content may carry a version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// What kind of thing it leads to.
    pub scheme: Scheme,
    /// Which one.
    pub path: String,
    /// Which part of it.
    pub fragment: Option<String>,
    /// The version that is meant.
    pub version: Option<String>,
}

/// What kind of thing a reference leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// Something that a scan found; `file/PATH` is a file.
    Scan,
    /// A document of the repository.
    Doc,
    /// Evidence of a fact pack, by its id.
    Fact,
    /// Registry content, `KINDS/ID` or just an id.
    Registry,
    /// A memory.
    Memory,
    /// Something that nothing here can follow; empty for a bare word.
    Foreign(String),
}

/// Whether a reference leads somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resolution {
    /// What it names is there.
    Resolved,
    /// What it names should be there and is not.
    Unresolved,
    /// Nobody here can tell.
    Unresolvable,
}

/// What there is for references to lead to.
pub trait Known {
    /// Tells whether a file is known, by itself or as the source of evidence.
    fn file(&self, path: &str) -> bool;
    /// Tells whether evidence of this id is in the facts.
    fn evidence(&self, id: &str) -> bool;
    /// Tells whether registry content is there: in a folder such as `workflows`, or anywhere; of a version, or of any.
    fn registered(&self, folder: Option<&str>, id: &str, version: Option<&str>) -> bool;
    /// Tells whether a memory is in the pack.
    fn memory(&self, id: &str) -> bool;
}

/// Why a text is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAReference {
    /// Too short or too long.
    #[error("has {0} characters, and 3 to 256 are accepted")]
    Length(usize),
    /// A line end, another control character, or one that is not seen.
    #[error("has a control character or one that cannot be seen")]
    Hidden,
    /// A blank at either end, which nobody sees either.
    #[error("begins or ends with a blank")]
    Blank,
    /// The scheme is not spelled like one.
    #[error("begins with something that is no scheme")]
    Scheme,
    /// There is nothing behind the scheme, or before or behind a `#` or `@`.
    #[error("names nothing")]
    Empty,
    /// It leads out of the repository.
    #[error("leads out of the repository")]
    Outside,
}

/// Schemes written with a bare colon by older tools.
const WITH_COLON: &[&str] =
    &["registry", "rule", "nl_input", "nl_request", "context_hint", "command_effects", "risk_assessment"];

impl FromStr for Reference {
    type Err = NotAReference;

    fn from_str(text: &str) -> Result<Self, NotAReference> {
        let characters = text.chars().count();
        if !(3..=CHARACTERS_MAX).contains(&characters) {
            return Err(NotAReference::Length(characters));
        }
        if text.chars().any(is_hidden) {
            return Err(NotAReference::Hidden);
        }
        if text.trim() != text {
            return Err(NotAReference::Blank);
        }
        let reference = match text.split_once("://") {
            Some((scheme, rest)) => with_slashes(scheme, rest)?,
            None => match text.split_once(':').filter(|(scheme, _)| WITH_COLON.contains(scheme)) {
                Some((scheme, rest)) => with_colon(scheme, rest),
                None => Self::foreign("", text),
            },
        };
        reference.check()
    }
}

/// Reads `scheme://path[@version][#fragment]`.
fn with_slashes(scheme: &str, rest: &str) -> Result<Reference, NotAReference> {
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_lowercase())
        && scheme.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_scheme {
        return Err(NotAReference::Scheme);
    }
    let (path, fragment) = match rest.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment.to_owned())),
        None => (rest, None),
    };
    let versioned = || match path.rsplit_once('@') {
        Some((path, version)) => (path, Some(version.to_owned())),
        None => (path, None),
    };
    let (scheme, path, version) = match scheme {
        "scan" => (Scheme::Scan, path.to_owned(), None),
        "doc" => (Scheme::Doc, path.to_owned(), None),
        "fact" => (Scheme::Fact, path.to_owned(), None),
        "memory" => (Scheme::Memory, path.to_owned(), None),
        // What stands before the first slash is the pack; there is only one in a run.
        "factpack" => (Scheme::Fact, in_pack(path), None),
        "memory_pack" => (Scheme::Memory, in_pack(path), None),
        "registry" => {
            let (path, version) = versioned();
            (Scheme::Registry, path.to_owned(), version)
        }
        "workflow" | "agent" | "command" | "rule" => {
            let (path, version) = versioned();
            (
                Scheme::Registry,
                if path.is_empty() { String::new() } else { format!("{scheme}s/{path}") },
                version,
            )
        }
        other => (Scheme::Foreign(other.to_owned()), path.to_owned(), None),
    };
    Ok(Reference { scheme, path, fragment, version })
}

fn in_pack(path: &str) -> String {
    path.split_once('/').map_or(path, |(_, item)| item).to_owned()
}

/// Reads `registry:ID[:VERSION]`, `rule:ID` and the others.
fn with_colon(scheme: &str, rest: &str) -> Reference {
    let (id, version) = match rest.rsplit_once(':') {
        Some((id, version)) => (id, Some(version.to_owned())),
        None => (rest, None),
    };
    let registered =
        |path: String| Reference { scheme: Scheme::Registry, path, fragment: None, version: version.clone() };
    match scheme {
        "registry" => registered(id.to_owned()),
        "rule" if !id.is_empty() => registered(format!("rules/{id}")),
        other => Reference::foreign(other, rest),
    }
}

impl Reference {
    fn foreign(scheme: &str, path: &str) -> Self {
        let scheme = Scheme::Foreign(scheme.to_owned());
        Self { scheme, path: path.to_owned(), fragment: None, version: None }
    }

    /// Refuses what names nothing or leads out; separators of any system count, because nobody reads on one only.
    fn check(self) -> Result<Self, NotAReference> {
        let empty = |part: &Option<String>| part.as_deref() == Some("");
        if self.path.is_empty() || empty(&self.fragment) || empty(&self.version) || self.file() == Some("") {
            return Err(NotAReference::Empty);
        }
        let leads_out = self.path.split(['/', '\\']).any(|part| part == "..")
            || self.file().is_some_and(|file| file.starts_with(['/', '\\', '~']));
        if leads_out { Err(NotAReference::Outside) } else { Ok(self) }
    }

    /// The file that it names, if it names one.
    pub fn file(&self) -> Option<&str> {
        match self.scheme {
            Scheme::Scan => self.path.strip_prefix("file/"),
            Scheme::Doc => Some(&self.path),
            _ => None,
        }
    }

    /// The registry content that it names, if it names any: the folder if it says so, and the id.
    pub fn registered(&self) -> Option<(Option<&str>, &str)> {
        match (&self.scheme, self.path.split_once('/')) {
            (Scheme::Registry, Some((folder, id))) => Some((Some(folder), id)),
            (Scheme::Registry, None) => Some((None, &self.path)),
            _ => None,
        }
    }

    /// Tells whether it leads somewhere.
    pub fn resolve(&self, known: &impl Known) -> Resolution {
        let found = match self.scheme {
            Scheme::Scan | Scheme::Doc => self.file().map(|path| known.file(path)),
            Scheme::Fact => is_evidence_id(&self.path).then(|| known.evidence(&self.path)),
            Scheme::Registry => {
                self.registered().map(|(folder, id)| known.registered(folder, id, self.version.as_deref()))
            }
            Scheme::Memory => Some(known.memory(&self.path)),
            Scheme::Foreign(_) => None,
        };
        match found {
            Some(true) => Resolution::Resolved,
            Some(false) => Resolution::Unresolved,
            None => Resolution::Unresolvable,
        }
    }
}

/// Facts are also named by keys of their own, which no pack lists; only ids can be looked up.
fn is_evidence_id(path: &str) -> bool {
    path.strip_prefix("ev")
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()))
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scan => "scan",
            Self::Doc => "doc",
            Self::Fact => "fact",
            Self::Registry => "registry",
            Self::Memory => "memory",
            Self::Foreign(name) => name,
        })
    }
}

/// Writes the one spelling of what it leads to, whichever was read.
impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scheme != Scheme::Foreign(String::new()) {
            write!(f, "{}://", self.scheme)?;
        }
        f.write_str(&self.path)?;
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        match &self.fragment {
            Some(fragment) => write!(f, "#{fragment}"),
            None => Ok(()),
        }
    }
}
