//! What judgements say: combining, weight, evidence, and what they rest on.

use provost_core::rules::{Judgement, Outcome, Predicate, RuleBook, Tri, Verdict};
use provost_core::vocabulary::{Decision, Risk};
use serde_json::{Value as Json, json};

use crate::{Known, book, rule, with};

const T: &str = "targets_files";
const U: &str = "decision_is_key";

fn known() -> Known {
    let mut known = Known::new(&json!({ "name": "x" }));
    known.predicates.set(Predicate::TargetsFiles, true);
    known.predicates.set(Predicate::RollbackPlanMissing, true);
    known.predicates.set(Predicate::LockScopeMissing, false);
    known
}

fn saying(id: &str, predicate: &str, severity: &str, decision: &str) -> Json {
    let it = with(rule(id, &json!({ predicate: true })), "/rule/severity", json!(severity));
    with(it, "/rule/then/decision", json!(decision))
}

fn outcome(known: &Known, rules: &[Json]) -> (Outcome, Decision) {
    let judgement = known.judge(&book(rules));
    (judgement.outcome, judgement.decision())
}

#[test]
fn the_strictest_decides_and_silence_allows() {
    let decisions = ["allow", "warn", "require_review", "deny"];
    for (at, decision) in decisions.iter().enumerate() {
        let rules: Vec<Json> =
            decisions[..=at].iter().map(|it| saying(&format!("rule_{it}"), T, "error", it)).collect();
        let decision: Decision = decision.parse().unwrap();
        assert_eq!(outcome(&known(), &rules).1, decision);
        let mut turned = rules;
        turned.reverse();
        assert_eq!(outcome(&known(), &turned).1, decision);
    }
    let none = known().judge(&book(&[]));
    assert_eq!((none.outcome, none.is_default()), (Outcome::Allow, true));
    let quiet = known().judge(&book(&[saying("rule_a", "lock_scope_missing", "error", "deny")]));
    assert_eq!((quiet.decision(), quiet.is_default()), (Decision::Allow, true));
    let allowed = known().judge(&book(&[saying("rule_a", T, "error", "allow")]));
    assert_eq!((allowed.decision(), allowed.is_default()), (Decision::Allow, false));
}

#[test]
fn the_weight_of_a_deny() {
    let deny = |severity: &str| vec![saying("rule_a", T, severity, "deny")];
    assert_eq!(outcome(&known(), &deny("block")), (Outcome::HardDeny, Decision::Deny));
    assert_eq!(outcome(&known(), &deny("error")), (Outcome::Deny, Decision::Deny));
    assert_eq!(outcome(&known(), &deny("warn")), (Outcome::RequireReview, Decision::RequireReview));
    assert_eq!(outcome(&known(), &deny("info")), (Outcome::RequireReview, Decision::RequireReview));
    let critical = Known { risk: Risk::Critical, ..known() };
    assert_eq!(outcome(&critical, &deny("error")).0, Outcome::HardDeny);
    assert_eq!(outcome(&critical, &[saying("rule_a", T, "block", "warn")]).0, Outcome::Warn);
    let downgraded = known().judge(&book(&deny("warn")));
    assert!(downgraded.fired[0].is_downgraded());
    assert_eq!(downgraded.fired[0].decision, Decision::Deny);
    assert!(!known().judge(&book(&deny("error"))).fired[0].is_downgraded());
}

#[test]
fn a_missing_fact_stops_only_what_could_be_stopped() {
    for (decision, wanted) in [
        ("deny", Outcome::Undecided),
        ("require_review", Outcome::Undecided),
        ("warn", Outcome::Allow),
        ("allow", Outcome::Allow),
    ] {
        let book = book(&[saying("rule_a", U, "error", decision)]);
        let judgement = known().judge(&book);
        assert_eq!(judgement.outcome, wanted, "{decision}");
        let is_undecided = wanted == Outcome::Undecided;
        assert_eq!(judgement.undecided.len(), usize::from(is_undecided));
        assert_eq!(judgement.unknown_noted.to_string(), if is_undecided { "" } else { "0" });
        for undecided in &judgement.undecided {
            let unknown = undecided.unknown.iter().map(|atom| book.condition(*atom).unwrap().to_string());
            assert_eq!(unknown.collect::<Vec<_>>(), [U]);
        }
    }
    let denied = [saying("rule_a", U, "error", "deny"), saying("rule_b", T, "error", "deny")];
    assert_eq!(outcome(&known(), &denied).0, Outcome::Deny);
    let reviewed = [saying("rule_a", U, "error", "deny"), saying("rule_b", T, "error", "require_review")];
    assert_eq!(outcome(&known(), &reviewed), (Outcome::Undecided, Decision::RequireReview));
}

