//! A new item of memory, written so that it can be read back. Apart because it is the one thing here that writes.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::digest::Digest;
use provost_core::document::{self, Limits, Unreadable};
use provost_core::planning::memory::{MemoryItem, MemoryKind, Scope};
use provost_core::time::Timestamp;
use serde_json::json;

use super::MEMORY;

/// How many digits of a digest are an id; enough that two summaries do not meet.
const DIGITS: usize = 12;

/// What is to be remembered.
#[derive(Clone, Debug)]
pub struct NewMemory {
    /// What to remember, in a sentence.
    pub summary: String,
    /// More about it.
    pub details: Option<String>,
    /// What it is.
    pub kind: MemoryKind,
    /// For whom it holds.
    pub scope: Scope,
    /// How sure it is.
    pub confidence: f64,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What it rests on.
    pub sources: Vec<String>,
}

impl NewMemory {
    /// The id, made from what is remembered, so that the same thing is not remembered twice.
    fn id(&self) -> String {
        let digest =
            Digest::of(json!([self.scope, self.kind, self.summary]).to_string().as_bytes()).to_string();
        format!("mem-{}", digest.get(..DIGITS).unwrap_or(&digest))
    }

    /// The text of its file. Texts are written as in JSON, which YAML reads alike.
    fn page(&self, id: &str, now: Timestamp) -> String {
        let mut page = format!("id: {id}\nscope: {}\ntype: {}\ncontent:\n", self.scope, self.kind);
        let _ = writeln!(page, "  summary: {}", json!(self.summary));
        if let Some(details) = &self.details {
            let _ = writeln!(page, "  details: {}", json!(details));
        }
        for (key, words) in [("tags", &self.tags), ("sources", &self.sources)] {
            if !words.is_empty() {
                let _ = writeln!(page, "{key}: {}", json!(words));
            }
        }
        let _ =
            writeln!(page, "confidence: {}\ncreated_at: {}", json!(self.confidence), json!(now.to_string()));
        page
    }
}

/// Writes an item to a project's memory; gives it back with the path of its file, from the top of the checkout.
pub fn remember(
    root: &Path,
    new: &NewMemory,
    now: Timestamp,
) -> Result<(MemoryItem, String), Vec<Diagnostic>> {
    let id = new.id();
    let name = format!("{MEMORY}/{id}.yaml");
    let page = new.page(&id, now);
    // Read back before it is written: what cannot be used later is refused now. No place is named, as there is no file.
    let refused = |it: Unreadable| -> Vec<Diagnostic> {
        it.defects.into_iter().map(|defect| Diagnostic { place: None, ..defect }).collect()
    };
    let document = document::read_yaml(&name, page.as_bytes(), &Limits::default()).map_err(refused)?;
    let item = MemoryItem::read(&document).map_err(refused)?;
    let path = root.join(&name);
    let write = || {
        fs::create_dir_all(root.join(MEMORY))?;
        let mut file = File::create_new(&path)?;
        file.write_all(page.as_bytes())?;
        file.sync_all()
    };
    match write() {
        Ok(()) => Ok((item, name)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.symlink_metadata().is_ok() => {
            let message = format!("this is remembered already, in {}", quoted(&name));
            Err(vec![Diagnostic::error(diagnostic::MEMORY_KNOWN, message)])
        }
        Err(error) => {
            let message = format!("{} cannot be written: {error}", quoted(&name));
            Err(vec![Diagnostic::error(diagnostic::PROJECT_FOLDER, message)])
        }
    }
}
