//! The Markdown form of a plan: headings divide it into tasks, bold labels a task into fields.
//!
//! Line by line and by ourselves, apart from any library: every defect needs its line and column, and what no rule
//! here reads is reported instead of lost.

mod fields;
mod heading;
mod list;

use crate::diagnostic::{self, Diagnostic, Span, quoted};
use crate::document::{LineIndex, Unreadable};

use super::draft::{Draft, DraftTask, Placed};
use super::findings::Findings;
use super::scan::{self, Line, LineKind, size};
use super::task::Phase;
use super::{PlanRead, too_large, value};

use heading::{Heading, Rank};

/// Reads the Markdown form.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<PlanRead, Unreadable> {
    if let Some(refused) = too_large(name, bytes) {
        return Err(refused);
    }
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Err(not_utf8(name, bytes, error.valid_up_to())),
    };
    let mut findings = Findings::new(name, LineIndex::new(text));
    if !characters(text, &mut findings) {
        return Err(findings.refused());
    }
    let (lines, open) = scan::scan(text);
    if let Some(open) = open {
        let message = format!("the {} that begins here is never closed", open.what);
        findings.error(diagnostic::PLAN_OPEN_BLOCK, open.span, message);
    }
    let mut reader = Reader::new(findings);
    for line in lines {
        reader.line(line);
    }
    reader.close()
}

/// The refusal of bytes that are no text, which nothing more can be said about.
fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> Unreadable {
    let message = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the plan is UTF-16",
        _ => "the plan is not UTF-8 text",
    };
    // Places are those of the text with what is wrong replaced, as it is shown.
    let text = String::from_utf8_lossy(bytes);
    let mut findings = Findings::new(name, LineIndex::new(&text));
    let span = Span { start: size(valid), end: size(valid + 3) };
    let defect = Diagnostic::error(diagnostic::DOCUMENT_ENCODING, message);
    findings.report(span, defect.with_help("save the plan as UTF-8"));
    findings.refused()
}

/// Reports what hides or acts on a terminal, once, at the first place; says whether the rest can be read, which it
/// cannot be with a NUL in it, as binary files have.
fn characters(text: &str, findings: &mut Findings<'_>) -> bool {
    let is_mark = |&(at, character): &(usize, char)| at == 0 && character == '\u{feff}';
    let mut found = scan::forbidden(text).filter(|found| !is_mark(found));
    let Some((at, character)) = found.next() else { return true };
    let span = Span { start: size(at), end: size(at + character.len_utf8()) };
    let more = match found.count() {
        0 => String::new(),
        1 => ", nor has one more after it".to_owned(),
        more => format!(", nor have {more} more after it"),
    };
    let message = format!("the character U+{:04X} has no place in a plan{more}", u32::from(character));
    findings.error(diagnostic::PLAN_CHARACTER, span, message);
    !text.contains('\0')
}

/// What the next line belongs to.
enum Inside {
    Overview,
    /// Text that nothing reads; told once where it begins.
    Nothing {
        is_told: bool,
    },
    Task,
}

/// Takes lines, and makes a draft.
struct Reader<'t, 'n> {
    findings: Findings<'n>,
    draft: Draft,
    inside: Inside,
    title: Option<Span>,
    phase: Option<u32>,
    overview: Vec<Line<'t>>,
    task: DraftTask,
    body: Vec<Line<'t>>,
}

impl<'t, 'n> Reader<'t, 'n> {
    fn new(findings: Findings<'n>) -> Self {
        Self {
            findings,
            draft: Draft::default(),
            inside: Inside::Overview,
            title: None,
            phase: None,
            overview: Vec::new(),
            task: DraftTask::default(),
            body: Vec::new(),
        }
    }

    fn line(&mut self, line: Line<'t>) {
        if line.kind == LineKind::Prose {
            if let Some(heading) = Heading::of(line) {
                return self.heading(line, heading);
            }
            if is_rule(line.text) {
                return self.rule();
            }
        }
        match &mut self.inside {
            Inside::Overview => self.overview.push(line),
            Inside::Task => self.body.push(line),
            Inside::Nothing { is_told } => {
                if !*is_told && line.kind != LineKind::Comment && !line.is_blank() {
                    *is_told = true;
                    let message = "this text belongs to no task and reaches nobody";
                    self.findings.warn(diagnostic::PLAN_UNREAD, line.trimmed().span(), message);
                }
            }
        }
    }

