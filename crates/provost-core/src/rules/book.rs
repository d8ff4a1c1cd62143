//! Rules compiled for judging, apart because it is made once and asked for every subject: conditions that many rules
//! share are one atom, and each atom knows which clauses it stands in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use crate::vocabulary::{Decision, Risk, Stage};

use super::bits::Bits;
use super::clauses::{Literal, Tree};
use super::evidence::Evidence;
use super::language::Condition;
use super::predicate::Predicate;
use super::rule::{Rule, Scope, Severity};
use super::set::{Set, Word};
use super::subject::{Subject, SubjectKind};
use super::words::Tokens;

/// One condition of a book, however many rules ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AtomId(pub(super) u32);

impl AtomId {
    pub(super) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Rules in the order of their ids, ready to judge.
#[derive(Clone, Debug)]
pub struct RuleBook {
    pub(super) rules: Vec<Rule>,
    pub(super) atoms: Vec<Atom>,
    pub(super) paths: Vec<FieldPath>,
    /// Literals that need no field, with the clauses that they stand in.
    pub(super) fixed: Vec<(Literal, Bits)>,
    pub(super) clauses: Vec<Clause>,
    /// For each rule its clauses, and what it is instead where they were too many.
    pub(super) parts: Vec<Part>,
    pub(super) literals: Vec<Literal>,
    /// Which clauses apply to what.
    pub(super) clause_scope: ScopeRows,
    /// Which rules apply to what.
    pub(super) rule_scope: ScopeRows,
}

#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) condition: Condition,
    /// Where its field is in the list of paths.
    pub(super) path: usize,
    /// What it looks for, as positions among the tokens of the path.
    pub(super) tokens: Box<[u32]>,
}

#[derive(Clone, Debug)]
pub(super) struct FieldPath {
    pub(super) dotted: Box<str>,
    pub(super) tokens: Tokens,
}

/// A conjunction: its literals, of which those from `asked` on need a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    pub(super) rule: u32,
    pub(super) begin: u32,
    pub(super) asked: u32,
    pub(super) end: u32,
}

/// The clauses of a rule, by their positions, and what judging needs of it: rules themselves are too large to be
/// walked for every subject.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) begin: u32,
    pub(super) end: u32,
    /// The rule as it is written, where it has too many clauses: then it has an empty one in their place.
    pub(super) tree: Option<Box<Tree>>,
    pub(super) decision: Decision,
    pub(super) severity: Severity,
    pub(super) evidence: Set<Evidence>,
}

impl RuleBook {
    /// Compiles rules; their order does not matter.
    pub fn compile(mut rules: Vec<Rule>) -> Self {
        rules.sort_by(|one, other| one.id.cmp(&other.id));
        let mut atoms = Interner::new();
        let (mut clauses, mut literals, mut parts) =
            (Vec::new(), Vec::new(), Vec::with_capacity(rules.len()));
        for (position, rule) in (0..).zip(&rules) {
            let tree = Tree::new(&rule.when, false, &mut |condition| atoms.intern(condition));
            let expanded = tree.clauses();
            let tree = expanded.is_none().then(|| Box::new(tree));
            let begin = length(&clauses);
            for clause in expanded.unwrap_or_else(|| vec![Vec::new()]) {
                let from = length(&literals);
                let needs_no_field = |literal: &&Literal| atoms.is_fixed(literal.atom());
                literals.extend(clause.iter().filter(needs_no_field));
                let asked = length(&literals);
                literals.extend(clause.iter().filter(|literal| !needs_no_field(literal)));
                clauses.push(Clause { rule: position, begin: from, asked, end: length(&literals) });
            }
            parts.push(Part {
                begin,
                end: length(&clauses),
                tree,
                decision: rule.then.decision,
                severity: rule.severity,
                evidence: rule.evidence_required,
            });
        }
        let (atoms, paths) = atoms.close();
        let fixed = fixed(&clauses, &literals, clauses.len());
        let rule_of = |clause: &Clause| usize::try_from(clause.rule).ok().and_then(|at| rules.get(at));
        let scopes: Vec<Scope> = clauses.iter().filter_map(rule_of).map(|rule| rule.scope).collect();
        let clause_scope = ScopeRows::new(&scopes);
        let scopes: Vec<Scope> = rules.iter().map(|rule| rule.scope).collect();
        let rule_scope = ScopeRows::new(&scopes);
        Self { rules, atoms, paths, fixed, clauses, parts, literals, clause_scope, rule_scope }
    }

    /// The rules, in the order of their ids.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule at a position.
    pub fn rule(&self, position: u32) -> Option<&Rule> {
        self.rules.get(usize::try_from(position).ok()?)
    }

    /// Whether any rule asks for a named fact.
    pub fn asks_for(&self, predicate: Predicate) -> bool {
        self.atoms.iter().any(|atom| atom.condition == Condition::Predicate(predicate))
    }

    /// What an atom asks.
    pub fn condition(&self, atom: AtomId) -> Option<&Condition> {
        self.atoms.get(atom.index()).map(|atom| &atom.condition)
    }

    /// The positions of rules that nothing of a plan is ever in the scope of: they are about other content.
    pub fn not_applicable(&self) -> impl Iterator<Item = u32> {
        let never = |scope: Scope| !SubjectKind::PLANNED.iter().any(|kind| scope.is_about(*kind));
        (0..).zip(&self.rules).filter(move |(_, rule)| never(rule.scope)).map(|(position, _)| position)
    }

