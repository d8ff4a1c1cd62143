//! What rules said of every subject, and what that comes to for the run. Apart from judging because it is frozen, shown
//! and explained long after, and from acting on it because a verdict is not yet a consequence.

use serde::Serialize;
use strum::VariantNames;

use crate::diagnostic::{self, Diagnostic, clipped, quoted};
use crate::finding::{FailureType, Finding};
use crate::graph::RegistryVersion;
use crate::registry::{Kind, Registry, by_words, first_of};
use crate::rules::{
    self, Evidence, Fired, Judgement, Outcome, Predicate, Ranges, RuleBook, Set, Severity, SubjectKind,
    Undecided,
};
use crate::schema::{Schema, Shape, choice, integer, list, object, optional, required, text};
use crate::vocabulary::{Decision, Effect, Risk, Stage};

/// The most characters of a condition in a verdict.
const CONDITION_MAX: usize = 500;

/// After how many bytes of reasons no further one is told.
const REASONS_MAX: usize = 2_000;

/// What every subject was judged to be.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    subjects: Vec<Asked>,
}

#[derive(Clone, Debug)]
struct Asked {
    kind: SubjectKind,
    /// What people call it, where that is not what rules do.
    called: Option<&'static str>,
    index: Option<usize>,
    id: String,
    about: About,
    judgement: Judgement,
}

/// What rules were told of a subject.
#[derive(Clone, Debug)]
pub struct About {
    /// Its risk.
    pub risk: Risk,
    /// Its stages.
    pub stages: Set<Stage>,
    /// Its effects.
    pub effects: Vec<Effect>,
}

/// What it comes to for the run.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// One for each planned command.
    pub commands: Vec<Ruled>,
    /// One for each workflow.
    pub workflows: Vec<Ruled>,
    /// Whether a denial is put off until somebody says how to go back.
    pub rollback_wanted: bool,
}

/// What rules together decide on a subject.
#[derive(Clone, Debug)]
pub struct Ruled {
    /// The decision, a denial that is put off counted as a review.
    pub decision: Decision,
    /// What it comes to with the weight of the rules.
    pub outcome: Outcome,
    /// Whether a denial is put off.
    pub deferred: bool,
    /// The rules that fired, by id.
    pub fired: Vec<String>,
    /// Why.
    pub reason: String,
}

impl Sheet {
    /// Adds what was said of a subject.
    pub fn push(
        &mut self,
        kind: SubjectKind,
        index: Option<usize>,
        id: &str,
        about: &About,
        judgement: Judgement,
    ) {
        let (id, about) = (id.to_owned(), about.clone());
        self.subjects.push(Asked { kind, called: None, index, id, about, judgement });
    }

    /// Adds what was said of a task of a written plan, which rules see as a command.
    pub fn push_task(&mut self, id: &str, about: &About, judgement: Judgement) {
        let (kind, called) = (SubjectKind::Command, Some("task"));
        let (id, about) = (id.to_owned(), about.clone());
        self.subjects.push(Asked { kind, called, index: None, id, about, judgement });
    }

    /// What it comes to. A denial that rests on a missing way back alone is put off where somebody can be asked.
    pub fn judged(&self, book: &RuleBook, may_ask: bool) -> Judged {
        let mut judged = Judged::default();
        for subject in &self.subjects {
            let ruled = ruled(&subject.judgement, book, may_ask);
            judged.rollback_wanted |= ruled.deferred;
            match subject.kind {
                SubjectKind::Command => judged.commands.push(ruled),
                SubjectKind::Workflow => judged.workflows.push(ruled),
                SubjectKind::Act => {}
            }
        }
        judged
    }

    /// Each subject's name with what was decided on it.
    pub fn named(&self, judged: &Judged) -> Vec<(String, Ruled)> {
        let ruled = judged.commands.iter().chain(&judged.workflows);
        self.subjects.iter().zip(ruled).map(|(subject, ruled)| (subject.name(), ruled.clone())).collect()
    }

