//! What was settled where two readings were possible, one test for each, in the order of the decisions.

use provost_core::graph::{EdgeKind, Graph, NodeKind};
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Phase, Round, Run, Trigger, plan};
use provost_core::registry::{Kind, Lock, Registry};
use serde_json::{Value, json};

use crate::documents::rule;
use crate::kit::{Case, Tamper, Tampered, Ticking, answers, resealed};

fn failure(run: &Run) -> (Phase, &str, &str) {
    let kind = run.failure.as_ref().map_or("", |it| it.kind.into());
    (run.state, kind, run.failure.as_ref().map_or("", |it| it.code.as_str()))
}

fn json_of(run: &Run, file: &str) -> Value {
    serde_json::from_slice(run.file(file).unwrap_or_else(|| panic!("{file} is not among the documents")))
        .unwrap()
}

fn graph(run: &Run) -> Graph {
    serde_json::from_slice(run.file("graph.json").unwrap()).unwrap()
}

fn denying(severity: &str, when: &Value) -> Case {
    let then = json!({ "decision": "deny", "reason": "Not here", "required_changes": ["Do it elsewhere"] });
    Case::low().with(|case| case.registry.push((Kind::Rule, rule("rule_r30_denies", severity, when, &then))))
}

#[test]
fn c01_a_malformed_rule_aborts_and_a_sound_one_without_its_fact_blocks() {
    let malformed = denying("error", &json!("always")).plan();
    assert_eq!(failure(&malformed).0, Phase::Aborted);
    let mut lacking = denying("error", &json!({ "inference_not_cloud": true }));
    lacking.registry.retain(|(kind, _)| *kind != Kind::Model);
    assert_eq!(failure(&lacking.plan()).0, Phase::Blocked);
}

#[test]
fn c02_a_denial_weighs_as_much_as_its_rule() {
    let always = json!({ "rule_evaluated": true });
    let run = denying("error", &always).plan();
    assert_eq!(failure(&run), (Phase::Blocked, "rule_denied", "rules::deny"));
    assert!(run.failure.unwrap().recovery.contains(&"Do it elsewhere".to_owned()));
    assert_eq!(failure(&denying("block", &always).plan()).0, Phase::Aborted);
    for mild in ["warn", "info"] {
        let run = denying(mild, &always).plan();
        assert_eq!(run.state, Phase::Done, "{mild}: {:?}", run.failure);
        let decisions = json_of(&run, "decisions.json");
        assert_eq!(decisions["subjects"][0]["decision"], "require_review", "{mild}");
    }
    let critical = denying("error", &json!({ "effect_kind_is_write": true })).with(|case| {
        case.intent["planned_commands"][1]["risk_level"] = json!("critical");
        case.intent["risk"]["overall"] = json!("critical");
        case.intent["interaction"]["mode"] = json!("interactive");
    });
    assert_eq!(failure(&critical.plan()), (Phase::Aborted, "red_line_violation", "rules::hard_deny"));
    // Who names a way back has mended a denial that rests on nothing else, however much is at stake.
    let no_way_back = Case::high().with(|case| {
        case.intent["planned_commands"][1]["risk_level"] = json!("critical");
        case.intent["risk"]["overall"] = json!("critical");
    });
    assert_eq!(no_way_back.plan().state, Phase::AwaitingAnswers);
}

#[test]
fn c03_rules_that_supersede_each_other_abort() {
    let case = Case::low().with(|case| {
        let when = json!({ "rule_evaluated": true });
        let then = json!({ "decision": "warn", "reason": "Known" });
        for (id, other) in [("rule_r31_one", "rule_r32_other"), ("rule_r32_other", "rule_r31_one")] {
            let mut content = rule(id, "warn", &when, &then);
            content["lineage"]["supersedes"] = json!([other]);
            case.registry.push((Kind::Rule, content));
        }
    });
    assert_eq!(failure(&case.plan()), (Phase::Aborted, "red_line_violation", "rules::cycle"));
}

