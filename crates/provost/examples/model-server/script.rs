//! What a model is to do, as markers in the text of a prompt, apart from how any protocol says it: a plan's task holds
//! the script of its own agents, and nothing has to be arranged beforehand.

use serde_json::{Deserializer, Value};

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Write a file, with whatever tool the agent has for it.
    Write { path: String, text: String },
    /// Look at a file, with whatever tool the agent has for it.
    Read(String),
    /// Run a command.
    Shell(String),
    /// Call a tool by the end of its name.
    Call { tool: String, input: Value },
    /// Answer, which ends the turn.
    Say(String),
    /// Fail.
    Fault { fault: Fault, once: bool },
}

/// A way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An answer with a status that is an error.
    Status(u16),
    /// No answer, until the client gives up.
    Hang,
    /// The connection is reset.
    Reset,
    /// The answer ends in the middle.
    Truncate,
}

/// Statuses that a provider answers with.
const STATUSES: [u16; 5] = [401, 403, 429, 500, 529];

/// Whose part is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The line that begins the page of a turn: role, task and project.
    pub(crate) title: String,
    pub(crate) role: String,
    /// The number of the role's attempt.
    pub(crate) attempt: Option<u32>,
}

/// The part that a page of Provost gives to its reader.
pub(crate) fn part(text: &str) -> Option<Part> {
    let mut lines = text.lines();
    loop {
        let line = lines.next()?;
        let role = line.strip_prefix("# ").and_then(|rest| rest.split_once(" of task ")).map(|it| it.0);
        let Some(role) = role.filter(|role| ["developer", "critic", "auditor"].contains(role)) else {
            continue;
        };
        let numbered = lines.find_map(|line| line.strip_prefix("Attempt "));
        let attempt = numbered.and_then(|rest| rest.split_once('.')).and_then(|it| it.0.parse().ok());
        return Some(Part { title: line.to_owned(), role: role.to_owned(), attempt });
    }
}

/// The steps for a part; without one, those that are for everybody.
///
/// `[[as ROLE]]` begins the steps of a role, `[[as ROLE N]]` those of its attempt N, which then count instead, and
/// `[[end]]` ends them. What stands outside is for everybody.
pub(crate) fn steps(text: &str, part: Option<&Part>) -> Result<Vec<Step>, String> {
    let mut general = Vec::new();
    let mut of_attempt = Vec::new();
    let mut now = Whom::Everybody;
    let mut special = false;
    for marker in markers(text) {
        match marker? {
            Marker::As { role, attempt } => now = whom(&role, attempt, part),
            Marker::End => now = Whom::Everybody,
            Marker::Step(step) => match now {
                Whom::Everybody => {
                    general.push(step.clone());
                    of_attempt.push(step);
                }
                Whom::Role => general.push(step),
                Whom::Attempt => {
                    special = true;
                    of_attempt.push(step);
                }
                Whom::Others => {}
            },
        }
    }
    Ok(if special { of_attempt } else { general })
}

/// For whom a section is, seen from one part.
#[derive(Clone, Copy)]
enum Whom {
    Everybody,
    Role,
    Attempt,
    Others,
}

fn whom(role: &str, attempt: Option<u32>, part: Option<&Part>) -> Whom {
    match part {
        Some(part) if part.role == role => match attempt {
            None => Whom::Role,
            same if same == part.attempt => Whom::Attempt,
            Some(_) => Whom::Others,
        },
        _ => Whom::Others,
    }
}

enum Marker {
    As { role: String, attempt: Option<u32> },
    End,
    Step(Step),
}

/// The markers of a text, in order; one that cannot be read is an error, since it would be missed without a word.
fn markers(text: &str) -> Vec<Result<Marker, String>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("[[") {
        rest = after;
        let Some(word) = known(after) else { continue };
        let (marker, behind) = read(word, after);
        found.push(marker);
        rest = behind;
    }
    found
}

const WORDS: [&str; 8] = ["write:", "read:", "shell:", "call:", "say:", "fault:", "as ", "end]]"];

/// The word that makes brackets a marker; a shell's own are none.
fn known(after: &str) -> Option<&'static str> {
    WORDS.into_iter().find(|word| after.starts_with(word))
}

/// One marker, and what stands behind it.
fn read<'a>(word: &str, after: &'a str) -> (Result<Marker, String>, &'a str) {
    if word == "end]]" {
        return (Ok(Marker::End), after.strip_prefix(word).unwrap_or_default());
    }
    let inner = after.strip_prefix(word).unwrap_or_default();
    if word == "call:" {
        return match call(inner) {
            Ok((step, behind)) => (Ok(Marker::Step(step)), behind),
            Err(why) => (Err(why), inner),
        };
    }
    let Some((inner, behind)) = closed(inner) else {
        return (Err(format!("a marker `{word}` is not closed")), "");
    };
    let marker = match word {
        "write:" => match inner.split_once('|') {
            Some((path, text)) => Ok(Step::Write {
                path: path.trim().to_owned(),
                text: unescaped(text.strip_prefix(' ').unwrap_or(text)),
            }),
            None => Err(format!("`write:{inner}` has no `|` between path and text")),
        },
        "read:" => Ok(Step::Read(inner.trim().to_owned())),
        "shell:" => Ok(Step::Shell(inner.trim().to_owned())),
        "say:" => Ok(Step::Say(unescaped(inner.trim()))),
        "fault:" => fault(inner.trim()),
        _ => return (section(inner.trim()), behind),
    };
    (marker.map(Marker::Step), behind)
}

