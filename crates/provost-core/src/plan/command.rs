//! Commands as a person writes them, split into words, apart because nothing here is a shell: what a shell would
//! do with a text is refused, never done and never silently passed on.

use std::fmt::Write as _;

/// Why a text is not a plain command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWords {
    /// There is no word in it.
    #[error("is empty")]
    Empty,
    /// A quotation mark has no partner.
    #[error("has a quotation mark without its partner")]
    OpenQuote,
    /// The last character is a backslash.
    #[error("ends with a backslash")]
    OpenEscape,
    /// A character means something to a shell, and there is none.
    #[error("has a `{0}` that only a shell understands, and commands run without one")]
    Shell(char),
    /// It begins with a setting of the environment.
    #[error("begins with a setting of the environment, which only a shell understands")]
    Assignment,
}

/// Splits a command into words: blanks separate, quotation marks and backslashes protect, nothing is expanded.
pub fn words(text: &str) -> Result<Vec<String>, NotWords> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            blank if blank.is_whitespace() => words.extend(word.take()),
            '\'' => single(&mut rest, word.get_or_insert_default())?,
            '"' => double(&mut rest, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(rest.next().ok_or(NotWords::OpenEscape)?),
            shell if "|&;<>()$`*?".contains(shell) => return Err(NotWords::Shell(shell)),
            '~' | '#' if word.is_none() => return Err(NotWords::Shell(character)),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    match words.first() {
        None => Err(NotWords::Empty),
        Some(first) if first.is_empty() => Err(NotWords::Empty),
        Some(first) if is_assignment(first) => Err(NotWords::Assignment),
        Some(_) => Ok(words),
    }
}

/// The words as one line that splits into the same words again.
pub fn shown(argv: &[String]) -> String {
    let mut line = String::new();
    for word in argv {
        let _ = write!(line, "{}{}", if line.is_empty() { "" } else { " " }, shown_word(word));
    }
    line
}

fn shown_word(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:=,+@%^".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn single(rest: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), NotWords> {
    for character in rest {
        if character == '\'' {
            return Ok(());
        }
        word.push(character);
    }
    Err(NotWords::OpenQuote)
}

fn double(rest: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), NotWords> {
    while let Some(character) = rest.next() {
        match character {
            '"' => return Ok(()),
            '\\' => match rest.next().ok_or(NotWords::OpenQuote)? {
                escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                // As in a shell, the backslash stays before everything else.
                other => word.extend(['\\', other]),
            },
            shell @ ('$' | '`') => return Err(NotWords::Shell(shell)),
            plain => word.push(plain),
        }
    }
    Err(NotWords::OpenQuote)
}

/// Tells whether a first word is like `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_split_and_quotes_protect() {
        for (text, expected) in [
            ("cargo test", &["cargo", "test"][..]),
            ("  a\t b  ", &["a", "b"]),
            ("sh -c 'a | b > c'", &["sh", "-c", "a | b > c"]),
            (r#"echo "it's \"so\" \\ \n" '' x"y"z"#, &["echo", r#"it's "so" \ \n"#, "", "xyz"]),
            (r"a\ b \*", &["a b", "*"]),
            ("git diff HEAD~1 a#b --x=y", &["git", "diff", "HEAD~1", "a#b", "--x=y"]),
        ] {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_a_shell_would_do_is_refused() {
        for (text, why) in [
            ("", NotWords::Empty),
            ("''", NotWords::Empty),
            ("a 'b", NotWords::OpenQuote),
            ("a \"b\\", NotWords::OpenQuote),
            ("a \\", NotWords::OpenEscape),
            ("a | b", NotWords::Shell('|')),
            ("a && b", NotWords::Shell('&')),
            ("a > b", NotWords::Shell('>')),
            ("a \"$HOME\"", NotWords::Shell('$')),
            ("ls *.rs", NotWords::Shell('*')),
            ("ls ~/x", NotWords::Shell('~')),
            ("RUST_LOG=1 cargo test", NotWords::Assignment),
        ] {
            assert_eq!(words(text), Err(why), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_splits_into_the_same_words(argv in proptest::collection::vec("[^\\x00]{0,6}", 1..5)) {
            let again = words(&shown(&argv));
            let is_command = !argv[0].is_empty() && !is_assignment(&argv[0]);
            if is_command {
                prop_assert_eq!(again, Ok(argv));
            } else {
                prop_assert!(again.is_err());
            }
        }
    }
}
