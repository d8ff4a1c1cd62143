//! The tools of an agent for one turn: each is one call to the process that started it, which knows the role and judges.

use std::path::Path;

use provost_core::adapter::Grant;
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::role::Role;
use provost_core::signal::Name;
use provost_runtime::dispatch::{Call, Reply, Ticket};
use rmcp::model::{JsonObject, Tool};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::schema::{Part, input, reading, tool};
use super::server::Tools;
use crate::failure::Failure;

const MY_TASK: &str = "my_task";
const REPORT_READY: &str = "report_ready";
const REPORT_INCOMPLETE: &str = "report_incomplete";
const REPORT_INFRASTRUCTURE: &str = "report_infrastructure";
const VERDICT: &str = "verdict";
const ASK_PERSON: &str = "ask_person";
const ASK_EXPERT: &str = "ask_expert";
const CHECKPOINT: &str = "checkpoint";
const PERMISSION: &str = "permission";

/// The tools that are one signal each, with what they are for.
const SIGNALS: &[(&str, Name, &str)] = &[
    (
        REPORT_READY,
        Name::ReadyForReview,
        "Your work is done: ends your turn and has it measured and reviewed.",
    ),
    (REPORT_INCOMPLETE, Name::TaskIncomplete, "You cannot finish the task: ends your turn and says why."),
    (
        REPORT_INFRASTRUCTURE,
        Name::InfraBlocked,
        "A tool, a service or the environment is broken: ends your turn, so that it can be mended.",
    ),
    (
        ASK_PERSON,
        Name::SeekingDivineClarification,
        "A person has to decide something: ends your turn; the answer comes with the next one.",
    ),
    (CHECKPOINT, Name::Checkpoint, "Say how far you are. Your turn goes on."),
];

/// The words of a verdict, with their signals.
const VERDICTS: &[(&str, Name)] = &[
    ("pass", Name::ReviewPassed),
    ("fail", Name::ReviewFailed),
    ("pass", Name::AuditPassed),
    ("fail", Name::AuditFailed),
    ("blocked", Name::AuditBlocked),
];

/// The tools of one turn's agent.
pub(super) struct Agent {
    ticket: Ticket,
    role: Role,
    task: String,
}

/// What Claude Code wants to hear about a tool.
#[derive(Serialize)]
#[serde(tag = "behavior", rename_all = "snake_case")]
enum Behavior {
    Allow {
        #[serde(rename = "updatedInput")]
        updated_input: Box<RawValue>,
    },
    Deny {
        message: String,
    },
}

impl Agent {
    /// Asks the process that started the turn what it is about.
    pub(super) fn connect(file: &Path) -> Result<Agent, Failure> {
        let ticket = Ticket::read(file)?;
        let unusable = |why: &str| {
            let message = format!("the turn that the dispatch belongs to does not answer: {why}");
            Failure::from(Diagnostic::error(diagnostic::MCP_DISPATCH, message))
        };
        match ticket.ask(Call::MyTask) {
            Ok(Reply::Task { role, task, .. }) => Ok(Agent { ticket, role, task }),
            Ok(_) => Err(unusable("it is served by another version")),
            Err(error) => Err(unusable(&error.to_string())),
        }
    }

