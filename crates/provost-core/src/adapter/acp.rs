//! The Agent Client Protocol, version 1, from the client's side: JSON-RPC lines over standard input and output.
//!
//! What a turn needs of it is small, and agents differ in what they add; so lines are read for what is used here and
//! everything else in them is left alone. The answer to `session/prompt` ends a turn. Options of a permission are
//! chosen by their kind, because their names are the agent's own.

mod own;
mod wire;

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use self::own::Own;
use self::wire::{Initialized, Message, Opened, PermissionRequest, Prompted, Update, Updated};
use super::tokens::micro_usd;
use super::{
    Act, Adapter, Asked, Class, Conversation, Deed, Fed, Grant, Heard, Server, Spent, Trouble, line,
};

const VERSION: i64 = 1;

const INITIALIZE: i64 = 1;
const OPEN: i64 = 2;
const PROMPT: i64 = 3;

/// What JSON-RPC has for a method that is not there.
const METHOD_NOT_FOUND: i64 = -32_601;

/// The most requests for permission that can be open at once.
const OPEN_MAX: usize = 64;

/// The most bytes of one message that are put together before they are handed on.
const MESSAGE_MAX: usize = 1 << 20;

/// How far a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Initializing,
    /// The session is being opened; what is told meanwhile was said in earlier turns.
    Opening,
    Prompting,
    Over,
}

/// A turn of an agent that speaks the protocol.
#[derive(Debug)]
pub(super) struct Acp {
    cwd: String,
    server: Option<Server>,
    resume: Option<String>,
    prompt: String,
    session: Option<String>,
    stage: Stage,
    /// What the agent is in the middle of saying.
    message: String,
    /// Open requests for permission, by their id as the agent wrote it, with the options.
    open: BTreeMap<String, Options>,
    denied: u32,
    own: Own,
    /// What the answers of the model used so far, where the agent counts them one by one.
    used: Spent,
}

/// The options of a permission that are once and for all chosen among.
#[derive(Debug, Default)]
struct Options {
    allow: Option<String>,
    reject: Option<String>,
}

impl Adapter for Acp {
    fn begin(&mut self, prompt: &str) -> Vec<u8> {
        prompt.clone_into(&mut self.prompt);
        let capabilities =
            json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false });
        let client = json!({ "name": "provost", "version": env!("CARGO_PKG_VERSION") });
        let params =
            json!({ "protocolVersion": VERSION, "clientCapabilities": capabilities, "clientInfo": client });
        call(INITIALIZE, "initialize", &params)
    }

    fn feed(&mut self, text: &str) -> Fed {
        let Ok(message) = serde_json::from_str::<Message<'_>>(text) else { return Fed::of([Heard::Unknown]) };
        match (message.method.as_deref(), message.id) {
            (Some("session/update"), None) => Fed::of(self.updated(message.params)),
            (Some("session/request_permission"), Some(id)) => self.asked(id, message.params),
            (Some(_), Some(id)) => {
                let error = json!({ "code": METHOD_NOT_FOUND, "message": "this method is not offered" });
                let reply = line(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
                Fed { heard: vec![Heard::Unknown], reply }
            }
            (None, Some(id)) => self.answered(id, &message),
            _ => Fed::of([Heard::Unknown]),
        }
    }

    fn answer(&mut self, request: &str, grant: &Grant) -> Vec<u8> {
        let Some(options) = self.open.remove(request) else { return Vec::new() };
        let chosen = match grant {
            Grant::Allow => options.allow,
            Grant::Deny { .. } => {
                self.denied = self.denied.saturating_add(1);
                options.reject
            }
        };
        decided(request, chosen)
    }

    fn interrupt(&mut self) -> Vec<u8> {
        let Some(session) = &self.session else { return Vec::new() };
        let params = json!({ "sessionId": session });
        let mut lines = line(&json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": params }));
        for request in std::mem::take(&mut self.open).into_keys() {
            lines.extend(decided(&request, None));
        }
        lines
    }

    fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }
}

impl Acp {
    pub(super) fn new(conversation: &Conversation) -> Acp {
        Acp {
            cwd: conversation.cwd.clone(),
            server: conversation.server.clone(),
            resume: conversation.resume.clone(),
            prompt: String::new(),
            session: None,
            stage: Stage::Initializing,
            message: String::new(),
            open: BTreeMap::new(),
            denied: 0,
            own: Own::default(),
            used: Spent::default(),
        }
    }

