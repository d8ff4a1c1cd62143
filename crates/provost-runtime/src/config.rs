//! provost.toml: what people configure, read into plain settings. Every value keeps where it came from, every
//! mistake its place, and all mistakes are reported at once.

mod agents;
mod checks;
mod policy;
mod prices;
mod reach;
mod reading;
mod sections;
mod spend;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use provost_core::delivery::{Bypassed, CheckSpec, Terms, WhileWaiting};
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::limits::Limit;
use provost_core::planning::policy::Policy;
use provost_core::project::Settings;
use strum::{EnumString, IntoStaticStr, VariantArray};
use toml::de::DeTable;

use crate::agent::Agent;
use crate::walls::{Reach, Sandbox};
use reading::{Reading, one_line};

/// What messages and origins call the file.
pub const NAME: &str = ".provost/provost.toml";

/// The most bytes that the file may have.
const FILE_MAX: u64 = 256 * 1024;

/// What is configured, with where it came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The lines that set a limit; limits that are not here have their default value.
    pub lines: BTreeMap<Limit, u32>,
    /// The agents by name.
    pub agents: BTreeMap<String, Agent>,
    /// Which agent plays which role.
    pub roles: Roles,
    /// The project's checks, in the order of the file.
    pub checks: Vec<CheckSpec>,
    /// How worktrees are prepared.
    pub worktree: Worktree,
    /// How work lands.
    pub landing: Landing,
    /// What plans may do.
    pub policy: Policy,
    /// When a written plan counts as approved.
    pub approve: Approve,
    /// Whether programs run inside walls.
    pub sandbox: Sandbox,
    /// What is begun while a task waits for an answer.
    pub while_waiting: WhileWaiting,
    /// What agents may cost before a person is asked.
    pub spend: Terms,
    /// How far checks reach beyond their worktree, by their names.
    pub check_reach: BTreeMap<String, Reach>,
    /// Every value but the limits, to be shown.
    pub entries: Vec<Entry>,
}

/// The agent of each role, as far as one is assigned. `default` stands for those that are not named, and the only
/// agent for `default`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// Implements.
    pub developer: Option<String>,
    /// Reviews.
    pub critic: Option<String>,
    /// Verifies.
    pub auditor: Option<String>,
}

/// How worktrees are prepared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worktree {
    /// Commands that run in a new worktree, in order.
    pub setup: Vec<Vec<String>>,
    /// Files of the checkout that a new worktree gets.
    pub copy: Vec<String>,
    /// Paths beside the worktree that `setup` may write.
    pub writable: Vec<String>,
    /// The folder that worktrees are made in, from the top of the checkout; else the person's state folder.
    pub root: Option<PathBuf>,
}

/// How work lands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landing {
    /// What becomes of a task whose critic was bypassed.
    pub bypassed: Bypassed,
}

/// When a written plan counts as approved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Approve {
    /// When somebody has it delivered, but for what is of high risk.
    #[default]
    Typed,
    /// When somebody says so.
    Explicit,
}

/// One value, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, such as `agents.claude.drive`.
    pub name: String,
    /// The value; null where there is none.
    pub value: serde_json::Value,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// A line of the file.
    Line(u32),
    /// Something else that is configured and stands for it.
    Setting(&'static str),
}

/// A file that cannot be used as it is: its text and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The file's text, to show the places in.
    pub text: String,
    /// What is wrong, in the order of the file.
    pub defects: Vec<Diagnostic>,
}

/// Reads the file at `path`, called `name` in messages. Where there is none, everything has its default.
///
/// Scripts of agents are named from the top of the checkout, which holds the folder that the file is in.
pub fn read(path: &Path, name: &str) -> Result<Config, Rejected> {
    let unreadable = |why: String| Rejected {
        text: String::new(),
        defects: vec![Diagnostic::error(
            diagnostic::CONFIG_UNREADABLE,
            format!("{name} cannot be read: {why}"),
        )],
    };
    let mut text = String::new();
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(unreadable("it is not a file".to_owned()));
    }
    match fs::File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return parse("", name),
        Err(error) => return Err(unreadable(error.to_string())),
        Ok(file) => file
            .take(FILE_MAX + 1)
            .read_to_string(&mut text)
            .map_err(|error| unreadable(error.to_string()))?,
    };
    if text.len() as u64 > FILE_MAX {
        return Err(unreadable(format!("it has more than {FILE_MAX} bytes")));
    }
    let mut config = parse(&text, name)?;
    if let Some(root) = path.parent().and_then(Path::parent) {
        for agent in config.agents.values_mut() {
            agent.drive.begin_at(root);
        }
    }
    Ok(config)
}

/// Reads the text of a file called `name`.
pub fn parse(text: &str, name: &str) -> Result<Config, Rejected> {
    let mut reading = Reading::new(text, name);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        reading.complain(Diagnostic::error(diagnostic::CONFIG_SYNTAX, one_line(error.message())), span);
    }
    if reading.defects.is_empty() {
        reading.top(table.get_ref());
    }
    reading.defects.sort_by_key(|defect| defect.place.as_ref().map(|place| (place.line, place.column)));
    match reading.defects {
        defects if defects.is_empty() => Ok(reading.config),
        defects => Err(Rejected { text: text.to_owned(), defects }),
    }
}
