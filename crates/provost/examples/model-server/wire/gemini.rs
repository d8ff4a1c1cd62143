//! Gemini's content, whole and streamed.

use serde_json::{Value, json};

use super::Event;
use crate::offer::Tool;
use crate::talk::{Reply, Said, Talk, list, name, text};

/// What was said and what is offered.
pub(super) fn read(body: &Value) -> (Vec<Said>, Vec<Tool>) {
    let mut said = Vec::new();
    for content in list(body, "contents") {
        let model = text(content, "role") == "model";
        for part in list(content, "parts") {
            if let Some(call) = part.get("functionCall") {
                said.push(Said::Called(text(call, "name").to_owned()));
            } else if let Some(told) = part.get("text").and_then(Value::as_str).filter(|_| !model) {
                said.push(Said::Told(told.to_owned()));
            }
        }
    }
    let declared = list(body, "tools").flat_map(|tool| list(tool, "functionDeclarations"));
    let input = |tool: &Value| tool.get("parametersJsonSchema").or_else(|| tool.get("parameters")).cloned();
    (
        said,
        declared
            .map(|tool| Tool::new(text(tool, "name"), input(tool).unwrap_or_else(|| json!({}))))
            .collect(),
    )
}

pub(super) fn whole(talk: &Talk, reply: &Reply) -> Value {
    let part = match reply {
        Reply::Say(text) => json!({ "text": text }),
        Reply::Call { tool, input } => json!({ "functionCall": { "name": tool.name, "args": input } }),
    };
    json!({
        "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": {
            "promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120, "cachedContentTokenCount": 10,
        },
        "modelVersion": talk.model, "responseId": name("gem_", talk),
    })
}

pub(super) fn events(talk: &Talk, reply: &Reply) -> Vec<Event> {
    vec![Event::plain(&whole(talk, reply))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_declarations_are_read() {
        let body = json!({
            "contents": [
                { "role": "user", "parts": [{ "text": "a" }] },
                { "role": "model", "parts": [{ "text": "mine" }, { "functionCall": { "name": "write_file" } }] },
                { "role": "user", "parts": [{ "functionResponse": { "name": "write_file" } }] },
            ],
            "tools": [{ "functionDeclarations": [{ "name": "write_file", "parametersJsonSchema": { "type": "object" } }] }],
        });
        let (said, tools) = read(&body);
        assert_eq!(said, [Said::Told("a".into()), Said::Called("write_file".into())]);
        assert_eq!(tools, [Tool::new("write_file", json!({ "type": "object" }))]);
        let call = Reply::Call { tool: tools[0].clone(), input: json!({ "a": 1 }) };
        let part = whole(&Talk::default(), &call).pointer("/candidates/0/content/parts/0").cloned();
        assert_eq!(part, Some(json!({ "functionCall": { "name": "write_file", "args": { "a": 1 } } })));
    }
}
