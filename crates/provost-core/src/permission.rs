//! Whether an agent may do what it asks for: acts put before the rules that name them. Apart from rules, which know
//! nothing of agents, and from deliveries, which only record what was said.
//!
//! Nobody sits beside an agent, so what no rule allows is refused. `docs/permissions.md` says what rules can ask.

mod command;
mod fields;
mod paths;

use std::fmt::Write as _;

use strum::VariantArray as _;

use crate::adapter::{Act, Deed};
use crate::delivery::Permission;
use crate::diagnostic::{self, Diagnostic, Severity, nearest, quoted, visible};
use crate::registry::{Kind, Registry};
use crate::role::Role;
use crate::rules::{
    self, ContentKind, Evidence, Explained, Judgement, Node, Outcome, Predicate, Predicates, Rule, RuleBook,
    Set, Subject, SubjectKind, Verdict,
};
use crate::vocabulary::{Decision, Effect, Risk, Stage};

pub use fields::{Asker, Field};

use fields::ActFields;

/// The most characters of a reason: it goes onto the record and to the agent.
const WHY_MAX: usize = 1_000;

/// What agents may do, as the rules of one registry say it.
#[derive(Clone, Debug)]
pub struct Permissions {
    book: RuleBook,
    /// Why nothing is allowed, whatever the rules say.
    closed: Option<String>,
}

impl Permissions {
    /// The rules that name acts, of those of a registry; nothing where there is none.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Option<Self> {
        let named = rules.into_iter().filter(|rule| rule.scope.types.contains(ContentKind::Act));
        let rules: Vec<Rule> = named.collect();
        (!rules.is_empty()).then(|| Self { book: RuleBook::compile(rules), closed: None })
    }

    /// The rules of a registry that name acts, nothing where there is none, or what is wrong with any of its rules:
    /// nobody can tell what a broken one would have forbidden.
    pub fn of(registry: &Registry) -> Result<Option<Self>, Vec<Diagnostic>> {
        let broken: Vec<_> = registry.broken_rules().flat_map(|it| it.defects.clone()).collect();
        if !broken.is_empty() {
            return Err(broken);
        }
        let read = rules::read(registry.usable(Kind::Rule).map(|item| &item.document)).map_err(|found| {
            found.into_iter().filter(|it| it.severity == Severity::Error).collect::<Vec<_>>()
        })?;
        Ok(Self::new(read.rules))
    }

    /// Nothing is allowed, for one reason.
    pub fn closed(why: impl Into<String>) -> Self {
        Self { book: RuleBook::compile(Vec::new()), closed: Some(why.into()) }
    }

    /// The rules, in the order of their ids.
    pub fn rules(&self) -> &[Rule] {
        self.book.rules()
    }

    /// Says whether an agent may do something. It may where a rule says `allow` and none stands against it.
    pub fn judge(&self, act: &Act, asker: &Asker<'_>) -> Permission {
        self.explain(act, asker).permission
    }

    /// The same, with every rule and every field that led to it.
    pub fn explain(&self, act: &Act, asker: &Asker<'_>) -> Explanation<'_> {
        let fields = ActFields::new(act, asker);
        let judgement = self.book.judge_all(&subject(act, asker, &fields));
        let explained = self.book.explain(&judgement);
        let is_named = |it: &&Explained<'_>| matches!(it.verdict, Verdict::Fired(_) | Verdict::Undecided);
        let named: Vec<&Explained<'_>> = explained.iter().filter(is_named).collect();
        let allows =
            |it: &&Explained<'_>| it.decision == Decision::Allow && matches!(it.verdict, Verdict::Fired(_));
        let allowing: Vec<&str> = named.iter().copied().filter(allows).map(|it| it.rule).collect();
        let obstacle = self.closed.clone().or_else(|| (!act.is_whole()).then(|| TOO_LONG.to_owned()));
        let allowed = obstacle.is_none() && judgement.outcome <= Outcome::Warn && !allowing.is_empty();
        let (rules, why): (Vec<&str>, String) = match obstacle {
            Some(why) => (Vec::new(), why),
            None if allowed => (allowing.clone(), format!("allowed by {}", listed(&allowing))),
            None => refusal(&judgement, &named, act, &fields),
        };
        let rules = rules.into_iter().map(str::to_owned).collect();
        let why = visible(&why).to_string().chars().take(WHY_MAX).collect();
        let permission = Permission { act: act.clone(), allowed, rules, why };
        Explanation { permission, outcome: judgement.outcome, rules: explained, fields: fields.listed() }
    }
}

/// What rules that are only about acts ask and no act has: such a condition is never true.
pub fn odd_fields(rules: &[Rule]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for rule in rules.iter().filter(|rule| rule.scope.is_only_acts()) {
        let mut asked = Vec::new();
        asked_for(&rule.when, &mut asked);
        for field in asked.into_iter().filter(|field| field.parse::<Field>().is_err()) {
            let message = format!("{} asks for {}, and no act has it", quoted(&rule.id), quoted(field));
            let warning = Diagnostic::warning(diagnostic::RULES_UNREAD, message).at(rule.place.clone());
            let near = nearest(field, Field::VARIANTS.iter().map(Into::into));
            found.push(match near {
                Some(near) => warning.with_help(format!("did you mean `{near}`?")),
                None => warning.with_help("see the page on permissions for the fields of an act"),
            });
        }
    }
    found
}

