//! Anthropic's messages, which Claude Code speaks.

use serde_json::{Value, json};

use super::{Event, pieces};
use crate::offer::Tool;
use crate::talk::{Reply, Said, Talk, list, name, object, text};

/// What was said and what is offered.
pub(super) fn read(body: &Value) -> (Vec<Said>, Vec<Tool>) {
    let mut said = Vec::new();
    for message in list(body, "messages") {
        let assistant = text(message, "role") == "assistant";
        if let Some(whole) = message.get("content").and_then(Value::as_str) {
            said.extend((!assistant).then(|| Said::Told(whole.to_owned())));
        }
        for block in list(message, "content") {
            match text(block, "type") {
                "text" if !assistant => said.push(Said::Told(text(block, "text").to_owned())),
                "tool_use" => said.push(Said::Called(text(block, "name").to_owned())),
                _ => {}
            }
        }
    }
    let tools = list(body, "tools").filter(|tool| tool.get("input_schema").is_some());
    (said, tools.map(|tool| Tool::new(text(tool, "name"), object(tool, "input_schema"))).collect())
}

fn block(talk: &Talk, reply: &Reply) -> (Value, &'static str) {
    match reply {
        Reply::Say(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Reply::Call { tool, input } => {
            let call =
                json!({ "type": "tool_use", "id": name("toolu_", talk), "name": tool.name, "input": input });
            (call, "tool_use")
        }
    }
}

fn usage(output: u32) -> Value {
    json!({ "input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 10, "output_tokens": output })
}

pub(super) fn whole(talk: &Talk, reply: &Reply) -> Value {
    let (block, stop) = block(talk, reply);
    json!({
        "id": name("msg_", talk), "type": "message", "role": "assistant", "model": talk.model, "content": [block],
        "stop_reason": stop, "stop_sequence": null, "usage": usage(20),
    })
}

pub(super) fn events(talk: &Talk, reply: &Reply) -> Vec<Event> {
    let (block, stop) = block(talk, reply);
    let begun = json!({
        "id": name("msg_", talk), "type": "message", "role": "assistant", "model": talk.model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage(1),
    });
    let mut events = vec![Event::named("message_start", json!({ "message": begun }))];
    let (empty, deltas) = match reply {
        Reply::Say(text) => {
            let deltas = pieces(text).map(|piece| json!({ "type": "text_delta", "text": piece }));
            (json!({ "type": "text", "text": "" }), deltas)
        }
        Reply::Call { input, .. } => {
            let mut empty = block;
            if let Some(fields) = empty.as_object_mut() {
                fields.insert("input".to_owned(), json!({}));
            }
            let deltas = pieces(&input.to_string())
                .map(|piece| json!({ "type": "input_json_delta", "partial_json": piece }));
            (empty, deltas)
        }
    };
    events.push(Event::named("content_block_start", json!({ "index": 0, "content_block": empty })));
    let delta = |delta| Event::named("content_block_delta", json!({ "index": 0, "delta": delta }));
    events.extend(deltas.map(delta));
    events.push(Event::named("content_block_stop", json!({ "index": 0 })));
    let stopped =
        json!({ "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": { "output_tokens": 20 } });
    events.push(Event::named("message_delta", stopped));
    events.push(Event::named("message_stop", json!({})));
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_one_by_one() {
        let body = json!({
            "messages": [
                { "role": "user", "content": [{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }] },
                { "role": "assistant", "content": [{ "type": "text", "text": "mine" }, { "type": "tool_use", "name": "Bash" }] },
                { "role": "user", "content": [{ "type": "tool_result", "content": "x" }] },
                { "role": "user", "content": "c" },
            ],
            "tools": [{ "name": "Bash", "input_schema": { "properties": {} } }, { "type": "web_search" }],
        });
        let (said, tools) = read(&body);
        let told = |text: &str| Said::Told(text.to_owned());
        assert_eq!(said, [told("a"), told("b"), Said::Called("Bash".into()), told("c")]);
        assert_eq!(tools.len(), 1);
    }

    #[test]
    fn a_call_streams_its_input_in_pieces() {
        let call = Reply::Call { tool: Tool::new("Write", json!({})), input: json!({ "path": "a" }) };
        let events = events(&Talk::default(), &call);
        let names: Vec<_> = events.iter().filter_map(|event| event.name).collect();
        let expected = [
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop",
        ];
        assert_eq!(names, expected);
        let pieces = events.iter().filter_map(|event| {
            let data: Value = serde_json::from_str(&event.data).unwrap();
            data.pointer("/delta/partial_json").and_then(Value::as_str).map(str::to_owned)
        });
        assert_eq!(pieces.collect::<String>(), r#"{"path":"a"}"#);
    }
}
