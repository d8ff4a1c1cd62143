//! Policies, and what is in force when an intent meets one.

use provost_core::document::{self, Limits, Unreadable};
use provost_core::intent::Intent;
use provost_core::planning::policy::{Effective, Pins, Policy, RiskProfile};
use provost_core::planning::questions_pack::QuestionType::{
    self, Blocker, Clarification, Optimization, RiskMitigation,
};
use provost_core::vocabulary::{Mode, QuestionPolicy, Risk, Sensitivity};
use serde_json::{Value, json};

use crate::sample::examine;

fn read(value: &Value) -> Result<Policy, Unreadable> {
    Policy::read(&document::read("policy.json", value.to_string().as_bytes(), &Limits::default()).unwrap())
}

fn policy(more: &Value) -> Policy {
    let mut value = json!({ "schema_version": "1.0.0", "mode": "interactive" });
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    read(&value).unwrap()
}

fn intent(mode: Mode, question_budget: u32, question_policy: QuestionPolicy) -> Intent {
    let mut intent = examine(&crate::sample::intent()).intent.unwrap();
    intent.interaction.mode = mode;
    intent.interaction.question_budget = question_budget;
    intent.interaction.question_policy = question_policy;
    intent
}

fn asking() -> Intent {
    intent(Mode::Interactive, 50, QuestionPolicy::ConceptualOnly)
}

#[test]
fn the_least_that_a_policy_says_is_the_default() {
    assert_eq!(policy(&json!({})), Policy::default());
    let default = Effective::of(&asking(), &Policy::default());
    assert_eq!(
        (default.mode, default.question_budget, default.auto_fallback),
        (Mode::Interactive, 50, false)
    );
    assert_eq!(
        (default.max_files_per_commit, default.allow_destructive, default.allow_bulk),
        (5, false, false)
    );
    assert_eq!(
        (default.allow_cloud, default.sensitivity, default.pins),
        (true, Sensitivity::Internal, Pins::Optional)
    );
    assert_eq!((default.max_cost_microusd, default.max_retries, default.min_memories), (2_500_000, 3, 0));
    assert!(default.require_verification);
}

#[test]
fn policies_are_closed() {
    for (more, code) in [
        (json!({ "question_bugdet": 3 }), "schema::unknown_key"),
        (json!({ "constraints": { "allow_everything": true } }), "schema::unknown_key"),
        (json!({ "question_rules": { "x": 1 } }), "schema::unknown_key"),
        (json!({ "budgets": { "max_tokens": 1 } }), "schema::unknown_key"),
        (json!({ "schema_version": "2.0.0" }), "schema::not_allowed"),
        (json!({ "mode": "manual" }), "schema::not_allowed"),
        (json!({ "risk_profile": "reckless" }), "schema::not_allowed"),
        (json!({ "pins": "maybe" }), "schema::not_allowed"),
        (json!({ "question_budget": -1 }), "schema::out_of_range"),
        (json!({ "question_budget": null }), "schema::wrong_type"),
        (json!({ "constraints": { "max_files_per_commit": 0 } }), "schema::out_of_range"),
        (json!({ "budgets": { "max_cost_usd": -1 } }), "schema::out_of_range"),
        (json!({ "metadata": { "note": 3 } }), "schema::wrong_type"),
    ] {
        let mut value = json!({ "schema_version": "1.0.0", "mode": "interactive" });
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(read(&value).unwrap_err().defects[0].code.name(), code, "{more}");
    }
    assert_eq!(read(&json!({})).unwrap_err().defects.len(), 2);
}

