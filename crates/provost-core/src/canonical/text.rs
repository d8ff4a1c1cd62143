//! Strings as the RFC writes them, apart because most of a document is text and the time goes here.

/// Appends a string in quotes, with as few escapes as JSON allows, and tells whether it needed any.
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) -> Escaped {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let escaped = write_escaped(out, text);
    out.push(b'"');
    escaped
}

/// Whether the written form of a text differs from the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escaped {
    /// It differs.
    Yes,
    /// It is the text itself.
    No,
}

/// Appends a part of a string, without quotes.
#[inline]
pub(super) fn write_escaped(out: &mut Vec<u8>, text: &str) -> Escaped {
    if is_clean(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
        return Escaped::No;
    }
    write_with_escapes(out, text.as_bytes());
    Escaped::Yes
}

fn write_with_escapes(out: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    loop {
        let (clean, dirty) = rest.split_at_checked(clean_len(rest)).unwrap_or((rest, &[]));
        out.extend_from_slice(clean);
        let Some((&byte, after)) = dirty.split_first() else { return };
        write_escape(out, byte);
        rest = after;
    }
}

/// How many bytes at the front need no escape.
pub(crate) fn clean_len(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<16>();
    let before = 16 * chunks.iter().position(|chunk| !is_clean_chunk(chunk)).unwrap_or(chunks.len());
    let rest = bytes.get(before..).unwrap_or_default();
    before + rest.iter().position(|&byte| needs_escape(byte)).unwrap_or(rest.len())
}

/// Tells whether no byte needs an escape. Wide reads may overlap at the end, which is cheaper than a loop there.
#[inline]
fn is_clean(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk::<16>() {
        return is_clean_chunk(last) && bytes.as_chunks::<16>().0.iter().all(is_clean_chunk);
    }
    let eight = |chunk: Option<&[u8; 8]>| chunk.map(|chunk| u64::from_ne_bytes(*chunk));
    if let (Some(first), Some(last)) = (eight(bytes.first_chunk()), eight(bytes.last_chunk())) {
        return dirty_bits(first) | dirty_bits(last) == 0;
    }
    let four = |chunk: Option<&[u8; 4]>| chunk.map(|chunk| u64::from(u32::from_ne_bytes(*chunk)));
    if let (Some(first), Some(last)) = (four(bytes.first_chunk()), four(bytes.last_chunk())) {
        return dirty_bits(first << 32 | last) == 0;
    }
    !bytes.iter().any(|&byte| needs_escape(byte))
}

/// Judges a chunk whole, without a branch for each byte, so that it is compiled to wide instructions.
#[inline]
fn is_clean_chunk(chunk: &[u8; 16]) -> bool {
    chunk.iter().fold(0, |dirty, &byte| dirty | dirty_bit(byte)) == 0
}

/// Eight bytes at once: not zero exactly when one of them needs an escape.
const fn dirty_bits(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let quote = bytes ^ (ONES * b'"' as u64);
    let backslash = bytes ^ (ONES * b'\\' as u64);
    let control = bytes.wrapping_sub(ONES * 0x20) & !bytes;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGH
}

fn needs_escape(byte: u8) -> bool {
    dirty_bit(byte) != 0
}

/// One where the byte needs an escape, in numbers, since conditions would be compiled to branches.
fn dirty_bit(byte: u8) -> u8 {
    u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\')
}

/// Appends the escape of a byte that needs one: the short form where JSON has it, else lower-case hexadecimal.
fn write_escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => {
            let low = byte & 0x0f;
            let digit = if low < 10 { b'0' + low } else { b'a' + low - 10 };
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), digit]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write_string(&mut out, text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_ascii_character() {
        for byte in 0..0x80_u8 {
            let expected = match byte {
                0x08 => "\\b".to_owned(),
                0x09 => "\\t".to_owned(),
                0x0a => "\\n".to_owned(),
                0x0c => "\\f".to_owned(),
                0x0d => "\\r".to_owned(),
                0x22 => "\\\"".to_owned(),
                0x5c => "\\\\".to_owned(),
                0..0x20 => format!("\\u{byte:04x}"),
                _ => char::from(byte).to_string(),
            };
            assert_eq!(written(&char::from(byte).to_string()), format!("\"{expected}\""));
        }
    }

    #[test]
    fn an_escape_at_every_place_of_every_length() {
        for len in 0..70 {
            let clean = "é".repeat(len / 2) + &"x".repeat(len % 2);
            assert_eq!(written(&clean), format!("\"{clean}\""));
            for at in 0..len {
                let text = "a".repeat(at) + "\n" + &"b".repeat(len - at - 1);
                assert_eq!(written(&text), format!("\"{}\"", text.replace('\n', "\\n")));
            }
        }
    }
}
