//! The tools for people's own clients: what the commands that only read print as JSON, and nothing that writes.

use std::path::PathBuf;

use rmcp::model::{JsonObject, Tool};
use serde_json::Value;

use super::schema::{Part, input, reading};
use super::server::Tools;
use crate::cli::{Context, Done, log, reply, show, status, why};
use crate::planned;
use crate::screen::Screen;

/// The most bytes that one answer may have; a model reads all of it.
const ANSWER_MAX: usize = 1024 * 1024;

/// The most bytes of the record in one answer.
const RECORDS_MAX: usize = 128 * 1024;

/// The tools that read one project.
pub(super) struct People {
    folder: PathBuf,
}

impl People {
    pub(super) fn new(folder: PathBuf) -> People {
        People { folder }
    }

    /// What a command prints, or what it says when it fails.
    fn read(
        &self,
        name: &'static str,
        bytes_max: usize,
        command: impl FnOnce(&mut Context) -> Done,
    ) -> Result<(String, bool), String> {
        let screen = Screen::keeping(name, bytes_max);
        let mut context = Context { folder: self.folder.clone(), screen };
        let done = command(&mut context);
        if context.screen.is_full() {
            return Ok((context.screen.kept(), true));
        }
        match done {
            Ok(_) => Ok((context.screen.kept(), false)),
            Err(failure) => {
                failure.report(&mut context.screen);
                Err(context.screen.kept())
            }
        }
    }

    fn document(
        &self,
        name: &'static str,
        command: impl FnOnce(&mut Context) -> Done,
    ) -> Result<String, String> {
        match self.read(name, ANSWER_MAX, command)? {
            (text, false) => Ok(text),
            (_, true) => Err(format!(
                "The answer has more than {ANSWER_MAX} bytes. Ask for less, or use the command line."
            )),
        }
    }

    fn show(&self, arguments: &JsonObject, key: &str) -> Result<String, String> {
        let part = text(arguments, "part").unwrap_or_default();
        if !["", "diff", "output", "prompt"].contains(&part) {
            return Err("`part` has to be `diff`, `output` or `prompt`. Call again.".to_owned());
        }
        let name = needed(arguments, key)?;
        if planned::is_run(name) {
            return Err("This shows deliveries and their tasks. Use `provost show` for plans.".to_owned());
        }
        let arguments = show::Arguments {
            name: name.to_owned(),
            diff: part == "diff",
            output: part == "output",
            prompt: part == "prompt",
            graph: None,
        };
        self.document("show", |context| show::run(&arguments, context))
    }

    /// The record from a sequence on, as many whole lines as fit.
    fn log(&self, arguments: &JsonObject) -> Result<String, String> {
        let since = arguments.get("since").and_then(Value::as_u64).unwrap_or(1);
        let task = text(arguments, "task").map(str::to_owned);
        let arguments = log::Arguments { follow: false, task, since, head: false };
        let (mut lines, is_cut) = self.read("log", RECORDS_MAX, |context| log::run(&arguments, context))?;
        if is_cut {
            lines.truncate(lines.rfind('\n').map_or(0, |end| end + 1));
            if lines.is_empty() {
                return Err(format!(
                    "Record {since} has more than {RECORDS_MAX} bytes. Use the command line."
                ));
            }
        }
        Ok(lines)
    }
}

impl Tools for People {
    fn instructions(&self) -> String {
        "Reads how deliveries of this repository stand. `status` is the overview; `why` says what a task waits for; \
         `questions` has what waits for a person. Nothing here changes anything: people act with the command `provost`."
            .to_owned()
    }

    fn list(&self) -> Vec<Tool> {
        let task = || Part::text("task", "the task, as TASK or DELIVERY/TASK");
        let part = Part::word(
            "part",
            &["diff", "output", "prompt"],
            "only this: its change, what its last agent printed, or what it was told",
        );
        vec![
            reading(
                "status",
                "How deliveries and plans stand, as `provost status --json` prints it.",
                input([Part::text("delivery", "only this delivery")]),
            ),
            reading(
                "show_delivery",
                "The report of a delivery, as `provost show DELIVERY --json` prints it.",
                input([Part::text("delivery", "the delivery's id").required()]),
            ),
            reading(
                "show_task",
                "All that is on record about a task, as `provost show TASK --json` prints it.",
                input([task().required(), part]),
            ),
            reading(
                "why",
                "Why a task is not done, as `provost why TASK --json` prints it.",
                input([task().required()]),
            ),
            reading(
                "questions",
                "What waits for a person, as `provost questions --json` prints it.",
                input([]),
            ),
            reading(
                "log",
                "Records from a sequence on, one a line, as `provost log --json` prints them; as many as fit. \
                 For more, call again with the last `sequence` and one.",
                input([Part::number("since", "the first sequence; 1 without it"), task()]),
            ),
        ]
    }

    fn call(&self, name: &str, arguments: JsonObject) -> Result<String, String> {
        match name {
            "status" => {
                let delivery = text(&arguments, "delivery").map(str::to_owned);
                self.document("status", |context| status::run(&status::Arguments { delivery }, context))
            }
            "show_delivery" => self.show(&arguments, "delivery"),
            "show_task" => self.show(&arguments, "task"),
            "why" => {
                let task = needed(&arguments, "task")?.to_owned();
                self.document("why", |context| why::run(&why::Arguments { task }, context))
            }
            "questions" => {
                self.document("questions", |context| reply::questions(&reply::Questions {}, context))
            }
            "log" => self.log(&arguments),
            _ => Err("There is no such tool.".to_owned()),
        }
    }
}

fn text<'a>(arguments: &'a JsonObject, key: &str) -> Option<&'a str> {
    arguments.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn needed<'a>(arguments: &'a JsonObject, key: &str) -> Result<&'a str, String> {
    text(arguments, key).ok_or_else(|| format!("`{key}` is missing. Call again with it."))
}
