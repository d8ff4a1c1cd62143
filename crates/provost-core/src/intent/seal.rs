//! The seal of an intent: its own digest inside of it, so that whoever plans it can tell that nobody changed it since.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::shape::SCHEMA;
use crate::canonical::checksum::{self, Profile};
use crate::digest::Digest;
use crate::document::Value;
use crate::schema::Shape;

/// Where an intent keeps its checksum.
const OWN: [&str; 2] = ["audit", "checksum"];

/// There is no place for the seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the intent has no object `audit` that could hold its checksum")]
pub struct NotSealed;

/// The profile in which a digest is that of an intent.
pub(super) fn profile(root: &Value, digest: &Digest) -> Option<Profile> {
    checksum::matching(root, &OWN, digest)
}

/// Seals an intent: the same data in the order of its schema, indented, with the checksum that it has to have.
pub fn seal(root: &Value) -> Result<Vec<u8>, NotSealed> {
    let digest = checksum::of(root, &OWN, Profile::Jcs);
    let mut value = serde_json::to_value(root).map_err(|_| NotSealed)?;
    let audit = value.get_mut("audit").and_then(serde_json::Value::as_object_mut).ok_or(NotSealed)?;
    audit.insert("checksum".to_owned(), digest.to_string().into());
    let mut bytes = serde_json::to_vec_pretty(&Ordered(&value, &SCHEMA.root)).map_err(|_| NotSealed)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A value whose keys are written in the order of a shape; what the shape does not know comes last.
struct Ordered<'v>(&'v serde_json::Value, &'v Shape);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (serde_json::Value::Array(elements), Shape::List { of, .. }) => {
                serializer.collect_seq(elements.iter().map(|element| Ordered(element, of)))
            }
            (serde_json::Value::Object(object), Shape::Object(fields)) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for field in *fields {
                    if let Some(value) = object.get(field.name) {
                        map.serialize_entry(field.name, &Ordered(value, &field.shape))?;
                    }
                }
                for (key, value) in object.iter().filter(|(key, _)| fields.iter().all(|it| it.name != *key)) {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
            (value, _) => value.serialize(serializer),
        }
    }
}
