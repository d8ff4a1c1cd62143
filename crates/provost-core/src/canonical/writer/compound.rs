//! Arrays and objects while they are being written, apart because serde has seven traits for the two.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::super::NotCanonical;
use super::key::KeyWriter;
use super::{Open, Writer};

/// An open array.
pub(in super::super) struct Elements<'w> {
    writer: &'w mut Writer,
    first: bool,
}

impl<'w> Elements<'w> {
    pub(super) fn of_array(writer: &'w mut Writer) -> Self {
        writer.out.push(b'[');
        Self { writer, first: true }
    }

    pub(super) fn of_variant(writer: &'w mut Writer, variant: &str) -> Self {
        writer.open_variant(variant);
        Self::of_array(writer)
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        if !self.first {
            self.writer.out.push(b',');
        }
        self.first = false;
        value.serialize(&mut *self.writer)
    }
}

impl SerializeSeq for Elements<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        self.element(value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        self.writer.out.push(b']');
        Ok(())
    }
}

impl SerializeTuple for Elements<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        self.element(value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        SerializeSeq::end(self)
    }
}

impl SerializeTupleStruct for Elements<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        self.element(value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        SerializeSeq::end(self)
    }
}

impl SerializeTupleVariant for Elements<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        self.element(value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        self.writer.out.extend_from_slice(b"]}");
        Ok(())
    }
}

/// An open object.
pub(in super::super) struct Members<'w> {
    writer: &'w mut Writer,
    open: Open,
}

impl<'w> Members<'w> {
    pub(super) fn of_object(writer: &'w mut Writer) -> Self {
        let open = writer.open();
        Self { writer, open }
    }

    pub(super) fn of_variant(writer: &'w mut Writer, variant: &str) -> Self {
        writer.open_variant(variant);
        Self::of_object(writer)
    }

    fn member<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), NotCanonical> {
        self.writer.key(self.open, key);
        self.writer.value(value)
    }
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotCanonical> {
        key.serialize(KeyWriter::new(self.writer, self.open))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        self.writer.value(value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        self.writer.close(self.open)
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), NotCanonical> {
        self.member(key, value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        self.writer.close(self.open)
    }
}

impl SerializeStructVariant for Members<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), NotCanonical> {
        self.member(key, value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        let Self { writer, open } = self;
        writer.close(open)?;
        writer.out.push(b'}');
        Ok(())
    }
}
