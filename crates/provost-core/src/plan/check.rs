//! What concerns several tasks at once: names, blockers and cycles, apart because both forms are checked alike.

use std::collections::{BTreeMap, VecDeque};

use crate::diagnostic::{self, Diagnostic, nearest, quoted};

use super::TaskId;
use super::draft::DraftTask;
use super::findings::Findings;

/// How many tasks of a cycle a message names.
const SHOWN_MAX: usize = 20;

/// How many ids are compared with one that is unknown; beyond, a suggestion costs more than it helps.
const COMPARED_MAX: usize = 500;

/// Checks that no two tasks have one name, also where upper and lower case are the same.
pub(super) fn names(tasks: &[DraftTask], findings: &mut Findings<'_>) {
    let mut first: BTreeMap<String, &DraftTask> = BTreeMap::new();
    for task in tasks {
        let Some(id) = &task.id else { continue };
        let folded = id.as_str().to_ascii_lowercase();
        let Some(before) = first.get(&folded) else {
            first.insert(folded, task);
            continue;
        };
        let line = findings.line(before.span);
        let message = match &before.id {
            Some(other) if other != id => {
                format!("the id `{id}` differs from `{other}` in line {line} only in upper and lower case")
            }
            _ => format!("the id `{id}` is taken already in line {line}"),
        };
        findings.error(diagnostic::PLAN_DUPLICATE_ID, task.span, message);
    }
}

/// Checks that every blocker exists, that nothing waits for itself, and that something can start.
pub(super) fn edges(tasks: &[DraftTask], findings: &mut Findings<'_>) {
    let mut positions: BTreeMap<&TaskId, usize> = BTreeMap::new();
    for (at, task) in tasks.iter().enumerate() {
        if let Some(id) = &task.id {
            positions.entry(id).or_insert(at);
        }
    }
    let mut blockers = Vec::with_capacity(tasks.len());
    for task in tasks {
        let mut edges = Vec::new();
        for blocker in &task.blocked_by {
            match positions.get(&blocker.value) {
                _ if task.id.as_ref() == Some(&blocker.value) => {
                    let message = format!("task `{}` is blocked by itself", blocker.value);
                    findings.error(diagnostic::PLAN_BLOCKS_ITSELF, blocker.span, message);
                }
                Some(at) => edges.push(*at),
                None => {
                    let message = format!("there is no task {}", quoted(blocker.value.as_str()));
                    let mut defect = Diagnostic::error(diagnostic::PLAN_UNKNOWN_BLOCKER, message);
                    let known = positions.keys().take(COMPARED_MAX).map(|id| id.as_str());
                    if !findings.is_full()
                        && let Some(near) = nearest(blocker.value.as_str(), known)
                    {
                        defect = defect.with_help(format!("did you mean `{near}`?"));
                    }
                    findings.report(blocker.span, defect);
                }
            }
        }
        blockers.push(edges);
    }
    for ring in rings(&blockers) {
        cycle(tasks, &ring, findings);
    }
    if let Some(first) = tasks.first()
        && tasks.iter().all(|task| !task.blocked_by.is_empty())
    {
        let message = "every task is blocked by another, so none can start";
        findings.error(diagnostic::PLAN_NO_START, first.span, message);
    }
}

/// Reports one cycle, where its first task names the next.
fn cycle(tasks: &[DraftTask], ring: &[usize], findings: &mut Findings<'_>) {
    let id = |at: &usize| tasks.get(*at).and_then(|task| task.id.as_ref());
    let (Some(first), Some(second)) = (ring.first(), ring.get(1)) else { return };
    let Some(task) = tasks.get(*first) else { return };
    let edge = task.blocked_by.iter().find(|blocker| Some(&blocker.value) == id(second));
    let mut path: Vec<&str> = ring.iter().filter_map(id).map(TaskId::as_str).collect();
    let omitted = path.len().saturating_sub(SHOWN_MAX);
    path.truncate(SHOWN_MAX);
    let between = if omitted == 0 { String::new() } else { format!("… {omitted} more … -> ") };
    let last = id(first).map_or("", TaskId::as_str);
    let message = format!("tasks wait for each other: `{} -> {between}{last}`", path.join(" -> "));
    findings.error(diagnostic::PLAN_CYCLE, edge.map_or(task.span, |edge| edge.span), message);
}

/// One shortest cycle for every set of tasks that all wait for each other, from its first task.
fn rings(blockers: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let groups = groups(blockers);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for group in &groups {
        *sizes.entry(*group).or_default() += 1;
    }
    let mut rings = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        if sizes.remove(group).is_some_and(|size| size > 1) {
            rings.extend(ring(blockers, &groups, at));
        }
    }
    rings
}

/// The shortest way from a task back to itself within its group.
fn ring(blockers: &[Vec<usize>], groups: &[usize], start: usize) -> Option<Vec<usize>> {
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for next in blockers.get(at)? {
            if groups.get(*next) != groups.get(start) {
                continue;
            }
            if *next == start {
                let mut path = vec![at];
                let mut step = at;
                while step != start {
                    step = *came_from.get(&step)?;
                    path.push(step);
                }
                path.reverse();
                return Some(path);
            }
            came_from.entry(*next).or_insert_with(|| {
                queue.push_back(*next);
                at
            });
        }
    }
    None
}

/// For every task the group of tasks that it waits for and that wait for it (Kosaraju's two walks).
fn groups(blockers: &[Vec<usize>]) -> Vec<usize> {
    let mut blocked = vec![Vec::new(); blockers.len()];
    for (at, edges) in blockers.iter().enumerate() {
        for edge in edges {
            if let Some(back) = blocked.get_mut(*edge) {
                back.push(at);
            }
        }
    }
    let mut order = Vec::with_capacity(blockers.len());
    let mut is_seen = vec![false; blockers.len()];
    for start in 0..blockers.len() {
        walk(blockers, start, &mut is_seen, |at| order.push(at));
    }
    let mut groups = vec![0; blockers.len()];
    is_seen.fill(false);
    for start in order.into_iter().rev() {
        walk(&blocked, start, &mut is_seen, |at| {
            if let Some(group) = groups.get_mut(at) {
                *group = start;
            }
        });
    }
    groups
}

/// Visits what can be reached and was not seen, depth first; tells when a task and all below it are done.
fn walk(edges: &[Vec<usize>], start: usize, is_seen: &mut [bool], mut done: impl FnMut(usize)) {
    let mut see = |at: usize| is_seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true));
    if !see(start) {
        return;
    }
    // A stack of our own: a chain of blockers is as long as a plan.
    let mut stack = vec![(start, 0)];
    while let Some((at, next)) = stack.last_mut() {
        if let Some(&to) = edges.get(*at).and_then(|edges| edges.get(*next)) {
            *next += 1;
            if see(to) {
                stack.push((to, 0));
            }
        } else {
            done(*at);
            stack.pop();
        }
    }
}