#[test]
fn of_mode_budget_and_policy_the_stricter_is_in_force() {
    use Mode::{FullAuto, Interactive, SemiAuto};
    use QuestionPolicy::{All, BlockersOnly, ConceptualOnly, Never};
    for (ours, theirs, mode, budget, asks) in [
        ((Interactive, 20, ConceptualOnly), json!({}), Interactive, 20, ConceptualOnly),
        ((Interactive, 20, All), json!({}), Interactive, 20, All),
        ((Interactive, 20, ConceptualOnly), json!({ "question_budget": 7 }), Interactive, 7, ConceptualOnly),
        ((Interactive, 20, ConceptualOnly), json!({ "mode": "semi_auto" }), SemiAuto, 3, BlockersOnly),
        ((SemiAuto, 20, ConceptualOnly), json!({ "question_budget": 999 }), SemiAuto, 20, BlockersOnly),
        (
            (Interactive, 20, ConceptualOnly),
            json!({ "question_policy": "blockers_only" }),
            Interactive,
            20,
            BlockersOnly,
        ),
        ((Interactive, 20, ConceptualOnly), json!({ "mode": "full_auto" }), FullAuto, 0, Never),
        (
            (Interactive, 20, ConceptualOnly),
            json!({ "mode": "full_auto", "question_budget": 9 }),
            FullAuto,
            0,
            Never,
        ),
        ((FullAuto, 0, Never), json!({ "question_budget": 9, "question_policy": "all" }), FullAuto, 0, Never),
        (
            (SemiAuto, 5, BlockersOnly),
            json!({ "mode": "semi_auto", "question_budget": 4 }),
            SemiAuto,
            4,
            BlockersOnly,
        ),
    ] {
        let effective = Effective::of(&intent(ours.0, ours.1, ours.2), &policy(&theirs));
        let found = (effective.mode, effective.question_budget, effective.question_policy);
        assert_eq!(found, (mode, budget, asks), "{ours:?} {theirs}");
        assert_eq!(effective.needs_people(Risk::High), mode == FullAuto);
        assert!(!effective.needs_people(Risk::Medium));
    }
}

#[test]
fn kinds_of_question() {
    let kinds = |asks, more: &Value| -> Vec<QuestionType> {
        let effective = Effective::of(&intent(Mode::Interactive, 9, asks), &policy(more));
        effective.allowed_question_types.into_iter().collect()
    };
    let only = |types: &[&str]| json!({ "question_rules": { "allowed_types": types } });
    assert_eq!(
        kinds(QuestionPolicy::All, &json!({})),
        [Clarification, Blocker, Optimization, RiskMitigation]
    );
    assert_eq!(kinds(QuestionPolicy::ConceptualOnly, &json!({})), [Clarification, Blocker, RiskMitigation]);
    assert_eq!(kinds(QuestionPolicy::BlockersOnly, &json!({})), [Blocker]);
    assert_eq!(kinds(QuestionPolicy::Never, &json!({})), []);
    assert_eq!(kinds(QuestionPolicy::All, &only(&["decision_needed"])), [Clarification, RiskMitigation]);
    assert_eq!(kinds(QuestionPolicy::All, &only(&["optimization", "blocker"])), [Blocker, Optimization]);
    assert_eq!(kinds(QuestionPolicy::BlockersOnly, &only(&["clarification"])), []);
}

#[test]
fn profiles_bounds_and_money() {
    for (profile, files, destructive, bulk) in [
        (RiskProfile::Safe, 5, false, false),
        (RiskProfile::AggressiveSafe, 50, false, true),
        (RiskProfile::Aggressive, 999, true, true),
    ] {
        let bold = Effective::of(&asking(), &policy(&json!({ "risk_profile": profile })));
        assert_eq!(
            (bold.max_files_per_commit, bold.allow_destructive, bold.allow_bulk),
            (files, destructive, bulk)
        );
    }
    let own = json!({ "risk_profile": "aggressive", "constraints": {
        "max_files_per_commit": 2, "allow_destructive": false, "allow_bulk_changes": false, "forbidden_operations": ["deploy"]
    } });
    let own = Effective::of(&asking(), &policy(&own));
    assert_eq!((own.max_files_per_commit, own.allow_destructive, own.allow_bulk), (2, false, false));
    assert!(own.forbidden_operations.contains("deploy"));
    for (dollars, millionths) in
        [(10.0, 2_500_000), (0.29, 290_000), (0.0, 0), (0.000_000_9, 0), (1.1, 1_100_000)]
    {
        let effective = Effective::of(&asking(), &policy(&json!({ "budgets": { "max_cost_usd": dollars } })));
        assert_eq!(effective.max_cost_microusd, millionths, "{dollars}");
    }
    for (rules, least) in [
        (json!({}), 1),
        (json!({ "min_evidence_count": 3 }), 3),
        (json!({ "min_evidence_count": 0 }), 1),
        (json!({ "require_evidence": false, "min_evidence_count": 3 }), 1),
    ] {
        let effective = Effective::of(&asking(), &policy(&json!({ "question_rules": rules })));
        assert_eq!(effective.min_evidence_count, least, "{rules}");
    }
}