    /// An answer to one of this side's calls.
    fn answered(&mut self, id: &RawValue, message: &Message<'_>) -> Fed {
        let id: Option<i64> = serde_json::from_str(id.get()).ok();
        let result = message.result.map_or("null", RawValue::get);
        match (id, self.stage) {
            (Some(INITIALIZE | OPEN | PROMPT), _) if message.error.is_some() => self.failed(message),
            (Some(INITIALIZE), Stage::Initializing) => match serde_json::from_str::<Initialized>(result) {
                Ok(initialized) if initialized.protocol_version == VERSION => self.open_session(initialized),
                _ => self.broken("the agent does not speak version 1 of the protocol"),
            },
            (Some(OPEN), Stage::Opening) => match serde_json::from_str::<Opened>(result) {
                Ok(opened) => self.prompt(opened.session_id),
                Err(_) => self.broken("the agent's session cannot be understood"),
            },
            (Some(PROMPT), Stage::Prompting) => match serde_json::from_str::<Prompted>(result) {
                Ok(prompted) => self.ended(&prompted),
                Err(_) => self.broken("the end of the agent's turn cannot be understood"),
            },
            _ => Fed::of([Heard::Unknown]),
        }
    }

    fn open_session(&mut self, agent: Initialized) -> Fed {
        self.stage = Stage::Opening;
        if let Some(info) = &agent.agent_info {
            self.own.is(&info.name);
        }
        let identity = Heard::Identity { version: agent.agent_info.map(|info| info.version), model: None };
        let servers: Vec<Value> = self.server.iter().map(wire::server).collect();
        let mut params = json!({ "cwd": self.cwd, "mcpServers": servers });
        let capabilities = agent.agent_capabilities;
        let way = match &self.resume {
            Some(_) if capabilities.session_capabilities.resume.is_some() => "session/resume",
            Some(_) if capabilities.load_session => "session/load",
            _ => {
                self.resume = None;
                "session/new"
            }
        };
        if let (Some(session), Some(params)) = (&self.resume, params.as_object_mut()) {
            params.insert("sessionId".to_owned(), json!(session));
        }
        Fed { heard: vec![identity], reply: call(OPEN, way, &params) }
    }

    fn prompt(&mut self, session: Option<String>) -> Fed {
        let Some(session) = session.or_else(|| self.resume.clone()) else {
            return self.broken("the agent gave its session no name");
        };
        self.stage = Stage::Prompting;
        let content = json!([{ "type": "text", "text": std::mem::take(&mut self.prompt) }]);
        let reply = call(PROMPT, "session/prompt", &json!({ "sessionId": session, "prompt": content }));
        self.session = Some(session.clone());
        Fed { heard: vec![Heard::Session(session)], reply }
    }

    fn ended(&mut self, prompted: &Prompted) -> Fed {
        self.stage = Stage::Over;
        let spoken = self.whole_message();
        let denied = (0..self.denied).map(|_| Heard::Denied);
        let used = prompted.tokens().map(|tokens| Heard::Used(Spent::counted(tokens)));
        let reason = prompted.stop_reason.as_str();
        let trouble = |class| Heard::Failed(Trouble::new(class, &format!("the agent stopped: {reason}")));
        let end = match reason {
            "end_turn" => Heard::Finished,
            "max_tokens" => trouble(Class::Context),
            "max_turn_requests" => trouble(Class::TurnLimit),
            _ => trouble(Class::Unclassified),
        };
        Fed::of(spoken.into_iter().chain(denied).chain(used).chain([end]))
    }

    fn failed(&mut self, message: &Message<'_>) -> Fed {
        let said = message.error.map_or("", RawValue::get);
        let trouble = Trouble::said(None, said);
        let is_resumed = self.stage == Stage::Opening && self.resume.is_some();
        let class = match trouble.class {
            // What else can be wrong with opening a session that was open before.
            Class::Unclassified if is_resumed => Class::Session,
            class => class,
        };
        self.stage = Stage::Over;
        let spoken = self.whole_message();
        Fed::of(spoken.into_iter().chain([Heard::Failed(Trouble { class, ..trouble })]))
    }

    fn broken(&mut self, why: &str) -> Fed {
        self.stage = Stage::Over;
        Fed::of([Heard::Failed(Trouble::new(Class::Protocol, why))])
    }

