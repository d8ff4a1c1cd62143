//! The serializer: writes each value once, straight into one buffer, and puts keys in order object by object.
//!
//! An object whose keys came in order costs nothing more. Otherwise its entries, which are ranges of the buffer,
//! are copied once through a scratch buffer that all objects share. No tree is built.

mod compound;
mod key;

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use super::NotCanonical;
use super::number::{write_checked_double, write_integer};
use super::order::{Entry, Keys};
use super::text::{Escaped, write_escaped, write_string};
use compound::{Elements, Members};

/// Writes a document.
pub(super) fn write<T: Serialize + ?Sized>(document: &T) -> Result<Vec<u8>, NotCanonical> {
    let mut writer = Writer::default();
    document.serialize(&mut writer)?;
    Ok(writer.out)
}

/// What has been written, and what the objects that are still open need to be put in order.
#[derive(Default)]
pub(super) struct Writer {
    out: Vec<u8>,
    /// Entries of all open objects, those of the innermost last.
    entries: Vec<Entry>,
    /// Keys of these entries whose written form differs.
    keys: Vec<u8>,
    scratch: Vec<u8>,
}

/// Where the entries and keys of an open object begin.
#[derive(Clone, Copy)]
struct Open {
    entries: usize,
    keys: usize,
}

impl Writer {
    /// Begins an object.
    fn open(&mut self) -> Open {
        self.out.push(b'{');
        Open { entries: self.entries.len(), keys: self.keys.len() }
    }

    /// Writes a key of the innermost object.
    fn key(&mut self, open: Open, key: &str) {
        if self.entries.len() > open.entries {
            self.out.push(b',');
        }
        let start = self.out.len();
        let escaped = write_string(&mut self.out, key);
        self.out.push(b':');
        if escaped == Escaped::Yes {
            self.keys.extend_from_slice(key.as_bytes());
        }
        self.entries.push(Entry::new(key, escaped, self.keys.len(), start));
    }

    /// Writes the value of the key written last.
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        value.serialize(&mut *self)?;
        if let Some(entry) = self.entries.last_mut() {
            entry.written.end = self.out.len();
        }
        Ok(())
    }

    /// Ends the innermost object: its entries are put in order if they are not.
    fn close(&mut self, open: Open) -> Result<(), NotCanonical> {
        let keys = Keys { written: &self.out, apart: &self.keys };
        let own = self.entries.get_mut(open.entries..).unwrap_or_default();
        let ascends = |[one, other]: &[Entry; 2]| one.order(other, keys) == Ordering::Less;
        if !own.array_windows().all(ascends) {
            let body = own.first().map_or(0, |entry| entry.written.start);
            own.sort_unstable_by(|one, other| one.order(other, keys));
            if let Some([twice, _]) = own.array_windows().find(|pair| !ascends(pair)) {
                return Err(NotCanonical::DuplicateKey(
                    String::from_utf8_lossy(twice.key_in(keys)).into_owned(),
                ));
            }
            rearrange(&mut self.out, body, own, &mut self.scratch);
        }
        self.entries.truncate(open.entries);
        self.keys.truncate(open.keys);
        self.out.push(b'}');
        Ok(())
    }

    /// Begins the object that stands for a variant with data: its one key needs no order.
    fn open_variant(&mut self, variant: &str) {
        self.out.push(b'{');
        write_string(&mut self.out, variant);
        self.out.push(b':');
    }
}

/// Writes the entries of the object whose body begins at `body` in the order given.
///
/// The longest entry is moved where it is and only the others go through the scratch buffer: the outermost object
/// of a document is often one long list, and copying all of it twice would cost more than writing it did.
fn rearrange(out: &mut Vec<u8>, body: usize, ordered: &[Entry], scratch: &mut Vec<u8>) {
    let Some((longest_at, longest)) = ordered.iter().enumerate().max_by_key(|(_, entry)| entry.written.len())
    else {
        return;
    };
    scratch.clear();
    let mut before_len = 0;
    for (at, entry) in ordered.iter().enumerate() {
        if at == longest_at {
            before_len = scratch.len();
            continue;
        }
        let bytes = out.get(entry.written.clone()).unwrap_or_default();
        if at < longest_at {
            scratch.extend_from_slice(bytes);
            scratch.push(b',');
        } else {
            scratch.push(b',');
            scratch.extend_from_slice(bytes);
        }
    }
    let (before, after) = scratch.split_at_checked(before_len).unwrap_or_default();
    let to = body + before_len;
    out.copy_within(longest.written.clone(), to);
    if let Some(room) = out.get_mut(body..to) {
        room.copy_from_slice(before);
    }
    out.truncate(to + longest.written.len());
    out.extend_from_slice(after);
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = NotCanonical;
    type SerializeSeq = Elements<'w>;
    type SerializeTuple = Elements<'w>;
    type SerializeTupleStruct = Elements<'w>;
    type SerializeTupleVariant = Elements<'w>;
    type SerializeMap = Members<'w>;
    type SerializeStruct = Members<'w>;
    type SerializeStructVariant = Members<'w>;

    fn serialize_bool(self, value: bool) -> Result<(), NotCanonical> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_i128(self, value: i128) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), NotCanonical> {
        write_integer(&mut self.out, value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), NotCanonical> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), NotCanonical> {
        write_checked_double(&mut self.out, value)
    }

    fn serialize_char(self, value: char) -> Result<(), NotCanonical> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), NotCanonical> {
        write_string(&mut self.out, value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), NotCanonical> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), NotCanonical> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotCanonical> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NotCanonical> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), NotCanonical> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), NotCanonical> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), NotCanonical> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NotCanonical> {
        self.open_variant(variant);
        value.serialize(&mut *self)?;
        self.out.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Elements<'w>, NotCanonical> {
        Ok(Elements::of_array(self))
    }

    fn serialize_tuple(self, _len: usize) -> Result<Elements<'w>, NotCanonical> {
        Ok(Elements::of_array(self))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Elements<'w>, NotCanonical> {
        Ok(Elements::of_array(self))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Elements<'w>, NotCanonical> {
        Ok(Elements::of_variant(self, variant))
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Members<'w>, NotCanonical> {
        Ok(Members::of_object(self))
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Members<'w>, NotCanonical> {
        // serde_json passes its raw values and arbitrary numbers as structs of such names.
        if name.starts_with("$serde_json::") {
            return Err(NotCanonical::AlreadyWritten);
        }
        Ok(Members::of_object(self))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Members<'w>, NotCanonical> {
        Ok(Members::of_variant(self, variant))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), NotCanonical> {
        self.out.push(b'"');
        write!(Escaping(&mut self.out), "{value}").map_err(serde::ser::Error::custom)?;
        self.out.push(b'"');
        Ok(())
    }
}

/// Escapes what is formatted on its way into the buffer.
struct Escaping<'o>(&'o mut Vec<u8>);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        write_escaped(self.0, part);
        Ok(())
    }
}
