//! Names of objects. Apart because they come back from git, go on the record and are read again, and nothing else
//! may be mistaken for one on a command line.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// The name of a commit or tree: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Oid(
    // INVARIANT: private, so that it is always hexadecimal and never looks like an option or a revision.
    String,
);

impl Oid {
    /// Reads a full name; anything else is none.
    pub fn parse(text: &str) -> Option<Oid> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digits && matches!(text.len(), 40 | 64)).then(|| Oid(text.to_owned()))
    }

    /// The name as git writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of no object, as long as this one.
    #[must_use]
    pub fn zero(&self) -> Oid {
        Oid("0".repeat(self.0.len()))
    }

    /// Reads the first line of what git said.
    pub(crate) fn from_line(bytes: &[u8]) -> Option<Oid> {
        let line = bytes.split(|&byte| byte == b'\n').next()?;
        Oid::parse(str::from_utf8(line).ok()?)
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for Oid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        Oid::parse(&text).ok_or_else(|| serde::de::Error::custom("not the full name of a git object"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_names_are_read() {
        let name = "605951ecf7b5f00b4276af3d785bdf87b4a5f9cd";
        assert_eq!(Oid::parse(name).unwrap().as_str(), name);
        assert_eq!(
            Oid::from_line(format!("{name}\nmore").as_bytes()).unwrap().zero().as_str(),
            "0".repeat(40)
        );
        for bad in ["", "HEAD", "--all", "605951e", &name.to_uppercase(), &format!("{name}0")] {
            assert_eq!(Oid::parse(bad), None, "{bad}");
        }
        assert!(serde_json::from_str::<Oid>("\"HEAD\"").is_err());
        assert_eq!(serde_json::to_string(&Oid::parse(name).unwrap()).unwrap(), format!("\"{name}\""));
    }
}