#[test]
fn what_a_firing_rests_on() {
    let missing = json!({ "rollback_plan_missing": true });
    let (yes, exists) = (json!({ T: true }), json!({ "field_exists": "name" }));
    for (when, on_missing, on_files) in [
        (json!({ "all_of": [missing, yes] }), true, true),
        (json!({ "any_of": [missing, yes] }), false, false),
        (json!({ "all_of": [missing, { "any_of": [yes, exists] }] }), true, false),
        (json!({ "any_of": [missing, { U: true }] }), false, false),
        (json!({ "any_of": [missing, { "lock_scope_missing": true }] }), true, false),
        (json!({ "any_of": [missing, { "all_of": [{ "not": missing }, yes] }] }), false, false),
    ] {
        let fired = known().judge(&book(&[rule("rule_a", &when)])).fired.remove(0);
        let rests = (fired.rests_on(Predicate::RollbackPlanMissing), fired.rests_on(Predicate::TargetsFiles));
        assert_eq!(rests, (on_missing, on_files), "{when}");
    }
}

#[test]
fn every_evaluation_is_accounted_for() {
    let elsewhere = |id: &str| {
        with(rule(id, &json!({ T: true })), "/rule/scope", json!({ "applies_to_types": ["agent", "rule"] }))
    };
    let book = book(&[
        elsewhere("rule_a"),
        elsewhere("rule_b"),
        saying("rule_c", T, "error", "deny"),
        saying("rule_d", "lock_scope_missing", "error", "deny"),
        saying("rule_e", U, "error", "deny"),
        saying("rule_f", U, "error", "warn"),
        elsewhere("rule_g"),
    ]);
    let judgement = known().judge(&book);
    let unmet = judgement.unmet.clone().unwrap();
    assert_eq!(unmet.not_in_scope.to_string(), "0-1,6");
    assert_eq!(unmet.not_met.to_string(), "3");
    assert_eq!(judgement.unknown_noted.to_string(), "5");
    assert_eq!((judgement.fired[0].rule, judgement.undecided[0].rule), (2, 4));
    assert_eq!(book.not_applicable().collect::<Vec<u32>>(), [0, 1, 6]);
    let short = known().ask(|subject| book.judge(subject));
    assert_eq!(short, Judgement { unmet: None, ..judgement.clone() });
    let text = serde_json::to_string(&judgement).unwrap();
    assert_eq!(serde_json::from_str::<Judgement>(&text).unwrap(), judgement);
    assert!(text.contains(r#""unmet":{"not_in_scope":"0-1,6","not_met":"3"}"#), "{text}");
}

#[test]
fn scope_is_tested_first_and_an_empty_list_means_any() {
    let scoped = |scope: Json| with(rule("rule_a", &json!({ T: true })), "/rule/scope", scope);
    let fires = |known: &Known, scope: &Json| known.judge(&book(&[scoped(scope.clone())])).fired.len() == 1;
    let nowhere = Known { stages: provost_core::rules::Set::EMPTY, ..known() };
    for (scope, placed, unplaced) in [
        (json!({ "applies_to_types": ["command"] }), true, true),
        (json!({ "applies_to_types": ["workflow"] }), false, false),
        (json!({ "applies_to_risk": ["medium"], "applies_to_phases": [] }), true, true),
        (json!({ "applies_to_risk": ["high"] }), false, false),
        (json!({ "applies_to_phases": ["design", "implementation"] }), true, false),
        (json!({ "applies_to_phases": ["design"] }), false, false),
    ] {
        assert_eq!((fires(&known(), &scope), fires(&nowhere, &scope)), (placed, unplaced), "{scope}");
    }
}

#[test]
fn explanations_are_in_words() {
    let mut it = rule(
        "rule_a",
        &json!({ "all_of": [{ T: true }, { "field_missing": "a.b" }, { "any_of": [{ U: true }, { "risk_at_least": "low" }] }] }),
    );
    it["rule"]["evidence_required"] = json!(["risk_assessment", "rollback_plan", "tea_leaves"]);
    let book: RuleBook = book(&[it, saying("rule_b", U, "error", "deny")]);
    let judgement = known().judge(&book);
    let explained = book.explain(&judgement);
    let lines = |at: usize| -> Vec<String> {
        explained[at].conditions.iter().map(|line| format!("{}: {}", line.text, line.value)).collect()
    };
    assert_eq!(explained[0].verdict, Verdict::Fired(Outcome::Deny));
    assert_eq!(lines(0), ["targets_files: true", "risk_at_least low: true", "field_exists a.b: false"]);
    assert_eq!(explained[0].recorded, ["risk_assessment"]);
    assert_eq!(explained[0].absent, ["rollback_plan", "tea_leaves"]);
    assert_eq!(
        (explained[0].reason, explained[0].required_changes),
        ("it is so", &["mend it".to_owned()][..])
    );
    assert_eq!(explained[1].verdict, Verdict::Undecided);
    assert_eq!(lines(1), ["decision_is_key: unknown"]);

    let whole = known().ask(|subject| book.explain_rule(0, subject).unwrap());
    let tree: Vec<String> = whole
        .conditions
        .iter()
        .map(|line| format!("{:indent$}{}: {}", "", line.text, line.value, indent = 2 * line.depth as usize))
        .collect();
    assert_eq!(
        tree,
        [
            "all_of: true",
            "  targets_files: true",
            "  not: true",
            "    field_exists a.b: false",
            "  any_of: true",
            "    decision_is_key: unknown",
            "    risk_at_least low: true",
        ]
    );
    assert_eq!(whole.verdict, Verdict::Fired(Outcome::Deny));
    assert_eq!(Tri::True.to_string(), "true");
}
