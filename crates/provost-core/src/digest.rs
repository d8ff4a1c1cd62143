//! SHA-256 digests and their one spelling: 64 lower-case hexadecimal digits.

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Thirty-two zero bytes: the digest before the first record.
    pub const ZERO: Digest = Digest([0; 32]);

    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Appends the hexadecimal spelling.
    pub fn write_hex(self, out: &mut Vec<u8>) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for byte in self.0 {
            out.extend([byte >> 4, byte & 15].iter().filter_map(|&n| DIGITS.get(usize::from(n))));
        }
    }

    /// Reads the hexadecimal spelling, strictly.
    pub fn from_hex(hex: &[u8]) -> Option<Digest> {
        let mut bytes = [0; 32];
        if hex.len() != 64 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            let digit = |d: u8| match d {
                b'0'..=b'9' => Some(d - b'0'),
                b'a'..=b'f' => Some(d - b'a' + 10),
                _ => None,
            };
            let &[high, low] = pair else { return None };
            *byte = digit(high)? << 4 | digit(low)?;
        }
        Some(Digest(bytes))
    }
}
