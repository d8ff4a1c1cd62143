//! Everything that makes a rule undecidable, found before any rule is asked.

use provost_core::diagnostic::{Exit, Severity};
use provost_core::registry::Status;
use provost_core::rules;
use serde_json::{Value as Json, json};

use crate::{document, read, rule, rules_of, with, without};

fn good() -> Json {
    rule("rule_a", &json!({ "targets_files": true }))
}

fn when(condition: &Json) -> Json {
    rule("rule_a", condition)
}

/// Codes and messages of what is wrong.
fn defects(rules: &[Json]) -> Vec<(&'static str, String)> {
    let found = read(rules).expect_err("something is wrong with it");
    for defect in &found {
        let is_error = defect.severity == Severity::Error;
        assert!(defect.place.is_some() && (!is_error || defect.code.exit() == Exit::Aborted), "{defect}");
    }
    found.into_iter().map(|it| (it.code.name(), it.message)).collect()
}

#[track_caller]
fn refused(rule: &Json, code: &str, message: &str) {
    let found = defects(std::slice::from_ref(rule));
    let [(found, said)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((*found, said.as_str()), (code, message));
}

#[test]
fn red_lines() {
    let mut executes = good();
    executes["Command-Line"] = json!("rm");
    refused(&executes, "rules::red_line", "a rule must not have the key `Command-Line`");
    let mut allows = good();
    allows["constraints"]["execution"] = json!("allowed");
    let silent = "the rule does not say `execution: forbidden` under `constraints`";
    refused(&allows, "rules::red_line", silent);
    refused(&without(good(), "", "constraints"), "rules::red_line", silent);

    let path = "/rule/evidence_required";
    refused(
        &without(good(), "/rule", "evidence_required"),
        "rules::no_evidence",
        "the rule has no `evidence_required`",
    );
    let empty = "`evidence_required` is not a list with a name in it";
    refused(&with(good(), path, json!([])), "rules::no_evidence", empty);
    refused(&with(good(), path, json!("risk_assessment")), "rules::no_evidence", empty);
    refused(
        &with(good(), path, json!([1])),
        "rules::no_evidence",
        "an element of `evidence_required` is a number, not a string",
    );

    refused(
        &with(good(), "/rule/scope", json!({})),
        "rules::no_scope",
        "the scope names no type, no risk and no phase",
    );
    refused(
        &with(good(), "/rule/scope", json!({ "applies_to_types": [] })),
        "rules::no_scope",
        "the scope names no type, no risk and no phase",
    );
    refused(&with(good(), "/rule/scope", json!([])), "rules::no_scope", "`scope` is a list, not an object");
    refused(&without(good(), "/rule", "scope"), "rules::no_scope", "the rule has no `scope`");

    refused(&without(good(), "", "lineage"), "rules::lineage", "the rule has no lineage");
    refused(
        &without(good(), "/lineage", "introduced_in"),
        "rules::lineage",
        "the lineage has no `introduced_in`",
    );
    refused(
        &with(good(), "/lineage/introduced_in", json!("0.9")),
        "rules::lineage",
        "`introduced_in` is `0.9` and not a version such as `v0.9`",
    );
    refused(
        &without(good(), "/lineage", "derived_from"),
        "rules::lineage",
        "the lineage has no `derived_from`; `null` is one",
    );
    refused(
        &with(good(), "/lineage/derived_from", json!(3)),
        "rules::lineage",
        "`derived_from` of the lineage is not a text",
    );
    refused(
        &without(good(), "/lineage", "supersedes"),
        "rules::lineage",
        "the lineage has no `supersedes`; an empty list is one",
    );
    refused(
        &with(good(), "/lineage/supersedes", json!("x")),
        "rules::lineage",
        "`supersedes` is a string, not a list",
    );
}

#[test]
fn what_a_machine_can_judge() {
    let undecidable = "rules::undecidable";
    refused(
        &with(good(), "/rule/severity", json!("eror")),
        undecidable,
        "`severity` has `eror`, which is none of info, warn, error, block",
    );
    refused(&without(good(), "/rule", "severity"), undecidable, "the rule has no `severity`");
    refused(&without(good(), "/rule", "when"), undecidable, "the rule has no `when`");
    refused(&without(good(), "/rule", "then"), undecidable, "the rule has no `then`");
    refused(&with(good(), "/rule/then", json!("deny")), undecidable, "`then` is a string, not an object");
    refused(&without(good(), "/rule/then", "decision"), undecidable, "the rule has no `decision`");
    refused(
        &with(good(), "/rule/then/decision", json!("forbid")),
        undecidable,
        "`decision` has `forbid`, which is none of allow, warn, require_review, deny",
    );
    let silent = "the rule stops something and gives no `reason`";
    refused(&without(good(), "/rule/then", "reason"), undecidable, silent);
    let review = with(good(), "/rule/then/decision", json!("require_review"));
    refused(&without(review, "/rule/then", "reason"), undecidable, silent);
    refused(&with(good(), "/rule/then/reason", json!(" ")), undecidable, "`reason` of `then` is not a text");
    refused(
        &with(good(), "/rule/then/required_changes", json!([1])),
        undecidable,
        "an element of `required_changes` is a number, not a string",
    );
    refused(
        &with(good(), "/rule/scope", json!({ "applies_to_risk": ["huge"] })),
        undecidable,
        "`applies_to_risk` has `huge`, which is none of low, medium, high, critical",
    );
    refused(
        &with(good(), "/rule/scope", json!({ "applies_to_types": "command" })),
        undecidable,
        "`applies_to_types` is a string, not a list",
    );
    let warns = with(good(), "/rule/then/decision", json!("warn"));
    assert_eq!(rules_of(&[without(warns, "/rule/then", "reason")])[0].then.reason, "");
}

#[test]
fn conditions() {
    for (condition, message) in [
        (json!("always"), "`when` is a string, not an object of conditions"),
        (json!({}), "`when` is empty and decides nothing"),
        (json!({ "any_of": [] }), "`any_of` is empty and decides nothing"),
        (json!({ "all_of": {} }), "`all_of` is an object, not a list"),
        (json!({ "all_of": ["x"] }), "an element of `all_of` is a string, not an object of conditions"),
        (json!({ "not": [] }), "`not` is a list, not an object of conditions"),
        (json!({ "targets_files": false }), "`targets_files` is a fact and can only be `true` here"),
        (json!({ "targets_files": "yes" }), "`targets_files` is a fact and can only be `true` here"),
        (json!({ "field_exists": 1 }), "`field_exists` is a number, not a string"),
        (json!({ "field_missing": "" }), "`field_missing` is empty"),
        (
            json!({ "field_exists": "a..b" }),
            "`a..b` is not the path of a field, with single points between keys",
        ),
        (json!({ "field_equals": "x" }), "`field_equals` takes an object with exactly `field` and `value`"),
        (
            json!({ "field_equals": { "field": "x" } }),
            "`field_equals` takes an object with exactly `field` and `value`",
        ),
        (
            json!({ "field_equals": { "field": "x", "value": 1, "more": 2 } }),
            "`field_equals` takes an object with exactly `field` and `value`",
        ),
        (
            json!({ "field_equals": { "field": "x", "value": [1] } }),
            "`field_equals` compares with single values, not with a list",
        ),
        (json!({ "field_in": { "field": "x", "values": [] } }), "`values` is empty and decides nothing"),
        (
            json!({ "field_contains_any": { "field": "x", "tokens": [1] } }),
            "an element of `tokens` is a number, not a string",
        ),
        (
            json!({ "field_contains_any": { "field": "x", "tokens": [""] } }),
            "an element of `tokens` is empty",
        ),
        (
            json!({ "field_gt": { "field": "x", "value": "3" } }),
            "`field_gt` compares with a number, not with a string",
        ),
        (json!({ "effect_any": "write" }), "`effect_any` is a string, not a list"),
        (
            json!({ "effect_any": ["writes"] }),
            "`effect_any` has `writes`, which is none of read, write, network, deploy, delete, configure, security, data",
        ),
        (
            json!({ "risk_at_least": "higher" }),
            "`risk_at_least` has `higher`, which is none of low, medium, high, critical",
        ),
        (json!({ "risk_at_least": 3 }), "`risk_at_least` is a number, not a string"),
    ] {
        refused(&when(&condition), "rules::undecidable", message);
    }
    refused(
        &when(&json!({ "field_exist": "x" })),
        "rules::unknown_operator",
        "there is no operator `field_exist`",
    );
    let found = read(&[when(&json!({ "field_exist": "x" }))]).unwrap_err();
    assert_eq!(found[0].help, "did you mean `field_exists`?");
}

#[test]
fn limits() {
    let nested =
        |depth: usize| (1..depth).fold(json!({ "targets_files": true }), |inner, _| json!({ "not": inner }));
    assert!(read(&[when(&nested(8))]).is_ok());
    refused(&when(&nested(9)), "rules::too_complex", "conditions are nested more than 8 deep");
    let wide = |nodes: usize| json!({ "any_of": vec![json!({ "targets_files": true }); nodes - 1] });
    assert!(read(&[when(&wide(64))]).is_ok());
    refused(&when(&wide(65)), "rules::too_complex", "the condition has more than 64 parts");
    let hostile = json!({ "any_of": vec![json!(0); 100_000] });
    assert_eq!(defects(&[when(&hostile)]).len(), 100, "the others are not described");
}

#[test]
fn form() {
    refused(&json!([]), "rules::form", "a rule is an object, and this is a list");
    refused(&without(good(), "", "id"), "rules::form", "the rule has no `id`");
    refused(
        &with(good(), "/id", json!("Rule A")),
        "rules::form",
        "the id `Rule A` is not of small letters, digits and `_`",
    );
    refused(&with(good(), "/type", json!("command")), "rules::form", "`type` is not `rule`");
    refused(&without(good(), "", "rule"), "rules::form", "the rule has no object `rule`");
    refused(&without(good(), "", "title"), "rules::form", "the rule has no `title`");
    refused(&without(good(), "", "version"), "rules::form", "the rule has no `version`");
    let mut scoped = good();
    scoped["rule"]["scope"]["applies_to_risks"] = json!([]);
    refused(&scoped, "rules::form", "`scope` has no key `applies_to_risks`");
    let mut more = good();
    more["rule"]["unless"] = json!({});
    refused(&more, "rules::form", "`rule` has no key `unless`");
    assert!(read(&[without(without(good(), "", "type"), "", "status")]).is_ok());
}

#[test]
fn all_defects_of_all_rules_at_once() {
    let one = with(when(&json!({ "x": 1, "field_exists": 1 })), "/rule/severity", json!(1));
    let other = with(rule("rule_b", &json!({ "any_of": [{ "y": 1 }, { "z": 1 }] })), "/title", json!(""));
    let found = defects(&[one, other]);
    let messages: Vec<&str> = found.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`severity` is a number, not a string",
            "`field_exists` is a number, not a string",
            "there is no operator `x`",
            "there is no operator `y`",
            "there is no operator `z`",
            "`title` of the rule is not a text",
        ]
    );
}

