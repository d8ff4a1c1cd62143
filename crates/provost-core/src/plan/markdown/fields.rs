//! The fields of one task below its heading, apart because labels come in any order and text without one is kept.

use std::collections::BTreeMap;

use strum::{IntoStaticStr, VariantArray};

use crate::diagnostic::{self, Diagnostic, Span, nearest, quoted};
use crate::plan::criterion::{Piece, default_name, exit_phrase, pieces};
use crate::plan::draft::{DraftTask, Placed};
use crate::plan::findings::Findings;
use crate::plan::scan::{Line, LineKind, block, one_line, scan};
use crate::plan::task::{Reading, Verify};
use crate::plan::value;

use super::list::{self, bullet, unquoted};

/// The labels that a task may have, as they are written in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "title_case")]
enum Label {
    Work,
    AcceptanceCriteria,
    BlockedBy,
    RequiredReading,
    Environment,
    Priority,
    Files,
    Verify,
    Mode,
    Risk,
}

impl Label {
    fn name(self) -> &'static str {
        self.into()
    }

    fn named(name: &str) -> Option<Self> {
        let name = one_line(name);
        Self::VARIANTS.iter().copied().find(|label| label.name().eq_ignore_ascii_case(&name))
    }
}

/// A label at the beginning of a line.
struct Labelled<'t> {
    name: Line<'t>,
    /// None where the name is unknown.
    label: Option<Label>,
    /// What follows on the same line.
    rest: Line<'t>,
}

