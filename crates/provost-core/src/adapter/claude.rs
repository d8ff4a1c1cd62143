//! Claude Code in print mode with JSON lines both ways.
//!
//! The `result` event ends a turn. It is judged by `is_error` and `terminal_reason`: its `subtype` says success also
//! when the provider refused, and its text also when every tool was refused. Prices are sums over the conversation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::tokens::micro_usd;
use super::{Act, Adapter, Asked, Class, Deed, Fed, Grant, Heard, Spent, Tokens, Trouble, line};

/// The most requests for permission that can be open at once.
const OPEN_MAX: usize = 64;

/// A turn of Claude Code.
#[derive(Debug, Default)]
pub(super) struct Claude {
    /// The inputs of the tools that it asked about, as it wrote them: to permit one is to repeat its input.
    open: BTreeMap<String, Box<RawValue>>,
    over: bool,
}

#[derive(Deserialize)]
struct Event<'l> {
    #[serde(rename = "type")]
    kind: String,
    subtype: Option<String>,
    session_id: Option<String>,
    parent_tool_use_id: Option<String>,
    #[serde(borrow)]
    message: Option<&'l RawValue>,
    #[serde(default)]
    is_api_error_message: bool,
    request_id: Option<String>,
    #[serde(borrow)]
    request: Option<&'l RawValue>,
    #[serde(borrow)]
    rate_limit_info: Option<&'l RawValue>,
    claude_code_version: Option<String>,
    model: Option<String>,
    /// A word in some events and an object in others.
    #[serde(borrow)]
    error: Option<&'l RawValue>,
    error_status: Option<u16>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Blocks(Vec<Block>),
    Text(String),
}

impl Default for Content {
    fn default() -> Content {
        Content::Blocks(Vec::new())
    }
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Request<'l> {
    subtype: String,
    tool_name: Option<String>,
    #[serde(borrow)]
    input: Option<&'l RawValue>,
}

#[derive(Serialize)]
struct Response<'l> {
    #[serde(rename = "type")]
    kind: &'static str,
    response: Success<'l>,
}

#[derive(Serialize)]
struct Success<'l> {
    subtype: &'static str,
    request_id: &'l str,
    response: Answer<'l>,
}

#[derive(Serialize)]
#[serde(tag = "behavior", rename_all = "snake_case")]
enum Answer<'l> {
    Allow {
        #[serde(rename = "updatedInput")]
        input: &'l RawValue,
    },
    Deny {
        message: &'l str,
    },
}

/// What tools are called with, as far as somebody judges it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Input {
    file_path: Option<String>,
    notebook_path: Option<String>,
    path: Option<String>,
    pattern: Option<String>,
    command: Option<String>,
    #[serde(rename = "dangerouslyDisableSandbox")]
    unconfined: bool,
    url: Option<String>,
    query: Option<String>,
}

#[derive(Deserialize)]
struct RateLimit {
    status: Option<String>,
    #[serde(rename = "resetsAt")]
    resets_at: Option<i64>,
}

#[derive(Deserialize)]
struct Outcome {
    #[serde(default)]
    is_error: bool,
    terminal_reason: Option<String>,
    api_error_status: Option<u16>,
    result: Option<String>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    permission_denials: Vec<serde::de::IgnoredAny>,
    total_cost_usd: Option<f64>,
    #[serde(rename = "modelUsage", default)]
    model_usage: BTreeMap<String, Used>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Used {
    #[serde(rename = "inputTokens")]
    input: u64,
    #[serde(rename = "outputTokens")]
    output: u64,
    #[serde(rename = "thinkingTokens")]
    thinking: u64,
    #[serde(rename = "cacheReadInputTokens")]
    cache_read: u64,
    #[serde(rename = "cacheCreationInputTokens")]
    cache_creation: u64,
}

impl Adapter for Claude {
    fn begin(&mut self, prompt: &str) -> Vec<u8> {
        let content = json!([{ "type": "text", "text": prompt }]);
        line(&json!({ "type": "user", "message": { "role": "user", "content": content } }))
    }

    fn feed(&mut self, text: &str) -> Fed {
        let Ok(event) = serde_json::from_str::<Event<'_>>(text) else { return Fed::of([Heard::Unknown]) };
        match (event.kind.as_str(), event.subtype.as_deref()) {
            ("system", Some("init")) => {
                let identity = Heard::Identity { version: event.claude_code_version, model: event.model };
                Fed::of([identity].into_iter().chain(event.session_id.map(Heard::Session)))
            }
            ("system", Some("api_retry")) => {
                let said = event.error.map_or("", RawValue::get);
                Fed::of([Heard::Retrying(Trouble::said(event.error_status, said.trim_matches('"')))])
            }
            // What a helper of the agent says is not its own word, and what the program says in its name neither.
            ("assistant", _) if event.parent_tool_use_id.is_none() && !event.is_api_error_message => {
                Fed::of(event.message.map(said).unwrap_or_default())
            }
            ("rate_limit_event", _) => Fed::of(event.rate_limit_info.and_then(rate_limit)),
            ("control_request", _) => self.asked(&event),
            ("result", _) => self.ended(text, event.session_id),
            // Known, and nothing that anybody here asks for; denials are counted at the end.
            ("system" | "user" | "assistant" | "stream_event" | "control_response", _) => Fed::default(),
            _ => Fed::of([Heard::Unknown]),
        }
    }