#[test]
fn c04_each_red_line_ends_as_decided_and_all_are_on_the_audit() {
    type Crossing = (&'static str, &'static str, Phase, fn(&mut Case));
    let ends: [Crossing; 5] = [
        ("I1", "red_line_violation", Phase::Aborted, |case| case.intent["scope"]["bash"] = json!("x")),
        ("I2", "policy_violation", Phase::Blocked, |case| {
            case.intent["interaction"] =
                json!({ "mode": "full_auto", "question_budget": 2, "question_policy": "never" });
        }),
        ("I3", "policy_violation", Phase::Blocked, |case| {
            case.intent["interaction"] =
                json!({ "mode": "full_auto", "question_budget": 0, "question_policy": "never" });
            case.intent["risk"]["overall"] = json!("high");
        }),
        ("I4", "constraint_violation", Phase::Blocked, |case| {
            case.intent["planned_commands"][0]["evidence_refs"] = json!([]);
        }),
        ("I5", "missing_registry", Phase::Blocked, |case| {
            case.intent["planned_commands"][0]["command_id"] = json!("cmd_unheard_of");
        }),
    ];
    for (line, kind, phase, change) in ends {
        let run = Case::low().with(change).plan();
        assert_eq!((failure(&run).0, failure(&run).1), (phase, kind), "{line}");
        let audit = String::from_utf8(run.file("audit.jsonl").unwrap().to_vec()).unwrap();
        assert_eq!(audit.matches("\"red_line_check_record\"").count(), 5, "{line}");
        assert_eq!(audit.matches("\"passed\":false").count(), 1, "{line}: {audit}");
    }
}

#[test]
fn c05_a_risk_that_rules_find_blocks_full_auto_too() {
    let case = Case::full_auto().with(|case| {
        let content = &mut case.registry.iter_mut().find(|(_, it)| it["id"] == "cmd_read_code").unwrap().1;
        content["risk_level"] = json!("high");
    });
    assert_eq!(failure(&case.plan()), (Phase::Blocked, "policy_violation", "policy::forbids"));
    let made_stricter = Case::high().with(|case| case.policy["mode"] = json!("full_auto"));
    assert_eq!(failure(&made_stricter.plan()), (Phase::Blocked, "policy_violation", "intent::red_line_i3"));
}

#[test]
fn c06_three_kinds_of_unfit_documents_have_three_codes() {
    let submitted = Case::low().with(|case| case.intent["title"] = json!("x"));
    assert_eq!(failure(&submitted.plan()), (Phase::Blocked, "constraint_violation", "intent::schema"));
    let tampered = Tampered { file: "graph.json", how: Tamper::Adds("execute") };
    let generated = plan(&Case::low().inputs(), &mut Ticking(1_000), &tampered).unwrap();
    assert_eq!(failure(&generated), (Phase::Aborted, "red_line_violation", "planning::artifact"));
    let lineage = Case::low().with(|case| {
        case.intent["planned_commands"][1]["evidence_refs"] = json!(["registry://workflows/unheard_of"]);
    });
    assert_eq!(failure(&lineage.plan()), (Phase::Blocked, "constraint_violation", "freeze::failed"));
}

#[test]
fn c07_silence_takes_the_default_of_a_critical_question_only_with_leave() {
    let silent = |case: &Case| {
        let mut inputs = case.inputs();
        inputs.rounds.push(Round::Silence);
        plan(&inputs, &mut Ticking(1_000), &Strict).unwrap()
    };
    assert_eq!(failure(&silent(&Case::high())).0, Phase::Blocked);
    // Even with leave: a default that stops the plan is no way on.
    let leave = Case::high().with(|case| case.policy["auto_fallback"] = json!(true));
    assert_eq!(failure(&silent(&leave)).0, Phase::Blocked);
}

#[test]
fn c08_every_question_has_a_default() {
    let run = Case::high().plan();
    for question in &run.questions.unwrap().questions {
        assert!(!question.default_strategy.text.is_empty());
    }
}

/// A writing command that rests on a document that is not there.
fn with_open_evidence() -> Case {
    Case::low()
        .with(|case| case.intent["planned_commands"][1]["evidence_refs"] = json!(["doc://docs/gone.md"]))
}

#[test]
fn c09_without_a_question_left_the_policy_decides() {
    let no_budget =
        with_open_evidence().with(|case| case.intent["interaction"]["question_budget"] = json!(0));
    assert_eq!(failure(&no_budget.plan()), (Phase::Blocked, "constraint_violation", "planning::unsettled"));
    let fallback = with_open_evidence().with(|case| {
        case.intent["interaction"]["question_budget"] = json!(0);
        case.policy["auto_fallback"] = json!(true);
    });
    assert_eq!(fallback.plan().state, Phase::Done);
}

