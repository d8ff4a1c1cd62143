//! `provost doctor`: whether all is in place, and what mends what is not.

use clap::Args;
use provost_core::diagnostic::{Exit, visible};
use provost_runtime::doctor::{self, Finding, Mark};
use serde::Serialize;

use super::{Context, Done};

/// Look whether all is in place for a run, and say what mends what is not.
///
/// Ends with status 0 where nothing is an error, else with 9.
///
/// Example: `provost doctor`
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

#[derive(Serialize)]
struct Examined {
    ok: bool,
    findings: Vec<Finding>,
}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Done {
    let findings = doctor::examine(&context.folder, std::env::var_os("PATH").as_deref());
    let count = |mark: Mark| findings.iter().filter(|finding| finding.mark == mark).count();
    let (errors, warnings) = (count(Mark::Error), count(Mark::Warning));
    let exit = if errors == 0 { Exit::Done } else { Exit::Refused };
    if context.screen.is_json() {
        context.screen.document(&Examined { ok: errors == 0, findings })?;
        return Ok(exit);
    }
    for Finding { about, mark, message, mend } in &findings {
        let mark = match mark {
            Mark::Ok => "ok",
            Mark::Warning => "warning",
            Mark::Error => "error",
        };
        context.screen.line(format!("{mark:<7}  {about:<10}  {}", visible(message)))?;
        if let Some(mend) = mend {
            context.screen.line(format!("{:<21}mend: {}", "", visible(mend)))?;
        }
    }
    let plural = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    context.screen.line("")?;
    context.screen.line(match (errors, warnings) {
        (0, 0) => "all is in place".to_owned(),
        (0, _) => format!("a run can begin; {}", plural(warnings, "warning")),
        _ => format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")),
    })?;
    Ok(exit)
}
