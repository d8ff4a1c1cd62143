//! What a task may write: what it changed, held against the files that the plan gives it. Apart because it is a gate of
//! its own beside the checks: measured on the commit, whatever the agent says about it.

use std::collections::BTreeSet;

use super::command::CheckSpec;
use super::effect::Feedback;
use super::task::Task;
use crate::plan::pattern;

/// How many bytes of paths a record holds; what is left out is counted.
const PATHS_BYTES_MAX: usize = 4_000;

/// How many tasks are named to a person.
const NAMED_MAX: usize = 5;

/// How many characters of a developer's claim a person is shown in a question.
pub(super) const CLAIM_MAX: usize = 300;

/// The answer that lets a task keep what it changed outside its files.
pub(super) const ALLOW: &str = "allow";

/// The answer that does not.
pub(super) const KEEP_OUT: &str = "keep-out";

/// What of a change lies outside the files that the plan and people let a task write; nothing where the plan names none.
pub fn outside<'c>(files: &[String], allowed: &BTreeSet<String>, changed: &'c [String]) -> Vec<&'c str> {
    if files.is_empty() {
        return Vec::new();
    }
    // What a person allowed are names and not patterns.
    let may = |path: &&str| files.iter().any(|own| pattern::matches(own, path)) || allowed.contains(*path);
    changed.iter().map(String::as_str).filter(|path| !may(path)).collect()
}

impl Task {
    /// A person lets it keep what lay outside.
    pub(super) fn allow(&mut self, allowed: &[String]) {
        if allowed.is_empty() {
            return;
        }
        self.allowed.extend(allowed.iter().cloned());
        self.feedback.retain(|it| !matches!(it, Feedback::Outside(_)));
        // Where nothing else was wrong with it, nobody has to work on it before it is measured again.
        self.claimed = self.feedback.is_empty();
    }
}

/// As many paths as a record holds.
pub(super) fn listed<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    let mut room = PATHS_BYTES_MAX;
    let fits = |path: &&str| {
        let left = room.checked_sub(path.len() + 3);
        room = left.unwrap_or_default();
        left.is_some()
    };
    paths.into_iter().take_while(fits).map(str::to_owned).collect()
}

/// Paths for people: each in back-quotes, the rest counted.
pub fn named(paths: &[String], more: u64) -> String {
    let mut text: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    if more > 0 {
        text.push(format!("{more} more"));
    }
    text.join(", ")
}

/// What a person is told when nothing would prove some of the work, or nothing says when it is done: the project has no
/// required check and some tasks have none of their own, or some have no criterion at all. Nothing where neither is so.
pub fn unproven<'t>(
    checks: &[CheckSpec],
    tasks: impl IntoIterator<Item = (&'t str, &'t [CheckSpec])>,
    without_criteria: impl IntoIterator<Item = &'t str>,
) -> Option<String> {
    let required = |checks: &[CheckSpec]| checks.iter().any(|check| check.required);
    let (proven, bare): (Vec<_>, Vec<_>) = tasks.into_iter().partition(|(_, own)| required(own));
    if required(checks) || bare.is_empty() {
        let names: Vec<&str> = without_criteria.into_iter().collect();
        let why = "nothing says when these tasks are done, because they have no criterion";
        return (!names.is_empty()).then(|| format!("{why}: {}", few(&names)));
    }
    if proven.is_empty() {
        return Some(
            "no required check is configured, and no task has one, so nothing can be proven".to_owned(),
        );
    }
    let names: Vec<&str> = bare.iter().map(|(id, _)| *id).collect();
    let why =
        "no required check is configured, and these tasks have none of their own, so nothing proves them";
    Some(format!("{why}: {}", few(&names)))
}

/// The first of some names, and how many more there are.
fn few(names: &[&str]) -> String {
    let first: Vec<&str> = names.iter().take(NAMED_MAX).copied().collect();
    match names.len().saturating_sub(NAMED_MAX) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
