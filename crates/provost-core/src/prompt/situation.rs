//! The sections that say what the turn is about, apart from those that hand over material.

use super::context::{Context, Resume};
use super::page::{Page, code, codes};
use crate::role::Role;
use crate::signal::{Signal, to_text};

/// Bytes of the work's text and of other texts of that kind.
const TEXT_MAX: usize = 48 << 10;

/// Who is asked, for what, for which time.
pub(super) fn title(page: &mut Page, role: Role, context: &Context) {
    let Context { project, task, attempt, .. } = context;
    page.own(&format!("# {role} of task {} in {}", code(&task.id), code(project)));
    page.own(&format!("Attempt {attempt}. Title: {}", code(&task.title)));
}

/// The task, whole.
pub(super) fn task(page: &mut Page, context: &Context) {
    let task = &context.task;
    page.heading("The task");
    let mut facts = vec![format!("id: {}", code(&task.id))];
    facts.extend(task.phase.as_ref().map(|phase| format!("phase: {}", code(phase))));
    facts.push(format!("priority: {}, risk: {}", code(&task.priority), code(&task.risk)));
    facts.push(if task.files.is_empty() {
        "files: the plan does not restrict them".to_owned()
    } else {
        format!("files that it may write: {}", codes(&task.files))
    });
    page.bullets(facts);
    page.quote("The work, as the plan has it:", &task.work, TEXT_MAX);
    if let Some(expansion) = &context.expansion {
        let title = format!(
            "An analyst expanded the work, with confidence {}; where it differs from the plan, the plan holds:",
            code(&expansion.confidence)
        );
        page.quote(&title, &expansion.specification, TEXT_MAX);
        listed(page, "Assumed by the analyst; check each against the code:", &expansion.assumptions);
    }
    let expanded = context.expansion.iter().flat_map(|it| &it.criteria);
    let criteria: Vec<String> = task.criteria.iter().chain(expanded).cloned().collect();
    listed(page, "Acceptance criteria:", &criteria);
}

/// Texts from elsewhere, numbered, in one quotation; nothing where there are none.
fn listed(page: &mut Page, title: &str, texts: &[String]) {
    if !texts.is_empty() {
        let lines: Vec<String> = (1..).zip(texts).map(|(at, text)| format!("{at}. {text}")).collect();
        page.quote(title, &lines.join("\n"), TEXT_MAX);
    }
}

/// What people decided.
pub(super) fn answers(page: &mut Page, context: &Context) {
    if context.answers.is_empty() {
        return;
    }
    page.heading("What people decided");
    page.own("These answers were given for this task and are to be followed.");
    for answer in &context.answers {
        page.quote("Asked:", &answer.question, TEXT_MAX);
        page.quote(&format!("Answered by {}:", code(&answer.by)), &answer.answer, TEXT_MAX);
    }
}

/// What an earlier turn left behind.
pub(super) fn resume(page: &mut Page, context: &Context) {
    let Some(Resume { ended, checkpoint, summary }) = &context.resume else { return };
    page.heading("Where an earlier turn stopped");
    page.own(&format!(
        "An earlier turn of your role ended without a result ({}). What it changed is in the worktree: look at it before \
         you go on, and keep what is good.",
        code(ended)
    ));
    if let Some(checkpoint) = checkpoint {
        let said = to_text(&Signal::Checkpoint(checkpoint.clone()), &context.task.id);
        page.quote("The last checkpoint that it gave:", &said, TEXT_MAX);
    }
    if let Some(summary) = summary {
        page.quote("What it said last:", summary, TEXT_MAX);
    }
}

/// Where the work is done.
pub(super) fn worktree(page: &mut Page, context: &Context) {
    let worktree = &context.worktree;
    page.heading("The worktree");
    let mut facts = vec![format!("made from commit {}", code(&worktree.base))];
    facts.extend(worktree.commit.as_ref().map(|commit| format!("judged is commit {}", code(commit))));
    facts.push("your current folder when you start; other tasks have their own".to_owned());
    facts.extend(worktree.absent.iter().map(|absent| format!("not here: {}", code(absent))));
    page.bullets(facts);
}

/// Tasks at work on files nearby.
pub(super) fn neighbours(page: &mut Page, context: &Context) {
    if context.neighbours.is_empty() {
        return;
    }
    page.heading("File coordination notice");
    page.own(
        "Other tasks are changing files near yours. Keep away from theirs; where you cannot, add rather than rewrite, so \
         that both changes can be joined.",
    );
    page.bullets(
        context.neighbours.iter().map(|it| format!("task {}: {}", code(&it.task_id), codes(&it.files))),
    );
}

/// What went wrong elsewhere.
pub(super) fn patterns(page: &mut Page, context: &Context) {
    if context.patterns.is_empty() {
        return;
    }
    page.heading("What went wrong in other tasks");
    page.bullets(context.patterns.iter().map(|pattern| code(pattern)));
}
