//! Why a task came back, apart because each kind of return asks for something else.

use super::context::{Context, Finding};
use super::material::results;
use super::page::{Page, code};
use crate::role::Role;
use crate::signal::{Signal, to_text};

/// Bytes of one verdict.
const VERDICT_MAX: usize = 16 << 10;

/// All returns of the task, oldest first; nothing on a first attempt.
pub(super) fn section(page: &mut Page, role: Role, context: &Context) {
    if context.feedback.is_empty() {
        return;
    }
    page.heading("What came back from earlier attempts");
    page.own(match role {
        Role::Developer => {
            "The task was not accepted. Mend everything below, keep what already passed, and expect critic and auditor to \
             look at all of it again."
        }
        Role::Critic | Role::Auditor => {
            "The task was not accepted before. See that each point below is mended; what you judge is the change as it is \
             now."
        }
    });
    if role == Role::Developer && !context.changed.is_empty() {
        page.own("Files that earlier attempts changed:");
        page.bullets(context.changed.iter().map(|file| code(file)));
    }
    for feedback in &context.feedback {
        finding(page, context, feedback.attempt, &feedback.finding);
    }
}

fn finding(page: &mut Page, context: &Context, attempt: u32, finding: &Finding) {
    let task_id = &context.task.id;
    match finding {
        Finding::Critic(failed) => {
            let said = to_text(&Signal::ReviewFailed(failed.clone()), task_id);
            page.quote(&format!("Attempt {attempt}: the critic objected."), &said, VERDICT_MAX);
        }
        Finding::Auditor(failed) => {
            let said = to_text(&Signal::AuditFailed(failed.clone()), task_id);
            page.quote(
                &format!("Attempt {attempt}: the auditor found criteria that are not met."),
                &said,
                VERDICT_MAX,
            );
        }
        Finding::Checks { measured } => {
            page.own(&format!(
                "Attempt {attempt}: Provost ran the checks on the change, and not all passed."
            ));
            results(page, measured, false);
        }
        Finding::Outside { files } => {
            page.own(&format!(
                "Attempt {attempt}: the change touches files that the plan does not let this task write. Take back what you \
                 did to them. If the work cannot be done without them, say why in the summary when you are ready again: a \
                 person is then asked."
            ));
            page.bullets(files.iter().map(|file| code(file)));
        }
        Finding::Joined { measured } => {
            page.own(&format!(
                "Attempt {attempt}: joined with what landed meanwhile, not all checks passed. The worktree has both now."
            ));
            results(page, measured, false);
        }
        Finding::Conflict { files } => {
            page.own(&format!(
                "Attempt {attempt}: the change conflicts with what landed meanwhile. The worktree has both now; these files \
                 have conflict marks in them, and each has to be resolved so that both intentions survive:"
            ));
            page.bullets(files.iter().map(|file| code(file)));
        }
        Finding::Signal { why } => {
            page.quote(&format!("Attempt {attempt}: the signal was not accepted."), why, VERDICT_MAX);
        }
    }
}
