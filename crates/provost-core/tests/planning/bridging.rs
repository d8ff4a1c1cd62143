//! Frozen plans as tasks: what is delivered is what was frozen, and what has to be seen before it may be.

use std::fmt::Write as _;

use insta::assert_snapshot;
use provost_core::decider::{At, Decider as _, Moment};
use provost_core::delivery::{self, Begin, Bypassed, FrozenRun, Roles, Warrant};
use provost_core::digest::Digest;
use provost_core::plan::Plan;
use provost_core::planning::deliver::{Delivery, Now};
use provost_core::planning::policy::Policy;
use provost_core::planning::runs::{Approval, Command, Kept, Walked};
use provost_core::planning::{Phase, Run};
use provost_core::registry::Kind;
use provost_core::state::{self, State};
use provost_core::time::Timestamp;
use serde_json::json;

use crate::documents::command;
use crate::kit::Case;

fn kept(run: &Run) -> Kept {
    let manifest = run.files.iter().find(|file| file.name == "manifest.json").unwrap();
    Kept { bundle: Digest::of(&run.bundle()), manifest: Digest::of(&manifest.bytes) }
}

fn delivered(case: &Case) -> Delivery {
    let run = case.plan();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    Delivery::of(&run.run_id, kept(&run), &run.files).unwrap()
}

/// The tasks, as a person would read them.
fn page(plan: &Plan) -> String {
    let mut page = format!("{}: {}\n", plan.title, plan.overview);
    for task in &plan.tasks {
        let _ = writeln!(page, "\n{} ({}) {}", task.id, task.risk, task.title);
        let blockers: Vec<&str> = task.blocked_by.iter().map(provost_core::plan::TaskId::as_str).collect();
        let _ = writeln!(page, "after [{}], writes [{}]", blockers.join(", "), task.files.join(", "));
        for reading in &task.reading {
            let note = reading.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let _ = writeln!(page, "reads {}{note}", reading.pattern);
        }
        for criterion in &task.criteria {
            let _ = writeln!(page, "- {}", criterion.text);
        }
        for line in task.work.lines().filter(|line| !line.is_empty()) {
            let _ = writeln!(page, "| {line}");
        }
    }
    page
}

