//! From values to types of ours, apart because a checked document needs no extraction by hand: its values are
//! handed to serde as they are, strings borrowed.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::number::Number;
use super::value::{Kind, Member, Value};
use crate::diagnostic::Span;

/// A value is not of the type that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Mismatch {
    message: String,
    span: Option<Span>,
}

impl Mismatch {
    /// Where the innermost value stands that did not fit.
    pub const fn span(&self) -> Option<Span> {
        self.span
    }

    fn within(self, span: Span) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// Makes a typed value; text may be borrowed from the document.
pub fn from_value<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, Mismatch> {
    T::deserialize(value)
}

impl<'de> IntoDeserializer<'de, Mismatch> for &'de Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &'de Value {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let visited = match &self.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(value) => visitor.visit_bool(*value),
            Kind::Number(number) => visit_number(number, visitor),
            Kind::String(text) => visitor.visit_borrowed_str(text),
            Kind::Array(elements) => {
                let mut sequence = SeqDeserializer::new(elements.iter());
                visitor.visit_seq(&mut sequence).and_then(|seen| sequence.end().map(|()| seen))
            }
            Kind::Object(object) => {
                let entry = |member: &'de Member| (BorrowedStrDeserializer::new(&member.key), &member.value);
                let mut map = MapDeserializer::new(object.iter().map(entry));
                visitor.visit_map(&mut map).and_then(|seen| map.end().map(|()| seen))
            }
        };
        visited.map_err(|mismatch: Mismatch| mismatch.within(self.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self).map_err(|mismatch| mismatch.within(self.span))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let visited = match &self.kind {
            Kind::String(name) => visitor.visit_enum(Variant { name, data: None }),
            Kind::Object(object) => match object.as_slice() {
                [member] => visitor.visit_enum(Variant { name: &member.key, data: Some(&member.value) }),
                _ => Err(Error::invalid_length(object.len(), &"an object with one key")),
            },
            other => Err(Error::invalid_type(Unexpected::Other(other.name()), &"a variant")),
        };
        visited.map_err(|mismatch| mismatch.within(self.span))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct identifier
    }
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Mismatch> {
    match number.as_i64() {
        Some(whole) => match u64::try_from(whole) {
            Ok(whole) => visitor.visit_u64(whole),
            Err(_) => visitor.visit_i64(whole),
        },
        None => visitor.visit_f64(number.as_f64()),
    }
}

/// A variant: its name, and its data where it has any.
struct Variant<'de> {
    name: &'de str,
    data: Option<&'de Value>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Mismatch;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Mismatch> {
        let name: StrDeserializer<'_, Mismatch> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Variant<'de> {
    fn data(self) -> Result<&'de Value, Mismatch> {
        self.data.ok_or_else(|| Error::custom(format!("the variant `{}` needs data", self.name)))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Mismatch;

    fn unit_variant(self) -> Result<(), Mismatch> {
        match self.data {
            Some(data) if !data.is_null() => {
                Err(Error::custom(format!("the variant `{}` has no data", self.name)))
            }
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Mismatch> {
        seed.deserialize(self.data()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Mismatch> {
        self.data()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.data()?.deserialize_any(visitor)
    }
}
