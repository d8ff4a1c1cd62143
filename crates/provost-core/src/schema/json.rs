//! A shape as JSON Schema 2020-12, keys in the order of the tables, so that the page reads as the table does.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::{Field, Pattern, Schema, Shape, Text, UNBOUNDED};

/// Writes a schema, indented, with a line end.
pub(super) fn write(schema: &Schema) -> String {
    // Names and numbers of const tables always have a JSON form.
    serde_json::to_string_pretty(&Whole(schema)).unwrap_or_default() + "\n"
}

struct Whole<'s>(&'s Schema);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(schema) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$schema", "https://json-schema.org/draft/2020-12/schema")?;
        map.serialize_entry("$id", &format!("urn:provost:{}:{}", schema.name, schema.version))?;
        map.serialize_entry("title", schema.title)?;
        entries(&mut map, &schema.root)?;
        map.end()
    }
}

/// A shape with what is said about it.
struct Described<'s>(&'s Shape, &'s str);

impl Serialize for Described<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.1.is_empty() {
            map.serialize_entry("description", self.1)?;
        }
        entries(&mut map, self.0)?;
        map.end()
    }
}

struct Properties<'s>(&'s [Field]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (field.name, Described(&field.shape, field.doc))))
    }
}

/// Writes what a shape asks for into an object that is open.
fn entries<M: serde::ser::SerializeMap>(map: &mut M, shape: &Shape) -> Result<(), M::Error> {
    match shape {
        Shape::Text(text) => text_entries(map, text),
        Shape::Choice(words) => map.serialize_entry("enum", words),
        Shape::Exactly(word) => map.serialize_entry("const", word),
        Shape::True => map.serialize_entry("const", &true),
        Shape::Flag => map.serialize_entry("type", "boolean"),
        Shape::Integer { min, max } => {
            map.serialize_entry("type", "integer")?;
            map.serialize_entry("minimum", min)?;
            map.serialize_entry("maximum", max)
        }
        Shape::Number { min, max } => {
            map.serialize_entry("type", "number")?;
            map.serialize_entry("minimum", min)?;
            map.serialize_entry("maximum", max)
        }
        Shape::List { of, min, max } => {
            map.serialize_entry("type", "array")?;
            bounds(map, ["minItems", "maxItems"], *min, *max)?;
            map.serialize_entry("items", &Described(of, ""))
        }
        Shape::Object(fields) => {
            object_entries(map, fields)?;
            map.serialize_entry("additionalProperties", &false)
        }
        Shape::Open(fields) => object_entries(map, fields),
        Shape::Map { of, max } => {
            map.serialize_entry("type", "object")?;
            bounds(map, ["minProperties", "maxProperties"], 0, *max)?;
            map.serialize_entry("additionalProperties", &Described(of, ""))
        }
        Shape::Nullable(of) => map.serialize_entry("anyOf", &[Alternative::Shape(of), Alternative::Null]),
        Shape::Either(shapes) => {
            let alternatives: Vec<_> = shapes.iter().map(|shape| Described(shape, "")).collect();
            map.serialize_entry("anyOf", &alternatives)
        }
        Shape::Anything => Ok(()),
    }
}

enum Alternative<'s> {
    Shape(&'s Shape),
    Null,
}

impl Serialize for Alternative<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Shape(shape) => Described(shape, "").serialize(serializer),
            Self::Null => serializer.collect_map([("type", "null")]),
        }
    }
}

fn text_entries<M: serde::ser::SerializeMap>(map: &mut M, text: &Text) -> Result<(), M::Error> {
    map.serialize_entry("type", "string")?;
    bounds(map, ["minLength", "maxLength"], text.min, text.max)?;
    if let Some(pattern) = &text.pattern {
        if matches!(pattern, Pattern::Timestamp) {
            map.serialize_entry("format", "date-time")?;
        }
        map.serialize_entry("pattern", &pattern.regex())?;
    }
    Ok(())
}

fn object_entries<M: serde::ser::SerializeMap>(map: &mut M, fields: &[Field]) -> Result<(), M::Error> {
    map.serialize_entry("type", "object")?;
    map.serialize_entry("properties", &Properties(fields))?;
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    if required.is_empty() { Ok(()) } else { map.serialize_entry("required", &required) }
}

/// Writes bounds where they bind.
fn bounds<M: serde::ser::SerializeMap>(
    map: &mut M,
    [least, most]: [&str; 2],
    min: u32,
    max: u32,
) -> Result<(), M::Error> {
    if min > 0 {
        map.serialize_entry(least, &min)?;
    }
    if max < UNBOUNDED { map.serialize_entry(most, &max) } else { Ok(()) }
}
