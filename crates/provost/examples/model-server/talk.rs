//! A request to a model, whatever protocol it came in, and what is answered to it: the few things that a script needs
//! to know. How far a script has come is seen from the calls in the conversation, so nothing is remembered here.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::offer::{self, Tool};
use crate::script::{self, Fault, Part, Step};

/// What was asked.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    pub(crate) model: String,
    pub(crate) streams: bool,
    pub(crate) said: Vec<Said>,
    pub(crate) tools: Vec<Tool>,
    /// The folder that the agent says it works in.
    pub(crate) folder: Option<String>,
}

/// One thing in a conversation that a script is followed by.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A text for the model.
    Told(String),
    /// A call that the model made, by the tool's name.
    Called(String),
}

/// What the model does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    Say(String),
    Call { tool: Tool, input: Value },
}

/// A reply, and how it fails if it does.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    Reply(Reply),
    /// The reply is begun and not ended.
    Truncated(Reply),
    Fault(Fault),
    /// The script cannot be read.
    Unreadable(String),
}

/// The faults that happened and were to happen once.
#[derive(Debug, Default)]
pub(crate) struct Spent(Mutex<BTreeSet<String>>);

impl Spent {
    /// Whether a fault is still to happen; it is spent afterwards.
    fn take(&self, name: String) -> bool {
        self.0.lock().is_ok_and(|mut spent| spent.insert(name))
    }
}

/// What is answered where agents ask beside their turn, such as for a title.
const BESIDE: &str = "A scripted conversation";

impl Talk {
    /// What to do next.
    pub(crate) fn next(&self, spent: &Spent) -> Outcome {
        let Some((at, text, part)) = self.prompt() else {
            return Outcome::Reply(Reply::Say("Nothing is scripted.".into()));
        };
        // An agent's turn offers tools, but for one that has none; without, somebody asks for a title.
        let textual = self.tools.is_empty() && self.said.iter().enumerate().filter_map(told).any(is_textual);
        if part.is_some() && self.tools.is_empty() && !textual {
            return Outcome::Reply(Reply::Say(BESIDE.into()));
        }
        let steps = match script::steps(text, part.as_ref()) {
            Ok(steps) if textual => answered(&steps),
            Ok(steps) => steps,
            Err(why) => return Outcome::Unreadable(why),
        };
        let taken = self
            .said
            .iter()
            .skip(at)
            .filter(|said| matches!(said, Said::Called(name) if !offer::is_search(name)));
        let whose = part.as_ref().map_or(text, |part| part.title.as_str());
        self.follow(&steps, taken.count(), |index| spent.take(format!("{index} {whose}")))
    }

    /// The last text with a page of Provost, or else with a script.
    fn prompt(&self) -> Option<(usize, &str, Option<Part>)> {
        let backwards = || self.said.iter().enumerate().rev().filter_map(told);
        let page = backwards().find_map(|(at, text)| script::part(text).map(|part| (at, text, Some(part))));
        page.or_else(|| backwards().find(|(_, text)| text.contains("[[")).map(|(at, text)| (at, text, None)))
    }

    /// The tools; without the one that searches for others where that has just been done, twice.
    fn on_offer(&self) -> Vec<&Tool> {
        let last = self.said.iter().rev().take(2);
        let searched =
            last.filter(|said| matches!(said, Said::Called(name) if offer::is_search(name))).count() == 2;
        self.tools.iter().filter(|tool| !(searched && offer::is_search(&tool.name))).collect()
    }

