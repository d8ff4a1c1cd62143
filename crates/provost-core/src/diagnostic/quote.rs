//! A person's own words inside our messages: in backticks, on one line, and unable to disguise themselves.

use std::fmt;

/// How many characters of foreign text a message shows.
const SHOWN_MAX: usize = 60;

/// Text from outside, as it appears in a message.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'t>(&'t str);

/// Puts text from outside into backticks: control and invisible characters escaped, cut when long.
pub const fn quoted(text: &str) -> Quoted<'_> {
    Quoted(text)
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        let mut rest = self.0.chars();
        rest.by_ref().take(SHOWN_MAX).try_for_each(|character| write_visibly(f, character))?;
        f.write_str(if rest.next().is_some() { "…`" } else { "`" })
    }
}

/// Text from outside, shown whole.
#[derive(Clone, Copy, Debug)]
pub struct Visible<'t>(&'t str);

/// Shows text from outside on one line, control and invisible characters escaped.
pub const fn visible(text: &str) -> Visible<'_> {
    Visible(text)
}

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| write_visibly(f, character))
    }
}

fn write_visibly(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    match character {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        hidden if is_hidden(hidden) => write!(f, "\\u{{{:x}}}", u32::from(hidden)),
        plain => write!(f, "{plain}"),
    }
}

/// A text cut to a number of characters, of which the last is a sign where something is missing.
pub(crate) fn clipped(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Characters that a terminal obeys or does not show, such as the ones that turn the direction of writing.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_on_its_line() {
        assert_eq!(quoted("grün").to_string(), "`grün`");
        assert_eq!(quoted("a\nb\t\u{1b}[31m\0").to_string(), "`a\\nb\\t\\u{1b}[31m\\u{0}`");
        assert_eq!(quoted("\u{202e}cilbup").to_string(), "`\\u{202e}cilbup`");
        assert_eq!(quoted(&"x".repeat(60)).to_string(), format!("`{}`", "x".repeat(60)));
        assert_eq!(quoted(&"x".repeat(61)).to_string(), format!("`{}…`", "x".repeat(60)));
    }
}
