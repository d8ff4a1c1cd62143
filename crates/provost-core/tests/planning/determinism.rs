//! What may not change a byte does not, and one changed byte is named.

use provost_core::planning::again;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Phase, plan};
use provost_core::registry::Kind;
use serde_json::json;

use crate::documents::rule;
use crate::kit::{Case, Ticking};

#[test]
fn a_frozen_plan_is_made_again_byte_for_byte() {
    for case in [Case::low(), Case::high(), Case::full_auto()] {
        let run = case.plan();
        let (broken, unmade) = again::verify(&run.files);
        assert_eq!((broken, unmade), (Vec::new(), None), "{:?}", run.state);
    }
}

#[test]
fn one_changed_byte_in_any_file_is_named() {
    let run = Case::low().plan();
    assert_eq!(run.state, Phase::Done);
    for at in 0..run.files.len() {
        let mut files = run.files.clone();
        let middle = files[at].bytes.len() / 2;
        files[at].bytes[middle] ^= 1;
        let (broken, _) = again::verify(&files);
        assert!(broken.iter().any(|it| it.file == files[at].name), "{}: {broken:?}", files[at].name);
    }
}

#[test]
fn only_tape_and_audit_know_the_time() {
    let inputs = Case::high().inputs();
    let [one, other] = [1_000, 86_400_000].map(|start| plan(&inputs, &mut Ticking(start), &Strict).unwrap());
    for (one, other) in one.files.iter().zip(&other.files) {
        let timed = ["tape.json", "audit.jsonl", "manifest.json"].contains(&one.name.as_str());
        assert_eq!(one.bytes == other.bytes, !timed, "{}", one.name);
    }
    assert_eq!(one.manifest.content_digest().unwrap(), other.manifest.content_digest().unwrap());
}

#[test]
fn the_order_of_keys_and_files_changes_nothing() {
    same_either_way(&Case::high);
    // Keys of a condition that all have to hold are not in an order either.
    same_either_way(&|| {
        Case::high().with(|case| {
            let when = json!({ "rule_evaluated": true, "risk_at_least": "low", "field_exists": "title" });
            let then = json!({ "decision": "warn", "reason": "It is so" });
            case.registry.push((Kind::Rule, rule("rule_r20_of_the_test", "warn", &when, &then)));
        })
    });
}

#[track_caller]
fn same_either_way(case: &dyn Fn() -> Case) {
    let run = case().plan();
    let turned = case().with(|case| {
        case.registry.reverse();
        case.backwards = true;
    });
    let turned = turned.plan();
    assert_eq!(turned.run_id, run.run_id);
    for (one, other) in run.files.iter().zip(&turned.files) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&one.bytes), text(&other.bytes), "{}", one.name);
    }
    assert_eq!(turned.files.len(), run.files.len());
}

#[test]
fn the_order_of_keys_changes_nothing_where_much_is_wrong() {
    // Of everything that is wrong one thing decides, and it is the same one.
    same_either_way(&|| {
        Case::low().with(|case| {
            case.intent["title"] = json!("x");
            case.intent["version"] = json!("one");
            case.intent["status"] = json!("rejected");
            case.intent["budgets"]["max_files"] = json!(-1);
        })
    });
    same_either_way(&|| {
        Case::low().with(|case| {
            for key in ["run", "shell", "exec", "bash"] {
                case.intent[key] = json!("x");
                case.intent["scope"][key] = json!("x");
            }
        })
    });
    // More than is kept.
    same_either_way(&|| {
        Case::low().with(|case| {
            for number in 0..300 {
                case.intent["scope"][format!("unheard_of_{number}")] = json!(number);
            }
        })
    });
    // In what governs and in what is named.
    same_either_way(&|| {
        Case::low().with(|case| {
            let when = json!({ "moon_is_full": true, "sun_is_out": true, "field_exists": 7 });
            let then = json!({ "decision": "deny" });
            case.registry.push((Kind::Rule, rule("rule_r20_of_the_test", "error", &when, &then)));
        })
    });
    same_either_way(&|| {
        Case::low().with(|case| {
            case.registry[0].1["description"] = json!("x");
            case.registry[0].1["category"] = json!("x");
            case.registry[0].1["phases"] = json!("x");
        })
    });
}