/// What stands before the closing brackets; of more than two in a row the last two close.
fn closed(inner: &str) -> Option<(&str, &str)> {
    let at = inner.find("]]")?;
    let (_, brackets) = inner.split_at(at);
    let more = brackets.chars().take_while(|c| *c == ']').count() - 2;
    let (text, behind) = inner.split_at(at + more);
    Some((text, behind.strip_prefix("]]").unwrap_or_default()))
}

/// A tool and its input, which may hold any brackets of its own.
fn call(inner: &str) -> Result<(Step, &str), String> {
    let inner = inner.trim_start();
    let end = inner.find(|c: char| c.is_whitespace() || c == '{' || c == ']').unwrap_or(inner.len());
    let (tool, rest) = inner.split_at(end);
    let rest = rest.trim_start();
    let (input, behind) = if rest.starts_with('{') {
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        let input = values.next().and_then(Result::ok);
        let input = input.ok_or_else(|| format!("the input of `call: {tool}` is no JSON"))?;
        (input, rest.split_at(values.byte_offset()).1)
    } else {
        (Value::Object(serde_json::Map::new()), rest)
    };
    let behind = behind.trim_start().strip_prefix("]]");
    let behind = behind.ok_or_else(|| format!("a marker `call: {tool}` is not closed"))?;
    Ok((Step::Call { tool: tool.to_owned(), input }, behind))
}

fn fault(inner: &str) -> Result<Step, String> {
    let (name, once) = match inner.split_once(char::is_whitespace) {
        Some((name, "once")) => (name, true),
        None => (inner, false),
        Some(_) => return Err(format!("`fault: {inner}` is none")),
    };
    let fault = match name {
        "hang" => Fault::Hang,
        "reset" => Fault::Reset,
        "truncate" => Fault::Truncate,
        status => {
            let status = status.parse().ok().filter(|status| STATUSES.contains(status));
            Fault::Status(status.ok_or_else(|| format!("`fault: {inner}` is none"))?)
        }
    };
    Ok(Step::Fault { fault, once })
}

fn section(inner: &str) -> Result<Marker, String> {
    let (role, attempt) = match inner.split_once(char::is_whitespace) {
        None => (inner, None),
        Some((role, number)) => {
            (role, Some(number.trim().parse().map_err(|_| format!("`as {inner}` has no number"))?))
        }
    };
    Ok(Marker::As { role: role.to_owned(), attempt })
}

/// Text with `\n`, `\t` and `\\` as what they stand for.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('\\') | None => plain.push('\\'),
            Some(other) => plain.extend(['\\', other]),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PAGE: &str =
        "# critic of task `1-1` in `larder`\n\nAttempt 2. Title: `Let [[end]] expire`\n\nThe work:\n";

    fn only(text: &str) -> Vec<Step> {
        steps(text, None).unwrap()
    }

    #[test]
    fn every_marker_is_a_step_in_its_order() {
        let text = r#"go [[write: a/b.txt | one\ntwo\n]] and [[shell: test -f a || echo "[x]"]] then
            [[call: report_ready {"files":[["a"]],"summary":"x ]] y"}]][[call: my_task]]
            [[fault: 529 once]] [[fault: hang]] [[say: READY_FOR_REVIEW: 1-1\nSummary: \\n [done]]]"#;
        let expected = [
            Step::Write { path: "a/b.txt".into(), text: "one\ntwo\n".into() },
            Step::Shell(r#"test -f a || echo "[x]""#.into()),
            Step::Call { tool: "report_ready".into(), input: json!({"files": [["a"]], "summary": "x ]] y"}) },
            Step::Call { tool: "my_task".into(), input: json!({}) },
            Step::Fault { fault: Fault::Status(529), once: true },
            Step::Fault { fault: Fault::Hang, once: false },
            Step::Say("READY_FOR_REVIEW: 1-1\nSummary: \\n [done]".into()),
        ];
        assert_eq!(only(text), expected);
    }

    #[test]
    fn brackets_that_are_no_markers_are_text() {
        assert_eq!(only("if [[ -f x ]]; then [[nothing: here]] [["), []);
    }

    #[test]
    fn a_marker_that_cannot_be_read_is_an_error_and_not_passed_over() {
        for text in [
            "[[write: a]]",
            "[[fault: 418]]",
            "[[fault: 500 twice]]",
            "[[call: x {]]",
            "[[say: x",
            "[[as critic x]]",
        ] {
            assert!(steps(text, None).is_err(), "{text}");
        }
    }

    #[test]
    fn a_page_says_whose_part_it_is() {
        let part = part(PAGE).unwrap();
        assert_eq!((part.role.as_str(), part.attempt), ("critic", Some(2)));
        assert_eq!(part.title, "# critic of task `1-1` in `larder`");
        assert_eq!(super::part("# a title\n# cook of task `1` in `x`"), None);
    }

    #[test]
    fn a_section_is_for_its_role_and_one_with_a_number_for_that_attempt() {
        let script = "[[say: all]] [[as developer]] [[say: dev]] [[as critic]] [[say: any]] [[as critic 2]] [[say: second]]
            [[end]] [[say: last]]";
        let said = |role: &str, attempt| {
            let part = Part { title: String::new(), role: role.to_owned(), attempt: Some(attempt) };
            let steps = steps(script, Some(&part)).unwrap();
            steps
                .into_iter()
                .map(|step| if let Step::Say(text) = step { text } else { String::new() })
                .collect::<Vec<_>>()
        };
        assert_eq!(said("developer", 2), ["all", "dev", "last"]);
        assert_eq!(said("critic", 1), ["all", "any", "last"]);
        assert_eq!(said("critic", 2), ["all", "second", "last"]);
        assert_eq!(said("auditor", 1), ["all", "last"]);
    }
}
