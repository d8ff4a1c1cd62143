//! What an agent wants to do, in words that rules can ask about whatever the agent calls its tools.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::beginning;

/// The most bytes that are kept of a command or an address; an act goes onto the record.
const TEXT_MAX: usize = 2_000;

/// The most bytes that are kept of a path or the name of a tool.
const NAME_MAX: usize = 500;

/// The most paths that are kept of one act.
const PATHS_MAX: usize = 8;

/// The kind of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Deed {
    /// Looks at files.
    Read,
    /// Changes files.
    Write,
    /// Runs a command.
    Run,
    /// Asks the network.
    Fetch,
    /// Anything else, named by its tool.
    Other,
}

/// What an agent wants to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// The tool, as the agent calls it.
    pub tool: String,
    /// What it does.
    pub deed: Deed,
    /// The files that it is about, as the agent names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The command that is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The address that is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Whether something of it was too long to be kept, so that nobody can judge all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl Act {
    pub(super) fn new(tool: &str, deed: Deed) -> Act {
        let cut = tool.len() > NAME_MAX;
        let tool = beginning(tool, NAME_MAX);
        Act { tool, deed, paths: Vec::new(), command: None, address: None, cut }
    }

    pub(super) fn path(&mut self, path: &str) {
        if self.paths.iter().any(|known| known == path) {
            return;
        }
        if self.paths.len() < PATHS_MAX {
            let path = self.kept(path, NAME_MAX);
            self.paths.push(path);
        } else {
            self.cut = true;
        }
    }

    pub(super) fn command(&mut self, command: &str) {
        self.command = Some(self.kept(command, TEXT_MAX));
    }

    pub(super) fn address(&mut self, address: &str) {
        self.address = Some(self.kept(address, TEXT_MAX));
    }

    /// What it is about, for people: the command, the first file or the address.
    pub fn about(&self) -> Option<&str> {
        self.command.as_ref().or(self.paths.first()).or(self.address.as_ref()).map(String::as_str)
    }

    /// Whether all of it is here, and no more than anybody would keep: only then can it be judged.
    pub fn is_whole(&self) -> bool {
        let texts = [self.command.as_ref(), self.address.as_ref()];
        let names = self.paths.iter().chain([&self.tool]);
        !self.cut
            && self.paths.len() <= PATHS_MAX
            && texts.into_iter().flatten().all(|text| text.len() <= TEXT_MAX)
            && names.into_iter().all(|name| name.len() <= NAME_MAX)
    }

    fn kept(&mut self, text: &str, most: usize) -> String {
        self.cut |= text.len() > most;
        beginning(text, most)
    }
}
