//! Finding many words in a text at once, apart because the text is walked once, however many rules look for words.

use memchr::memmem;

/// The words and other tokens that rules look for in one field.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    // INVARIANT: sorted, each once; a token is known by its position.
    listed: Vec<Box<str>>,
    /// Positions by the hash of the token, with the next free place where two meet; a fourth of it is used at most.
    // INVARIANT: only looked up, never walked, so that no order of hashes can reach the output.
    table: Vec<u32>,
    /// The tokens that are more than one word, or none.
    compound: Vec<u32>,
}

/// A place of the table without a token.
const FREE: u32 = u32::MAX;

/// Which tokens occur, as bits.
pub(super) type Present = Vec<u64>;

impl Tokens {
    pub(super) fn new(mut listed: Vec<Box<str>>) -> Self {
        listed.sort_unstable();
        listed.dedup();
        let mut table = vec![FREE; (4 * listed.len()).next_power_of_two()];
        let mut compound = Vec::new();
        for (position, token) in (0..).zip(&listed) {
            if !token.chars().all(is_word) {
                compound.push(position);
            }
            let free = places(token, table.len()).find(|place| table.get(*place) == Some(&FREE));
            if let Some(place) = free.and_then(|place| table.get_mut(place)) {
                *place = position;
            }
        }
        Self { listed, table, compound }
    }

    /// The position of a token.
    pub(super) fn position(&self, token: &str) -> Option<u32> {
        for place in places(token, self.table.len()) {
            let position = *self.table.get(place)?;
            // A free place is the position of no token.
            if **self.listed.get(usize::try_from(position).ok()?)? == *token {
                return Some(position);
            }
        }
        None
    }

    /// Room for all tokens, with none present.
    pub(super) fn none(&self) -> Present {
        vec![0; self.listed.len().div_ceil(64)]
    }

    /// Finds the tokens that are whole words of a text, or stand between words of it.
    pub(super) fn find(&self, text: &str) -> Present {
        let mut present = self.none();
        for word in WholeWords(text) {
            if let Some(token) = self.position(word) {
                put(&mut present, token);
            }
        }
        for token in &self.compound {
            let at = usize::try_from(*token).ok().and_then(|at| self.listed.get(at));
            if at.is_some_and(|it| stands_apart(text, it)) {
                put(&mut present, *token);
            }
        }
        present
    }
}

/// Marks a token as present.
pub(super) fn put(present: &mut Present, token: u32) {
    if let Some(word) = usize::try_from(token / 64).ok().and_then(|at| present.get_mut(at)) {
        *word |= 1 << (token % 64);
    }
}

/// Tells whether a token is present.
pub(super) fn is_present(present: &Present, token: u32) -> bool {
    let word = usize::try_from(token / 64).ok().and_then(|at| present.get(at));
    word.is_some_and(|word| word & (1 << (token % 64)) != 0)
}

/// The places of a table where a token may be, in the order in which they are tried (FNV-1a).
fn places(token: &str, length: usize) -> impl Iterator<Item = usize> {
    let joined = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = token.bytes().fold(0x811c_9dc5, joined);
    let first = usize::try_from(hash ^ (hash >> 15)).unwrap_or(0);
    (0..length).map(move |step| (first + step) & (length - 1))
}

/// What words are made of.
fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Tells whether a token occurs in a text without being a part of a longer word at either end.
fn stands_apart(text: &str, token: &str) -> bool {
    let joins =
        |inner: Option<char>, outer: Option<char>| inner.is_some_and(is_word) && outer.is_some_and(is_word);
    memmem::find_iter(text.as_bytes(), token.as_bytes()).any(|at| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text.get(at + token.len()..).and_then(|it| it.chars().next());
        !joins(token.chars().next(), before) && !joins(token.chars().next_back(), after)
    })
}

/// The words of a text, one after the other.
struct WholeWords<'t>(&'t str);

impl<'t> Iterator for WholeWords<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let rest = self.0;
        let begin = find(rest, 0, true)?;
        let end = find(rest, begin, false).unwrap_or(rest.len());
        self.0 = rest.get(end..).unwrap_or_default();
        rest.get(begin..end)
    }
}

/// From an offset on, the first character that belongs to words, or the first that does not.
fn find(text: &str, from: usize, wanted: bool) -> Option<usize> {
    let mut at = from;
    loop {
        let stops = |byte: &u8| !byte.is_ascii() || (*byte == b'_' || byte.is_ascii_alphanumeric()) == wanted;
        at += text.as_bytes().get(at..)?.iter().position(stops)?;
        let character = text.get(at..)?.chars().next()?;
        if is_word(character) == wanted {
            return Some(at);
        }
        at += character.len_utf8();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tokens: &[&str], text: &str) -> Vec<String> {
        let table = Tokens::new(tokens.iter().map(|it| (*it).into()).collect());
        let present = table.find(text);
        let is_in = |token: &&&str| is_present(&present, table.position(token).unwrap());
        tokens.iter().filter(is_in).map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(found(&["python"], "modify_python_file python3 Python"), Vec::<String>::new());
        assert_eq!(found(&["python", "bash"], "{\"a\":\"bash\"} (python)"), ["python", "bash"]);
        assert_eq!(found(&["grün", "gr"], "über grün"), ["grün"]);
        assert_eq!(found(&["a"], ""), Vec::<String>::new());
        let long = "x".repeat(70);
        assert_eq!(found(&[&long, &long[1..]], &long), [long.as_str()]);
    }

    #[test]
    fn tokens_of_several_words_stand_apart() {
        assert_eq!(found(&["os.system"], "os.system(x)"), ["os.system"]);
        assert_eq!(found(&["os.system"], "os.systems, macos.system"), Vec::<String>::new());
        assert_eq!(found(&["rm -rf", "-rf", "$("], "then rm -rf $(pwd)"), ["rm -rf", "-rf", "$("]);
        assert_eq!(found(&["ß s"], "ß ss ß s"), ["ß s"]);
    }
}
