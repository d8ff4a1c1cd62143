//! Provost's own tools in requests for permission. The protocol has no field for whose tool it is, and what people read
//! of a call is often a text that the model chose; so a call counts as one of ours only for programs that are known, and
//! by what those programs say of their own accord.

use std::collections::BTreeMap;

use super::wire::{PermissionRequest, ToolCall, Update};
use crate::adapter::{Act, Deed};

/// The most calls that are remembered until they are asked about.
const BEGUN_MAX: usize = 64;

/// A program whose way of naming the tools of a server is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    Gemini,
    OpenCode,
    Qwen,
}

/// What is known of calls that an agent has begun.
#[derive(Debug, Default)]
pub(super) struct Own {
    program: Option<Program>,
    /// Calls of no known kind, by their id, with the tool that opencode calls by its name before anything is asked.
    begun: BTreeMap<String, String>,
}

impl Own {
    /// Takes in what the agent says that it is.
    pub(super) fn is(&mut self, name: &str) {
        self.program = match name {
            "gemini-cli" => Some(Program::Gemini),
            "OpenCode" => Some(Program::OpenCode),
            "qwen-code" => Some(Program::Qwen),
            _ => None,
        };
    }

    /// Whether the title of a command that is run is the command, whole. Elsewhere it may be what the model says of it.
    pub(super) fn titles_are_commands(&self) -> bool {
        self.program == Some(Program::Gemini)
    }

    /// Takes in that a call was begun.
    pub(super) fn begins(&mut self, update: &Update) {
        let (Some(id), Some(title)) = (&update.id, &update.title) else { return };
        self.begun.remove(id);
        if update.tool.as_deref() == Some("other") && self.begun.len() < BEGUN_MAX {
            self.begun.insert(id.clone(), title.clone());
        }
    }

    /// The act of calling a tool of `server`, where a request is about one.
    pub(super) fn act(&mut self, server: &str, request: &PermissionRequest) -> Option<Act> {
        let call = &request.tool_call;
        let begun = self.begun.remove(&call.id);
        if call.kind.as_deref() != Some("other") || !call.locations.is_empty() {
            return None;
        }
        let tool = match self.program? {
            Program::Gemini => gemini(server, request),
            Program::OpenCode => opencode(server, call, begun.as_deref()),
            Program::Qwen => call.meta.tool_name.as_deref()?.strip_prefix(&format!("mcp__{server}__")),
        };
        let tool = tool.filter(|tool| is_plain(tool))?;
        Some(Act::new(&format!("mcp__{server}__{tool}"), Deed::Other))
    }
}

/// Only calls to a server can be allowed for all of its tools, and only their titles end with whose tool it is.
fn gemini<'r>(server: &str, request: &'r PermissionRequest) -> Option<&'r str> {
    let to_a_server = request.options.iter().any(|option| option.id == "proceed_always_server");
    let whole = request.tool_call.title.strip_suffix(&format!(" ({server} MCP Server)"));
    whole.filter(|_| to_a_server)
}

/// What is asked about a folder has a title that the model chose. It then says which, and its call was begun as another.
fn opencode<'r>(server: &str, call: &'r ToolCall, begun: Option<&str>) -> Option<&'r str> {
    let says_nothing = call.raw_input.as_object().is_some_and(serde_json::Map::is_empty);
    let is_its_name = begun == Some(call.title.as_str());
    call.title.strip_prefix(&format!("{server}_")).filter(|_| says_nothing && is_its_name)
}

/// Whether it can be the name of a tool, and not the end of another server's with its tool behind it.
fn is_plain(tool: &str) -> bool {
    tool.starts_with(|first: char| first.is_ascii_lowercase())
        && tool.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        && !tool.contains("__")
}
