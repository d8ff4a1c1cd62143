//! The lines of the Agent Client Protocol, as far as they are used; what else is in them is left alone.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::adapter::{Server, Tokens};

#[derive(Deserialize)]
pub(super) struct Message<'l> {
    #[serde(borrow)]
    pub(super) id: Option<&'l RawValue>,
    pub(super) method: Option<String>,
    #[serde(borrow)]
    pub(super) params: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'l RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Initialized {
    pub(super) protocol_version: i64,
    #[serde(default)]
    pub(super) agent_capabilities: Capabilities,
    pub(super) agent_info: Option<AgentInfo>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Capabilities {
    pub(super) load_session: bool,
    pub(super) session_capabilities: SessionCapabilities,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SessionCapabilities {
    pub(super) resume: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct AgentInfo {
    #[serde(default)]
    pub(super) name: String,
    pub(super) version: String,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Opened {
    pub(super) session_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prompted {
    pub(super) stop_reason: String,
    usage: Option<Usage>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Usage {
    #[serde(rename = "inputTokens")]
    input: u64,
    #[serde(rename = "outputTokens")]
    output: u64,
    #[serde(rename = "cachedReadTokens")]
    cached_read: u64,
    #[serde(rename = "cachedWriteTokens")]
    cached_write: u64,
    #[serde(rename = "thoughtTokens")]
    thought: u64,
    #[serde(rename = "totalTokens")]
    total: Option<u64>,
}

impl Usage {
    /// Some agents count what was read from a cache as input too; then all together is more than the whole.
    pub(super) fn tokens(&self) -> Tokens {
        let cached = self.cached_read.saturating_add(self.cached_write);
        let all = self.input.saturating_add(cached).saturating_add(self.output);
        let is_counted_twice = self.total.is_some_and(|total| all > total.saturating_add(self.thought));
        Tokens {
            input: if is_counted_twice { self.input.saturating_sub(cached) } else { self.input },
            cached_read: self.cached_read,
            cache_write: self.cached_write,
            output: self.output,
            reasoning: self.thought,
        }
    }
}

#[derive(Deserialize)]
struct Meta {
    quota: Option<Quota>,
}

#[derive(Deserialize)]
struct Quota {
    token_count: Option<TokenCount>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TokenCount {
    input_tokens: u64,
    output_tokens: u64,
}

impl Prompted {
    /// Some agents count where the protocol has it, some beside it.
    pub(super) fn tokens(&self) -> Option<Tokens> {
        let count = self.meta.as_ref().and_then(|meta| meta.quota.as_ref()?.token_count.as_ref());
        match (&self.usage, count) {
            (Some(usage), _) => Some(usage.tokens()),
            (None, Some(count)) => {
                Some(Tokens { input: count.input_tokens, output: count.output_tokens, ..Tokens::default() })
            }
            (None, None) => None,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Updated {
    pub(super) update: Update,
}

#[derive(Deserialize)]
pub(super) struct Update {
    #[serde(rename = "sessionUpdate")]
    pub(super) kind: String,
    #[serde(rename = "kind")]
    pub(super) tool: Option<String>,
    #[serde(rename = "toolCallId")]
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) content: Option<Value>,
    pub(super) cost: Option<Cost>,
    #[serde(default, rename = "_meta")]
    pub(super) meta: UpdateMeta,
}

/// What one answer of the model used, where an agent counts there.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct UpdateMeta {
    pub(super) usage: Option<Usage>,
}

#[derive(Deserialize)]
pub(super) struct Cost {
    pub(super) amount: f64,
    pub(super) currency: String,
}

/// The text of a piece of content.
pub(super) fn text(content: &Value) -> Option<String> {
    content.get("text")?.as_str().map(str::to_owned)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionRequest {
    pub(super) tool_call: ToolCall,
    #[serde(default)]
    pub(super) options: Vec<PermissionOption>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolCall {
    #[serde(default, rename = "toolCallId")]
    pub(super) id: String,
    #[serde(default)]
    pub(super) title: String,
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) locations: Vec<Location>,
    #[serde(default)]
    pub(super) raw_input: Value,
    #[serde(default, rename = "_meta")]
    pub(super) meta: CallMeta,
}

/// What an agent adds of its own to a call.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CallMeta {
    pub(super) tool_name: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Location {
    pub(super) path: String,
}

#[derive(Deserialize)]
pub(super) struct PermissionOption {
    #[serde(rename = "optionId")]
    pub(super) id: String,
    pub(super) kind: String,
}

/// A tool server, as sessions are opened with it.
pub(super) fn server(server: &Server) -> Value {
    let env: Vec<Value> =
        server.env.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    json!({ "name": server.name, "command": server.command, "args": server.args, "env": env })
}
