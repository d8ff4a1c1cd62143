//! What people keep for planning, from disk: a registry and memory. Apart from what is made of it, so that a folder
//! of the project and one that was named on the command line are read alike.
//!
//! Links are not followed: content is what is under version control, not what somebody's disk makes of it.

mod hand;
mod remember;

use std::fs;
use std::io;
use std::path::Path;

use provost_core::diagnostic::{self, Code, Diagnostic, quoted};
use provost_core::document::{self, Document, Limits, Unreadable};
use provost_core::planning::memory::{MemoryItem, MemoryPack};
use provost_core::registry::{Kind, Registry, Source};
use strum::VariantArray;

use crate::regular;

pub use hand::{hand_out, replace};
pub use remember::{NewMemory, remember};

/// A project's registry, from the top of the checkout.
pub const REGISTRY: &str = ".provost/registry";

/// A project's memory, from the top of the checkout.
pub const MEMORY: &str = ".provost/memory";

/// The most files of a registry or a memory.
const FILES_MAX: usize = 5_000;

/// The most entries of one folder that are looked at.
const ENTRIES_MAX: usize = 20_000;

/// The most bytes of one file of a registry, or of one item of memory.
const FILE_MAX: u32 = 256 * 1024;

/// The most bytes of a whole pack.
const PACK_MAX: u32 = 4 << 20;

/// Endings of files that count; others are remarks of people, or their tools'.
const ENDINGS: &[&str] = &["yaml", "yml", "json"];

/// What is remembered, as it was found.
#[derive(Clone, Debug)]
pub enum Memory {
    /// Items, to choose from.
    Items(Vec<MemoryItem>),
    /// A pack that somebody has put together.
    Pack(Box<MemoryPack>),
}

/// Reads a registry; `shown` is what messages call the folder.
pub fn registry(folder: &Path, shown: &str) -> Result<Registry, Diagnostic> {
    if !fs::metadata(folder).is_ok_and(|meta| meta.is_dir()) {
        let message = format!("there is no registry in {}", quoted(shown));
        return Err(Diagnostic::error(diagnostic::REGISTRY_UNREADABLE, message));
    }
    let mut sources = Vec::new();
    for kind in <Kind as VariantArray>::VARIANTS {
        let inside = folder.join(kind.folder());
        if inside.is_symlink() {
            let message = format!("`{shown}/{}` is a link, and links are not followed", kind.folder());
            return Err(Diagnostic::error(diagnostic::REGISTRY_UNREADABLE, message));
        }
        for name in names(&inside, &format!("{shown}/{}", kind.folder()), diagnostic::REGISTRY_UNREADABLE)? {
            let path = format!("{}/{name}", kind.folder());
            // Plans quote what is wrong with a file, and where the registry lies is no part of a plan.
            let trouble = |why: regular::Unread| {
                let message = format!("{} {why}", quoted(&path));
                Unreadable::of(Diagnostic::error(diagnostic::REGISTRY_UNREADABLE, message))
            };
            let read = regular::beginning(&inside.join(&name), u64::from(FILE_MAX) + 1)
                .map_err(trouble)
                .and_then(|bytes| parsed(&format!("{shown}/{path}"), &bytes, FILE_MAX));
            sources.push(Source { kind: *kind, path, read });
        }
    }
    if sources.len() > FILES_MAX {
        let message = format!("{} has {} files, and {FILES_MAX} are read", quoted(shown), sources.len());
        return Err(Diagnostic::error(diagnostic::REGISTRY_TOO_MANY, message));
    }
    Ok(Registry::new(sources))
}

/// Reads memory: a folder of items, or a file with a pack. Everything that is wrong is said at once.
pub fn memory(path: &Path, shown: &str) -> Result<Memory, Vec<Diagnostic>> {
    let code = diagnostic::MEMORY_UNREADABLE;
    let Ok(meta) = fs::metadata(path) else {
        let message = format!("there is no memory in {}", quoted(shown));
        return Err(vec![Diagnostic::error(code, message)]);
    };
    if !meta.is_dir() {
        let document = read(path, shown, PACK_MAX, code).map_err(|it| it.defects)?;
        return MemoryPack::read(&document).map(|pack| Memory::Pack(Box::new(pack))).map_err(|it| it.defects);
    }
    let mut items: Vec<(MemoryItem, Document)> = Vec::new();
    let mut defects = Vec::new();
    for name in names(path, shown, code).map_err(|it| vec![it])? {
        let document = read(&path.join(&name), &format!("{shown}/{name}"), FILE_MAX, code);
        match document.and_then(|document| Ok((MemoryItem::read(&document)?, document))) {
            Ok(item) => items.push(item),
            Err(unreadable) => defects.extend(unreadable.defects),
        }
    }
    items.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
    for [(one, first), (other, second)] in items.array_windows() {
        if one.id == other.id {
            let message = format!("{} is in {} too", quoted(&one.id), quoted(&first.name));
            defects.push(second.error(diagnostic::MEMORY_RIVALS, second.root.span, message));
        }
    }
    if defects.is_empty() {
        Ok(Memory::Items(items.into_iter().map(|(item, _)| item).collect()))
    } else {
        Err(defects)
    }
}

/// Reads one document from outside, by the form that its name says.
pub fn read(path: &Path, shown: &str, bytes_max: u32, code: Code) -> Result<Document, Unreadable> {
    let trouble = |why: String| Unreadable::of(Diagnostic::error(code, format!("{} {why}", quoted(shown))));
    // One byte more than is accepted, so that the reader says that it is too large.
    let bytes = regular::beginning(path, u64::from(bytes_max) + 1).map_err(|why| trouble(why.to_string()))?;
    parsed(shown, &bytes, bytes_max)
}

fn parsed(shown: &str, bytes: &[u8], bytes_max: u32) -> Result<Document, Unreadable> {
    document::read_any(shown, bytes, &Limits { bytes_max, ..Limits::default() })
}

/// The names in a folder that count, sorted; none where there is no folder.
fn names(folder: &Path, shown: &str, code: Code) -> Result<Vec<String>, Diagnostic> {
    let trouble = |why: String| Diagnostic::error(code, format!("{} {why}", quoted(shown)));
    let unreadable = |error: io::Error| trouble(format!("cannot be read: {error}"));
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
        entries => entries.map_err(unreadable)?,
    };
    for (at, entry) in entries.enumerate() {
        if at == ENTRIES_MAX {
            return Err(trouble(format!("has more than {ENTRIES_MAX} entries")));
        }
        let name = entry.map_err(unreadable)?.file_name();
        let counts = |ending: &str| ENDINGS.iter().any(|it| ending.eq_ignore_ascii_case(it));
        // A name that is not text is kept with its odd parts replaced, so that the file is reported, not passed over.
        let name = name.to_string_lossy();
        if Path::new(&*name).extension().and_then(|it| it.to_str()).is_some_and(counts) {
            names.push(name.into_owned());
        }
    }
    names.sort();
    Ok(names)
}
