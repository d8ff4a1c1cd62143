//! Rules: what is decidable, what each operator asks, and that compiled rules say what is written.
#![cfg(test)]

mod judging;
mod naive;
mod operators;
mod page;
mod random;
mod reading;

use provost_core::diagnostic::Diagnostic;
use provost_core::document::{self, Document, Limits, Value};
use provost_core::rules::{
    self, Documents, Evidence, Judgement, Predicates, Rule, RuleBook, RulesRead, Set, Subject, SubjectKind,
};
use provost_core::vocabulary::{Effect, Risk, Stage};
use serde_json::{Value as Json, json};

/// A document as the strict reader gives it.
fn document(name: &str, text: &str) -> Document {
    document::read(name, text.as_bytes(), &Limits::default()).unwrap()
}

/// A rule that denies commands.
fn rule(id: &str, when: &Json) -> Json {
    json!({
        "id": id,
        "type": "rule",
        "title": "A rule",
        "version": "1.0.0",
        "status": "active",
        "lineage": { "introduced_in": "v0.9", "derived_from": null, "supersedes": [] },
        "constraints": { "execution": "forbidden" },
        "rule": {
            "severity": "error",
            "scope": { "applies_to_types": ["command"] },
            "when": when,
            "then": { "decision": "deny", "reason": "it is so", "required_changes": ["mend it"] },
            "evidence_required": ["risk_assessment", "rollback_plan"],
        },
    })
}

/// The same with one value replaced.
fn with(mut rule: Json, path: &str, value: Json) -> Json {
    *rule.pointer_mut(path).unwrap() = value;
    rule
}

/// The same without a key.
fn without(mut rule: Json, parent: &str, key: &str) -> Json {
    rule.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).unwrap();
    rule
}

fn read(rules: &[Json]) -> Result<RulesRead, Vec<Diagnostic>> {
    let documents: Vec<Document> = (0..)
        .zip(rules)
        .map(|(at, rule): (usize, _)| {
            document(&format!("rules/{at}.json"), &serde_json::to_string_pretty(rule).unwrap())
        })
        .collect();
    rules::read(&documents)
}

fn rules_of(rules: &[Json]) -> Vec<Rule> {
    read(rules).unwrap_or_else(|defects| panic!("{defects:#?}")).rules
}

fn book(rules: &[Json]) -> RuleBook {
    RuleBook::compile(rules_of(rules))
}

/// What a test knows of a subject.
#[derive(Clone, Debug)]
struct Known {
    kind: SubjectKind,
    risk: Risk,
    stages: Set<Stage>,
    effects: Set<Effect>,
    predicates: Predicates,
    evidence: Set<Evidence>,
    own: Value,
    raw: Option<String>,
}

impl Known {
    fn new(fields: &Json) -> Self {
        Self {
            kind: SubjectKind::Command,
            risk: Risk::Medium,
            stages: Set::EMPTY.with(Stage::Implementation),
            effects: Set::EMPTY.with(Effect::Write),
            predicates: Predicates::default(),
            evidence: Set::EMPTY.with(Evidence::RiskAssessment),
            own: document("subject.json", &fields.to_string()).root,
            raw: Some(fields.to_string()),
        }
    }

    fn judge(&self, book: &RuleBook) -> Judgement {
        self.ask(|subject| book.judge_all(subject))
    }

    fn ask<T>(&self, asked: impl FnOnce(&Subject<'_>) -> T) -> T {
        let fields = Documents { own: &self.own, beyond: None, raw: self.raw.as_deref() };
        asked(&Subject {
            kind: self.kind,
            id: "a_command",
            risk: self.risk,
            stages: self.stages,
            effects: self.effects,
            predicates: self.predicates,
            evidence: self.evidence,
            fields: &fields,
        })
    }
}