    /// What stops the run.
    pub fn findings(&self, book: &RuleBook, judged: &Judged) -> Vec<Finding> {
        let ruled = judged.commands.iter().chain(&judged.workflows);
        let mut findings = Vec::new();
        for (subject, ruled) in self.subjects.iter().zip(ruled) {
            let denies = subject.judgement.fired.iter().filter(|fired| fired.outcome >= Outcome::Deny);
            // What is put off is all of it or nothing.
            let stops = denies.filter(|_| !ruled.deferred);
            findings.extend(stops.map(|fired| denied(subject, fired, book)));
            findings.extend(subject.judgement.undecided.iter().map(|it| undecided(subject, it, book)));
        }
        findings
    }

    /// The document.
    pub fn document<'d>(
        &'d self,
        book: &'d RuleBook,
        judged: &'d Judged,
        rules: Vec<RegistryVersion>,
        run_id: &'d str,
        intent_id: &'d str,
    ) -> impl Serialize + use<'d> {
        let verdicts = judged.commands.iter().chain(&judged.workflows);
        let subjects =
            self.subjects.iter().zip(verdicts).map(|(it, ruled)| it.written(ruled, book)).collect();
        Document { run_id, intent_id, rules, not_applicable: book.not_applicable().collect(), subjects }
    }
}

#[derive(Serialize)]
struct Document<'d> {
    run_id: &'d str,
    intent_id: &'d str,
    /// The rules in the order that positions count in.
    rules: Vec<RegistryVersion>,
    not_applicable: Ranges,
    subjects: Vec<Written<'d>>,
}

#[derive(Serialize)]
struct Written<'d> {
    subject: SubjectKind,
    id: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    risk_level: Risk,
    stages: Set<Stage>,
    effects: &'d [Effect],
    decision: Decision,
    outcome: Outcome,
    deferred: bool,
    reason: &'d str,
    fired: Vec<WrittenFired<'d>>,
    undecided: Vec<WrittenUndecided<'d>>,
    unknown_noted: &'d Ranges,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_in_scope: Option<&'d Ranges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_met: Option<&'d Ranges>,
}

#[derive(Serialize)]
struct WrittenFired<'d> {
    rule_id: &'d str,
    decision: Decision,
    outcome: Outcome,
    severity: crate::rules::Severity,
    reason: &'d str,
    required_changes: &'d [String],
    because: Vec<String>,
    recorded: Set<Evidence>,
    absent: Set<Evidence>,
}

#[derive(Serialize)]
struct WrittenUndecided<'d> {
    rule_id: &'d str,
    unknown: Vec<String>,
}

impl Asked {
    fn name(&self) -> String {
        let called = self.called.unwrap_or_else(|| self.kind.into());
        match self.index {
            Some(index) => format!("{called} {} `{}`", index + 1, self.id),
            None => format!("{called} `{}`", self.id),
        }
    }

    fn written<'d>(&'d self, ruled: &'d Ruled, book: &'d RuleBook) -> Written<'d> {
        // The whole of a condition is in the rule, which is frozen beside.
        let condition = |atom| {
            book.condition(atom).map_or_else(String::new, |it| clipped(&it.to_string(), CONDITION_MAX))
        };
        let fired = self.judgement.fired.iter().filter_map(|fired| {
            let rule = book.rule(fired.rule)?;
            Some(WrittenFired {
                rule_id: &rule.id,
                decision: fired.decision,
                outcome: fired.outcome,
                severity: fired.severity,
                reason: &rule.then.reason,
                required_changes: &rule.then.required_changes,
                because: fired
                    .evidence
                    .iter()
                    .map(|held| format!("{} is {}", condition(held.atom), held.value))
                    .collect(),
                recorded: fired.recorded,
                absent: fired.absent,
            })
        });
        let undecided = self.judgement.undecided.iter().filter_map(|it| {
            let rule = book.rule(it.rule)?;
            Some(WrittenUndecided {
                rule_id: &rule.id,
                unknown: it.unknown.iter().map(|atom| condition(*atom)).collect(),
            })
        });
        let unmet = self.judgement.unmet.as_ref();
        Written {
            subject: self.kind,
            id: &self.id,
            index: self.index,
            risk_level: self.about.risk,
            stages: self.about.stages,
            effects: &self.about.effects,
            decision: ruled.decision,
            outcome: ruled.outcome,
            deferred: ruled.deferred,
            reason: &ruled.reason,
            fired: fired.collect(),
            undecided: undecided.collect(),
            unknown_noted: &self.judgement.unknown_noted,
            not_in_scope: unmet.map(|it| &it.not_in_scope),
            not_met: unmet.map(|it| &it.not_met),
        }
    }
}

