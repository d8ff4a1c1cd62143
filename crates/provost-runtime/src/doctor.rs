//! Whether all is in place for a run, looked at before anybody is paid: each finding says what is, and what mends it.
//!
//! Nothing is changed, but for Provost's own folder inside the repository's git folder.

mod configured;
mod ground;

use std::ffi::OsStr;
use std::path::Path;

use provost_core::diagnostic::Diagnostic;
use provost_core::state::State;
use serde::Serialize;

use crate::config::{self, Config};
use crate::home::Home;
use crate::journal::{fold, walk_along};
use crate::lock::Lock;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It is as it should be.
    Ok,
    /// A run can begin, and somebody should know.
    Warning,
    /// A run cannot begin, or cannot end well.
    Error,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at, in one word.
    pub about: &'static str,
    /// How much it weighs.
    pub mark: Mark,
    /// What was found.
    pub message: String,
    /// What mends it: a command wherever there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// Findings in the order in which they were made.
#[derive(Debug, Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn ok(&mut self, about: &'static str, message: impl Into<String>) {
        self.0.push(Finding { about, mark: Mark::Ok, message: message.into(), mend: None });
    }

    fn warn(&mut self, about: &'static str, message: impl Into<String>, mend: impl Into<String>) {
        self.0.push(Finding { about, mark: Mark::Warning, message: message.into(), mend: Some(mend.into()) });
    }

    fn error(&mut self, about: &'static str, message: impl Into<String>, mend: impl Into<String>) {
        self.0.push(Finding { about, mark: Mark::Error, message: message.into(), mend: Some(mend.into()) });
    }

    fn diagnostic(&mut self, about: &'static str, diagnostic: &Diagnostic) {
        self.error(about, diagnostic.to_string(), diagnostic.help.clone());
    }
}

/// Looks at everything that a run in the project of a folder needs; `search` is where programs are looked for.
pub fn examine(folder: &Path, search: Option<&OsStr>) -> Vec<Finding> {
    let mut findings = Findings::default();
    if !ground::git(folder, &mut findings) {
        return findings.0;
    }
    let home = match Home::find(folder) {
        Ok(home) => home,
        Err(diagnostic) => {
            findings.diagnostic("repository", &diagnostic);
            return findings.0;
        }
    };
    ground::repository(&home, &mut findings);
    let worktrees = match config::read(&home.config(), config::NAME) {
        Ok(config) => {
            configured::all(&config, &home, search, &mut findings);
            config.worktree.root
        }
        Err(rejected) => {
            for defect in &rejected.defects {
                findings.diagnostic("settings", defect);
            }
            None
        }
    };
    record(&home, &mut findings);
    ground::disk(&home, worktrees.as_deref(), &mut findings);
    findings.0
}

/// What a run needs of the programs that are configured and that cannot be started.
pub fn missing(config: &Config, home: &Home, search: Option<&OsStr>) -> Vec<Finding> {
    let mut findings = Findings::default();
    configured::programs(config, home, search, &mut findings);
    findings.0.retain(|finding| finding.mark == Mark::Error);
    findings.0
}

fn record(home: &Home, findings: &mut Findings) {
    if !home.exists() {
        findings.ok("record", "nothing is on record yet");
        return;
    }
    let mut state = State::default();
    match walk_along(&home.reading(), &mut |record| fold(&mut state, record).map(|_| ())) {
        Ok(walked) => {
            findings.ok("record", format!("whole, up to record {}", walked.chain.head.sequence));
        }
        Err(fault) => findings.diagnostic("record", &fault.diagnostic()),
    }
    if Lock::is_held(&home.lock()) {
        findings.ok(
            "holder",
            match Lock::holder(&home.lock()) {
                Some(holder) => {
                    format!(
                        "process {} (`{}`) holds the project; commands go through it",
                        holder.pid, holder.command
                    )
                }
                None => "another process holds the project; commands go through it".to_owned(),
            },
        );
    }
}
