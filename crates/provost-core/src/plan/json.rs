//! The JSON form of a plan: closed objects over the strict reader, with the same fields and the same normal form.

mod object;

use std::collections::BTreeSet;

use crate::diagnostic::{self, Span, quoted};
use crate::document::{self, Document, Limits, Unreadable, Value};

use super::criterion::default_name;
use super::draft::{Draft, DraftTask, Placed};
use super::findings::Findings;
use super::task::{Phase, Reading, Verify};
use super::{BYTES_MAX, PlanRead, SCHEMA, too_large, value};

use object::{Fields, wrong};

/// Reads the JSON form.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<PlanRead, Unreadable> {
    if let Some(refused) = too_large(name, bytes) {
        return Err(refused);
    }
    let limits = Limits { bytes_max: BYTES_MAX, ..Limits::default() };
    let Document { root, lines, .. } = document::read(name, bytes, &limits)?;
    let mut findings = Findings::new(name, lines);
    let mut draft = Draft::default();
    let known = &["schema", "title", "overview", "phases", "tasks"];
    if let Some(fields) = Fields::of(&root, "the plan", known, &["title", "tasks"], &mut findings) {
        plan(&fields, &mut draft, &mut findings);
    }
    draft.close(findings)
}

fn plan(fields: &Fields<'_>, draft: &mut Draft, findings: &mut Findings<'_>) {
    if let Some(schema) = fields.get("schema")
        && schema.as_str() != Some(SCHEMA)
    {
        wrong::<()>(schema, &format!("`{SCHEMA}`"), findings);
    }
    draft.title = fields.line("title", findings).map(|title| title.value).unwrap_or_default();
    if draft.title.is_empty()
        && let Some(title) = fields.get("title").filter(|title| title.as_str().is_some())
    {
        findings.error(diagnostic::PLAN_TITLE, title.span, "the plan has no title");
    }
    draft.overview = fields.block("overview", findings);
    for entry in fields.list("phases", findings) {
        draft.phases.extend(phase(entry, findings));
    }
    let numbers: BTreeSet<u32> = draft.phases.iter().map(|phase| phase.value.number).collect();
    for entry in fields.list("tasks", findings) {
        draft.tasks.extend(task(entry, &numbers, findings));
    }
}

fn phase(entry: &Value, findings: &mut Findings<'_>) -> Option<Placed<Phase>> {
    let fields = Fields::of(entry, "a phase", &["number", "name"], &["number", "name"], findings)?;
    let number = fields.number("number", findings)?;
    let name = fields.line("name", findings)?.value;
    Some(Placed { value: Phase { number, name }, span: entry.span })
}

fn task(entry: &Value, phases: &BTreeSet<u32>, findings: &mut Findings<'_>) -> Option<DraftTask> {
    const KNOWN: &[&str] = &[
        "id",
        "title",
        "phase",
        "work",
        "criteria",
        "blocked_by",
        "reading",
        "environment",
        "priority",
        "files",
        "verify",
        "risk",
        "propose",
    ];
    let fields = Fields::of(entry, "a task", KNOWN, &["id", "title", "work"], findings)?;
    let mut task = DraftTask { span: entry.span, ..DraftTask::default() };
    if let Some(id) = fields.text("id", findings) {
        task.span = id.span;
        task.id = value::id(id.value, id.span, findings);
    }
    task.title = title(&fields, findings);
    task.phase = fields.number("phase", findings);
    if let (Some(number), Some(at)) = (task.phase, fields.get("phase"))
        && !phases.contains(&number)
    {
        findings.error(diagnostic::PLAN_VALUE, at.span, format!("there is no phase {number}"));
    }
    task.work = fields.block("work", findings);
    task.criteria = fields.lines("criteria", findings);
    task.criteria.retain(|criterion| !criterion.value.is_empty());
    for Placed { value: text, span } in fields.lines("blocked_by", findings) {
        let id = value::id(&text, span, findings);
        task.blocked_by.extend(id.map(|value| Placed { value, span }));
    }
    task.reading = fields.list("reading", findings).iter().filter_map(|it| reading(it, findings)).collect();
    task.environment = fields.line("environment", findings).and_then(|it| value::environment(it.value));
    for Placed { value: text, span } in fields.texts("files", findings) {
        task.files.extend(value::path(text, span, findings));
    }
    task.verify = fields.list("verify", findings).iter().filter_map(|it| verify(it, findings)).collect();
    if let Some(Placed { value: text, span }) = fields.text("priority", findings) {
        task.priority = value::choice("the priority", text, span, findings).unwrap_or_default();
    }
    if let Some(Placed { value: text, span }) = fields.text("risk", findings) {
        task.risk = value::choice("the risk", text, span, findings).unwrap_or_default();
    }
    if let Some(propose) = fields.get("propose") {
        let read = propose.as_bool().or_else(|| wrong(propose, "a boolean", findings));
        task.propose = read.unwrap_or_default();
    }
    Some(task)
}

fn title(fields: &Fields<'_>, findings: &mut Findings<'_>) -> String {
    let Some(title) = fields.line("title", findings) else { return String::new() };
    if title.value.is_empty() {
        findings.error(diagnostic::PLAN_VALUE, title.span, "the task has an empty title");
    }
    title.value
}

fn reading(entry: &Value, findings: &mut Findings<'_>) -> Option<Reading> {
    let fields = Fields::of(entry, "an entry of `reading`", &["pattern", "note"], &["pattern"], findings)?;
    let pattern = fields.line("pattern", findings)?;
    if pattern.value.is_empty() {
        findings.error(diagnostic::PLAN_VALUE, pattern.span, "the pattern is empty");
    }
    let note = fields.line("note", findings).map(|note| note.value).filter(|note| !note.is_empty());
    Some(Reading { pattern: pattern.value, note })
}

fn verify(entry: &Value, findings: &mut Findings<'_>) -> Option<Placed<Verify>> {
    let known = &["name", "environment", "argv", "expect_exit"];
    let fields = Fields::of(entry, "an entry of `verify`", known, &["argv"], findings)?;
    let argv: Vec<String> = fields
        .list("argv", findings)
        .iter()
        .filter_map(|word| word.as_str().map(str::to_owned).or_else(|| wrong(word, "a string", findings)))
        .collect();
    if argv.first().is_none_or(String::is_empty) || argv.iter().any(|word| word.contains('\0')) {
        let span = fields.get("argv").map_or(entry.span, |argv| argv.span);
        findings.error(diagnostic::PLAN_COMMAND, span, "the command is empty or holds a zero byte");
        return None;
    }
    let exit = fields.get("expect_exit").map_or(Some(0), |exit| {
        let number = exit.as_i64().and_then(|exit| i32::try_from(exit).ok());
        number.filter(|exit| (0..=255).contains(exit)).or_else(|| wrong(exit, "from 0 to 255", findings))
    });
    let expect_exit = exit.unwrap_or_default();
    let name = fields.line("name", findings).map(|name| name.value).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| default_name(&argv, expect_exit));
    let environment = fields.line("environment", findings).and_then(|it| value::environment(it.value));
    Some(Placed { value: Verify { name, environment, argv, expect_exit }, span: entry.span })
}

/// Where a key that is missing would stand.
const fn beginning(span: Span) -> Span {
    Span { start: span.start, end: span.start + 1 }
}

fn missing(what: &str, key: &str, span: Span, findings: &mut Findings<'_>) {
    findings.error(diagnostic::PLAN_KEY, beginning(span), format!("{what} has no key {}", quoted(key)));
}
