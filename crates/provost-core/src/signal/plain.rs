//! Output without what terminals obey, apart because everything after it may think in lines and columns.

use std::iter::Peekable;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';
/// The control sequence introducer as one character.
const INTRODUCER: char = '\u{9b}';

/// Output as lines of text: escape sequences and control characters gone, every line end a line feed.
///
/// A carriage return alone ends a line too: what follows it stands in the first column of a terminal.
pub(super) fn plain(output: &str) -> String {
    let mut text = String::with_capacity(output.len());
    let mut rest = output.strip_prefix('\u{feff}').unwrap_or(output).chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            ESCAPE => sequence(&mut rest),
            INTRODUCER => control_sequence(&mut rest),
            '\r' => {
                let _ = rest.next_if_eq(&'\n');
                text.push('\n');
            }
            '\n' | '\t' => text.push(character),
            other if other.is_control() => {}
            other => text.push(other),
        }
    }
    text
}

fn sequence(rest: &mut Peekable<Chars<'_>>) {
    match rest.peek() {
        Some('[') => {
            let _ = rest.next();
            control_sequence(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let _ = rest.next();
            string(rest);
        }
        Some(' '..='~') => {
            while rest.next_if(|it| matches!(it, ' '..='/')).is_some() {}
            let _ = rest.next_if(|it| matches!(it, '0'..='~'));
        }
        _ => {}
    }
}

/// Parameters, then one letter; a sequence that is broken off takes nothing that is not its own.
fn control_sequence(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|it| matches!(it, ' '..='?')).is_some() {}
    let _ = rest.next_if(|it| matches!(it, '@'..='~'));
}

/// A title or a link; it ends with the line at the latest, so that a broken one cannot swallow the rest.
fn string(rest: &mut Peekable<Chars<'_>>) {
    while let Some(character) = rest.next_if(|it| !matches!(it, '\n' | '\r')) {
        if character == BELL {
            return;
        }
        if character == ESCAPE {
            let _ = rest.next_if_eq(&'\\');
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_see_the_same_words() {
        for (output, expected) in [
            ("a\r\nb\rc\n", "a\nb\nc\n"),
            ("\u{1b}[1;32mA\u{1b}[0m\u{1b}[K", "A"),
            ("\u{9b}31mA", "A"),
            ("\u{1b}]0;title\u{7}A", "A"),
            ("\u{1b}]8;;http://x\u{1b}\\A\u{1b}]8;;\u{1b}\\", "A"),
            ("\u{1b}]never ends\nA", "\nA"),
            ("\u{1b}[12\nA", "\nA"),
            ("\u{1b}(BA\u{1b}7B\u{1b}", "AB"),
            ("\u{feff}A\0B\u{8}", "AB"),
            ("é\t日本", "é\t日本"),
        ] {
            assert_eq!(plain(output), expected, "{output:?}");
        }
    }
}
