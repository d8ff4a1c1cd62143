//! `OpenAI`'s chat completions, which most other agents speak.

use serde_json::{Value, json};

use super::{Event, pieces};
use crate::offer::Tool;
use crate::talk::{Reply, Said, Talk, list, name, object, text, text_of};

/// What was said and what is offered.
pub(super) fn read(body: &Value) -> (Vec<Said>, Vec<Tool>) {
    let mut said = Vec::new();
    for message in list(body, "messages") {
        match text(message, "role") {
            "assistant" => {
                let calls = list(message, "tool_calls").filter_map(|call| call.get("function"));
                said.extend(calls.map(|call| Said::Called(text(call, "name").to_owned())));
            }
            "tool" => {}
            _ => said.push(Said::Told(message.get("content").map(text_of).unwrap_or_default())),
        }
    }
    let tools = list(body, "tools").filter_map(|tool| tool.get("function"));
    (said, tools.map(|tool| Tool::new(text(tool, "name"), object(tool, "parameters"))).collect())
}

fn usage() -> Value {
    json!({
        "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, "prompt_tokens_details": { "cached_tokens": 10 },
    })
}

fn message(talk: &Talk, reply: &Reply) -> (Value, &'static str) {
    match reply {
        Reply::Say(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Reply::Call { tool, input } => {
            let function = json!({ "name": tool.name, "arguments": input.to_string() });
            let call =
                json!({ "index": 0, "id": name("call_", talk), "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
    }
}

pub(super) fn whole(talk: &Talk, reply: &Reply) -> Value {
    let (message, finish) = message(talk, reply);
    json!({
        "id": name("chatcmpl-", talk), "object": "chat.completion", "created": 1, "model": talk.model, "usage": usage(),
        "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
    })
}

pub(super) fn events(talk: &Talk, reply: &Reply) -> Vec<Event> {
    let id = name("chatcmpl-", talk);
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": id, "object": "chat.completion.chunk", "created": 1, "model": talk.model, "choices": choices, "usage": usage,
        });
        Event::plain(&chunk)
    };
    let delta = |delta: Value, finish: Value| {
        chunk(json!([{ "index": 0, "delta": delta, "finish_reason": finish }]), Value::Null)
    };
    let (message, finish) = message(talk, reply);
    let mut events = Vec::new();
    match reply {
        Reply::Say(text) => {
            events.push(delta(json!({ "role": "assistant", "content": "" }), Value::Null));
            events.extend(pieces(text).map(|piece| delta(json!({ "content": piece }), Value::Null)));
        }
        Reply::Call { .. } => events.push(delta(message, Value::Null)),
    }
    events.push(delta(json!({}), json!(finish)));
    events.push(chunk(json!([]), usage()));
    events.push(Event { name: None, data: "[DONE]".to_owned() });
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_functions_are_read() {
        let body = json!({
            "messages": [
                { "role": "system", "content": "s" },
                { "role": "user", "content": [{ "type": "text", "text": "a" }] },
                { "role": "assistant", "content": null, "tool_calls": [{ "function": { "name": "write" } }] },
                { "role": "tool", "content": "x" },
            ],
            "tools": [{ "type": "function", "function": { "name": "write", "parameters": { "properties": { "filePath": {} } } } }],
        });
        let (said, tools) = read(&body);
        assert_eq!(said, [Said::Told("s".into()), Said::Told("a".into()), Said::Called("write".into())]);
        assert_eq!(tools, [Tool::new("write", json!({ "properties": { "filePath": {} } }))]);
    }

    #[test]
    fn a_stream_ends_with_its_reason_what_it_used_and_done() {
        let call = Reply::Call { tool: Tool::new("write", json!({})), input: json!({ "a": 1 }) };
        let events = events(&Talk::default(), &call);
        let parsed = |at: usize| serde_json::from_str::<Value>(&events[at].data).unwrap();
        assert_eq!(
            parsed(0).pointer("/choices/0/delta/tool_calls/0/function/arguments"),
            Some(&json!("{\"a\":1}"))
        );
        assert_eq!(parsed(1).pointer("/choices/0/finish_reason"), Some(&json!("tool_calls")));
        assert_eq!(parsed(2).pointer("/usage/total_tokens"), Some(&json!(120)));
        assert_eq!(events[3].data, "[DONE]");
    }
}
