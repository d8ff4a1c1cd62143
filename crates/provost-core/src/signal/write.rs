//! A signal as an agent would write it, apart because the prompts show formats that are made here: what an agent is
//! told is what the reader understands.

use std::fmt::{Display, Write as _};

use super::payload::{Claim, Signal};

/// A signal as text that begins in the first column.
pub fn to_text(signal: &Signal, task_id: &str) -> String {
    let name = signal.name();
    let mut page = Page { signal, out: format!("{name}: {task_id}\n") };
    match signal {
        Signal::ReadyForReview(it) => {
            page.list("files", &it.files);
            page.list("tests", &it.tests);
            page.table("matrix", &it.matrix);
            page.text("summary", &it.summary);
        }
        Signal::TaskIncomplete(it) => {
            page.text("category", &it.category.to_string());
            page.text("blocker_task", it.blocker_task.as_deref().unwrap_or_default());
            page.text("blocker", &it.blocker);
            page.list("attempted", &it.attempted);
            page.text("needed", &it.needed);
        }
        Signal::InfraBlocked(it) => {
            page.text("issue", &it.issue);
            page.text("command", &it.command);
            page.text("output", &it.output);
            page.text("environment", &it.environment);
        }
        Signal::ReviewPassed(it) => {
            page.list("files", &it.files);
            page.list("assessment", &it.assessment);
            page.text("summary", &it.summary);
        }
        Signal::ReviewFailed(it) => {
            page.list("files", &it.files);
            page.list("issues", &it.issues);
            page.list("fixes", &it.fixes);
            let priority = it.priority.map(|it| it.to_string().to_ascii_uppercase());
            page.text("priority", &priority.unwrap_or_default());
        }
        Signal::AuditPassed(it) => {
            page.list("criteria", &it.criteria);
            page.table("matrix", &it.matrix);
            page.text("summary", &it.summary);
        }
        Signal::AuditFailed(it) => {
            page.list("failed", &it.failed);
            page.list("issues", &it.issues);
            page.list("fixes", &it.fixes);
            page.list("passing", &it.passing);
        }
        Signal::AuditBlocked(it) => {
            page.list("failures", &it.failures);
            page.text("summary", &it.summary);
        }
        Signal::SeekingDivineClarification(it) => {
            page.text("question", &it.question);
            page.text("context", &it.context);
            page.list("options", &it.options);
            page.list("attempts", &it.attempts);
            page.text("would_help", &it.would_help);
        }
        Signal::Checkpoint(it) => {
            page.text("status", &it.status);
            page.list("completed", &it.completed);
            page.list("remaining", &it.remaining);
            page.list("files", &it.files);
            page.text("percent", &it.percent.map(|it| format!("{it}%")).unwrap_or_default());
        }
    }
    page.out
}

/// A signal as one line of JSON, without the line's end.
pub fn to_json(signal: &Signal, task_id: &str) -> String {
    // Strings, numbers and lists of them always have a JSON form.
    let text = serde_json::to_string(signal).unwrap_or_default();
    let task = serde_json::to_string(task_id).unwrap_or_default();
    let head = format!("{{\"signal\":\"{}\"", signal.name());
    let rest = text.strip_prefix(&head).unwrap_or_default();
    format!("{head},\"task\":{task}{rest}")
}

struct Page<'s> {
    signal: &'s Signal,
    out: String,
}

impl Page<'_> {
    fn label(&self, key: &str) -> &'static str {
        let field = self.signal.name().fields().iter().find(|field| field.key == key);
        field.map_or("", |field| field.label)
    }

    fn text(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            let label = self.label(key);
            let _ = writeln!(self.out, "{label}: {}", hanging(text));
        }
    }

    fn list(&mut self, key: &str, items: &[impl Display]) {
        if !items.is_empty() {
            let _ = writeln!(self.out, "{}:", self.label(key));
            for item in items {
                let _ = writeln!(self.out, "- {}", hanging(&item.to_string()));
            }
        }
    }

    fn table(&mut self, key: &str, claims: &[Claim]) {
        if claims.is_empty() {
            return;
        }
        let _ = writeln!(self.out, "{}:", self.label(key));
        self.out.push_str("| Check | Environment | Exit Code | Result |\n|---|---|---|---|\n");
        for Claim { check, environment, exit_code, result } in claims {
            let exit_code = exit_code.map(|code| code.to_string()).unwrap_or_default();
            let (check, environment) = (cell(check), cell(environment));
            let _ = writeln!(self.out, "| {check} | {environment} | {exit_code} | {result} |");
        }
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A text whose further lines are indented, so that none of them is read as a label, a fence or a signal.
fn hanging(text: &str) -> String {
    text.replace('\n', "\n    ")
}
