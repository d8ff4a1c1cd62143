//! `OpenAI`'s responses, which Codex speaks.

use serde_json::{Value, json};

use super::{Event, pieces};
use crate::offer::Tool;
use crate::talk::{Reply, Said, Talk, list, name, object, text, text_of};

/// What was said and what is offered.
pub(super) fn read(body: &Value) -> (Vec<Said>, Vec<Tool>) {
    let mut said = Vec::new();
    if let Some(whole) = body.get("input").and_then(Value::as_str) {
        said.push(Said::Told(whole.to_owned()));
    }
    for item in list(body, "input") {
        match text(item, "type") {
            "function_call" | "custom_tool_call" | "local_shell_call" => {
                said.push(Said::Called(text(item, "name").to_owned()));
            }
            "message" | "" if text(item, "role") != "assistant" => {
                said.push(Said::Told(item.get("content").map(text_of).unwrap_or_default()));
            }
            _ => {}
        }
    }
    (said, list(body, "tools").flat_map(offered).collect())
}

/// A tool, or those of a group.
fn offered(tool: &Value) -> Vec<Tool> {
    match text(tool, "type") {
        "namespace" => {
            let group = text(tool, "name").to_owned();
            let inside = list(tool, "tools").flat_map(offered);
            inside.map(|tool| Tool { group: Some(group.clone()), ..tool }).collect()
        }
        "function" => vec![Tool::new(text(tool, "name"), object(tool, "parameters"))],
        _ => Vec::new(),
    }
}

fn item(talk: &Talk, reply: &Reply) -> Value {
    match reply {
        Reply::Say(text) => json!({
            "type": "message", "id": name("msg_", talk), "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Reply::Call { tool, input } => {
            let mut call = json!({
                "type": "function_call", "id": name("fc_", talk), "call_id": name("call_", talk), "name": tool.name,
                "arguments": input.to_string(), "status": "completed",
            });
            if let (Some(group), Some(fields)) = (&tool.group, call.as_object_mut()) {
                fields.insert("namespace".to_owned(), json!(group));
            }
            call
        }
    }
}

fn response(talk: &Talk, item: &Value) -> Value {
    json!({
        "id": name("resp_", talk), "object": "response", "created_at": 1, "status": "completed", "model": talk.model,
        "output": [item], "error": null, "incomplete_details": null, "parallel_tool_calls": false, "tools": [],
        "tool_choice": "auto", "metadata": {},
        "usage": {
            "input_tokens": 100, "input_tokens_details": { "cached_tokens": 10 }, "output_tokens": 20,
            "output_tokens_details": { "reasoning_tokens": 5 }, "total_tokens": 120,
        },
    })
}

pub(super) fn whole(talk: &Talk, reply: &Reply) -> Value {
    response(talk, &item(talk, reply))
}

/// An object with some fields as they are in the middle of a stream.
fn with(value: &Value, fields: Value) -> Value {
    let mut value = value.clone();
    if let (Some(value), Value::Object(fields)) = (value.as_object_mut(), fields) {
        value.extend(fields);
    }
    value
}

pub(super) fn events(talk: &Talk, reply: &Reply) -> Vec<Event> {
    let item = item(talk, reply);
    let response = response(talk, &item);
    let id = text(&item, "id").to_owned();
    let mut events: Vec<Event> = Vec::new();
    let mut say = |name, fields| {
        let numbered = with(&json!({ "sequence_number": events.len() }), fields);
        events.push(Event::named(name, numbered));
    };
    let begun = with(&response, json!({ "status": "in_progress", "output": [], "usage": null }));
    say("response.created", json!({ "response": begun }));
    match reply {
        Reply::Say(text) => {
            let empty = with(&item, json!({ "status": "in_progress", "content": [] }));
            say("response.output_item.added", json!({ "output_index": 0, "item": empty }));
            let place = json!({ "item_id": id, "output_index": 0, "content_index": 0 });
            let part =
                |text: &str| json!({ "part": { "type": "output_text", "text": text, "annotations": [] } });
            say("response.content_part.added", with(&place, part("")));
            for piece in pieces(text) {
                say("response.output_text.delta", with(&place, json!({ "delta": piece })));
            }
            say("response.output_text.done", with(&place, json!({ "text": text })));
            say("response.content_part.done", with(&place, part(text)));
        }
        Reply::Call { input, .. } => {
            let empty = with(&item, json!({ "status": "in_progress", "arguments": "" }));
            say("response.output_item.added", json!({ "output_index": 0, "item": empty }));
            let place = json!({ "item_id": id, "output_index": 0 });
            let input = input.to_string();
            for piece in pieces(&input) {
                say("response.function_call_arguments.delta", with(&place, json!({ "delta": piece })));
            }
            say("response.function_call_arguments.done", with(&place, json!({ "arguments": input })));
        }
    }
    say("response.output_item.done", json!({ "output_index": 0, "item": item }));
    say("response.completed", json!({ "response": response }));
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_and_groups_opened() {
        let body = json!({
            "input": [
                { "type": "message", "role": "developer", "content": [{ "type": "input_text", "text": "a" }] },
                { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "mine" }] },
                { "type": "function_call", "name": "exec_command" },
                { "type": "function_call_output", "output": "x" },
                { "role": "user", "content": "b" },
            ],
            "tools": [
                { "type": "function", "name": "exec_command", "parameters": {} },
                { "type": "web_search" },
                { "type": "namespace", "name": "mcp__provost", "tools": [{ "type": "function", "name": "verdict" }] },
            ],
        });
        let (said, tools) = read(&body);
        assert_eq!(
            said,
            [Said::Told("a".into()), Said::Called("exec_command".into()), Said::Told("b".into())]
        );
        let names: Vec<_> = tools.iter().map(|tool| (tool.name.as_str(), tool.group.as_deref())).collect();
        assert_eq!(names, [("exec_command", None), ("verdict", Some("mcp__provost"))]);
    }

    #[test]
    fn a_call_into_a_group_names_it_and_the_stream_ends_completed() {
        let tool = Tool { group: Some("mcp__provost".into()), ..Tool::new("verdict", json!({})) };
        let events = events(&Talk::default(), &Reply::Call { tool, input: json!({}) });
        let last: Value = serde_json::from_str(&events.last().unwrap().data).unwrap();
        assert_eq!(text(&last, "type"), "response.completed");
        assert_eq!(last.pointer("/response/output/0/namespace"), Some(&json!("mcp__provost")));
        assert_eq!(last.get("sequence_number"), Some(&json!(events.len() - 1)));
    }
}
