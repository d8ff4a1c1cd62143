//! What the tools take, as JSON Schema. Every place has a type: a schema that allows anything is refused by some clients,
//! and tells a model nothing.

use provost_core::signal::{Field, Shape};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// A tool with its input. None of them destroys anything or reaches beyond Provost; clients that are not told so take
/// the worst for granted and refuse to call where nobody can be asked.
pub(super) fn tool(name: &'static str, description: impl Into<String>, input: JsonObject) -> Tool {
    let harmless = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    Tool::new(name, description.into(), input).with_annotations(harmless)
}

/// The same for one that changes nothing.
pub(super) fn reading(name: &'static str, description: impl Into<String>, input: JsonObject) -> Tool {
    tool(name, description, input).with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

/// One part of an input.
pub(super) struct Part {
    name: &'static str,
    schema: Value,
    required: bool,
}

impl Part {
    /// A text.
    pub(super) fn text(name: &'static str, description: &str) -> Part {
        Part { name, schema: json!({ "type": "string", "description": description }), required: false }
    }

    /// One of a few words.
    pub(super) fn word(name: &'static str, words: &[&str], description: &str) -> Part {
        let schema = json!({ "type": "string", "enum": words, "description": description });
        Part { name, schema, required: false }
    }

    /// A whole number.
    pub(super) fn number(name: &'static str, description: &str) -> Part {
        let schema = json!({ "type": "integer", "minimum": 1, "description": description });
        Part { name, schema, required: false }
    }

    /// Whatever another tool takes.
    pub(super) fn object(name: &'static str, description: &str) -> Part {
        let schema = json!({ "type": "object", "additionalProperties": true, "description": description });
        Part { name, schema, required: false }
    }

    /// A field of a signal.
    pub(super) fn field(field: &Field) -> Part {
        let mut schema = shape(field);
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), json!(field.label));
        }
        Part { name: field.key, schema, required: field.required }
    }

    /// The same, without which the tool cannot be used.
    pub(super) fn required(self) -> Part {
        Part { required: true, ..self }
    }

    /// The same, where only some uses need it.
    pub(super) fn optional(self) -> Part {
        Part { required: false, ..self }
    }

    /// What it is called.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }
}

/// The input of a tool.
pub(super) fn input(parts: impl IntoIterator<Item = Part>) -> JsonObject {
    let mut properties = JsonObject::new();
    let mut required = Vec::new();
    for part in parts {
        if part.required {
            required.push(part.name);
        }
        properties.insert(part.name.to_owned(), part.schema);
    }
    let mut input = JsonObject::new();
    input.insert("type".to_owned(), json!("object"));
    input.insert("properties".to_owned(), Value::Object(properties));
    input.insert("required".to_owned(), json!(required));
    input.insert("additionalProperties".to_owned(), json!(false));
    input
}

fn shape(field: &Field) -> Value {
    let string = || json!({ "type": "string" });
    let list = |items: Value| json!({ "type": "array", "items": items });
    match field.shape {
        Shape::Text => string(),
        Shape::Word => json!({ "type": "string", "enum": field.words() }),
        Shape::Percent => json!({ "type": "integer", "minimum": 0, "maximum": 100 }),
        Shape::List | Shape::Paths => list(string()),
        Shape::Issues => list(json!({
            "type": "object",
            "properties": {
                "file": { "type": "string", "description": "the file, from the top of the worktree" },
                "line": { "type": "integer", "minimum": 1 },
                "text": { "type": "string", "description": "what is wrong" },
            },
            "required": ["text"],
        })),
        Shape::Proofs => list(json!({
            "type": "object",
            "properties": {
                "criterion": { "type": "string", "description": "the criterion, word for word" },
                "evidence": { "type": "string", "description": "why it counts as met" },
            },
            "required": ["criterion"],
        })),
        Shape::Claims => list(json!({
            "type": "object",
            "properties": {
                "check": { "type": "string" },
                "environment": { "type": "string" },
                "exit_code": { "type": "integer" },
                "result": { "type": "string", "enum": ["pass", "fail"] },
            },
            "required": ["check", "result"],
        })),
    }
}
