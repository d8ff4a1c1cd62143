//! Codex in `exec --json`: it is given its prompt, says what it does and never asks; its sandbox is its permission.
//!
//! `turn.completed` or `turn.failed` ends a turn. An *item* of type `error` is only a warning. What went wrong is told
//! in prose. Tokens are sums over the conversation, and nothing is said about a price.

use serde::Deserialize;

use super::{Adapter, Fed, Grant, Heard, Spent, Tokens, Trouble};

/// A turn of Codex.
#[derive(Debug)]
pub(super) struct Codex;

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    thread_id: Option<String>,
    item: Option<Item>,
    usage: Option<Usage>,
    message: Option<String>,
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    status: Option<String>,
}

#[derive(Deserialize)]
struct Failure {
    #[serde(default)]
    message: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    #[serde(rename = "input_tokens")]
    input: u64,
    #[serde(rename = "cached_input_tokens")]
    cached: u64,
    #[serde(rename = "cache_write_input_tokens")]
    cache_write: u64,
    #[serde(rename = "output_tokens")]
    output: u64,
    #[serde(rename = "reasoning_output_tokens")]
    reasoning: u64,
}

impl Adapter for Codex {
    fn begin(&mut self, prompt: &str) -> Vec<u8> {
        prompt.as_bytes().to_vec()
    }

    fn feed(&mut self, line: &str) -> Fed {
        let Ok(event) = serde_json::from_str::<Event>(line) else { return Fed::of([Heard::Unknown]) };
        match event.kind.as_str() {
            "thread.started" => Fed::of(event.thread_id.map(Heard::Session)),
            "item.started" | "item.completed" => {
                Fed::of(event.item.and_then(|item| heard(&event.kind, item)))
            }
            "error" => {
                let said = event.message.unwrap_or_default();
                Fed::of([Heard::Retrying(Trouble::said(None, &said))])
            }
            "turn.completed" => {
                let used = event.usage.map(|usage| Heard::UsedInAll(Spent::counted(usage.tokens())));
                Fed::of(used.into_iter().chain([Heard::Finished]))
            }
            "turn.failed" => {
                let said = event.error.map(|error| error.message).unwrap_or_default();
                Fed::of([Heard::Failed(Trouble::said(None, &said))])
            }
            "turn.started" | "item.updated" => Fed::default(),
            _ => Fed::of([Heard::Unknown]),
        }
    }

    fn answer(&mut self, _request: &str, _grant: &Grant) -> Vec<u8> {
        Vec::new()
    }

    fn interrupt(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn is_over(&self) -> bool {
        true
    }
}

impl Usage {
    /// What was read from a cache is part of what it calls input.
    fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input.saturating_sub(self.cached),
            cached_read: self.cached,
            cache_write: self.cache_write,
            output: self.output,
            reasoning: self.reasoning,
        }
    }
}

fn heard(event: &str, item: Item) -> Option<Heard> {
    match (event, item.kind.as_str()) {
        ("item.completed", "agent_message") => item.text.map(Heard::Text),
        ("item.completed", "command_execution") if item.status.as_deref() == Some("declined") => {
            Some(Heard::Denied)
        }
        ("item.started", tool) => Some(Heard::Tool(tool.to_owned())),
        _ => None,
    }
}