    fn follow(&self, steps: &[Step], taken: usize, first_time: impl Fn(usize) -> bool) -> Outcome {
        let mut calls = 0;
        let mut cut = false;
        for (index, step) in steps.iter().enumerate() {
            let reply = match step {
                Step::Fault { .. } | Step::Say(_) if calls < taken => continue,
                Step::Fault { once: true, .. } if !first_time(index) => continue,
                Step::Fault { fault: Fault::Truncate, .. } => {
                    cut = true;
                    continue;
                }
                Step::Fault { fault, .. } => return Outcome::Fault(*fault),
                Step::Say(text) => Reply::Say(text.clone()),
                _ if calls < taken => {
                    calls += 1;
                    continue;
                }
                Step::Write { path, text } => {
                    called(offer::writing(&self.tools, self.folder.as_deref(), path, text))
                }
                Step::Read(path) => called(offer::reading(&self.tools, self.folder.as_deref(), path)),
                Step::Shell(command) => called(offer::shell(&self.tools, command)),
                Step::Call { tool, input } => called(offer::named(&self.on_offer(), tool, input)),
            };
            return if cut { Outcome::Truncated(reply) } else { Outcome::Reply(reply) };
        }
        let last = Reply::Say("The script is over.".into());
        if cut { Outcome::Truncated(last) } else { Outcome::Reply(last) }
    }
}

fn told((at, said): (usize, &Said)) -> Option<(usize, &str)> {
    if let Said::Told(text) = said { Some((at, text)) } else { None }
}

fn is_textual((_, told): (usize, &str)) -> bool {
    offer::is_textual(told)
}

/// Steps for an agent without tools: files become part of the answer, and what needs a tool is left out.
fn answered(steps: &[Step]) -> Vec<Step> {
    let mut files = String::new();
    let mut answered = Vec::new();
    for step in steps {
        match step {
            Step::Write { path, text } => files.push_str(&offer::listing(path, text)),
            Step::Say(text) => answered.push(Step::Say(format!("{}{text}", std::mem::take(&mut files)))),
            Step::Fault { .. } => answered.push(step.clone()),
            Step::Read(_) | Step::Shell(_) | Step::Call { .. } => {}
        }
    }
    answered
}

/// A call, or the reason why there is none as the answer: whoever reads the log sees it.
fn called(found: Result<(Tool, Value), String>) -> Reply {
    match found {
        Ok((tool, input)) => Reply::Call { tool, input },
        Err(why) => Reply::Say(why),
    }
}

/// An identifier that differs between the answers of a conversation: agents keep calls by it.
pub(crate) fn name(prefix: &str, talk: &Talk) -> String {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!("{prefix}{}x{number:012}", talk.said.len())
}