/// Reads the lines below a task's heading.
pub(super) fn read(body: &[Line<'_>], task: &mut DraftTask, findings: &mut Findings<'_>) {
    let mut fields: BTreeMap<Label, (Span, Vec<Line<'_>>)> = BTreeMap::new();
    // What stands before the first label says what to do; what stands under an unknown one might.
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut current: Option<Option<Label>> = None;
    let mut is_skipped = false;
    for &line in body {
        let Some(found) = labelled(line) else {
            match current {
                _ if is_skipped => {}
                None => before.push(line),
                Some(None) => after.push(line),
                Some(Some(label)) => fields.entry(label).or_default().1.push(line),
            }
            continue;
        };
        current = Some(found.label);
        is_skipped = false;
        let span = found.name.span();
        let Some(label) = found.label else {
            unknown(&found, findings);
            after.push(Line { text: "", ..line });
            after.push(line);
            continue;
        };
        if let Some((first, _)) = fields.get(&label) {
            let message =
                format!("the label **{}** stands already in line {}", label.name(), findings.line(*first));
            findings.error(diagnostic::PLAN_DUPLICATE_LABEL, span, message);
            is_skipped = true;
            continue;
        }
        fields.insert(label, (span, vec![found.rest]));
    }
    before.push(blank());
    before.extend(fields.remove(&Label::Work).into_iter().flat_map(|field| field.1));
    before.push(blank());
    let text = block(before.into_iter().chain(after));
    // Once more as the whole that it has become: a code block may begin behind the label.
    let (lines, open) = scan(&text);
    if let Some(open) = open {
        let message = format!("the work has a {} that is never closed", open.what);
        findings.error(diagnostic::PLAN_OPEN_BLOCK, task.span, message);
    }
    task.work = block(lines);
    for (label, (span, lines)) in fields {
        field(label, span, &lines, task, findings);
    }
}

const fn blank() -> Line<'static> {
    Line { start: 0, text: "", kind: LineKind::Prose }
}

/// The label that a line begins with, if it does.
fn labelled(line: Line<'_>) -> Option<Labelled<'_>> {
    if line.kind != LineKind::Prose {
        return None;
    }
    let trimmed = line.trimmed();
    let bulleted = bullet(trimmed);
    let bold = bulleted.unwrap_or(trimmed);
    let (name, rest) = bold.text.strip_prefix("**")?.split_once("**")?;
    let inner = name.trim_end().strip_suffix(':');
    let rest = bold.part(rest).trimmed();
    let outer = ["", ":", "–", "—", "- "].iter().rev().find_map(|mark| {
        let text = rest.text.strip_prefix(mark)?;
        (!mark.is_empty() || text.is_empty()).then(|| rest.part(text).trimmed())
    });
    let has_colon = inner.is_some() || rest.text.starts_with(':');
    let name = bold.part(inner.unwrap_or(name)).trimmed();
    let rest = if inner.is_some() { rest } else { outer? };
    let label = Label::named(name.text);
    // Bold words in a list or before a dash are prose unless we know them.
    let is_label = label.is_some() || (bulleted.is_none() && (has_colon || rest.text.is_empty()));
    (is_label && !name.text.is_empty()).then_some(Labelled { name, label, rest })
}

fn unknown(found: &Labelled<'_>, findings: &mut Findings<'_>) {
    let name = found.name.text;
    let message = format!("there is no label {}; its text is kept as part of the work", quoted(name));
    let mut warning = Diagnostic::warning(diagnostic::PLAN_UNKNOWN_LABEL, message);
    if let Some(near) = nearest(name, Label::VARIANTS.iter().map(|label| label.name())) {
        warning = warning.with_help(format!("did you mean `{near}`?"));
    }
    findings.report(found.name.span(), warning);
}

/// Reads one field other than the work.
fn field(label: Label, span: Span, lines: &[Line<'_>], task: &mut DraftTask, findings: &mut Findings<'_>) {
    match label {
        Label::Work => {}
        Label::AcceptanceCriteria => task.criteria = list::items(lines),
        Label::BlockedBy => {
            for piece in list::pieces(lines) {
                let span = piece.span();
                let id = value::id(piece.text, span, findings);
                task.blocked_by.extend(id.map(|value| Placed { value, span }));
            }
        }
        Label::RequiredReading => {
            for item in list::items(lines) {
                let reading = reading(&item.value);
                if reading.pattern.is_empty() {
                    findings.error(diagnostic::PLAN_VALUE, item.span, "the pattern is empty");
                }
                task.reading.push(reading);
            }
        }
        Label::Files => {
            for piece in list::pieces(lines) {
                task.files.extend(value::path(piece.text, piece.span(), findings));
            }
        }
        Label::Verify => {
            for item in list::items(lines) {
                let check = verify(&item, findings);
                task.verify.extend(check.map(|value| Placed { value, span: item.span }));
            }
        }
        Label::Environment | Label::Priority | Label::Risk | Label::Mode => {
            single(label, span, lines, task, findings);
        }
    }
}

/// Reads a field that is one word or a few.
fn single(label: Label, span: Span, lines: &[Line<'_>], task: &mut DraftTask, findings: &mut Findings<'_>) {
    let mut filled = lines.iter().filter(|line| line.kind != LineKind::Comment && !line.is_blank());
    let Some(first) = filled.next() else {
        // A template that was not filled in means the default.
        return;
    };
    if let Some(second) = filled.next() {
        let message = format!("the label **{}** takes one line", label.name());
        let help = "give the text below it a label of its own, such as **Work**";
        let defect = Diagnostic::error(diagnostic::PLAN_VALUE, message).with_help(help);
        findings.report(second.trimmed().span(), defect);
    }
    let text = unquoted(first.trimmed());
    let at = if text.text.is_empty() { span } else { text.span() };
    match label {
        Label::Environment => task.environment = value::environment(one_line(text.text)),
        Label::Priority => {
            task.priority = value::choice("the priority", text.text, at, findings).unwrap_or_default();
        }
        Label::Risk => task.risk = value::choice("the risk", text.text, at, findings).unwrap_or_default(),
        _ => task.propose = value::mode(text.text, at, findings).unwrap_or_default(),
    }
}

/// Reads a path or glob with the note behind it.
fn reading(text: &str) -> Reading {
    let (pattern, note) = match pieces(text).as_slice() {
        [Piece::Code(pattern), rest @ ..] => {
            let after = match rest {
                [] => "",
                // Everything behind the pattern, code included.
                _ => text.split_once(pattern).map_or("", |it| it.1.trim_start_matches('`')),
            };
            (*pattern, after.trim().trim_start_matches(['-', '–', '—', ':']).trim())
        }
        _ => text
            .strip_suffix(')')
            .and_then(|text| text.rsplit_once(" ("))
            .map_or((text, ""), |(pattern, note)| (pattern.trim_end(), note)),
    };
    let inner = note.strip_prefix('(').and_then(|note| note.strip_suffix(')')).unwrap_or(note);
    Reading { pattern: one_line(pattern), note: (!inner.is_empty()).then(|| one_line(inner)) }
}

/// Reads `NAME (ENVIRONMENT): COMMAND exits N`, of which only the command, in back-quotes, has to be there.
fn verify(item: &Placed<String>, findings: &mut Findings<'_>) -> Option<Verify> {
    let pieces = pieces(&item.value);
    let (before, command, after) = match *pieces.as_slice() {
        [Piece::Code(command)] => ("", command, ""),
        [Piece::Code(command), Piece::Prose(after)] => ("", command, after),
        [Piece::Prose(before), Piece::Code(command)] => (before, command, ""),
        [Piece::Prose(before), Piece::Code(command), Piece::Prose(after)] => (before, command, after),
        _ => return not_a_check(item, findings),
    };
    let before = before.trim();
    let after = after.trim().trim_end_matches('.');
    let expect_exit = match exit_phrase(after) {
        Some((Some(exit), "")) => exit,
        None if after.is_empty() => 0,
        _ => return not_a_check(item, findings),
    };
    let Some(name) = before.strip_suffix(':').or(before.is_empty().then_some("")) else {
        return not_a_check(item, findings);
    };
    let name = name.trim();
    let (name, environment) = match name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
        Some((name, environment)) => (name.trim(), value::environment(one_line(environment))),
        None => (name, None),
    };
    let argv = value::argv(command, item.span, findings)?;
    let name = if name.is_empty() { default_name(&argv, expect_exit) } else { one_line(name) };
    Some(Verify { name, environment, argv, expect_exit })
}

fn not_a_check(item: &Placed<String>, findings: &mut Findings<'_>) -> Option<Verify> {
    let message = format!("{} is not a check", quoted(&item.value));
    let help = "write ``- name: `command` exits 0``; the name and `exits 0` may be left out";
    let defect = Diagnostic::error(diagnostic::PLAN_COMMAND, message).with_help(help);
    findings.report(item.span, defect);
    None
}