    /// All literals of a clause.
    pub(super) fn literals(&self, clause: &Clause) -> &[Literal] {
        between(&self.literals, clause.begin, clause.end)
    }
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// The clauses of each literal that needs no field.
fn fixed(clauses: &[Clause], literals: &[Literal], length: usize) -> Vec<(Literal, Bits)> {
    let mut rows: BTreeMap<Literal, Bits> = BTreeMap::new();
    for (position, clause) in (0..).zip(clauses) {
        for literal in between(literals, clause.begin, clause.asked) {
            rows.entry(*literal).or_insert_with(|| Bits::none(length)).set(position);
        }
    }
    rows.into_iter().collect()
}

/// The literals from one position to another.
pub(super) fn between(literals: &[Literal], begin: u32, end: u32) -> &[Literal] {
    let at = |position| usize::try_from(position).unwrap_or(usize::MAX);
    literals.get(at(begin)..at(end)).unwrap_or_default()
}

/// Gives each condition one number.
struct Interner {
    // INVARIANT: predicates come first, in the order of their list.
    atoms: BTreeMap<Condition, AtomId>,
    fixed: Vec<bool>,
}

impl Interner {
    fn new() -> Self {
        let mut interner = Self { atoms: BTreeMap::new(), fixed: Vec::new() };
        for predicate in Predicate::VARIANTS {
            interner.intern(&Condition::Predicate(*predicate));
        }
        interner
    }

    fn intern(&mut self, condition: &Condition) -> AtomId {
        if let Condition::Predicate(predicate) = condition
            && self.atoms.len() >= Predicate::VARIANTS.len()
        {
            return AtomId(predicate.position());
        }
        if let Some(known) = self.atoms.get(condition) {
            return *known;
        }
        let id = AtomId(u32::try_from(self.atoms.len()).unwrap_or(u32::MAX));
        self.fixed.push(condition.field().is_none());
        self.atoms.insert(condition.clone(), id);
        id
    }

    fn is_fixed(&self, atom: AtomId) -> bool {
        self.fixed.get(atom.index()).is_some_and(|fixed| *fixed)
    }

    /// The atoms in the order of their numbers, with the paths that they look at.
    fn close(self) -> (Vec<Atom>, Vec<FieldPath>) {
        let mut tokens: BTreeMap<&str, Vec<Box<str>>> = BTreeMap::new();
        for condition in self.atoms.keys() {
            let Some(field) = condition.field() else { continue };
            let known = tokens.entry(field).or_default();
            if let Condition::FieldContainsAny(_, more) = condition {
                known.extend(more.iter().cloned());
            }
        }
        let paths: Vec<FieldPath> = tokens
            .into_iter()
            .map(|(dotted, listed)| FieldPath { dotted: dotted.into(), tokens: Tokens::new(listed) })
            .collect();
        let mut numbered: Vec<(AtomId, Condition)> =
            self.atoms.into_iter().map(|(it, id)| (id, it)).collect();
        numbered.sort_unstable_by_key(|(id, _)| *id);
        let atom = |(_, condition): (AtomId, Condition)| {
            let path = paths.binary_search_by(|path| Some(&*path.dotted).cmp(&condition.field()));
            let path = path.unwrap_or(usize::MAX);
            let mut tokens = Vec::new();
            if let (Condition::FieldContainsAny(_, wanted), Some(known)) = (&condition, paths.get(path)) {
                tokens = wanted.iter().filter_map(|token| known.tokens.position(token)).collect();
            }
            Atom { condition, path, tokens: tokens.into() }
        };
        let atoms = numbered.into_iter().map(atom).collect();
        (atoms, paths)
    }
}

/// For everything that a scope asks of a subject, who is in scope.
#[derive(Clone, Debug)]
pub(super) struct ScopeRows {
    /// By kind, then risk.
    kinds: Vec<Bits>,
    stages: Vec<Bits>,
    /// Those that are in scope of whatever stage, for a subject that is in none.
    any_stage: Bits,
}

impl ScopeRows {
    fn new(scopes: &[Scope]) -> Self {
        let row = |in_scope: &dyn Fn(Scope) -> bool| {
            let mut bits = Bits::none(scopes.len());
            let positions = (0..).zip(scopes).filter(|(_, scope)| in_scope(**scope));
            positions.for_each(|(position, _)| bits.set(position));
            bits
        };
        let mut kinds = Vec::new();
        for kind in SubjectKind::VARIANTS {
            for risk in Risk::VARIANTS {
                kinds.push(row(&|it| it.is_about(*kind) && admits(it.risks, *risk)));
            }
        }
        let stages = Stage::VARIANTS.iter().map(|stage| row(&|it| admits(it.stages, *stage))).collect();
        let any_stage = row(&|it| it.stages.is_empty());
        Self { kinds, stages, any_stage }
    }

    /// Who is in scope for a subject.
    pub(super) fn select(&self, subject: &Subject<'_>) -> Bits {
        let mut stages = subject.stages.iter().filter_map(|stage| self.stages.get(stage as usize));
        let mut selected = stages.next().unwrap_or(&self.any_stage).clone();
        stages.for_each(|row| selected.add(row));
        let risks = Risk::VARIANTS.len();
        if let Some(row) = self.kinds.get(subject.kind as usize * risks + subject.risk as usize) {
            selected.keep(row);
        }
        selected
    }
}

/// Tells whether one list of a scope lets something in; an empty one lets in all.
pub(super) fn admits<T: Word>(listed: Set<T>, word: T) -> bool {
    listed.is_empty() || listed.contains(word)
}
