//! All documents of a run in one piece, so that a plan is either there whole or not at all. Apart because its form is
//! kept for ever: a line that says what follows, then the bytes of each document.

use serde::{Deserialize, Serialize};

use super::manifest;

/// What the first line calls itself.
const SCHEMA: &str = "provost/bundle/1";

/// The most bytes of a bundle; its inputs are bounded one by one, so few come near.
pub const BYTES_MAX: usize = 256 << 20;

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The bytes are not those of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bundle cannot be read: {0}")]
pub struct NotABundle(String);

#[derive(Serialize, Deserialize)]
struct Contents {
    schema: String,
    files: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    bytes: usize,
}

/// Puts files into one piece, the manifest first, the others in the order of their names.
pub fn write(files: &[File]) -> Vec<u8> {
    let mut sorted: Vec<&File> = files.iter().collect();
    sorted.sort_by_key(|file| (file.name != manifest::FILE, &file.name));
    let entries =
        sorted.iter().map(|file| Entry { name: file.name.clone(), bytes: file.bytes.len() }).collect();
    let contents = Contents { schema: SCHEMA.to_owned(), files: entries };
    // Names and lengths always have a spelling.
    let mut bytes = serde_json::to_vec(&contents).unwrap_or_default();
    bytes.push(b'\n');
    for file in sorted {
        bytes.extend(&file.bytes);
    }
    bytes
}

/// Takes the files out again; names that are not plain file names are refused.
pub fn read(bytes: &[u8]) -> Result<Vec<File>, NotABundle> {
    let broken = |why: &str| NotABundle(why.to_owned());
    let end = memchr::memchr(b'\n', bytes).ok_or_else(|| broken("its first line has no end"))?;
    let (line, mut rest) = bytes.split_at_checked(end).ok_or_else(|| broken("it is empty"))?;
    rest = rest.get(1..).unwrap_or_default();
    let contents: Contents = serde_json::from_slice(line).map_err(|error| NotABundle(error.to_string()))?;
    if contents.schema != SCHEMA {
        return Err(broken("it has another form"));
    }
    let mut files = Vec::new();
    for entry in contents.files {
        if !is_plain(&entry.name) {
            return Err(broken("a name in it is not the name of a file"));
        }
        let (own, after) = rest.split_at_checked(entry.bytes).ok_or_else(|| broken("it ends too early"))?;
        files.push(File { name: entry.name, bytes: own.to_vec() });
        rest = after;
    }
    if rest.is_empty() { Ok(files) } else { Err(broken("something stands behind its last document")) }
}

fn is_plain(name: &str) -> bool {
    !name.starts_with('.')
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: &[u8]) -> File {
        File { name: name.to_owned(), bytes: bytes.to_vec() }
    }

    #[test]
    fn what_goes_in_comes_out_with_the_manifest_first() {
        let files = [file("graph.json", b"{}"), file("audit.jsonl", b"a\nb\n"), file("manifest.json", b"m")];
        let names: Vec<String> = read(&write(&files)).unwrap().into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["manifest.json", "audit.jsonl", "graph.json"]);
        let [one, two, three] = files;
        assert_eq!(write(&[one.clone(), two.clone(), three.clone()]), write(&[three, one, two]));
    }

    #[test]
    fn every_cut_and_every_longer_piece_is_refused() {
        let whole = write(&[file("manifest.json", b"mm"), file("graph.json", b"{}")]);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        assert!(read(&[whole.as_slice(), b"x"].concat()).is_err());
    }

    #[test]
    fn a_name_cannot_lead_elsewhere() {
        for name in ["../x", "/etc/passwd", "a/b", "", ".hidden", "A.json", "a\n"] {
            assert!(read(&write(&[file(name, b"")])).is_err(), "{name:?}");
        }
    }
}
