//! The order of keys: by UTF-16 code units, on bytes that are UTF-8.
//!
//! Apart because the two orders differ only between characters beyond the basic plane and the last ones in it,
//! which is easy to get wrong and hard to notice.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::ops::Range;

use super::text::Escaped;

/// Compares two strings by their UTF-16 code units.
pub(crate) fn utf16_order(one: &str, other: &str) -> Ordering {
    utf16_order_of_bytes(one.as_bytes(), other.as_bytes())
}

fn utf16_order_of_bytes(one: &[u8], other: &[u8]) -> Ordering {
    match one.iter().zip(other).find(|(left, right)| left != right) {
        Some((&left, &right)) => rank(left).cmp(&rank(right)),
        None => one.len().cmp(&other.len()),
    }
}

/// Lifts the lead bytes of U+E000 to U+FFFF above those of the surrogate pairs; all else is in order already.
const fn rank(byte: u8) -> u8 {
    if byte == 0xee || byte == 0xef { byte + 0x10 } else { byte }
}

/// One key with its value, as it stands in the buffer.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The first eight ranked bytes of the key, which decide nearly every comparison.
    prefix: u64,
    key_len: usize,
    /// Where the key ends among those kept apart, for a key whose written form differs.
    apart_end: Option<NonZeroUsize>,
    /// Where key, colon and value are written.
    pub(super) written: Range<usize>,
}

/// Where the keys of entries are found: in the buffer, or apart where the written form differs.
#[derive(Clone, Copy)]
pub(super) struct Keys<'k> {
    pub(super) written: &'k [u8],
    pub(super) apart: &'k [u8],
}

impl Entry {
    /// Takes note of a key that was written at `start`; one that was escaped is the last of those apart.
    #[inline]
    pub(super) fn new(key: &str, escaped: Escaped, apart_len: usize, start: usize) -> Self {
        let apart_end = match escaped {
            Escaped::Yes => NonZeroUsize::new(apart_len),
            Escaped::No => None,
        };
        Self { prefix: prefix(key.as_bytes()), key_len: key.len(), apart_end, written: start..start }
    }

    /// Compares by the keys of both entries.
    #[inline]
    pub(super) fn order(&self, other: &Self, keys: Keys<'_>) -> Ordering {
        self.prefix
            .cmp(&other.prefix)
            .then_with(|| utf16_order_of_bytes(self.key_in(keys), other.key_in(keys)))
    }

    /// The key's own bytes.
    pub(super) fn key_in<'k>(&self, keys: Keys<'k>) -> &'k [u8] {
        let key = match self.apart_end {
            Some(end) => keys.apart.get(end.get().saturating_sub(self.key_len)..end.get()),
            None => keys.written.get(self.written.start + 1..self.written.start + 1 + self.key_len),
        };
        key.unwrap_or_default()
    }
}

/// The first eight bytes as one number that compares like them; missing ones count as zero.
#[inline]
fn prefix(key: &[u8]) -> u64 {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let four = |chunk: Option<&[u8; 4]>| chunk.map(|chunk| u64::from(u32::from_be_bytes(*chunk)));
    let prefix = if let Some(eight) = key.first_chunk() {
        u64::from_be_bytes(*eight)
    } else if let (Some(first), Some(last)) = (four(key.first_chunk()), four(key.last_chunk())) {
        first << 32 | last << (8 * (8 - key.len()))
    } else {
        key.iter().zip([56, 48, 40]).fold(0, |prefix, (&byte, shift)| prefix | u64::from(byte) << shift)
    };
    if prefix & HIGH_BITS == 0 { prefix } else { u64::from_be_bytes(prefix.to_be_bytes().map(rank)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the RFC says, in its own words: compare arrays of code units.
    fn by_the_letter(one: &str, other: &str) -> Ordering {
        one.encode_utf16().cmp(other.encode_utf16())
    }

    #[test]
    fn agrees_with_code_units() {
        let mut keys: Vec<String> = Vec::new();
        let edges =
            ["\0", "a", "\u{7f}", "\u{80}", "é", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{feff}"];
        let astral = ["\u{ffff}", "\u{10000}", "😂", "\u{10ffff}", ""];
        for one in edges.iter().chain(&astral) {
            for other in edges.iter().chain(&astral) {
                keys.push(format!("{one}{other}"));
                keys.extend([2, 6].map(|len| format!("{}{one}{other}", "x".repeat(len))));
            }
        }
        for one in &keys {
            let written = format!("{{\"{one}\":0");
            for other in &keys {
                assert_eq!(utf16_order(one, other), by_the_letter(one, other), "{one:?} {other:?}");
                let left = Entry::new(one, Escaped::No, 0, 1);
                let right = Entry::new(other, Escaped::Yes, other.len(), 0);
                let keys = Keys { written: written.as_bytes(), apart: other.as_bytes() };
                assert_eq!(left.order(&right, keys), by_the_letter(one, other), "{one:?} {other:?}");
            }
        }
    }
}