#[test]
fn warnings_stop_nothing() {
    let mut noted = with(good(), "/rule/evidence_required", json!(["risk_assesment", "rollback_plan"]));
    noted["colour"] = json!("red");
    let found = read(&[noted]).unwrap();
    let said: Vec<_> = found.warnings.iter().map(|it| (it.code.name(), &*it.message, &*it.help)).collect();
    assert_eq!(
        said,
        [
            (
                "rules::unread",
                "nothing reads the key `colour` of a rule",
                "remove the key, or move it under `metadata`"
            ),
            (
                "rules::unknown_evidence",
                "no evaluation records `risk_assesment`",
                "did you mean `risk_assessment`?"
            ),
        ]
    );
    assert_eq!(found.rules[0].evidence_unknown, ["risk_assesment"]);
}

fn superseding(id: &str, supersedes: &[&str]) -> Json {
    with(rule(id, &json!({ "targets_files": true })), "/lineage/supersedes", json!(supersedes))
}

#[test]
fn superseded_rules_are_dropped() {
    let found = read(&[
        superseding("rule_c", &[]),
        superseding("rule_b", &["rule_c", "rule_of_old"]),
        superseding("rule_a", &["rule_b"]),
        superseding("rule_d", &[]),
    ])
    .unwrap();
    let ids: Vec<&str> = found.rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["rule_a", "rule_d"]);
    let dropped: Vec<_> = found.superseded.iter().map(|it| (it.id.as_str(), it.by.as_str())).collect();
    assert_eq!(dropped, [("rule_b", "rule_a"), ("rule_c", "rule_b")]);
}