#[test]
fn c10_semi_auto_skips_what_does_not_stop_the_plan() {
    // The registry says that the command writes, the intent does not; without a category that is a matter of risk.
    let case = Case::low().with(|case| {
        case.intent["planned_commands"].as_array_mut().unwrap().truncate(1);
        let content = &mut case.registry.iter_mut().find(|(_, it)| it["id"] == "cmd_read_code").unwrap().1;
        content["effects"] = json!([{ "scope": "repo", "kind": "write" }]);
        case.intent["risk"]["requires_review"] = json!([]);
    });
    let run = case.plan();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    assert!(run.steps.contains(&Trigger::NothingToAsk));
    let tape = json_of(&run, "tape.json");
    let skipped = |it: &Value| it["decision_type"] == "question_emission" && it["outcome"] == "skipped";
    assert!(tape["decisions"].as_array().unwrap().iter().any(skipped));
}

/// Answers that call the risk lower than rules found it, to every pack of questions.
fn contradicted(case: &Case, times: usize) -> Run {
    let mut inputs = case.inputs();
    let mut run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    for _ in 0..times {
        let Some(asked) = &run.questions else { break };
        let id = asked.questions[0].question_id.as_str();
        let mut pack = serde_json::to_value(&answers(asked, &[(id, "Drop the new table")]).root).unwrap();
        pack["answers"][0]["answer_data"] = json!({ "risk_level": "low" });
        inputs.rounds.push(Round::Answers(resealed(pack)));
        run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    }
    run
}

#[test]
fn c11_the_fourth_contradiction_ends_the_run_and_questions_are_counted_over_all_of_it() {
    let again = |run: &Run| run.steps.iter().filter(|on| **on == Trigger::AnswersConflicted).count();
    let third = contradicted(&Case::high(), 3);
    assert_eq!((third.state, again(&third)), (Phase::AwaitingAnswers, 3));
    let pack = third.questions.as_ref().unwrap();
    assert_eq!(pack.questions[0].question_id, "q_0004");
    assert_eq!(pack.policy_constraints.budget_consumed, Some(4));
    let fourth = contradicted(&Case::high(), 4);
    assert_eq!(again(&fourth), 3);
    assert_eq!(failure(&fourth), (Phase::Blocked, "constraint_violation", "planning::conflict"));
    // Two questions may be asked in all, so the third time nobody can be asked and the denial stands.
    let few = Case::high().with(|case| case.intent["interaction"]["question_budget"] = json!(2));
    let spent = contradicted(&few, 2);
    assert_eq!((failure(&spent), again(&spent)), ((Phase::Blocked, "rule_denied", "rules::deny"), 2));
}

#[test]
fn c12_after_a_contradiction_the_way_on_is_the_same_and_its_documents_are_numbered() {
    let run = contradicted(&Case::high(), 1);
    let back = run.steps.iter().position(|on| *on == Trigger::AnswersConflicted).unwrap();
    let on = [Trigger::RulesAdjudicated, Trigger::QuestionsNeeded, Trigger::QuestionsSent];
    assert_eq!(run.steps[back + 1..], on);
    for file in
        ["decisions.2.json", "risk.2.json", "routing.2.json", "graph.draft.2.json", "questions.2.json"]
    {
        assert!(run.file(file).is_some(), "{file}");
    }
    assert_eq!(json_of(&run, "graph.draft.2.json")["metadata"]["revision"], 2);
}

#[test]
fn c13_times_stand_on_tape_and_audit_alone() {
    let run = Case::low().plan();
    for file in run.files.iter().filter(|file| !["tape.json", "audit.jsonl"].contains(&file.name.as_str())) {
        let text = String::from_utf8_lossy(&file.bytes);
        assert!(!text.contains("1970-01-01"), "{} knows the wall time", file.name);
    }
}

#[test]
fn c14_one_decision_for_each_command_and_every_rule_accounted_for() {
    let run = Case::high().plan();
    let decisions = json_of(&run, "decisions.json");
    let commands = decisions["subjects"].as_array().unwrap().iter().filter(|it| it["subject"] == "command");
    assert_eq!(commands.count(), 2);
    assert_eq!(decisions["rules"].as_array().unwrap().len(), 1);
}

#[test]
fn c15_an_intent_names_no_rules_and_those_in_force_are_in_the_lineage() {
    let naming = Case::low().with(|case| case.intent["rules"] = json!(["rule_r12_way_back"]));
    assert_eq!(failure(&naming.plan()).2, "intent::schema");
    let when = json!({ "rule_evaluated": true });
    let then = json!({ "decision": "deny", "reason": "Not yet" });
    let run = Case::low()
        .with(|case| {
            for status in ["draft", "deprecated"] {
                let mut content = rule(&format!("rule_r35_{status}"), "block", &when, &then);
                content["status"] = json!(status);
                case.registry.push((Kind::Rule, content));
            }
        })
        .plan();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    let rules = run.manifest.registry_versions.iter().filter(|it| it.kind == Kind::Rule);
    assert_eq!(rules.map(|it| it.id.as_str()).collect::<Vec<_>>(), ["rule_r12_way_back"]);
}