/// The rules in force, compiled, or everything that is wrong with them.
pub fn rule_book(registry: &Registry) -> (RuleBook, Vec<Finding>) {
    let defective = |diagnostic: Diagnostic, path: &str| {
        Finding::aborted(diagnostic).shown_by([format!("registry://{path}")])
    };
    let mut findings: Vec<Finding> = Vec::new();
    for broken in registry.broken_rules() {
        let first = first_of(&broken.defects);
        let message = format!("the rule file {} cannot be used: {first}", quoted(&broken.path));
        findings.push(defective(Diagnostic::error(diagnostic::RULES_BROKEN, message), &broken.path));
    }
    let documents = registry.usable(Kind::Rule).map(|item| &item.document);
    match rules::read(documents) {
        Ok(read) => {
            let rules = read.rules.into_iter().filter(|rule| !rule.scope.is_only_acts());
            (RuleBook::compile(rules.collect()), findings)
        }
        Err(defects) => {
            for defect in by_words(&defects).filter(|it| it.severity == diagnostic::Severity::Error) {
                findings.push(defective(Diagnostic { place: None, ..defect.clone() }, "rules"));
            }
            (RuleBook::compile(Vec::new()), findings)
        }
    }
}

fn ruled(judgement: &Judgement, book: &RuleBook, may_ask: bool) -> Ruled {
    let denies = || judgement.fired.iter().filter(|fired| fired.outcome >= Outcome::Deny);
    // However much is at stake: who names a way back has mended it. A rule that blocks is not put off.
    let puts_off =
        |fired: &Fired| fired.severity < Severity::Block && fired.rests_on(Predicate::RollbackPlanMissing);
    // A rule that lacks a fact stops the run by itself, and says so alone.
    let deferred = may_ask && denies().next().is_some() && denies().all(puts_off);
    let reasons = judgement
        .fired
        .iter()
        .filter_map(|fired| book.rule(fired.rule))
        .map(|rule| rule.then.reason.as_str());
    let mut reason = joined(reasons.filter(|it| !it.is_empty()));
    if judgement.is_default() {
        "no applicable rule".clone_into(&mut reason);
    } else if reason.is_empty() {
        "a rule lacks a fact".clone_into(&mut reason);
    }
    Ruled {
        decision: if deferred { Decision::RequireReview } else { judgement.decision() },
        outcome: judgement.outcome,
        deferred,
        fired: judgement
            .fired
            .iter()
            .filter_map(|fired| book.rule(fired.rule))
            .map(|rule| rule.id.clone())
            .collect(),
        reason,
    }
}

/// The reasons of the first rules that fired, and how many more there are.
fn joined<'r>(reasons: impl Iterator<Item = &'r str>) -> String {
    let (mut text, mut more) = (String::new(), 0_usize);
    for reason in reasons {
        if text.len() > REASONS_MAX {
            more += 1;
            continue;
        }
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(reason);
    }
    if more > 0 { format!("{text}; and {more} more") } else { text }
}

fn denied(subject: &Asked, fired: &Fired, book: &RuleBook) -> Finding {
    let Some(rule) = book.rule(fired.rule) else {
        return Finding::aborted(Diagnostic::error(
            diagnostic::PROVOST_BUG,
            "a rule fired that is not in the book",
        ));
    };
    let message = format!("{} is denied by `{}`: {}", subject.name(), rule.id, rule.then.reason);
    let hard = fired.outcome == Outcome::HardDeny;
    let code = if hard { diagnostic::RULES_HARD_DENY } else { diagnostic::RULES_DENY };
    let mut diagnostic = Diagnostic::error(code, message);
    if !rule.then.required_changes.is_empty() {
        diagnostic = diagnostic.with_help(rule.then.required_changes.join("; "));
    }
    let evidence = [format!("registry://rules/{}@{}", rule.id, rule.version)];
    if hard {
        Finding::aborted(diagnostic).shown_by(evidence)
    } else {
        Finding::blocked(diagnostic, FailureType::RuleDenied).shown_by(evidence)
    }
}