fn asked_for<'n>(node: &'n Node, fields: &mut Vec<&'n str>) {
    match node {
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().for_each(|node| asked_for(node, fields)),
        Node::Not(node) => asked_for(node, fields),
        Node::Is(condition) => fields.extend(condition.field()),
    }
}

/// Why something was too much to be judged.
const TOO_LONG: &str = "it is too long to be judged as a whole; ask for less at once";

/// What was decided on an act, and through what.
#[derive(Clone, Debug)]
pub struct Explanation<'p> {
    /// What was decided.
    pub permission: Permission,
    /// What the rules that fired come to.
    pub outcome: Outcome,
    /// What became of every rule that names acts.
    pub rules: Vec<Explained<'p>>,
    /// What rules could ask about, and what it is.
    pub fields: Vec<(Field, crate::document::Value)>,
}

fn subject<'s>(act: &Act, asker: &Asker<'_>, fields: &'s ActFields) -> Subject<'s> {
    let effects = effects(act.deed);
    let risk = fields.risk(act.deed);
    let writes = effects.iter().any(Effect::writes);
    let mut predicates = Predicates::default();
    predicates.set(Predicate::RuleEvaluated, true);
    predicates.set(Predicate::AuditLogNotWritten, false);
    predicates.set(Predicate::RiskLevelHighOrCritical, risk >= Risk::High);
    predicates.set(Predicate::EffectKindIsWrite, writes);
    predicates.set(Predicate::DecisionIsKey, risk >= Risk::Medium || writes);
    predicates.set(Predicate::TargetsFiles, writes && !act.paths.is_empty());
    // Whoever runs agents is not asked meanwhile.
    predicates.set(Predicate::ModeIsFullAuto, true);
    let evidence = [
        Evidence::CommandEffects,
        Evidence::RiskAssessment,
        Evidence::PathValidation,
        Evidence::TargetFileList,
        Evidence::DecisionMetadata,
        Evidence::EvaluationMetadata,
        Evidence::AuditLogEntry,
    ];
    Subject {
        kind: SubjectKind::Act,
        id: "act",
        risk,
        stages: Set::EMPTY.with(stage(asker.role)),
        effects,
        predicates,
        evidence: evidence.into_iter().collect(),
        fields,
    }
}

/// What kinds of act do to the world; a command may do either.
fn effects(deed: Deed) -> Set<Effect> {
    match deed {
        Deed::Read => Set::EMPTY.with(Effect::Read),
        Deed::Write => Set::EMPTY.with(Effect::Write),
        Deed::Run => Set::EMPTY.with(Effect::Read).with(Effect::Write),
        Deed::Fetch => Set::EMPTY.with(Effect::Network),
        Deed::Other => Set::EMPTY,
    }
}

/// The stage of work that a role is for.
const fn stage(role: Role) -> Stage {
    match role {
        Role::Developer => Stage::Implementation,
        Role::Critic => Stage::Review,
        Role::Auditor => Stage::Validation,
    }
}

/// Why something is not allowed, with the rules that say so.
fn refusal<'r>(
    judgement: &Judgement,
    named: &[&Explained<'r>],
    act: &Act,
    fields: &ActFields,
) -> (Vec<&'r str>, String) {
    let stands_against = |it: &&&Explained<'r>| match it.verdict {
        Verdict::Fired(outcome) => outcome > Outcome::Warn,
        _ => true,
    };
    let against: Vec<&Explained<'r>> = named.iter().filter(stands_against).copied().collect();
    if judgement.outcome <= Outcome::Warn || against.is_empty() {
        return (Vec::new(), nobody_allows(act, fields));
    }
    let mut why = String::new();
    for one in &against {
        if !why.is_empty() {
            why.push_str("; ");
        }
        // Writing to a string does not fail.
        let _ = match one.verdict {
            Verdict::Fired(Outcome::RequireReview) => {
                write!(why, "{} wants a person to look, and nobody is asked: {}", one.rule, one.reason)
            }
            Verdict::Fired(_) => write!(why, "{} denies it: {}", one.rule, one.reason),
            _ => {
                let unknown: Vec<&str> = one.conditions.iter().map(|line| line.text.as_str()).collect();
                write!(why, "{} cannot be decided: unknown is {}", one.rule, unknown.join(", "))
            }
        };
        if !one.required_changes.is_empty() {
            let _ = write!(why, " ({})", one.required_changes.join("; "));
        }
    }
    (against.iter().map(|it| it.rule).collect(), why)
}

/// That no rule allows something, and what to do: the first half is for the agent, the other for its people.
fn nobody_allows(act: &Act, fields: &ActFields) -> String {
    let hint = match act.deed {
        Deed::Run if !fields.is_plain() => {
            ": the command is not plain; run one program at a time, without `;`, `&&`, `|`, `>`, `$`, \
             globs, escapes or variables before it"
        }
        Deed::Run if fields.is_addressed() => ": it names an address, and commands are not for the network",
        Deed::Run | Deed::Read | Deed::Write if !fields.is_inside() => {
            ": name files inside the worktree, by paths that do not leave it"
        }
        Deed::Run | Deed::Write if fields.is_protected() => ": programs outside the walls obey that file",
        _ => "",
    };
    format!("no rule allows it{hint} (a rule with `applies_to_types: [act]` that says `allow` would)")
}

fn listed(rules: &[&str]) -> String {
    rules.iter().map(|rule| quoted(rule).to_string()).collect::<Vec<_>>().join(", ")
}