#[test]
fn c16_a_pin_that_does_not_hold_blocks_and_no_pin_is_noted() {
    let case = Case::low();
    let mut inputs = case.inputs();
    let run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    assert!(!json_of(&run, "precheck.json")["unpinned"].as_array().unwrap().is_empty());
    inputs.pins = Some(Lock::of(&inputs.registry));
    let pinned = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    assert_eq!(pinned.state, Phase::Done);
    assert!(json_of(&pinned, "precheck.json")["unpinned"].as_array().unwrap().is_empty());
    let changed = Case::low().with(|case| {
        let content = &mut case.registry.iter_mut().find(|(_, it)| it["id"] == "cmd_change_code").unwrap().1;
        content["description"] = json!("Something else entirely.");
    });
    let mut drifted = changed.inputs();
    drifted.pins = inputs.pins;
    let run = plan(&drifted, &mut Ticking(1_000), &Strict).unwrap();
    assert_eq!(failure(&run), (Phase::Blocked, "missing_registry", "registry::drift"));
}

#[test]
fn c17_a_final_graph_has_no_question_and_remembers_which_there_were() {
    let case = Case::high();
    let asked = case.plan().questions.unwrap();
    let mut inputs = case.inputs();
    inputs.rounds.push(Round::Answers(answers(&asked, &[("q_0001", "Drop the new table")])));
    let run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    let graph = graph(&run);
    assert!(graph.nodes.iter().all(|node| node.node_type != NodeKind::Question));
    assert_eq!(graph.metadata.questions, ["q_0001"]);
}

#[test]
fn c18_every_agent_has_a_lane_and_every_node_exactly_one() {
    let case = Case::low().with(|case| {
        let mut idle = case.registry[1].1.clone();
        idle["id"] = json!("onlooker");
        case.registry.push((Kind::Agent, idle));
        let agent = json!({ "agent_id": "onlooker", "role": "observer", "responsibilities": ["looks on"] });
        case.intent["selected_agents"].as_array_mut().unwrap().push(agent);
    });
    let graph = graph(&case.plan());
    assert_eq!(graph.swimlanes.len(), 2);
    for node in &graph.nodes {
        let lanes = graph.swimlanes.iter().filter(|lane| lane.node_refs.contains(&node.node_id));
        assert_eq!(lanes.count(), 1, "{}", node.node_id);
    }
}

#[test]
fn c19_before_the_first_state_is_no_state() {
    let tape = json_of(&Case::low().plan(), "tape.json");
    assert_eq!(tape["states"][0]["from_state"], "INIT");
    assert_eq!(tape["states"][0]["to_state"], "RECEIVED");
    assert_eq!(tape["states"].as_array().unwrap().len(), 9);
}

#[test]
fn c20_a_fallback_leaves_a_decision_or_a_gate_alone() {
    let when = json!({ "effect_kind_is_write": true });
    let then = json!({ "decision": "require_review", "reason": "Somebody looks" });
    let case = Case::low()
        .with(|case| case.registry.push((Kind::Rule, rule("rule_r33_looks", "error", &when, &then))));
    let graph = graph(&case.plan());
    for edge in graph.edges.iter().filter(|edge| edge.edge_type == EdgeKind::Fallback) {
        let from = graph.node(&edge.from_node).unwrap().node_type;
        assert!(matches!(from, NodeKind::DecisionPoint | NodeKind::ReviewGate), "{from:?}");
    }
    assert!(graph.nodes.iter().any(|node| node.node_type == NodeKind::DecisionPoint));
}

