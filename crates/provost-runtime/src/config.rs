//! provost.toml: what people configure, read into plain settings. Every value keeps where it came from, every
//! mistake its place, and all mistakes are reported at once.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use provost_core::diagnostic::{self, Diagnostic, Place, Span, quoted};
use provost_core::limits::Limit;
use provost_core::project::Settings;
use strum::VariantArray as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The most bytes that the file may have.
const FILE_MAX: u64 = 256 * 1024;

/// The version of the file that this program reads.
const VERSION: &str = "1";

/// The settings as configured, with their origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The lines that set a limit; limits that are not here have their default value.
    pub lines: BTreeMap<Limit, u32>,
}

/// A file that cannot be used as it is: its text and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The file's text, to show the places in.
    pub text: String,
    /// What is wrong, in the order of the file.
    pub defects: Vec<Diagnostic>,
}

/// Reads the file at `path`, called `name` in messages. Where there is none, everything has its default.
pub fn read(path: &Path, name: &str) -> Result<Config, Rejected> {
    let unreadable = |why: String| Rejected {
        text: String::new(),
        defects: vec![Diagnostic::error(
            diagnostic::CONFIG_UNREADABLE,
            format!("{name} cannot be read: {why}"),
        )],
    };
    let mut text = String::new();
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(unreadable("it is not a file".to_owned()));
    }
    match fs::File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(unreadable(error.to_string())),
        Ok(file) => file
            .take(FILE_MAX + 1)
            .read_to_string(&mut text)
            .map_err(|error| unreadable(error.to_string()))?,
    };
    if text.len() as u64 > FILE_MAX {
        return Err(unreadable(format!("it has more than {FILE_MAX} bytes")));
    }
    parse(&text, name)
}

/// Reads the text of a file called `name`.
pub fn parse(text: &str, name: &str) -> Result<Config, Rejected> {
    let mut reading = Reading { text, name, config: Config::default(), defects: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        reading.complain(Diagnostic::error(diagnostic::CONFIG_SYNTAX, one_line(error.message())), span);
    }
    if reading.defects.is_empty() {
        reading.top(table.get_ref());
    }
    reading.defects.sort_by_key(|defect| defect.place.as_ref().map(|place| (place.line, place.column)));
    match reading.defects {
        defects if defects.is_empty() => Ok(reading.config),
        defects => Err(Rejected { text: text.to_owned(), defects }),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A file being read.
struct Reading<'a> {
    text: &'a str,
    name: &'a str,
    config: Config,
    defects: Vec<Diagnostic>,
}

impl Reading<'_> {
    fn top(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "version" => self.version(value),
                "limits" => match value.get_ref().as_table() {
                    Some(limits) => self.limits(limits),
                    None => self.wrong_kind("limits", "a table", value),
                },
                unknown => self.unknown_key(unknown, &["version", "limits"], key.span()),
            }
        }
    }

    fn version(&mut self, value: &Spanned<DeValue<'_>>) {
        let is_known = value.get_ref().as_integer().is_some_and(|version| version.as_str() == VERSION);
        if !is_known {
            let message = format!("`version` is not {VERSION}, the only version that this Provost reads");
            self.complain(Diagnostic::error(diagnostic::CONFIG_VALUE, message), value.span());
        }
    }

    fn limits(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Ok(limit) = name.parse::<Limit>() else {
                let known: Vec<&str> = Limit::VARIANTS.iter().map(|limit| (*limit).into()).collect();
                self.unknown_key(name, &known, key.span());
                continue;
            };
            let number = value.get_ref().as_integer();
            let number = number.and_then(|it| u32::from_str_radix(it.as_str(), it.radix()).ok());
            let Some(number) = number.filter(|number| limit.range().contains(number)) else {
                let (from, to) = limit.range().into_inner();
                let wanted = format!("a whole number from {from} to {to}");
                self.wrong_kind(&format!("limits.{name}"), &wanted, value);
                continue;
            };
            self.config.settings.set(limit, number);
            self.config.lines.insert(limit, self.place(key.span()).line);
        }
    }

    fn wrong_kind(&mut self, name: &str, wanted: &str, value: &Spanned<DeValue<'_>>) {
        let message = format!("`{name}` must be {wanted}");
        self.complain(Diagnostic::error(diagnostic::CONFIG_VALUE, message), value.span());
    }

    fn unknown_key(&mut self, name: &str, known: &[&str], span: std::ops::Range<usize>) {
        let message = format!("there is no key {}", quoted(name));
        let mut defect = Diagnostic::error(diagnostic::CONFIG_UNKNOWN_KEY, message);
        let near = known.iter().map(|it| (strsim::osa_distance(name, it), *it)).min();
        if let Some((distance, near)) = near
            && distance <= near.len().max(3) / 3
        {
            defect = defect.with_help(format!("did you mean `{near}`?"));
        }
        self.complain(defect, span);
    }

    fn complain(&mut self, defect: Diagnostic, span: std::ops::Range<usize>) {
        let place = self.place(span);
        self.defects.push(defect.at(place));
    }

    fn place(&self, span: std::ops::Range<usize>) -> Place {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Place {
            file: self.name.to_owned(),
            line: count(before.matches('\n').count() + 1),
            column: count(before.get(line_start..).unwrap_or_default().chars().count() + 1),
            span: Some(Span { start: count(span.start), end: count(span.end) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defects(text: &str) -> Vec<String> {
        let rejected = parse(text, "provost.toml").unwrap_err();
        rejected.defects.iter().map(|defect| format!("{defect} ({})", defect.help)).collect()
    }

    #[test]
    fn limits_are_taken_with_their_lines() {
        let config = parse("version = 1\n[limits]\nagents = 3\n", "provost.toml").unwrap();
        assert_eq!(config.settings.limit(Limit::Agents), 3);
        assert_eq!(config.lines, BTreeMap::from([(Limit::Agents, 3)]));
        assert_eq!(config.settings.limit(Limit::DeveloperS), 900);
    }

    #[test]
    fn every_mistake_is_reported_at_its_place() {
        let text = "version = 2\nlimit = 1\n[limits]\nagent = 3\ncritic_s = 0\naudit_failures = \"many\"\n";
        assert_eq!(
            defects(text),
            [
                "provost.toml:1:11: `version` is not 1, the only version that this Provost reads [config::value] (give a value of the right kind; `provost config` shows the values in force)",
                "provost.toml:2:1: there is no key `limit` [config::unknown_key] (did you mean `limits`?)",
                "provost.toml:4:1: there is no key `agent` [config::unknown_key] (did you mean `agents`?)",
                "provost.toml:5:12: `limits.critic_s` must be a whole number from 1 to 1000000 [config::value] (give a value of the right kind; `provost config` shows the values in force)",
                "provost.toml:6:18: `limits.audit_failures` must be a whole number from 1 to 1000000 [config::value] (give a value of the right kind; `provost config` shows the values in force)",
            ]
        );
    }

    #[test]
    fn text_that_is_not_toml_is_located() {
        let found = defects("[limits\nagents = 3\n");
        assert!(found[0].starts_with("provost.toml:1:8: "), "{found:?}");
    }
}
