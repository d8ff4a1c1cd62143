//! Judges a subject, apart because it is what the whole book is compiled for: scope first, then what needs no field,
//! then, clause by clause, the fields that can still matter.

use crate::vocabulary::Decision;

use super::bits::Bits;
use super::book::{AtomId, Clause, Part, RuleBook, between};
use super::clauses::{Literal, Tree};
use super::facts::Facts;
use super::judgement::{Fired, Held, Judgement, Outcome, Undecided, Unmet};
use super::language::Condition;
use super::predicate::{Predicate, Tri};
use super::ranges::Ranges;
use super::set::Set;
use super::subject::Subject;

impl RuleBook {
    /// Judges a subject: what fired, and what lacks a fact.
    pub fn judge(&self, subject: &Subject<'_>) -> Judgement {
        let mut facts = Facts::new(self, subject);
        let (alive, unknown) = self.open(subject, &mut facts);
        let mut judging = Judging {
            book: self,
            subject,
            facts,
            unknown,
            fired: Vec::new(),
            undecided: Vec::new(),
            noted: Ranges::default(),
        };
        let mut from = 0;
        while let Some(first) = alive.next(from) {
            let clause = self.clauses.get(index(first));
            let rule = clause.map_or(u32::MAX, |clause| clause.rule);
            let Some(part) = self.parts.get(index(rule)) else { break };
            judging.rule(rule, part, &alive, first);
            from = part.end;
        }
        judging.close()
    }

    /// Judges a subject, and says of every rule what became of it.
    pub fn judge_all(&self, subject: &Subject<'_>) -> Judgement {
        let judgement = self.judge(subject);
        let mut not_met = self.rule_scope.select(subject);
        let mut not_in_scope = Bits::none(self.rules.len());
        (0..).zip(&self.rules).for_each(|(position, _)| not_in_scope.set(position));
        not_in_scope.remove(&not_met);
        judgement.fired.iter().for_each(|fired| not_met.unset(fired.rule));
        judgement.undecided.iter().for_each(|undecided| not_met.unset(undecided.rule));
        judgement.unknown_noted.iter().for_each(|rule| not_met.unset(rule));
        let unmet = Unmet { not_in_scope: not_in_scope.ranges(), not_met: not_met.ranges() };
        Judgement { unmet: Some(unmet), ..judgement }
    }

    /// The clauses that are in scope and not false so far, and those of them that are no longer true.
    fn open(&self, subject: &Subject<'_>, facts: &mut Facts<'_>) -> (Bits, Bits) {
        let mut alive = self.clause_scope.select(subject);
        let mut unknown = Bits::none(self.clauses.len());
        for (literal, row) in &self.fixed {
            match facts.literal(*literal) {
                Tri::False => alive.remove(row),
                Tri::Unknown => unknown.add(row),
                Tri::True => {}
            }
        }
        (alive, unknown)
    }
}

struct Judging<'j> {
    book: &'j RuleBook,
    subject: &'j Subject<'j>,
    facts: Facts<'j>,
    unknown: Bits,
    fired: Vec<Fired>,
    undecided: Vec<Undecided>,
    noted: Ranges,
}