#[test]
fn c21_models_are_chosen_before_rules_are_asked() {
    let tape = json_of(&Case::low().plan(), "tape.json");
    let kinds: Vec<&str> = tape["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["decision_type"].as_str().unwrap())
        .collect();
    let first = |kind: &str| kinds.iter().position(|it| *it == kind).unwrap();
    assert!(first("model_routing") < first("rule_adjudication"));
}

#[test]
fn c22_an_empty_memory_will_do_unless_the_policy_wants_more() {
    assert_eq!(Case::low().plan().state, Phase::Done);
    let more = Case::low().with(|case| case.policy["min_memories"] = json!(1));
    assert_eq!(failure(&more.plan()), (Phase::Blocked, "constraint_violation", "context::memory"));
}

#[test]
fn c23_facts_may_be_left_out_when_submitting_and_block_then() {
    let case = Case::low().with(|case| case.facts = None);
    assert_eq!(failure(&case.plan()), (Phase::Blocked, "constraint_violation", "context::facts"));
}

#[test]
fn c24_drafts_and_deprecated_content_are_refused_by_name() {
    for status in ["draft", "deprecated"] {
        let case = Case::low().with(|case| case.registry[0].1["status"] = json!(status));
        let run = case.plan();
        assert_eq!(failure(&run), (Phase::Blocked, "missing_registry", "registry::missing"));
        assert!(run.failure.unwrap().message.contains(status));
    }
    let frozen = Case::low().with(|case| case.registry[0].1["status"] = json!("frozen"));
    assert_eq!(frozen.plan().state, Phase::Done);
}

#[test]
fn c25_the_estimate_is_held_against_the_budget() {
    let case = Case::low().with(|case| case.intent["budgets"]["max_commits"] = json!(0));
    assert_eq!(failure(&case.plan()), (Phase::Blocked, "constraint_violation", "review::budget"));
    let read_only = Case::full_auto().with(|case| case.intent["budgets"]["max_commits"] = json!(0));
    assert_eq!(read_only.plan().state, Phase::Done, "a plan that only looks needs no commit");
}

#[test]
fn c26_rejected_and_superseded_intents_block_and_drafts_are_noted() {
    for status in ["rejected", "superseded"] {
        let case = Case::low().with(|case| case.intent["status"] = json!(status));
        assert_eq!(failure(&case.plan()).2, "intent::status");
    }
    let run = Case::low().with(|case| case.intent["status"] = json!("draft")).plan();
    assert_eq!(run.state, Phase::Done);
    assert!(
        json_of(&run, "review.json")["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| it.as_str().unwrap().contains("draft"))
    );
}

#[test]
fn c27_every_required_review_has_a_gate() {
    let case = Case::low().with(|case| case.intent["risk"]["requires_review"] = json!(["security", "cost"]));
    let review = json_of(&case.plan(), "review.json");
    let gates: Vec<&str> = review["review_gates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["category"].as_str().unwrap())
        .collect();
    assert_eq!(gates, ["cost", "security"]);
}

#[test]
fn c28_an_abort_is_critical_on_the_audit() {
    let run = Case::low().with(|case| case.intent["shell"] = json!("x")).plan();
    let audit = String::from_utf8(run.file("audit.jsonl").unwrap().to_vec()).unwrap();
    assert!(audit.lines().last().unwrap().contains("\"severity\":\"critical\""));
}

#[test]
fn c29_pages_carry_the_digest_of_what_they_were_made_from() {
    let run = Case::low().plan();
    for page in ["graph.md", "review.md", "summary.md"] {
        let text = String::from_utf8(run.file(page).unwrap().to_vec()).unwrap();
        let source = page.replace(".md", ".json");
        let listed = run.manifest.artifacts.iter().find(|it| it.file == source).unwrap();
        assert!(text.contains(&listed.checksum.to_string()), "{page}");
        assert!(run.manifest.artifacts.iter().all(|it| it.file != page), "{page} is a view");
    }
}

#[test]
fn c30_everything_that_is_wrong_is_said_and_the_worst_decides() {
    let case = Case::low().with(|case| {
        case.intent["eval"] = json!("x");
        case.intent["title"] = json!("x");
        case.intent["status"] = json!("rejected");
        case.intent["selected_agents"][0]["agent_id"] = json!("nobody_at_all");
    });
    let run = case.plan();
    assert_eq!(failure(&run).0, Phase::Aborted);
    let codes: Vec<String> = run.failure.unwrap().violations.into_iter().map(|it| it.code).collect();
    for code in ["intent::red_line_i1", "intent::schema", "intent::status"] {
        assert!(codes.iter().any(|it| it == code), "{code} is not among {codes:?}");
    }
}

/// Content that nobody can read makes itself unknown; a rule that nobody can read stops everything.
#[test]
fn broken_content_is_unknown_and_a_broken_rule_stops_every_run() {
    let broken = Case::low().with(|case| case.registry[0].1["phases"] = json!("none"));
    assert_eq!(failure(&broken.plan()).2, "registry::missing");
    let stopped = Case::low().with(|case| {
        let when = json!({ "rule_evaluated": true });
        case.registry.push((Kind::Rule, rule("rule_r34_odd", "error", &when, &json!("deny"))));
    });
    assert_eq!(failure(&stopped.plan()).0, Phase::Aborted);
    assert!(Registry::new([]).items().is_empty());
}
