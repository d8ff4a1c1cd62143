//! Why a judgement is what it is, rule by rule, as data for a front to print. Apart because judging keeps numbers and
//! only people need words.

use serde::Serialize;

use crate::vocabulary::Decision;

use super::book::{AtomId, RuleBook, admits};
use super::facts::Facts;
use super::judgement::{Held, Judgement, Outcome};
use super::language::{Condition, Node};
use super::predicate::Tri;
use super::rule::{Rule, Scope, Severity};
use super::subject::Subject;

/// What became of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "outcome", rename_all = "snake_case")]
pub enum Verdict {
    /// Its condition holds, and it comes to this.
    Fired(Outcome),
    /// It could stop the subject and lacks a fact.
    Undecided,
    /// It could not stop the subject, lacks a fact and counts as not fired.
    UnknownNoted,
    /// Its condition does not hold.
    NotMet,
    /// It is about something else.
    NotInScope,
}

/// One line of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// How deep it stands in the rule.
    pub depth: u32,
    /// What is asked.
    pub text: String,
    /// The answer.
    pub value: Tri,
}

/// One rule, and why it says what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explained<'r> {
    /// The rule's id.
    pub rule: &'r str,
    /// What it is called.
    pub title: &'r str,
    /// How much it weighs.
    pub severity: Severity,
    /// What it applies to; an empty list means any.
    pub scope: Scope,
    /// What became of it.
    pub verdict: Verdict,
    /// Its conditions: all of them, or those that made it what it is.
    pub conditions: Vec<Line>,
    /// What it says when it fires.
    pub decision: Decision,
    /// Why.
    pub reason: &'r str,
    /// What would change it.
    pub required_changes: &'r [String],
    /// What it demands and is on record.
    pub recorded: Vec<&'static str>,
    /// What it demands and is not.
    pub absent: Vec<String>,
}

impl RuleBook {
    /// Explains a judgement: every rule that it names, in the order of their ids.
    pub fn explain(&self, judgement: &Judgement) -> Vec<Explained<'_>> {
        let mut explained: Vec<(u32, Explained<'_>)> = Vec::new();
        for fired in &judgement.fired {
            let Some(rule) = self.rule(fired.rule) else { continue };
            let lines = fired.evidence.iter().map(|held| self.line(*held)).collect();
            let mut one = begin(rule, Verdict::Fired(fired.outcome), lines);
            one.recorded = fired.recorded.iter().map(Into::into).collect();
            let absent = fired.absent.iter().map(|it| it.to_string());
            one.absent = absent.chain(rule.evidence_unknown.iter().cloned()).collect();
            explained.push((fired.rule, one));
        }
        for undecided in &judgement.undecided {
            let Some(rule) = self.rule(undecided.rule) else { continue };
            let held = |atom: &AtomId| self.line(Held { atom: *atom, value: Tri::Unknown });
            let lines = undecided.unknown.iter().map(held).collect();
            explained.push((undecided.rule, begin(rule, Verdict::Undecided, lines)));
        }
        let mut others = |positions: &super::Ranges, verdict: Verdict| {
            let rules =
                positions.iter().filter_map(|at| Some((at, begin(self.rule(at)?, verdict, Vec::new()))));
            explained.extend(rules);
        };
        others(&judgement.unknown_noted, Verdict::UnknownNoted);
        if let Some(unmet) = &judgement.unmet {
            others(&unmet.not_met, Verdict::NotMet);
            others(&unmet.not_in_scope, Verdict::NotInScope);
        }
        explained.sort_by_key(|(position, _)| *position);
        explained.into_iter().map(|(_, one)| one).collect()
    }

    /// Explains one rule for a subject, with every condition that it has.
    pub fn explain_rule(&self, position: u32, subject: &Subject<'_>) -> Option<Explained<'_>> {
        let rule = self.rule(position)?;
        let mut telling = Telling { book: self, facts: Facts::new(self, subject), lines: Vec::new() };
        let value = telling.tell(&rule.when, 0);
        let Scope { risks, stages, .. } = rule.scope;
        let in_stage = stages.is_empty() || !stages.and(subject.stages).is_empty();
        let in_scope = rule.scope.is_about(subject.kind) && admits(risks, subject.risk) && in_stage;
        let decision = rule.then.decision;
        let verdict = match value {
            _ if !in_scope => Verdict::NotInScope,
            Tri::True => Verdict::Fired(Outcome::of(decision, rule.severity, subject.risk)),
            Tri::False => Verdict::NotMet,
            Tri::Unknown if decision >= Decision::RequireReview => Verdict::Undecided,
            Tri::Unknown => Verdict::UnknownNoted,
        };
        let mut one = begin(rule, verdict, telling.lines);
        one.recorded = rule.evidence_required.and(subject.evidence).iter().map(Into::into).collect();
        let absent = rule.evidence_required.without(subject.evidence).iter().map(|it| it.to_string());
        one.absent = absent.chain(rule.evidence_unknown.iter().cloned()).collect();
        Some(one)
    }

    fn line(&self, held: Held) -> Line {
        let text = self.condition(held.atom).map(ToString::to_string).unwrap_or_default();
        Line { depth: 0, text, value: held.value }
    }

    fn atom(&self, condition: &Condition) -> Option<AtomId> {
        let at = self.atoms.iter().position(|atom| atom.condition == *condition)?;
        u32::try_from(at).ok().map(AtomId)
    }
}

fn begin(rule: &Rule, verdict: Verdict, conditions: Vec<Line>) -> Explained<'_> {
    Explained {
        rule: &rule.id,
        title: &rule.title,
        severity: rule.severity,
        scope: rule.scope,
        verdict,
        conditions,
        decision: rule.then.decision,
        reason: &rule.then.reason,
        required_changes: &rule.then.required_changes,
        recorded: Vec::new(),
        absent: Vec::new(),
    }
}

struct Telling<'t> {
    book: &'t RuleBook,
    facts: Facts<'t>,
    lines: Vec<Line>,
}

impl Telling<'_> {
    /// Writes a line for a node before those inside of it, and gives its value.
    fn tell(&mut self, node: &Node, depth: u32) -> Tri {
        let at = self.lines.len();
        let text = match node {
            Node::All(_) => "all_of".to_owned(),
            Node::Any(_) => "any_of".to_owned(),
            Node::Not(_) => "not".to_owned(),
            Node::Is(condition) => condition.to_string(),
        };
        self.lines.push(Line { depth, text, value: Tri::Unknown });
        let value = match node {
            Node::All(nodes) => nodes.iter().fold(Tri::True, |value, it| value.and(self.tell(it, depth + 1))),
            Node::Any(nodes) => nodes.iter().fold(Tri::False, |value, it| value.or(self.tell(it, depth + 1))),
            Node::Not(node) => !self.tell(node, depth + 1),
            Node::Is(condition) => {
                self.book.atom(condition).map_or(Tri::Unknown, |atom| self.facts.atom(atom))
            }
        };
        if let Some(line) = self.lines.get_mut(at) {
            line.value = value;
        }
        value
    }
}
