//! Which of the rules that were read stand, apart because it is the one thing that rules say about each other.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, RULES_CYCLE, RULES_DUPLICATE, quoted};

use super::rule::Rule;

/// How many rules of a cycle a message names.
const SHOWN_MAX: usize = 20;

/// A rule that another one stands in for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    /// The rule that is left out.
    pub id: String,
    /// The first of those that name it.
    pub by: String,
}

/// Puts rules in the order of their ids and drops those that others supersede.
pub(super) fn settle(mut rules: Vec<Rule>, found: &mut Vec<Diagnostic>) -> (Vec<Rule>, Vec<Superseded>) {
    rules.sort_by(|one, other| (&one.id, &one.place).cmp(&(&other.id, &other.place)));
    for [one, other] in rules.array_windows() {
        if one.id == other.id {
            let message = format!("the rule {} is also in {}", quoted(&other.id), one.place.file);
            found.push(Diagnostic::error(RULES_DUPLICATE, message).at(other.place.clone()));
        }
    }
    rules.dedup_by(|other, one| other.id == one.id);
    cycles(&rules, found);
    let mut by: BTreeMap<String, String> = BTreeMap::new();
    for rule in &rules {
        for old in rule.lineage.supersedes.iter().flatten() {
            by.entry(old.clone()).or_insert_with(|| rule.id.clone());
        }
    }
    let mut superseded = Vec::new();
    rules.retain(|rule| match by.remove(&rule.id) {
        Some(by) => {
            superseded.push(Superseded { id: rule.id.clone(), by });
            false
        }
        None => true,
    });
    (rules, superseded)
}

/// Reports each circle of rules that supersede each other, once, at its least rule.
fn cycles(rules: &[Rule], found: &mut Vec<Diagnostic>) {
    let positions: BTreeMap<&str, usize> =
        rules.iter().enumerate().map(|(position, rule)| (rule.id.as_str(), position)).collect();
    let next = |at: usize| {
        let named = rules.get(at).into_iter().flat_map(|rule| rule.lineage.supersedes.iter().flatten());
        named.filter_map(|id| positions.get(id.as_str()).copied())
    };
    // Whoever is taken away again and again because it supersedes nobody is in no circle.
    let mut waits: Vec<usize> = (0..rules.len()).map(|at| next(at).count()).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); rules.len()];
    for at in 0..rules.len() {
        for old in next(at) {
            before.get_mut(old).into_iter().for_each(|it| it.push(at));
        }
    }
    let mut free: Vec<usize> = (0..rules.len()).filter(|at| waits.get(*at) == Some(&0)).collect();
    while let Some(done) = free.pop() {
        for at in before.get(done).into_iter().flatten() {
            if let Some(left) = waits.get_mut(*at) {
                *left -= 1;
                if *left == 0 {
                    free.push(*at);
                }
            }
        }
    }
    let is_left = |at: usize| waits.get(at).is_some_and(|left| *left > 0);
    let mut seen = vec![false; rules.len()];
    for start in (0..rules.len()).filter(|at| is_left(*at)) {
        let mut way = Vec::new();
        let mut at = start;
        while let Some(it) = seen.get_mut(at).filter(|it| !**it) {
            *it = true;
            way.push(at);
            let Some(further) = next(at).find(|further| is_left(*further)) else { break };
            at = further;
        }
        if let Some(begin) = way.iter().position(|it| *it == at) {
            found.extend(cycle(rules, way.get(begin..).unwrap_or_default()));
        }
    }
}

fn cycle(rules: &[Rule], way: &[usize]) -> Option<Diagnostic> {
    // From its least rule, so that the message is the same wherever the search began.
    let least = way.iter().enumerate().min_by_key(|(_, at)| **at)?.0;
    let circle = || way.iter().cycle().skip(least).filter_map(|at| rules.get(*at));
    let first = circle().next()?;
    let shown = way.len().min(SHOWN_MAX);
    let mut ids: Vec<&str> = circle().take(shown).map(|rule| rule.id.as_str()).collect();
    ids.push(if shown < way.len() { "…" } else { &first.id });
    let message = format!("rules supersede each other in a circle: {}", ids.join(" → "));
    Some(Diagnostic::error(RULES_CYCLE, message).at(first.place.clone()))
}
