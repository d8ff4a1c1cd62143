//! A command as a shell would take it apart, apart because it only says what is plain: whatever could start something
//! else, or turn into other words than are written, is not.

use crate::diagnostic::is_hidden;

/// A command, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// Its words: those that the program gets where it is plain, and every piece of the text otherwise.
    pub(super) words: Vec<String>,
    /// Whether it starts one program with exactly these words.
    pub(super) plain: bool,
}

/// Characters that a shell may obey outside quotes.
const SYNTAX: &[char] = &[
    ';', '&', '|', '<', '>', '(', ')', '{', '}', '[', ']', '`', '$', '*', '?', '!', '#', '\\', '^', '\n',
    '\r',
];

/// Characters that a shell may obey between double quotes.
const IN_DOUBLE: &[char] = &['$', '`', '\\', '!'];

impl Words {
    /// Takes a command apart.
    pub(super) fn of(command: &str) -> Self {
        if let Some(words) = plain(command) {
            return Self { words, plain: true };
        }
        let ends = |it: char| it.is_whitespace() || it == '"' || it == '\'' || SYNTAX.contains(&it);
        let words = command.split(ends).filter(|it| !it.is_empty()).map(str::to_owned);
        Self { words: words.collect(), plain: false }
    }

    /// The program, without the folder that it is called in.
    pub(super) fn program(&self) -> Option<&str> {
        self.words.first().filter(|_| self.plain)?.rsplit('/').next()
    }

    /// Whether the program is called by a path and not looked up.
    pub(super) fn by_path(&self) -> bool {
        self.words.first().is_some_and(|it| it.contains('/'))
    }

    /// The word after the program; `-m` with the one after it, because it alone says nothing.
    pub(super) fn subcommand(&self) -> Option<String> {
        match self.words.get(1..).filter(|_| self.plain)? {
            [module, name, ..] if module == "-m" => Some(format!("-m {name}")),
            [first, ..] => Some(first.clone()),
            [] => None,
        }
    }

    /// Whether the word after the program is an option.
    pub(super) fn option_first(&self) -> bool {
        self.words.get(1).is_some_and(|it| it.starts_with('-'))
    }

    /// The names of all options: without values, and of letters behind one dash each alone too.
    pub(super) fn options(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for word in self.words.iter().skip(1).filter(|it| it.starts_with('-')) {
            let name = word.split('=').next().unwrap_or(word);
            names.push(name.to_owned());
            if let Some(letters) = name.strip_prefix('-').filter(|it| !it.starts_with('-')) {
                names.extend(letters.chars().map(|letter| format!("-{letter}")));
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The words of a command, if a shell would do nothing but start the first with the others.
fn plain(command: &str) -> Option<Vec<String>> {
    let is_odd = |it: char| is_hidden(it) || (it.is_whitespace() && it != ' ');
    if command.chars().any(|it| is_odd(it) && it != '\t') {
        return None;
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = command.chars();
    while let Some(character) = rest.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => word.get_or_insert_default().push_str(&until(&mut rest, '\'', &[])?),
            '"' => word.get_or_insert_default().push_str(&until(&mut rest, '"', IN_DOUBLE)?),
            syntax if SYNTAX.contains(&syntax) => return None,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    // A variable before the program changes what it does, and an empty name or an option is no program.
    let first = words.first()?;
    let is_program = !first.is_empty() && !first.contains(['=', ' ']) && !first.starts_with(['-', '~']);
    is_program.then_some(words)
}

/// What stands before a closing quote, unless something in it is obeyed.
fn until(rest: &mut std::str::Chars<'_>, quote: char, obeyed: &[char]) -> Option<String> {
    let mut text = String::new();
    for character in rest {
        if character == quote {
            return Some(text);
        }
        if obeyed.contains(&character) {
            return None;
        }
        text.push(character);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_words(command: &str) -> Option<Vec<String>> {
        Some(Words::of(command)).filter(|it| it.plain).map(|it| it.words)
    }

    #[test]
    fn quotes_are_taken_off_and_words_kept_together() {
        let words = plain_words("grep  -rn 'a; b' \"c d\"e\tsrc ''").unwrap();
        assert_eq!(words, ["grep", "-rn", "a; b", "c de", "src", ""]);
    }

    #[test]
    fn whatever_a_shell_obeys_is_not_plain() {
        for syntax in SYNTAX {
            assert_eq!(plain_words(&format!("cargo test a{syntax}b")), None, "{syntax:?}");
        }
        for syntax in IN_DOUBLE {
            assert_eq!(plain_words(&format!("cargo test \"a{syntax}b\"")), None, "{syntax:?}");
        }
        for odd in
            ["", " ", "X=1 cargo", "cargo 'a", "cargo \"a", "-x", "~/x", "a\u{a0}b", "a\u{202e}b", "''"]
        {
            assert_eq!(plain_words(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn pieces_of_what_is_not_plain_are_still_words() {
        let words = Words::of("true;rm -rf \"$HOME\"");
        assert_eq!((words.plain, words.program()), (false, None));
        assert_eq!(words.words, ["true", "rm", "-rf", "HOME"]);
    }

    #[test]
    fn options_are_known_by_their_names() {
        let words = Words::of("/bin/git log -pS --output=x -1");
        assert_eq!(words.options(), ["--output", "-1", "-S", "-p", "-pS"]);
        assert_eq!((words.program(), words.by_path()), (Some("git"), true));
        assert_eq!((words.subcommand().as_deref(), words.option_first()), (Some("log"), false));
        let words = Words::of("python -m pytest -q");
        assert_eq!((words.subcommand().as_deref(), words.option_first()), (Some("-m pytest"), true));
    }
}