    fn heading(&mut self, line: Line<'t>, heading: Heading<'t>) {
        match heading.rank() {
            Rank::Task => self.begin_task(heading),
            Rank::Phase => self.begin_phase(heading),
            Rank::Misplaced(wanted) => {
                let message =
                    format!("the heading {} has another level than {wanted}", quoted(heading.text.text));
                self.wrong_heading(line, message);
                self.end_task();
                self.inside = Inside::Nothing { is_told: true };
            }
            Rank::Other if matches!(self.inside, Inside::Overview) => {
                if heading.level == 1 && self.title.is_none() && !heading.text.text.is_empty() {
                    self.title = Some(heading.text.span());
                    self.draft.title = scan::one_line(heading.text.text);
                } else {
                    self.overview.push(line);
                }
            }
            // Below the level of tasks a heading is part of the text that it stands in.
            Rank::Other if heading.level > 4 && matches!(self.inside, Inside::Task) => self.body.push(line),
            Rank::Other if heading.level == 4 => {
                let message = format!("the heading {} is no task's", quoted(heading.text.text));
                self.wrong_heading(line, message);
                self.end_task();
                self.inside = Inside::Nothing { is_told: true };
            }
            Rank::Other => {
                self.end_task();
                self.inside = Inside::Nothing { is_told: false };
            }
        }
    }

    fn wrong_heading(&mut self, line: Line<'t>, message: String) {
        self.findings.error(diagnostic::PLAN_HEADING, line.trimmed().span(), message);
    }

    fn begin_phase(&mut self, heading: Heading<'t>) {
        self.end_task();
        self.inside = Inside::Nothing { is_told: false };
        let (number, name) = heading.parts();
        let number_read = number.text.parse().ok();
        let name_read = name.map(|name| scan::one_line(name.text)).filter(|name| !name.is_empty());
        let (Some(number), Some(name)) = (number_read, name_read) else {
            let message =
                format!("the heading {} is not like `### Phase 1: name`", quoted(heading.text.text));
            self.findings.error(diagnostic::PLAN_HEADING, heading.text.span(), message);
            return;
        };
        self.phase = Some(number);
        let span = heading.text.span();
        self.draft.phases.push(Placed { value: Phase { number, name }, span });
    }

    fn begin_task(&mut self, heading: Heading<'t>) {
        self.end_task();
        self.inside = Inside::Task;
        let (id, title) = heading.parts();
        let title = title.map(|title| scan::one_line(title.text)).filter(|title| !title.is_empty());
        self.task = DraftTask { span: id.span(), phase: self.phase, ..DraftTask::default() };
        if title.is_none() {
            let message =
                format!("the heading {} is not like `#### Task 1-1: title`", quoted(heading.text.text));
            self.findings.error(diagnostic::PLAN_HEADING, heading.text.span(), message);
        } else {
            self.task.id = value::id(id.text, id.span(), &mut self.findings);
        }
        self.task.title = title.unwrap_or_default();
    }

    /// A rule ends a task; in an overview it only looks nice.
    fn rule(&mut self) {
        if matches!(self.inside, Inside::Task) {
            self.end_task();
            self.inside = Inside::Nothing { is_told: false };
        }
    }

    fn end_task(&mut self) {
        if matches!(self.inside, Inside::Task) {
            let mut task = std::mem::take(&mut self.task);
            fields::read(&self.body, &mut task, &mut self.findings);
            self.draft.tasks.push(task);
            self.body.clear();
        }
    }

    fn close(mut self) -> Result<PlanRead, Unreadable> {
        self.end_task();
        if self.title.is_none() {
            self.findings.error(diagnostic::PLAN_TITLE, Span::default(), "the plan has no title");
        }
        self.draft.overview = scan::block(self.overview);
        self.draft.close(self.findings)
    }
}

/// Tells whether a line is a rule, such as `---`.
fn is_rule(text: &str) -> bool {
    let marks: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let first = marks.first().copied().filter(|mark| matches!(mark, b'-' | b'*' | b'_'));
    marks.len() >= 3 && first.is_some_and(|first| marks.iter().all(|mark| *mark == first))
}