impl Judging<'_> {
    /// Judges by one rule, of which a clause is alive.
    fn rule(&mut self, rule: u32, part: &Part, alive: &Bits, first: u32) {
        if let Some(tree) = &part.tree {
            return match self.facts.tree(tree) {
                Tri::True => self.fire_tree(rule, part, tree),
                Tri::Unknown => self.lack(rule, part, |judging| {
                    let mut unknown = Vec::new();
                    judging.unknown_of(tree, &mut unknown);
                    unknown
                }),
                Tri::False => {}
            };
        }
        let mut is_unknown = false;
        let mut next = Some(first);
        while let Some(at) = next.filter(|at| *at < part.end) {
            let Some(clause) = self.book.clauses.get(index(at)) else { break };
            match self.clause(clause, self.unknown.has(at)) {
                Tri::True => return self.fire(rule, part, clause),
                Tri::Unknown => is_unknown = true,
                Tri::False => {}
            }
            next = alive.next(at + 1);
        }
        if is_unknown {
            self.lack(rule, part, |judging| judging.unknown_in(part, alive));
        }
    }

    /// The value of a clause, of which what needs no field is not false.
    fn clause(&mut self, clause: &Clause, is_unknown: bool) -> Tri {
        let mut value = if is_unknown { Tri::Unknown } else { Tri::True };
        for literal in between(&self.book.literals, clause.asked, clause.end) {
            match self.facts.literal(*literal) {
                Tri::False => return Tri::False,
                Tri::Unknown => value = Tri::Unknown,
                Tri::True => {}
            }
        }
        value
    }

    fn fire(&mut self, rule: u32, part: &Part, clause: &Clause) {
        let literals = self.book.literals(clause);
        let evidence = literals.iter().copied().map(held).collect();
        let is_alone = part.end - part.begin == 1;
        let rests_on = self
            .resting(literals, |judging| is_alone || (part.begin..part.end).all(|at| judging.is_false(at)));
        self.push(rule, part, evidence, rests_on);
    }

    fn fire_tree(&mut self, rule: u32, part: &Part, tree: &Tree) {
        let mut literals = Vec::new();
        self.support(tree, &mut literals);
        let rests_on = self.resting(&literals, |judging| judging.facts.tree(tree) == Tri::False);
        self.push(rule, part, literals.iter().copied().map(held).collect(), rests_on);
    }

    /// The facts of a firing without any one of which the rule is false.
    fn resting(&mut self, literals: &[Literal], is_false: impl Fn(&mut Self) -> bool) -> Set<Predicate> {
        let mut rests_on = Set::EMPTY;
        for literal in literals.iter().filter(|literal| !literal.negated()) {
            let Some(Condition::Predicate(predicate)) = self.book.condition(literal.atom()) else { continue };
            self.facts.deny(Some(*predicate));
            if is_false(self) {
                rests_on.insert(*predicate);
            }
            self.facts.deny(None);
        }
        rests_on
    }

    fn is_false(&mut self, at: u32) -> bool {
        let Some(clause) = self.book.clauses.get(index(at)) else { return true };
        self.book.literals(clause).iter().any(|literal| self.facts.literal(*literal) == Tri::False)
    }

    fn push(&mut self, rule: u32, part: &Part, evidence: Vec<Held>, rests_on: Set<Predicate>) {
        self.fired.push(Fired {
            rule,
            decision: part.decision,
            outcome: Outcome::of(part.decision, part.severity, self.subject.risk),
            severity: part.severity,
            evidence,
            rests_on,
            recorded: part.evidence.and(self.subject.evidence),
            absent: part.evidence.without(self.subject.evidence),
        });
    }

    /// Takes note of a rule that lacks a fact.
    fn lack(&mut self, rule: u32, part: &Part, unknown: impl FnOnce(&mut Self) -> Vec<AtomId>) {
        if part.decision < Decision::RequireReview {
            return self.noted.push(rule);
        }
        let mut unknown = unknown(self);
        unknown.sort_unstable();
        unknown.dedup();
        self.undecided.push(Undecided { rule, unknown });
    }

    /// The unknown atoms of the clauses that are not false.
    fn unknown_in(&mut self, part: &Part, alive: &Bits) -> Vec<AtomId> {
        let mut unknown = Vec::new();
        for at in (part.begin..part.end).filter(|at| alive.has(*at)) {
            let Some(clause) = self.book.clauses.get(index(at)) else { continue };
            if self.clause(clause, true) == Tri::Unknown {
                let literals = self.book.literals(clause).iter();
                let lacking = literals.filter(|literal| self.facts.literal(**literal) == Tri::Unknown);
                unknown.extend(lacking.map(|literal| literal.atom()));
            }
        }
        unknown
    }

    /// The unknown atoms of a rule that is unknown.
    fn unknown_of(&mut self, tree: &Tree, unknown: &mut Vec<AtomId>) {
        match tree {
            Tree::Is(literal) => unknown.push(literal.atom()),
            Tree::All(trees) | Tree::Any(trees) => {
                for tree in trees {
                    if self.facts.tree(tree) == Tri::Unknown {
                        self.unknown_of(tree, unknown);
                    }
                }
            }
        }
    }

    /// The literals that make a rule true: of any the first, of all each.
    fn support(&mut self, tree: &Tree, support: &mut Vec<Literal>) {
        match tree {
            Tree::Is(literal) if support.contains(literal) => {}
            Tree::Is(literal) => support.push(*literal),
            Tree::All(trees) => trees.iter().for_each(|tree| self.support(tree, support)),
            Tree::Any(trees) => {
                if let Some(first) = trees.iter().find(|tree| self.facts.tree(tree) == Tri::True) {
                    self.support(first, support);
                }
            }
        }
    }

    fn close(self) -> Judgement {
        let fired = self.fired.iter().map(|fired| fired.outcome).max();
        let undecided = self.undecided.first().map(|_| Outcome::Undecided);
        Judgement {
            outcome: fired.max(undecided).unwrap_or(Outcome::Allow),
            fired: self.fired,
            undecided: self.undecided,
            unknown_noted: self.noted,
            unmet: None,
        }
    }
}

/// A literal that holds, as its atom and the value that it has then.
fn held(literal: Literal) -> Held {
    Held { atom: literal.atom(), value: if literal.negated() { Tri::False } else { Tri::True } }
}

fn index(position: u32) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