    fn answer(&mut self, request: &str, grant: &Grant) -> Vec<u8> {
        let Some(input) = self.open.remove(request) else { return Vec::new() };
        let response = match grant {
            Grant::Allow => Answer::Allow { input: &input },
            Grant::Deny { why } => Answer::Deny { message: why },
        };
        line(&Response {
            kind: "control_response",
            response: Success { subtype: "success", request_id: request, response },
        })
    }

    fn interrupt(&mut self) -> Vec<u8> {
        let request = json!({ "subtype": "interrupt" });
        line(&json!({ "type": "control_request", "request_id": "interrupt", "request": request }))
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl Claude {
    fn asked(&mut self, event: &Event<'_>) -> Fed {
        let Some(id) = &event.request_id else { return Fed::of([Heard::Unknown]) };
        let request = event.request.and_then(|raw| serde_json::from_str::<Request<'_>>(raw.get()).ok());
        match request {
            Some(request) if request.subtype == "can_use_tool" && self.open.len() < OPEN_MAX => {
                let input = request.input.unwrap_or(RawValue::NULL);
                self.open.insert(id.clone(), input.to_owned());
                let act = act(request.tool_name.as_deref().unwrap_or_default(), input);
                Fed::of([Heard::Asked(Asked { request: id.clone(), act })])
            }
            _ => {
                let error = "this request is not supported";
                let response = json!({ "subtype": "error", "request_id": id, "error": error });
                let reply = line(&json!({ "type": "control_response", "response": response }));
                Fed { heard: vec![Heard::Unknown], reply }
            }
        }
    }

    fn ended(&mut self, text: &str, session: Option<String>) -> Fed {
        self.over = true;
        let Ok(outcome) = serde_json::from_str::<Outcome>(text) else {
            return Fed::of([Heard::Failed(Trouble::new(Class::Protocol, text))]);
        };
        let tokens = outcome.model_usage.values().fold(Tokens::default(), |sum, used| Tokens {
            input: sum.input.saturating_add(used.input),
            cached_read: sum.cached_read.saturating_add(used.cache_read),
            cache_write: sum.cache_write.saturating_add(used.cache_creation),
            output: sum.output.saturating_add(used.output),
            reasoning: sum.reasoning.saturating_add(used.thinking),
        });
        let micro_usd = outcome.total_cost_usd.and_then(micro_usd);
        let used = Heard::UsedInAll(Spent { tokens: Some(tokens), micro_usd });
        let denied = outcome.permission_denials.iter().map(|_| Heard::Denied);
        let completed = matches!(outcome.terminal_reason.as_deref(), None | Some("completed"));
        let end =
            if completed && !outcome.is_error { Heard::Finished } else { Heard::Failed(trouble(&outcome)) };
        Fed::of(session.map(Heard::Session).into_iter().chain([used]).chain(denied).chain([end]))
    }
}

/// What a message says and which tools it uses.
fn said(message: &RawValue) -> Vec<Heard> {
    let Ok(message) = serde_json::from_str::<Message>(message.get()) else { return vec![Heard::Unknown] };
    let blocks = match message.content {
        Content::Text(text) => return vec![Heard::Text(text)],
        Content::Blocks(blocks) => blocks,
    };
    let heard = blocks.into_iter().filter_map(|block| match block.kind.as_str() {
        "text" => block.text.map(Heard::Text),
        "tool_use" => block.name.map(Heard::Tool),
        _ => None,
    });
    heard.collect()
}

fn rate_limit(info: &RawValue) -> Option<Heard> {
    let info: RateLimit = serde_json::from_str(info.get()).ok()?;
    let is_over = info.status.as_deref() == Some("rejected");
    is_over.then(|| Heard::Retrying(Trouble::new(Class::Quota, "rate limit").until(info.resets_at)))
}

fn trouble(outcome: &Outcome) -> Trouble {
    let said = outcome.result.as_deref().or(outcome.errors.first().map(String::as_str)).unwrap_or_default();
    match outcome.terminal_reason.as_deref() {
        Some("max_turns") => Trouble::new(Class::TurnLimit, said),
        Some("budget_exhausted") => Trouble::new(Class::Budget, said),
        // `…usage limit reached|1747857600` says until when.
        _ => Trouble::said(outcome.api_error_status, said)
            .until(said.rsplit_once('|').and_then(|(_, seconds)| seconds.trim().parse().ok())),
    }
}

/// What a tool of this name does with this input.
pub(super) fn act(tool: &str, input: &RawValue) -> Act {
    let deed = match tool {
        "Read" | "Glob" | "Grep" | "LS" | "NotebookRead" => Deed::Read,
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => Deed::Write,
        "Bash" => Deed::Run,
        "WebFetch" | "WebSearch" => Deed::Fetch,
        _ => Deed::Other,
    };
    let input: Input = serde_json::from_str(input.get()).unwrap_or_default();
    // A command that wants out of the agent's own sandbox is no ordinary command.
    let mut act = Act::new(tool, if input.unconfined { Deed::Other } else { deed });
    for path in [input.file_path, input.notebook_path, input.path].iter().flatten() {
        act.path(path);
    }
    if deed == Deed::Read {
        // Without a path it looks where it works; a pattern of files is one.
        let pattern = input.pattern.as_deref().filter(|_| tool == "Glob");
        if act.paths.is_empty() || pattern.is_some() {
            act.path(pattern.unwrap_or("."));
        }
    }
    if let Some(command) = &input.command {
        act.command(command);
    }
    if let Some(address) = input.url.as_ref().or(input.query.as_ref()) {
        act.address(address);
    }
    act
}
