//! The first files of a project, written from what was found. A file that is there is never touched: people own it.

mod defaults;
mod pages;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use provost_core::diagnostic::{self, Diagnostic};

use crate::config;
use crate::content::{MEMORY, REGISTRY};
use crate::detect::Found;
use crate::home::Home;

pub(crate) use defaults::FILES;
pub use pages::{PLAN, settings_page};

/// The sample plan's name.
pub const PLAN_NAME: &str = "plan.md";

/// A file that keeps a folder in git which may be empty.
const KEPT: &str = ".provost/memory/.gitkeep";

/// One file, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its path from the top of the checkout.
    pub name: &'static str,
    /// Whether it was written now; else it was there.
    pub new: bool,
}

/// Writes the files that are not there yet.
pub fn make(home: &Home, found: &Found) -> Result<Vec<Made>, Diagnostic> {
    let page = settings_page(found);
    let mut made = vec![once(&home.root, config::NAME, &page)?];
    let registry = defaults::write(&home.root.join(REGISTRY), found);
    made.push(Made { name: REGISTRY, new: registry.map_err(|error| trouble(REGISTRY, &error))? });
    // A folder of memory that people use needs nothing to keep it.
    let used = home.root.join(MEMORY).is_dir();
    made.push(if used { Made { name: MEMORY, new: false } } else { once(&home.root, KEPT, "")? });
    made.push(once(&home.root, PLAN_NAME, PLAN)?);
    Ok(made)
}

/// Writes a file unless something of that name is there.
fn once(root: &Path, name: &'static str, content: &str) -> Result<Made, Diagnostic> {
    let path = root.join(name);
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        File::create_new(&path)?.write_all(content.as_bytes())
    };
    match write() {
        Ok(()) => Ok(Made { name, new: true }),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.symlink_metadata().is_ok() => {
            Ok(Made { name, new: false })
        }
        Err(error) => Err(trouble(name, &error)),
    }
}

fn trouble(name: &str, error: &io::Error) -> Diagnostic {
    let full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    let code = if full { diagnostic::DISK_FULL } else { diagnostic::PROJECT_FOLDER };
    Diagnostic::error(code, format!("{name} cannot be written: {error}"))
}
