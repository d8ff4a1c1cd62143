//! Keys of maps, apart because only what JSON itself writes as a string may be one: an integer as a key would
//! need a spelling that the RFC does not give.

use serde::ser::Impossible;
use serde::{Serialize, Serializer};

use super::super::NotCanonical;
use super::{Open, Writer};

/// Accepts a string and refuses everything else.
pub(super) struct KeyWriter<'w> {
    writer: &'w mut Writer,
    open: Open,
}

impl<'w> KeyWriter<'w> {
    pub(super) fn new(writer: &'w mut Writer, open: Open) -> Self {
        Self { writer, open }
    }
}

/// Methods of a serializer that refuse what they are given.
macro_rules! refuse {
    ($($method:ident($($value:ty),*) -> $ok:ty;)*) => {
        $(fn $method(self, $(_: $value),*) -> Result<$ok, NotCanonical> {
            Err(NotCanonical::KeyNotString)
        })*
    };
}

impl Serializer for KeyWriter<'_> {
    type Ok = ();
    type Error = NotCanonical;
    type SerializeSeq = Impossible<(), NotCanonical>;
    type SerializeTuple = Impossible<(), NotCanonical>;
    type SerializeTupleStruct = Impossible<(), NotCanonical>;
    type SerializeTupleVariant = Impossible<(), NotCanonical>;
    type SerializeMap = Impossible<(), NotCanonical>;
    type SerializeStruct = Impossible<(), NotCanonical>;
    type SerializeStructVariant = Impossible<(), NotCanonical>;

    fn serialize_str(self, key: &str) -> Result<(), NotCanonical> {
        self.writer.key(self.open, key);
        Ok(())
    }

    fn serialize_char(self, key: char) -> Result<(), NotCanonical> {
        self.serialize_str(key.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, key: &'static str) -> Result<(), NotCanonical> {
        self.serialize_str(key)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        key: &T,
    ) -> Result<(), NotCanonical> {
        key.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _key: &T) -> Result<(), NotCanonical> {
        Err(NotCanonical::KeyNotString)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _key: &T,
    ) -> Result<(), NotCanonical> {
        Err(NotCanonical::KeyNotString)
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_i128(i128) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_u128(u128) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}
