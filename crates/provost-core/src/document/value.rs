//! What was read: values that know where they stood, apart because validators see only these, never the reader.

use std::fmt;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::number::Number;
use crate::canonical::utf16_order;
use crate::diagnostic::Span;

/// A value and the bytes it was read from.
#[derive(Clone, Debug)]
pub struct Value {
    /// Where it stood, quotes and brackets included.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number that survived reading.
    Number(Number),
    /// A string, its escapes resolved.
    String(Box<str>),
    /// A list.
    Array(Box<[Value]>),
    /// An object.
    Object(Object),
}

impl Kind {
    /// The word for it in messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl Value {
    /// Tells whether it is `null`.
    pub const fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    /// The boolean, if it is one.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Kind::Bool(value) = self.kind { Some(value) } else { None }
    }

    /// The number, if it is one.
    pub const fn as_number(&self) -> Option<&Number> {
        if let Kind::Number(number) = &self.kind { Some(number) } else { None }
    }

    /// The whole number, if it is one, however spelled.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The whole number, if it is one and not negative.
    pub fn as_u64(&self) -> Option<u64> {
        u64::try_from(self.as_i64()?).ok()
    }

    /// The number as a double, if it is a number.
    pub fn as_f64(&self) -> Option<f64> {
        Some(self.as_number()?.as_f64())
    }

    /// The text, if it is a string.
    pub const fn as_str(&self) -> Option<&str> {
        if let Kind::String(text) = &self.kind { Some(text) } else { None }
    }

    /// The elements, if it is a list.
    pub const fn as_array(&self) -> Option<&[Value]> {
        if let Kind::Array(elements) = &self.kind { Some(elements) } else { None }
    }

    /// The entries, if it is an object.
    pub const fn as_object(&self) -> Option<&Object> {
        if let Kind::Object(object) = &self.kind { Some(object) } else { None }
    }

    /// The value under a key, if it is an object that has the key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.kind {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool(value) => serializer.serialize_bool(*value),
            Kind::Number(number) => number.serialize(serializer),
            Kind::String(text) => serializer.serialize_str(text),
            Kind::Array(elements) => serializer.collect_seq(elements),
            Kind::Object(object) => object.serialize(serializer),
        }
    }
}

/// A key, its value, and where the key stood.
#[derive(Clone, Debug)]
pub struct Member {
    /// The key, its escapes resolved.
    pub key: Box<str>,
    /// Where the key stood, quotes included.
    pub key_span: Span,
    /// The value.
    pub value: Value,
}

/// Entries in the order of the document, found by key without a scan. No key occurs twice.
#[derive(Clone)]
pub struct Object(Box<Members>);

#[derive(Clone, Default)]
struct Members {
    listed: Vec<Member>,
    /// Positions in the order of keys; empty where the document has that order already.
    // INVARIANT: sorted by UTF-16 code units, which is also the order of canonical bytes.
    by_key: Vec<u32>,
}

impl Object {
    /// Puts entries in order of keys; returns with them, for each whose key came before, both positions.
    pub(super) fn new(listed: Vec<Member>) -> (Self, Vec<(u32, u32)>) {
        let ascends = |[one, other]: &[Member; 2]| utf16_order(&one.key, &other.key).is_lt();
        if listed.array_windows().all(ascends) {
            return (Self(Box::new(Members { listed, by_key: Vec::new() })), Vec::new());
        }
        let key = |position: &u32| key_at(&listed, *position);
        let mut by_key: Vec<u32> = (0..).take(listed.len()).collect();
        // Stable, so that among equal keys the first of the document stays first.
        by_key.sort_by(|one, other| utf16_order(key(one), key(other)));
        let mut again: Vec<(u32, u32)> = by_key
            .chunk_by(|one, other| key(one) == key(other))
            .filter_map(<[u32]>::split_first)
            .flat_map(|(first, others)| others.iter().map(|other| (*first, *other)))
            .collect();
        again.sort_unstable_by_key(|(_, other)| *other);
        (Self(Box::new(Members { listed, by_key })), again)
    }

    /// The entries in the order of the document.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.0.listed.iter()
    }

    /// The entries in the order of the document, as a slice.
    pub fn as_slice(&self) -> &[Member] {
        &self.0.listed
    }

    /// The entries in the order of their keys.
    pub fn iter_by_key(&self) -> impl Iterator<Item = &Member> {
        let Members { listed, by_key } = &*self.0;
        let in_order = if by_key.is_empty() { listed.as_slice() } else { &[] };
        in_order.iter().chain(by_key.iter().filter_map(|&position| member_at(listed, position)))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.listed.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.listed.is_empty()
    }

    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.member(key).map(|member| &member.value)
    }

    /// The entry with a key.
    pub fn member(&self, key: &str) -> Option<&Member> {
        let Members { listed, by_key } = &*self.0;
        if by_key.is_empty() {
            let at = listed.binary_search_by(|member| utf16_order(&member.key, key)).ok()?;
            return listed.get(at);
        }
        let at = by_key.binary_search_by(|&position| utf16_order(key_at(listed, position), key)).ok()?;
        member_at(listed, *by_key.get(at)?)
    }
}

fn member_at(listed: &[Member], position: u32) -> Option<&Member> {
    listed.get(usize::try_from(position).ok()?)
}

fn key_at(listed: &[Member], position: u32) -> &str {
    member_at(listed, position).map_or("", |member| &member.key)
}

impl<'o> IntoIterator for &'o Object {
    type Item = &'o Member;
    type IntoIter = std::slice::Iter<'o, Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|member| (&member.key, &member.value))).finish()
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for member in self.iter_by_key() {
            map.serialize_entry(&*member.key, &member.value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_small() {
        // A document of bare digits becomes this many bytes for every two; the limit on documents counts on it.
        assert!(size_of::<Value>() <= 32, "{}", size_of::<Value>());
    }
}