    fn verdicts(&self) -> impl Iterator<Item = &'static (&'static str, Name)> {
        VERDICTS.iter().filter(|(_, name)| name.may_be_sent_by(self.role))
    }

    fn verdict_tool(&self) -> Option<Tool> {
        let words: Vec<&str> = self.verdicts().map(|(word, _)| *word).collect();
        let verdict = Part::word("verdict", &words, "what you found").required();
        let mut parts = vec![verdict];
        for field in self.verdicts().flat_map(|(_, name)| name.fields()) {
            if parts.iter().all(|part| part.name() != field.key) {
                parts.push(Part::field(field).optional());
            }
        }
        parts.push(task_part());
        let what = "Your judgement: ends your turn. A `fail` needs issues, fixes or failed criteria that can be acted on.";
        (!words.is_empty()).then(|| tool(VERDICT, what, input(parts)))
    }

    /// Sends a signal with what the agent wrote as its fields.
    fn signal(&self, name: Name, arguments: &JsonObject) -> Result<String, String> {
        let fields = raw(arguments).ok_or_else(|| "The input cannot be read.".to_owned())?;
        self.ask(Call::Signal { name, fields })
    }

    fn verdict(&self, mut arguments: JsonObject) -> Result<String, String> {
        let given = arguments.remove("verdict");
        let given = given.as_ref().and_then(Value::as_str).unwrap_or_default();
        if let Some((_, name)) = self.verdicts().find(|(word, _)| *word == given) {
            return self.signal(*name, &arguments);
        }
        let words: Vec<String> = self.verdicts().map(|(word, _)| format!("`{word}`")).collect();
        Err(format!("`verdict` has to be one of {}. Call again.", words.join(", ")))
    }

    fn expert(&self, arguments: &JsonObject) -> Result<String, String> {
        let question = arguments.get("question").and_then(Value::as_str).unwrap_or_default();
        if question.is_empty() {
            return Err("`question` is missing. Call again with it.".to_owned());
        }
        self.ask(Call::Expert { question: question.to_owned() })
    }

    fn ask(&self, call: Call) -> Result<String, String> {
        match self.ticket.ask(call) {
            Ok(Reply::Task { role, task, page }) => {
                Ok(format!("You are the {role} of task {task}.\n\n{page}"))
            }
            Ok(Reply::Said(said)) => Ok(said),
            Ok(Reply::Refused(why)) => Err(why),
            Ok(Reply::Permission(_)) => Err(unanswered("it answered something else")),
            Err(error) => Err(unanswered(&error.to_string())),
        }
    }

    /// Answers in the one form that the client reads: whatever goes wrong is a no.
    fn permission(&self, arguments: &JsonObject) -> Result<String, String> {
        let tool = arguments.get("tool_name").and_then(Value::as_str).unwrap_or_default();
        let wanted = arguments.get("input").filter(|input| input.is_object()).and_then(raw);
        let behavior = match wanted {
            Some(input) if !tool.is_empty() => self.decided(tool, input),
            _ => Behavior::Deny { message: "`tool_name` or `input` is missing.".to_owned() },
        };
        serde_json::to_string(&behavior).map_err(|error| error.to_string())
    }

    fn decided(&self, tool: &str, input: Box<RawValue>) -> Behavior {
        let deny = |message: String| Behavior::Deny { message };
        let call = Call::Permission { tool: tool.to_owned(), input: input.clone() };
        match self.ticket.ask(call) {
            Ok(Reply::Permission(Grant::Allow)) => Behavior::Allow { updated_input: input },
            Ok(Reply::Permission(Grant::Deny { why }) | Reply::Refused(why)) => deny(why),
            Ok(Reply::Task { .. } | Reply::Said(_)) => deny("Provost answered something else.".to_owned()),
            Err(error) => deny(format!("Provost could not be asked: {error}")),
        }
    }
}

impl Tools for Agent {
    fn instructions(&self) -> String {
        let ends: Vec<String> = self
            .list()
            .into_iter()
            .filter(|tool| {
                [REPORT_READY, REPORT_INCOMPLETE, REPORT_INFRASTRUCTURE, VERDICT, ASK_PERSON]
                    .contains(&&*tool.name)
            })
            .map(|tool| format!("`{}`", tool.name))
            .collect();
        format!(
            "You are the {} of task {}. `{MY_TASK}` has all that you were told. End your turn with exactly one call of {}, \
             and say nothing after it; it stands for the signal that you would print otherwise. Use `{CHECKPOINT}` while \
             the work goes on. A call that is refused says what to do.",
            self.role,
            self.task,
            ends.join(" or ")
        )
    }

    fn list(&self) -> Vec<Tool> {
        let mut tools = vec![reading(
            MY_TASK,
            "Your task, role and rules, as you were told them at the beginning.",
            input([]),
        )];
        for (name, signal, what) in SIGNALS.iter().filter(|(_, signal, _)| signal.may_be_sent_by(self.role)) {
            let parts = signal.fields().iter().map(Part::field).chain([task_part()]);
            tools.push(tool(name, *what, input(parts)));
        }
        tools.extend(self.verdict_tool());
        let question = Part::text("question", "what you want to know").required();
        let what = "Ask somebody who knows the field. Your turn goes on.";
        tools.push(tool(ASK_EXPERT, what, input([question])));
        let what = "For your client, not for you: asks whether a tool may be used.";
        let parts = [
            Part::text("tool_name", "the tool").required(),
            Part::object("input", "what it would be used with").required(),
            Part::text("tool_use_id", "the client's name for the use"),
        ];
        tools.push(tool(PERMISSION, what, input(parts)));
        tools
    }

    fn call(&self, name: &str, arguments: JsonObject) -> Result<String, String> {
        match name {
            MY_TASK => self.ask(Call::MyTask),
            VERDICT => self.verdict(arguments),
            ASK_EXPERT => self.expert(&arguments),
            PERMISSION => self.permission(&arguments),
            _ => match SIGNALS.iter().find(|(tool, ..)| *tool == name) {
                Some((_, signal, _)) => self.signal(*signal, &arguments),
                None => Err("There is no such tool.".to_owned()),
            },
        }
    }
}

fn task_part() -> Part {
    Part::text("task", "your task's id; only to be sure that it is the right one")
}

fn raw(value: &impl Serialize) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(value).ok()
}

fn unanswered(why: &str) -> String {
    let text = "call again; if it stays so, print your signal as text instead, as your page says";
    format!("Provost did not answer ({why}): {text}.")
}