#[test]
fn circles_and_doubles_are_defects() {
    let circle = [
        superseding("rule_d", &["rule_b"]),
        superseding("rule_b", &["rule_c", "rule_z"]),
        superseding("rule_c", &["rule_d"]),
        superseding("rule_a", &["rule_b"]),
        superseding("rule_z", &[]),
    ];
    let said = "rules supersede each other in a circle: rule_b → rule_c → rule_d → rule_b";
    assert_eq!(defects(&circle), [("rules::cycle", said.to_owned())]);
    let itself = defects(&[superseding("rule_a", &["rule_a"])]);
    assert_eq!(
        itself,
        [("rules::cycle", "rules supersede each other in a circle: rule_a → rule_a".to_owned())]
    );
    let two = [
        superseding("rule_a", &["rule_b"]),
        superseding("rule_b", &["rule_a"]),
        superseding("rule_c", &["rule_d"]),
        superseding("rule_d", &["rule_c"]),
    ];
    assert_eq!(defects(&two).len(), 2);
    let doubled = defects(&[superseding("rule_a", &[]), superseding("rule_a", &[])]);
    assert_eq!(doubled, [("rules::duplicate", "the rule `rule_a` is also in rules/0.json".to_owned())]);
}

#[test]
fn the_status_says_what_is_usable() {
    for (text, wanted, loaded) in [
        (r#"{"status": "draft"}"#, Status::Draft, false),
        (r#"{"status": "deprecated"}"#, Status::Deprecated, false),
        (r#"{"status": "frozen"}"#, Status::Frozen, true),
        (r#"{"status": "active"}"#, Status::Active, true),
        ("{}", Status::Active, true),
        (r#"{"status": "activ"}"#, Status::Active, true),
        ("[]", Status::Active, true),
    ] {
        let found = rules::status(&document("rule.json", text));
        assert_eq!((found, found.is_usable()), (wanted, loaded), "{text}");
    }
    refused(
        &with(good(), "/status", json!("activ")),
        "rules::undecidable",
        "`status` has `activ`, which is none of draft, active, deprecated, frozen",
    );
}