    /// What the agent tells while it works.
    fn updated(&mut self, params: Option<&RawValue>) -> Vec<Heard> {
        let Some(Updated { update }) = params.and_then(|raw| serde_json::from_str(raw.get()).ok()) else {
            return vec![Heard::Unknown];
        };
        if let Some(cost) = update.cost.as_ref().filter(|cost| cost.currency == "USD") {
            return micro_usd(cost.amount)
                .map(|micro| Heard::UsedInAll(Spent::priced(micro)))
                .into_iter()
                .collect();
        }
        if self.stage != Stage::Prompting {
            return Vec::new();
        }
        match update.kind.as_str() {
            "agent_message_chunk" => self.chunk(&update).into_iter().chain(self.counted(&update)).collect(),
            "tool_call" => {
                self.own.begins(&update);
                let tool = Heard::Tool(update.tool.unwrap_or_else(|| "other".to_owned()));
                self.whole_message().into_iter().chain([tool]).collect()
            }
            // Thoughts are not what it says.
            _ => Vec::new(),
        }
    }

    fn chunk(&mut self, update: &Update) -> Vec<Heard> {
        let Some(text) = update.content.as_ref().and_then(wire::text) else { return Vec::new() };
        self.message.push_str(&text);
        let is_long = self.message.len() >= MESSAGE_MAX;
        is_long.then(|| self.whole_message()).flatten().into_iter().collect()
    }

    /// What an answer of the model used, on top of those before.
    fn counted(&mut self, update: &Update) -> Option<Heard> {
        let usage = update.meta.usage.as_ref()?;
        self.used = self.used.plus(Spent::counted(usage.tokens()));
        Some(Heard::Used(self.used))
    }

    fn whole_message(&mut self) -> Option<Heard> {
        let message = std::mem::take(&mut self.message);
        (!message.is_empty()).then_some(Heard::Text(message))
    }

    fn asked(&mut self, id: &RawValue, params: Option<&RawValue>) -> Fed {
        let request = params.and_then(|raw| serde_json::from_str::<PermissionRequest>(raw.get()).ok());
        let Some(request) = request.filter(|_| self.open.len() < OPEN_MAX) else {
            return Fed { heard: vec![Heard::Unknown], reply: decided(id.get(), None) };
        };
        let server = self.server.as_ref().map(|server| server.name.as_str());
        let own = server.and_then(|server| self.own.act(server, &request));
        let act = own.unwrap_or_else(|| act(&request.tool_call, self.own.titles_are_commands()));
        let of_kind = |kinds: [&str; 2]| {
            let find = |kind: &str| request.options.iter().find(|option| option.kind == kind);
            kinds.into_iter().find_map(find).map(|option| option.id.clone())
        };
        let options = Options {
            allow: of_kind(["allow_once", "allow_always"]),
            reject: of_kind(["reject_once", "reject_always"]),
        };
        self.open.insert(id.get().to_owned(), options);
        let asked = Asked { request: id.get().to_owned(), act };
        Fed::of(self.whole_message().into_iter().chain([Heard::Asked(asked)]))
    }
}

fn call(id: i64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

/// The answer to a request for permission; without an option for it, the request is called off, which permits nothing.
fn decided(request: &str, option: Option<String>) -> Vec<u8> {
    let outcome = match option {
        Some(option) => json!({ "outcome": "selected", "optionId": option }),
        None => json!({ "outcome": "cancelled" }),
    };
    let id: Value = serde_json::from_str(request).unwrap_or_default();
    line(&json!({ "jsonrpc": "2.0", "id": id, "result": { "outcome": outcome } }))
}

/// What a call of a tool does.
fn act(call: &wire::ToolCall, titles_are_commands: bool) -> Act {
    let kind = call.kind.as_deref().unwrap_or_default();
    let (kind, deed) = match kind {
        "read" | "search" => (kind, Deed::Read),
        "edit" | "delete" | "move" => (kind, Deed::Write),
        "execute" => (kind, Deed::Run),
        "fetch" => (kind, Deed::Fetch),
        "think" | "switch_mode" => (kind, Deed::Other),
        // Not as the agent spells it: rules know the tools of servers by their names.
        _ => ("other", Deed::Other),
    };
    let mut act = Act::new(kind, deed);
    for location in &call.locations {
        act.path(&location.path);
    }
    let input = |names: &[&str]| names.iter().find_map(|name| call.raw_input.get(name));
    if let Some(path) = input(&["filepath", "filePath", "file_path", "path"]).and_then(Value::as_str) {
        act.path(path);
    }
    match input(&["command", "cmd"]) {
        Some(Value::String(command)) => act.command(command),
        Some(Value::Array(words)) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            act.command(&words.join(" "));
        }
        _ if deed == Deed::Run && titles_are_commands => act.command(&call.title),
        _ => {}
    }
    if let Some(address) = input(&["url", "query"]).and_then(Value::as_str) {
        act.address(address);
    }
    act
}