fn undecided(subject: &Asked, undecided: &Undecided, book: &RuleBook) -> Finding {
    let id = book.rule(undecided.rule).map_or("", |rule| rule.id.as_str());
    let unknown: Vec<String> =
        undecided.unknown.iter().filter_map(|atom| book.condition(*atom)).map(ToString::to_string).collect();
    let catalogue: &'static str = Predicate::InferenceNotCloud.into();
    let lacks_models = unknown.iter().all(|it| it == catalogue);
    let message =
        format!("`{id}` cannot be decided for {}: {} is unknown", subject.name(), unknown.join(", "));
    let code = if lacks_models { diagnostic::ROUTING_NO_CATALOGUE } else { diagnostic::RULES_UNDECIDED };
    Finding::blocked(Diagnostic::error(code, message), FailureType::ConstraintViolation)
        .shown_by([format!("registry://rules/{id}")])
}

const TEXTS: Shape = list(&text(0, 4_000), 0, 1_000);
const WORDS: Shape = list(&text(1, 80), 0, 64);
const RANGES: Shape = text(0, 1_000_000);
/// What can be a subject of a plan; acts are judged while agents work and stand on no plan.
const SUBJECTS: [&str; 2] = ["workflow", "command"];
const OUTCOME: Shape = choice(<Outcome as VariantNames>::VARIANTS);

/// The shape of `decisions.json`.
pub const SCHEMA: Schema = Schema {
    name: "rule_decisions",
    version: "1.0.0",
    title: "What rules said of every command and workflow",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required(
            "rules",
            list(&super::REGISTRY_VERSION, 0, 100_000),
            "the rules, in the order that positions count in from 0",
        ),
        required(
            "not_applicable",
            RANGES,
            "positions of rules that are about content that is never a subject",
        ),
        required(
            "subjects",
            list(
                &object(&[
                    required("subject", choice(&SUBJECTS), "what it is"),
                    required("id", text(1, 256), "its id"),
                    optional("index", integer(0, 1_000), "its place among the planned commands"),
                    required("risk_level", super::risk::LEVEL, "what is at stake"),
                    required("stages", WORDS, "where it was placed"),
                    required("effects", WORDS, "what it does to the world"),
                    required("decision", super::DECISION, "what rules together decide"),
                    required("outcome", OUTCOME, "what that comes to"),
                    required("deferred", Shape::Flag, "whether a denial is put off until somebody answers"),
                    required("reason", text(0, 100_000), "why"),
                    required("fired", list(&FIRED, 0, 100_000), "the rules that fired"),
                    required("undecided", list(&UNDECIDED, 0, 100_000), "the rules that lack a fact"),
                    required(
                        "unknown_noted",
                        RANGES,
                        "positions of rules that lack a fact and could not stop it",
                    ),
                    optional("not_in_scope", RANGES, "positions of rules about something else"),
                    optional("not_met", RANGES, "positions of rules whose condition does not hold"),
                ]),
                0,
                200,
            ),
            "one for each command, then one for each workflow",
        ),
    ]),
};

const FIRED: Shape = object(&[
    required("rule_id", text(1, 120), "the rule"),
    required("decision", super::DECISION, "what it says"),
    required("outcome", OUTCOME, "what that comes to"),
    required("severity", choice(<Severity as VariantNames>::VARIANTS), "how much it weighs"),
    required("reason", text(0, 4_000), "why"),
    required("required_changes", TEXTS, "what would change it"),
    required("because", TEXTS, "the conditions that made it fire"),
    required("recorded", WORDS, "what it demands and is on record"),
    required("absent", WORDS, "what it demands and is not"),
]);

const UNDECIDED: Shape = object(&[
    required("rule_id", text(1, 120), "the rule"),
    required("unknown", TEXTS, "the conditions that are unknown"),
]);
