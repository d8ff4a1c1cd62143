//! What an agent is told: the text of its role and all that it has to know, apart because agents share no memory and a
//! turn can only be as good as its page.
//!
//! A page is a function of a role and a [`Context`]. Whatever comes from files, programs, agents or people stands in
//! fences that it cannot close, or on one line in backticks; only our own sentences stand free. A page read back as
//! output holds no signal.

mod context;
mod feedback;
mod formats;
mod material;
mod page;
mod situation;

pub use context::{
    Answer, Assessment, Check, Context, Environment, Expansion, Expert, Feedback, Finding, Guide, Measured,
    Neighbour, Reading, Resume, Task, Worktree,
};

use crate::role::Role;
use page::Page;

const DEVELOPER: &str = include_str!("prompt/developer.md");
const CRITIC: &str = include_str!("prompt/critic.md");
const AUDITOR: &str = include_str!("prompt/auditor.md");
/// What every role is bound by.
const GROUND: &str = include_str!("prompt/ground.md");
/// What neither critic nor auditor lets pass.
const TELLS: &str = include_str!("prompt/tells.md");

/// The page of one turn.
pub fn render(role: Role, context: &Context) -> String {
    let mut page = Page::default();
    situation::title(&mut page, role, context);
    match role {
        Role::Developer => developer(&mut page, context),
        Role::Critic => critic(&mut page, context),
        Role::Auditor => auditor(&mut page, context),
    }
    formats::section(&mut page, role, &context.task.id);
    page.into_text()
}

fn developer(page: &mut Page, context: &Context) {
    page.own(DEVELOPER);
    page.own(GROUND);
    situation::task(page, context);
    feedback::section(page, Role::Developer, context);
    situation::answers(page, context);
    situation::resume(page, context);
    situation::worktree(page, context);
    material::reading(page, context);
    material::checks(page, context);
    situation::neighbours(page, context);
    situation::patterns(page, context);
    material::experts(page, context);
    material::guides(page, context);
}

fn critic(page: &mut Page, context: &Context) {
    page.own(CRITIC);
    page.own(TELLS);
    page.own(GROUND);
    situation::task(page, context);
    material::changed(page, context);
    material::claim(page, context);
    material::measured(page, context);
    material::diff(page, context);
    feedback::section(page, Role::Critic, context);
    situation::answers(page, context);
    situation::resume(page, context);
    situation::worktree(page, context);
    situation::patterns(page, context);
    material::reading(page, context);
    material::guides(page, context);
}

fn auditor(page: &mut Page, context: &Context) {
    page.own(AUDITOR);
    page.own(TELLS);
    page.own(GROUND);
    situation::task(page, context);
    material::changed(page, context);
    material::measured(page, context);
    material::claim(page, context);
    material::assessment(page, context);
    material::diff(page, context);
    feedback::section(page, Role::Auditor, context);
    situation::answers(page, context);
    situation::resume(page, context);
    situation::worktree(page, context);
    material::checks(page, context);
    material::reading(page, context);
    situation::patterns(page, context);
    material::guides(page, context);
}