/// The text of a content that is a string or a list of parts.
pub(crate) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The elements of a list in an object; none where there is no list.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// A text in an object; empty where there is none.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// An object in an object; an empty one where there is none.
pub(crate) fn object(value: &Value, key: &str) -> Value {
    value.get(key).cloned().unwrap_or_else(|| json!({}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(said: &[Said]) -> Talk {
        let said = said.iter().map(|it| match it {
            Said::Told(text) => Said::Told(text.clone()),
            Said::Called(name) => Said::Called(name.clone()),
        });
        let tools = ["Bash", "mcp__provost__report_ready"]
            .map(|name| Tool::new(name, json!({"properties": {"command": {}}})));
        Talk { said: said.collect(), tools: tools.into(), ..Talk::default() }
    }

    fn told(text: &str) -> Said {
        Said::Told(text.to_owned())
    }

    fn called(name: &str) -> Said {
        Said::Called(name.to_owned())
    }

    fn does(said: &[Said]) -> String {
        match talk(said).next(&Spent::default()) {
            Outcome::Reply(Reply::Say(text)) => text,
            Outcome::Reply(Reply::Call { tool, input }) => format!("{} {input}", tool.name),
            other => format!("{other:?}"),
        }
    }

    const SCRIPT: &str = "[[shell: one]] [[call: report_ready {\"a\":1}]] [[say: done]]";

    #[test]
    fn steps_are_taken_one_a_request_as_far_as_calls_were_made() {
        assert_eq!(does(&[told(SCRIPT)]), r#"Bash {"command":"one"}"#);
        assert_eq!(does(&[told(SCRIPT), called("Bash")]), r#"mcp__provost__report_ready {"a":1}"#);
        assert_eq!(does(&[told(SCRIPT), called("Bash"), called("x")]), "done");
        assert_eq!(
            does(&[told(SCRIPT), called("Bash"), called("ToolSearch")]),
            r#"mcp__provost__report_ready {"a":1}"#
        );
    }

    #[test]
    fn a_tool_that_no_search_brings_in_is_given_up() {
        let searching = |said: &[Said]| {
            let mut talk = talk(said);
            talk.tools = vec![Tool::new("ToolSearch", json!({}))];
            match talk.next(&Spent::default()) {
                Outcome::Reply(Reply::Call { tool, .. }) => tool.name,
                other => format!("{other:?}"),
            }
        };
        let (script, search) = ("[[call: absent]]", || called("ToolSearch"));
        assert_eq!(searching(&[told(script)]), "ToolSearch");
        assert_eq!(searching(&[told(script), search()]), "ToolSearch");
        assert!(searching(&[told(script), search(), search()]).contains("No tool on offer"));
    }

    #[test]
    fn a_new_prompt_begins_anew_and_a_remark_behind_it_changes_nothing() {
        let said = [told(SCRIPT), called("Bash"), told("[[say: again]]"), told("<system-reminder>")];
        assert_eq!(does(&said), "again");
        let page = "# developer of task `1` in `x`\n\nAttempt 1. Title: `t`\n[[as developer]][[say: mine]]";
        assert_eq!(does(&[told(page), told("[[say: not this]]")]), "mine");
        assert_eq!(does(&[told("hello")]), "Nothing is scripted.");
    }

    #[test]
    fn who_offers_no_tools_beside_a_page_asks_for_a_title_and_spends_no_fault() {
        let page = "# critic of task `1` in `x`\n\nAttempt 1. Title: `t`\n[[fault: 500 once]][[say: mine]]";
        let spent = Spent::default();
        let beside = Talk { tools: Vec::new(), ..talk(&[told(page)]) };
        assert_eq!(beside.next(&spent), Outcome::Reply(Reply::Say(BESIDE.into())));
        let turn = talk(&[told(page)]);
        assert_eq!(turn.next(&spent), Outcome::Fault(Fault::Status(500)));
        assert_eq!(turn.next(&spent), Outcome::Reply(Reply::Say("mine".into())));
    }

    #[test]
    fn who_has_no_tools_gets_files_in_the_answer() {
        let page = "# developer of task `1` in `x`\n\nAttempt 1. Title: `t`\n\
            [[fault: 500 once]][[write: a.txt | x\\n]][[shell: ls]][[say: done]]";
        let system = told("Act as an expert software developer.\nTake requests");
        let turn = Talk { tools: Vec::new(), ..talk(&[system, told(page)]) };
        let spent = Spent::default();
        assert_eq!(turn.next(&spent), Outcome::Fault(Fault::Status(500)));
        assert_eq!(turn.next(&spent), Outcome::Reply(Reply::Say("a.txt\n```\nx\n```\n\ndone".into())));
    }

    #[test]
    fn a_fault_without_once_stays_and_a_truncated_answer_is_the_next_step_cut() {
        let spent = Spent::default();
        let hang = talk(&[told("[[shell: one]] [[fault: hang]]"), called("Bash")]);
        assert_eq!(hang.next(&spent), Outcome::Fault(Fault::Hang));
        assert_eq!(hang.next(&spent), Outcome::Fault(Fault::Hang));
        let cut = talk(&[told("[[fault: truncate once]][[say: whole]]")]);
        assert_eq!(cut.next(&spent), Outcome::Truncated(Reply::Say("whole".into())));
        assert_eq!(cut.next(&spent), Outcome::Reply(Reply::Say("whole".into())));
        assert!(matches!(talk(&[told("[[fault: 7]]")]).next(&spent), Outcome::Unreadable(_)));
    }
}
