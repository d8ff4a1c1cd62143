//! What a command that did not succeed says, in one place: text on standard error, JSON on standard output, and
//! the exit status that belongs to the code.

use std::io::{self, IsTerminal as _, Write as _};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use provost_core::diagnostic::{self, Diagnostic, Exit, Severity};
use provost_runtime::config::Rejected;
use provost_runtime::journal::Fault;
use serde::Serialize;

use crate::screen::Screen;

/// Why a command ends without having done what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something is to be said.
    Said {
        diagnostics: Vec<Diagnostic>,
        /// The text that places refer to.
        source: Option<String>,
    },
    /// Nobody reads what is printed any more.
    NobodyReads,
}

#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    exit: Exit,
    errors: &'a [Diagnostic],
}

impl Failure {
    /// The same without places, for what was typed and is in no file.
    pub(crate) fn placeless(mut self) -> Failure {
        if let Failure::Said { diagnostics, .. } = &mut self {
            for diagnostic in diagnostics {
                diagnostic.place = None;
            }
        }
        self
    }

    /// Says what is to be said and gives the exit status.
    pub(crate) fn report(self, screen: &mut Screen) -> Exit {
        let Failure::Said { diagnostics, source } = self else { return Exit::Done };
        // Warnings stand among errors in the order of their places, and none of them ends a command.
        let first = diagnostics.iter().find(|it| it.severity == Severity::Error);
        let exit = first.map_or(Exit::Bug, |first| first.code.exit());
        // What was printed before belongs before it.
        let _ = screen.flush();
        if screen.is_json() {
            // Where the document cannot be written, people are told instead.
            if screen.document(&Report { ok: false, exit, errors: &diagnostics }).is_ok() {
                return exit;
            }
        }
        for diagnostic in &diagnostics {
            print(diagnostic, source.as_deref());
        }
        exit
    }
}

/// Prints a diagnostic to standard error.
pub(crate) fn print(diagnostic: &Diagnostic, source: Option<&str>) {
    let plain = !io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    let renderer = if plain { Renderer::plain() } else { Renderer::styled() };
    // Without a standard error there is nobody to tell.
    let _ = writeln!(io::stderr(), "{}", render(diagnostic, source, &renderer));
}

fn render(diagnostic: &Diagnostic, source: Option<&str>, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let place = diagnostic.place.as_deref();
    // Without the text there is nothing to point at, and the place is said.
    let message = match (place, source) {
        (Some(place), None) => format!("{place}: {}", diagnostic.message),
        _ => diagnostic.message.clone(),
    };
    let title = level.primary_title(message.as_str()).id(diagnostic.code.name());
    let help = Level::HELP.message(diagnostic.help.as_str());
    let group = match (place, place.and_then(|place| place.span), source) {
        (Some(place), Some(span), Some(source)) => {
            let length = source.len();
            let start = (span.start as usize).min(length);
            let end = (span.end as usize).clamp(start, length);
            let annotation = AnnotationKind::Primary.span(start..end);
            let snippet = Snippet::source(source).path(place.file.as_str()).annotation(annotation);
            title.element(snippet).element(help)
        }
        _ => title.element(help),
    };
    renderer.render(&[group])
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Said { diagnostics: vec![diagnostic], source: None }
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        Failure::Said { diagnostics, source: None }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        if let Fault::Disk { source, .. } = &fault
            && source.kind() == io::ErrorKind::BrokenPipe
        {
            return Failure::NobodyReads;
        }
        fault.diagnostic().into()
    }
}

impl From<Rejected> for Failure {
    fn from(rejected: Rejected) -> Failure {
        // Without its text there is nothing to show places in, and they are said instead.
        let source = Some(rejected.text).filter(|text| !text.is_empty());
        Failure::Said { diagnostics: rejected.defects, source }
    }
}

/// Errors of printing; those of the project's files are faults with a code of their own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::NobodyReads;
        }
        Diagnostic::error(diagnostic::OUTPUT_FAILED, error.to_string()).into()
    }
}
