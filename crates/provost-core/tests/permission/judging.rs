//! Allowed is what a rule allows and none stands against; everything else is refused with a reason.

use provost_core::adapter::{Act, Deed};
use provost_core::permission::Permissions;
use provost_core::role::Role;
use serde_json::json;

use crate::{asker, command, file, judged, permissions, registry, rule};

#[test]
fn only_rules_that_name_acts_are_asked() {
    let always = json!({ "rule_evaluated": true });
    let plans = rule(10, &["command", "workflow"], &always, "allow");
    let any = rule(11, &[], &always, "deny");
    assert!(Permissions::of(&registry(&[plans.clone(), any.clone()])).unwrap().is_none());
    let permission = judged(&[plans, any, rule(12, &["command", "act"], &always, "allow")], &command("ls"));
    assert_eq!((permission.allowed, permission.rules), (true, vec!["rule_r12_it".to_owned()]));
    assert_eq!(permission.why, "allowed by `rule_r12_it`");
}

#[test]
fn a_refusal_names_its_rules_or_says_that_there_is_none() {
    let always = json!({ "rule_evaluated": true });
    let allow = rule(10, &["act"], &always, "allow");
    let of = |decision: &str, when: &serde_json::Value| {
        let permission = judged(&[allow.clone(), rule(20, &["act"], when, decision)], &command("ls"));
        (permission.allowed, permission.rules.join(","), permission.why)
    };
    let refused = |why: &str| (false, "rule_r20_it".to_owned(), why.to_owned());
    assert_eq!(of("deny", &always), refused("rule_r20_it denies it: because of 20"));
    assert_eq!(
        of("require_review", &always),
        refused("rule_r20_it wants a person to look, and nobody is asked: because of 20")
    );
    assert_eq!(
        of("deny", &json!({ "lock_scope_missing": true })),
        refused("rule_r20_it cannot be decided: unknown is lock_scope_missing")
    );
    assert!(of("warn", &always).0 && of("deny", &json!({ "not": always })).0);
    let never = rule(10, &["act"], &json!({ "not": always }), "allow");
    let warn = rule(11, &["act"], &always, "warn");
    for rules in [vec![never.clone()], vec![never, warn]] {
        let permission = judged(&rules, &command("ls"));
        assert_eq!((permission.allowed, permission.rules), (false, Vec::new()));
        assert!(permission.why.starts_with("no rule allows it"), "{}", permission.why);
        assert!(permission.why.contains("applies_to_types: [act]"), "{}", permission.why);
    }
}

#[test]
fn what_is_cut_or_closed_is_refused_whatever_rules_say() {
    let rules = [rule(10, &["act"], &json!({ "rule_evaluated": true }), "allow")];
    assert!(!judged(&rules, &Act { cut: true, ..command("ls") }).allowed);
    assert!(!judged(&rules, &command(&"x".repeat(2_001))).allowed);
    let many = Act { paths: vec!["a".to_owned(); 9], ..file(Deed::Read, "a") };
    assert!(!judged(&rules, &many).allowed);
    let closed = Permissions::closed("the registry is broken");
    let permission = closed.judge(&command("ls"), &asker(Role::Developer));
    assert_eq!((permission.allowed, permission.why.as_str()), (false, "the registry is broken"));
}

#[test]
fn a_broken_rule_closes_everything() {
    let broken = json!({ "id": "rule_r30_it", "type": "rule" });
    assert!(Permissions::of(&registry(&[broken])).is_err());
    let undecidable = rule(10, &["command"], &json!({ "field_looks_like": "x" }), "deny");
    let allow = rule(11, &["act"], &json!({ "rule_evaluated": true }), "allow");
    assert!(Permissions::of(&registry(&[undecidable, allow])).is_err());
}

#[test]
fn stages_of_work_are_those_of_roles() {
    let mut it = rule(10, &["act"], &json!({ "rule_evaluated": true }), "allow");
    it["rule"]["scope"]["applies_to_phases"] = json!(["review"]);
    let permissions = permissions(&[it]);
    let allowed = |role| permissions.judge(&command("ls"), &asker(role)).allowed;
    assert_eq!([Role::Developer, Role::Critic, Role::Auditor].map(allowed), [false, true, false]);
}

#[test]
fn a_field_that_no_act_has_is_pointed_out() {
    let asks = |field: &str, types: &[&str]| {
        let when = json!({ "not": { "field_equals": { "field": field, "value": "x" } } });
        registry(&[rule(10, types, &when, "allow")]).findings().warnings
    };
    let warnings = asks("comand", &["act"]);
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].message, "`rule_r10_it` asks for `comand`, and no act has it");
    assert_eq!(warnings[0].help, "did you mean `command`?");
    assert!(asks("command", &["act"]).is_empty() && asks("comand", &["act", "command"]).is_empty());
}
