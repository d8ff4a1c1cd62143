//! A git folder of Provost's own over the repository's objects. Its configuration is written from a list of what
//! is allowed, so that nothing has to be known about what could be dangerous: filters, merge drivers, diff drivers
//! and whatever else a later git runs by name are simply not there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, symlink};
use std::path::{Path, PathBuf};

use super::GitFault;
use super::call::{Call, pieces};

/// Settings that say how files are written and read, and run nothing.
const ALLOWED: &[&str] = &[
    "core.autocrlf",
    "core.bigfilethreshold",
    "core.checkstat",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.sharedrepository",
    "core.symlinks",
    "core.trustctime",
];

/// What large file storage needs beside its filter: where it fetches from, and how it says who asks.
const ALLOWED_WITH_LFS: &[&str] = &["lfs.", "remote.", "credential.", "core.sshcommand", "core.askpass"];

/// The filter that the person's own configuration may bring along.
const LFS: &str = "filter.lfs.";

/// The configuration in force in the person's checkout, as data.
#[derive(Clone, Debug, Default)]
pub struct Configured {
    entries: Vec<(String, String)>,
}

impl Configured {
    /// Asks git once for all of it: system, person, repository, checkout.
    pub fn read(git_folder: &Path) -> Result<Configured, GitFault> {
        let call = Call::within(git_folder).args(["config", "--list", "-z"]);
        let bytes = call.run()?;
        let entries = pieces(&bytes).map(|piece| {
            let text = String::from_utf8_lossy(piece);
            match text.split_once('\n') {
                Some((key, value)) => (key.to_owned(), value.to_owned()),
                // A key without a value is a switch that is on.
                None => (text.into_owned(), "true".to_owned()),
            }
        });
        Ok(Configured { entries: entries.collect() })
    }

    /// The value in force: the last one.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Whether a switch is on.
    pub fn is_on(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| matches!(&*value.to_lowercase(), "true" | "yes" | "on" | "1"))
    }

    /// Whether objects may be missing that git would fetch when it needs them.
    pub fn is_partial(&self) -> bool {
        let promises = |key: &str| key.starts_with("remote.") && key.ends_with(".promisor");
        self.get("extensions.partialclone").is_some() || self.entries.iter().any(|(key, _)| promises(key))
    }

    /// Settings that turn off every filter but large file storage, for calls that read the whole configuration.
    pub fn filters_off(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self
            .entries
            .iter()
            .filter_map(|(key, _)| Some(key.strip_prefix("filter.")?.rsplit_once('.')?.0))
            .filter(|name| *name != "lfs")
            .collect();
        let off = ["clean=", "smudge=", "process=", "required=false"];
        names.iter().flat_map(|name| off.iter().map(move |end| format!("filter.{name}.{end}"))).collect()
    }

    /// The text of the sealed folder's configuration.
    fn allowed(&self, common: &Path) -> String {
        let large_files = self.entries.iter().any(|(key, _)| key.starts_with(LFS));
        let is_allowed = |key: &str| {
            ALLOWED.contains(&key)
                || large_files
                    && (key.starts_with(LFS) || ALLOWED_WITH_LFS.iter().any(|it| key.starts_with(it)))
        };
        let format = self.get("extensions.objectformat");
        let mut text = String::from("# Written by Provost. Changes are lost.\n");
        let version = if format.is_some() { "1" } else { "0" };
        put(&mut text, "core.repositoryformatversion", version);
        put(&mut text, "core.bare", "true");
        if let Some(format) = format {
            put(&mut text, "extensions.objectformat", format);
        }
        if large_files {
            let storage = common.join("lfs");
            put(&mut text, "lfs.storage", &storage.to_string_lossy());
        }
        for (key, value) in self.entries.iter().filter(|(key, _)| is_allowed(key)) {
            put(&mut text, key, value);
        }
        text
    }
}

/// Adds one setting, quoted so that it is read back as it is.
fn put(text: &mut String, key: &str, value: &str) {
    let escaped = |raw: &str| raw.replace('\\', "\\\\").replace('"', "\\\"");
    let Some((section, name)) = key.rsplit_once('.') else { return };
    let head = match section.split_once('.') {
        Some((section, sub)) => format!("[{section} \"{}\"]", escaped(sub)),
        None => format!("[{section}]"),
    };
    let value = escaped(value).replace('\n', "\\n").replace('\t', "\\t");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{head}\n\t{name} = \"{value}\"");
}

/// The sealed git folder of a repository.
#[derive(Clone, Debug)]
pub struct Sealed {
    folder: PathBuf,
    objects: PathBuf,
}

impl Sealed {
    /// Makes the folder, or brings it up to date with the person's configuration.
    pub fn make(folder: &Path, common: &Path, configured: &Configured) -> Result<Sealed, GitFault> {
        let sealed = Sealed::at(folder, common);
        sealed.write(common, configured).map_err(GitFault::disk("make", folder))?;
        Ok(sealed)
    }

    /// The folder as it would be made.
    pub(crate) fn at(folder: &Path, common: &Path) -> Sealed {
        Sealed { folder: folder.to_owned(), objects: common.join("objects") }
    }

    fn write(&self, common: &Path, configured: &Configured) -> io::Result<()> {
        DirBuilder::new().mode(0o700).recursive(true).create(self.folder.join("refs"))?;
        // The person's own excludes and attributes hold, and history ends where the repository's does.
        for name in ["info", "shallow"] {
            match symlink(common.join(name), self.folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        self.settle("HEAD", "ref: refs/heads/none\n")?;
        self.settle("config", &configured.allowed(common))
    }

    /// Writes a file unless it is already as wanted; another process may be reading it.
    fn settle(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.folder.join(name);
        if fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
        let beside = self.folder.join(format!("{name}.{}", std::process::id()));
        fs::write(&beside, text)?;
        fs::rename(&beside, &path)
    }

    /// A call about content.
    pub fn call(&self) -> Call {
        Call::sealed(&self.folder, &self.objects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(entries: &[(&str, &str)]) -> Configured {
        Configured { entries: entries.iter().map(|&(key, value)| (key.into(), value.into())).collect() }
    }

    #[test]
    fn only_what_is_allowed_is_written() {
        let hostile = configured(&[
            ("core.autocrlf", "input"),
            ("core.fsmonitor", "touch ran"),
            ("filter.evil.clean", "touch ran"),
            ("merge.evil.driver", "touch ran"),
            ("diff.evil.textconv", "touch ran"),
            ("credential.helper", "touch ran"),
            ("include.path", "elsewhere"),
        ]);
        let text = hostile.allowed(Path::new("/repository/.git"));
        assert!(text.contains("autocrlf = \"input\""), "{text}");
        assert!(!text.contains("ran") && !text.contains("elsewhere"), "{text}");
        let off = hostile.filters_off();
        assert_eq!(off.first().map(String::as_str), Some("filter.evil.clean="));
    }

    #[test]
    fn large_files_bring_what_they_need() {
        let with = configured(&[
            ("filter.lfs.process", "git-lfs filter-process"),
            ("filter.other.clean", "touch ran"),
            ("remote.origin.url", "https://example.org/\"x\\y"),
        ]);
        let text = with.allowed(Path::new("/repository/.git"));
        assert!(text.contains("process = \"git-lfs filter-process\""), "{text}");
        assert!(text.contains("[remote \"origin\"]\n\turl = \"https://example.org/\\\"x\\\\y\""), "{text}");
        assert!(text.contains("storage = \"/repository/.git/lfs\"") && !text.contains("ran"), "{text}");
    }
}
