//! A page under construction, apart because this is the only place that puts text from elsewhere beside our own.

use std::fmt::Write as _;

use crate::diagnostic::visible;
use crate::signal::longest_run;

/// A page in Markdown.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// A paragraph or more of our own.
    pub(super) fn own(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// A heading of our own.
    pub(super) fn heading(&mut self, text: &str) {
        self.separate();
        let _ = writeln!(self.text, "## {text}");
    }

    /// Bullets; whoever makes them puts text from elsewhere through [`code`].
    pub(super) fn bullets(&mut self, items: impl IntoIterator<Item = String>) {
        self.separate();
        for item in items {
            let _ = writeln!(self.text, "- {item}");
        }
    }

    /// A table of cells in code.
    pub(super) fn table(&mut self, heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.separate();
        let _ = writeln!(self.text, "| {} |", heads.join(" | "));
        let _ = writeln!(self.text, "|{}", "---|".repeat(heads.len()));
        for row in rows {
            let cells: Vec<String> = row.iter().map(|cell| code(cell).replace('|', "\\|")).collect();
            let _ = writeln!(self.text, "| {} |", cells.join(" | "));
        }
    }

    /// Text from elsewhere, in a fence that it cannot close; what is too long loses its middle, and that is said.
    pub(super) fn quote(&mut self, title: &str, text: &str, bytes_max: usize) {
        let lines: Vec<String> = bounded(text.trim_end(), bytes_max).split('\n').map(line).collect();
        let content = lines.join("\n");
        let fence = "`".repeat(longest_run(&content, '`').max(3) + 1);
        self.own(title);
        self.separate();
        let _ = writeln!(self.text, "{fence}text\n{content}\n{fence}");
    }

    /// Lines of our own as an indented block.
    pub(super) fn example(&mut self, text: &str) {
        self.separate();
        for line in text.lines() {
            let _ = writeln!(self.text, "    {line}");
        }
    }

    fn separate(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// One line of text from elsewhere: what a terminal would obey is shown, tabs stay.
fn line(text: &str) -> String {
    let parts: Vec<String> = text.split('\t').map(|part| visible(part).to_string()).collect();
    parts.join("\t")
}

/// Text from elsewhere within a line, in backticks that it cannot close.
pub(super) fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let shown = visible(text).to_string();
    let ticks = "`".repeat(longest_run(&shown, '`') + 1);
    let space = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{shown}{space}{ticks}")
}

/// Several of them, with commas between.
pub(super) fn codes<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let all: Vec<String> = texts.into_iter().map(|text| code(text)).collect();
    all.join(", ")
}

/// A command as one would type it where nothing in it needs quoting; otherwise each word apart.
pub(super) fn command(argv: &[String]) -> String {
    let is_plain = |word: &String| {
        !word.is_empty() && word.chars().all(|it| it.is_alphanumeric() || "-_./=:,@+%".contains(it))
    };
    if argv.iter().all(is_plain) { argv.join(" ") } else { format!("{argv:?}") }
}

/// A text without its middle, if it is too long.
fn bounded(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(bytes_max / 3 * 2)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - bytes_max / 3)..).unwrap_or_default();
    let missing = text.len() - head.len() - tail.len();
    format!("{head}\n[… {missing} bytes left out …]\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_closes_its_own_quotation() {
        let mut page = Page::default();
        page.quote("A file:", "a\n`````\nb\u{1b}[0m\tc\r\n", 100);
        assert_eq!(page.into_text(), "A file:\n\n``````text\na\n`````\nb\\u{1b}[0m\tc\n``````\n");
        assert_eq!(code("a`b\n"), "``a`b\\n``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn long_text_loses_its_middle_and_says_so() {
        let short = bounded(&"é".repeat(300), 60);
        assert_eq!(short, format!("{}\n[… 540 bytes left out …]\n{}", "é".repeat(20), "é".repeat(10)));
    }
}