#[test]
fn a_plan_becomes_tasks() {
    let case = Case::low().with(|case| {
        let mut verify = case.intent["planned_commands"][0].clone();
        verify["intent"] = json!("See that the greeting is right");
        verify["command_id"] = json!("cmd_verify");
        case.intent["planned_commands"].as_array_mut().unwrap().push(verify);
        case.intent["selected_workflows"][0]["phases"] =
            json!(["analysis", "implementation", "validation", "review"]);
        let mut own = command("cmd_verify", &json!([{ "scope": "repo", "kind": "read" }]), "low");
        own["workflow_links"] = json!([{ "workflow": "implement_feature", "phases": ["validation"] }]);
        case.registry.push((Kind::Command, own));
        let change = case.registry.iter_mut().find(|(_, it)| it["id"] == "cmd_change_code").unwrap();
        change.1["acceptance"] = json!(["The change has a test"]);
        change.1["inputs"] =
            json!([{ "name": "place", "type": "string", "description": "Where it is made." }]);
    });
    let delivery = delivered(&case);
    assert!(delivery.verifying.is_empty());
    assert_snapshot!(page(&delivery.plan), @"
    The greeting names the guest: Whoever signs the guestbook is greeted by name

    2-change-code (low) Put the name into the greeting
    after [], writes [src/greet.rs]
    reads src/greet.rs (Find where the greeting is made)
    - The change has a test
    - `cargo test greet` exits 0
    | Put the name into the greeting
    | Goal of the whole plan:
    | - Whoever signs the guestbook is greeted by name
    | Not wanted:
    | - No other page changes
    | What this kind of work is:
    | - What the command is for, in a sentence.
    | What it needs:
    | - place: Where it is made.
    | What it leaves:
    | - change
    | Look at first:
    | - Find where the greeting is made
    | Looked at afterwards:
    | - See that the greeting is right
    ");
    assert_eq!(
        delivery.run.models.iter().map(|it| it.role.as_str()).collect::<Vec<_>>(),
        ["developer", "critic", "auditor"]
    );
}

#[test]
fn tasks_that_nothing_waits_for_are_followed_by_one_that_verifies() {
    let case = Case::low().with(|case| {
        let mut other = case.intent["selected_workflows"][0].clone();
        other["workflow_id"] = json!("write_docs");
        case.intent["selected_workflows"].as_array_mut().unwrap().push(other);
        let mut workflow = case.registry.iter().find(|(kind, _)| *kind == Kind::Workflow).unwrap().1.clone();
        workflow["id"] = json!("write_docs");
        case.registry.push((Kind::Workflow, workflow));
        let mut docs = command("cmd_write_page", &json!([{ "scope": "repo", "kind": "write" }]), "low");
        docs["workflow_links"] = json!([{ "workflow": "write_docs", "phases": ["implementation"] }]);
        case.registry.push((Kind::Command, docs));
        let mut planned = case.intent["planned_commands"][1].clone();
        planned["command_id"] = json!("cmd_write_page");
        planned["intent"] = json!("Say so in the manual");
        case.intent["planned_commands"].as_array_mut().unwrap().push(planned);
    });
    let delivery = delivered(&case);
    assert_snapshot!(page(&delivery.plan), @"
    The greeting names the guest: Whoever signs the guestbook is greeted by name

    3-write-page (low) Say so in the manual
    after [], writes [src/greet.rs]
    reads src/greet.rs
    - `change` is there
    | Say so in the manual
    | Goal of the whole plan:
    | - Whoever signs the guestbook is greeted by name
    | Not wanted:
    | - No other page changes
    | What this kind of work is:
    | - What the command is for, in a sentence.
    | What it leaves:
    | - change

    2-change-code (low) Put the name into the greeting
    after [], writes [src/greet.rs]
    reads src/greet.rs (Find where the greeting is made)
    - `change` is there
    | Put the name into the greeting
    | Goal of the whole plan:
    | - Whoever signs the guestbook is greeted by name
    | Not wanted:
    | - No other page changes
    | What this kind of work is:
    | - What the command is for, in a sentence.
    | What it leaves:
    | - change
    | Look at first:
    | - Find where the greeting is made

    verify-the-whole (low) Verify the whole
    after [2-change-code, 3-write-page], writes []
    - `cargo test greet` exits 0
    | See whether the tasks before amount to the goal: Whoever signs the guestbook is greeted by name
    ");
    let verifying: Vec<&str> = delivery.verifying.iter().map(provost_core::plan::TaskId::as_str).collect();
    assert_eq!(verifying, ["verify-the-whole"]);
}

#[test]
fn a_plan_that_only_looks_has_nothing_to_deliver() {
    let run = Case::full_auto().plan();
    let refused = Delivery::of(&run.run_id, kept(&run), &run.files).unwrap_err();
    assert_eq!(refused.code.name(), "planning::nothing_to_deliver");
}

#[test]
fn whatever_a_plan_rests_on_is_named_when_it_moves() {
    let case = Case::low();
    let delivery = delivered(&case);
    let drift_since = |case: &Case, policy_then: Option<Digest>| {
        let inputs = case.inputs();
        delivery.drift(&Now {
            registry: &inputs.registry,
            policy: &inputs.policy,
            policy_then,
            facts: inputs.facts.as_ref().unwrap(),
        })
    };
    let drift = |case: &Case| drift_since(case, None);
    assert_eq!(drift(&case), Vec::<String>::new());
    // A policy that was handed in stands beside the project's own: only that one can move.
    let own = Case::low().with(|case| case.policy["risk_profile"] = json!("aggressive"));
    let then = own.inputs().policy.digest().unwrap();
    assert_eq!(drift_since(&own, Some(then)), Vec::<String>::new());
    assert_eq!(drift_since(&case, Some(then)), ["the policy of the project changed"]);
    let moved = Case::low().with(|case| {
        case.policy["risk_profile"] = json!("aggressive");
        let facts = case.facts.as_mut().unwrap();
        facts["files"][0]["sha256"] = json!("1".repeat(64));
        facts["files"][1]["path"] = json!("src/other.rs");
        case.registry.retain(|(kind, _)| *kind != Kind::Rule);
        for (kind, content) in &mut case.registry {
            match kind {
                Kind::Workflow => content["version"] = json!("1.1.0"),
                Kind::Agent => content["status"] = json!("deprecated"),
                Kind::Command => content["description"] = json!("Something else, in a sentence."),
                _ => {}
            }
        }
    });
    assert_snapshot!(drift(&moved).join("\n"), @"
    the workflow `implement_feature` is version 1.1.0 and was 1.0.0
    the agent `maintainer` is deprecated now
    the command `cmd_change_code` changed
    the command `cmd_read_code` changed
    the rule `rule_r12_way_back` is gone
    the policy of the project changed
    the file `README.md` changed
    the file `src/greet.rs` is gone
    ");
}

/// Folds a command into a state, or says the code of its refusal.
fn tell(state: &mut State, sequence: &mut u64, command: &state::Command) -> Result<(), &'static str> {
    let moment = Moment { sequence: *sequence, now: Timestamp::EPOCH };
    let events = state.decide(command, moment).map_err(|refusal| refusal.code.name())?;
    for event in events {
        let at = At { sequence: *sequence, timestamp: Timestamp::EPOCH, session_id: "session" };
        state.apply(at, &event).unwrap();
        *sequence += 1;
    }
    Ok(())
}

#[test]
fn no_delivery_begins_from_a_run_that_is_not_approved_or_not_the_one_on_record() {
    let run = Case::low().plan();
    let kept = kept(&run);
    let mut state = State::default();
    let mut sequence = 1;
    let walked = Walked::of(&run, kept.bundle, &Policy::default()).unwrap();
    tell(&mut state, &mut sequence, &state::Command::Planning(Command::Keep(walked))).unwrap();
    let begin = |manifest: Digest| {
        let agent = || "mine".to_owned();
        state::Command::Delivery(delivery::Command::Begin(Begin {
            plan: Digest::of(b"plan"),
            name: run.run_id.clone(),
            title: "A plan".to_owned(),
            base: "base".to_owned(),
            tasks: Vec::new(),
            checks: Vec::new(),
            roles: Roles { developer: agent(), critic: agent(), auditor: agent() },
            bypassed: Bypassed::Ask,
            terms: Box::default(),
            again: false,
            warrant: Box::new(Warrant {
                run: Some(FrozenRun { id: run.run_id.clone(), manifest, models: Vec::new() }),
                ..Warrant::default()
            }),
        }))
    };
    assert_eq!(tell(&mut state, &mut sequence, &begin(kept.manifest)), Err("run::not_approved"));
    let approval =
        Approval { run_id: run.run_id.clone(), gate: None, by: "ada".to_owned(), reason: "fine".to_owned() };
    tell(&mut state, &mut sequence, &state::Command::Planning(Command::Approve(approval))).unwrap();
    assert_eq!(tell(&mut state, &mut sequence, &begin(Digest::ZERO)), Err("run::drifted"));
    // A plan in a file of the same name is not this run.
    let state::Command::Delivery(delivery::Command::Begin(named)) = begin(kept.manifest) else {
        unreachable!()
    };
    let named = Begin { plan: Digest::of(b"file"), warrant: Box::default(), ..named };
    let named = state::Command::Delivery(delivery::Command::Begin(named));
    assert_eq!(tell(&mut state, &mut sequence, &named), Ok(()));
    assert_eq!(state.undelivered().map(|(id, _)| id).collect::<Vec<_>>(), [&run.run_id]);
    assert_eq!(tell(&mut state, &mut sequence, &begin(kept.manifest)), Ok(()));
    assert_eq!(state.undelivered().count(), 0);
}
