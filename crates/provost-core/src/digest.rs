//! SHA-256 digests and their hexadecimal form, apart because every record and every artifact is named by one and
//! a journal of a million lines reads and writes two per line.

use std::fmt;
use std::str::FromStr;

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The number of characters that a digest takes when written.
pub const HEX_LEN: usize = 64;

/// A SHA-256 digest, written as 64 lower-case hexadecimal characters and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// The text is not 64 lower-case hexadecimal characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 64 lower-case hexadecimal characters")]
pub struct NotADigest;

impl Digest {
    /// The digest that stands before the first record of a chain.
    pub const ZERO: Self = Self([0; 32]);

    /// Digests bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Takes 32 bytes that are a digest already.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hexadecimal form, without an allocation.
    pub fn hex(&self) -> [u8; HEX_LEN] {
        let mut hex = [0; HEX_LEN];
        for (pair, byte) in hex.as_chunks_mut::<2>().0.iter_mut().zip(&self.0) {
            *pair = [character(byte >> 4), character(byte & 0x0f)];
        }
        hex
    }

    /// Appends the hexadecimal form to a line that is being written.
    pub fn write_hex(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.hex());
    }

    /// Reads the hexadecimal form; upper case and any other length are refused, so a digest has one spelling.
    pub fn from_hex(hex: &[u8]) -> Result<Self, NotADigest> {
        let hex: &[u8; HEX_LEN] = hex.try_into().map_err(|_| NotADigest)?;
        let mut bytes = [0; 32];
        let mut seen = 0;
        for (byte, &[high, low]) in bytes.iter_mut().zip(hex.as_chunks::<2>().0) {
            let (high, low) = (nibble(high), nibble(low));
            seen |= high | low;
            *byte = (high << 4) | (low & 0x0f);
        }
        // One test at the end instead of 64 on the way lets the loop be compiled to wide instructions.
        if seen & 0xf0 == 0 { Ok(Self(bytes)) } else { Err(NotADigest) }
    }
}

/// The character of a value below 16.
const fn character(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}

/// The value of a character, or one with high bits where it is none.
const fn nibble(character: u8) -> u8 {
    let digit = character.wrapping_sub(b'0');
    let letter = character.wrapping_sub(b'a');
    if digit < 10 {
        digit
    } else if letter < 6 {
        letter + 10
    } else {
        0xf0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(str::from_utf8(&self.hex()).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        Self::from_hex(text.as_bytes())
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hex = self.hex();
        serializer.serialize_str(str::from_utf8(&hex).map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(HexVisitor)
    }
}

/// Reads a digest from a string without copying the string.
struct HexVisitor;

impl Visitor<'_> for HexVisitor {
    type Value = Digest;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("64 lower-case hexadecimal characters")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Digest, E> {
        Digest::from_hex(text.as_bytes()).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Digest, E> {
        Digest::from_hex(bytes).map_err(|_| E::invalid_value(Unexpected::Bytes(bytes), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn known_digests() {
        assert_eq!(Digest::of(b"").to_string(), OF_NOTHING);
        assert_eq!(Digest::of(b"abc").to_string(), OF_ABC);
        let mut line = b"hash:".to_vec();
        Digest::of(b"abc").write_hex(&mut line);
        assert_eq!(line, format!("hash:{OF_ABC}").into_bytes());
    }

    #[test]
    fn every_byte_survives() {
        for first in 0..=255_u8 {
            let mut bytes = [0x5a; 32];
            bytes[0] = first;
            bytes[31] = !first;
            let digest = Digest::from_bytes(bytes);
            assert_eq!(digest.to_string().parse(), Ok(digest));
            assert!(digest.to_string().starts_with(&format!("{first:02x}")));
        }
    }

    #[test]
    fn one_spelling_only() {
        for text in ["", "e3", &OF_ABC.to_uppercase(), &OF_ABC[1..], &format!("{OF_ABC}0")] {
            assert_eq!(text.parse::<Digest>(), Err(NotADigest), "{text}");
        }
        for at in [0, 31, 32, 63] {
            for wrong in [b'g', b'/', b':', b'`', b'F', 0, 0xff] {
                let mut hex = OF_ABC.as_bytes().to_vec();
                hex[at] = wrong;
                assert_eq!(Digest::from_hex(&hex), Err(NotADigest), "{wrong} at {at}");
            }
        }
    }

    #[test]
    fn json_is_the_bare_text() {
        let digest = Digest::of(b"abc");
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(json, format!("\"{OF_ABC}\""));
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        assert!(serde_json::from_str::<Digest>("\"e3\"").is_err());
    }
}
