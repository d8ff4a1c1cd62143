//! Every row of the planning table is taken, by documents and not by hand.

use provost_core::planning::shelf::Strict;
use provost_core::planning::{NoRun, Phase, Round, Run, Trigger, plan};
use provost_core::registry::Kind;
use serde_json::{Value, json};

use crate::documents::rule;
use crate::kit::{Case, Ticking, answers};

/// The last verdict of a run, and where it led.
fn end(run: &Run) -> (Phase, Trigger) {
    (run.state, *run.steps.last().unwrap())
}

fn code(run: &Run) -> &str {
    run.failure.as_ref().map_or("", |failure| failure.code.as_str())
}

/// Asserts how a case ends.
fn ends(case: &Case, phase: Phase, on: Trigger, wanted: &str) -> Run {
    let run = case.plan();
    assert_eq!((end(&run), code(&run)), ((phase, on), wanted), "{:#?}", run.failure);
    run
}

#[test]
fn an_intent_with_little_at_stake_is_frozen_at_once() {
    let run = ends(&Case::low(), Phase::Done, Trigger::OutputsFrozen, "");
    assert_eq!(run.steps.len(), 8);
    assert!(run.steps.contains(&Trigger::NothingToAsk));
}

#[test]
fn nothing_is_asked_in_full_auto() {
    ends(&Case::full_auto(), Phase::Done, Trigger::OutputsFrozen, "");
}

#[test]
fn much_at_stake_without_a_way_back_is_asked_about_and_frozen_once_answered() {
    let case = Case::high();
    let asked = ends(&case, Phase::AwaitingAnswers, Trigger::QuestionsSent, "");
    let pack = asked.questions.clone().unwrap();
    assert_eq!(pack.questions.len(), 1);
    let mut inputs = case.inputs();
    inputs.rounds.push(Round::Answers(answers(&pack, &[("q_0001", "Drop the new table")])));
    let run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    assert_eq!(end(&run), (Phase::Done, Trigger::OutputsFrozen), "{:#?}", run.failure);
    assert_eq!(run.run_id, asked.run_id);
    assert!(run.steps.starts_with(&asked.steps), "a run goes on, it does not begin anew");
    assert!(run.steps.contains(&Trigger::AnswersAccepted));
}

#[test]
fn a_word_of_execution_aborts_wherever_it_hides() {
    for (at, key) in [
        ("", "execute"),
        ("scope", "Shell"),
        ("objective", "ｒｕｎ"),
        ("audit", "sc\u{200b}ript"),
        ("budgets", "os_system"),
    ] {
        let case = Case::low().with(|case| {
            let place = if at.is_empty() { &mut case.intent } else { &mut case.intent[at] };
            place[key] = json!("x");
        });
        ends(&case, Phase::Aborted, Trigger::RedLineCrossed, "intent::red_line_i1");
    }
}

#[test]
fn what_the_submitter_can_mend_blocks_before_planning() {
    type Breaking = (&'static str, fn(&mut Case));
    let broken: [Breaking; 6] = [
        ("intent::checksum", |case| {
            case.seal = false;
            case.intent["audit"]["checksum"] = json!("0".repeat(64));
        }),
        ("intent::schema", |case| case.intent["title"] = json!("x")),
        ("intent::status", |case| case.intent["status"] = json!("rejected")),
        ("registry::missing", |case| case.intent["selected_agents"][0]["agent_id"] = json!("nobody_knows")),
        ("intent::red_line_i2", |case| case.intent["interaction"]["mode"] = json!("full_auto")),
        ("registry::drift", |case| {
            case.intent["evidence_refs"] = json!(["registry://commands/cmd_change_code@9.9.9"]);
        }),
    ];
    for (wanted, change) in broken {
        ends(&Case::low().with(change), Phase::Blocked, Trigger::PrecheckFailed, wanted);
    }
}

#[test]
fn without_memory_or_facts_nothing_is_planned() {
    ends(
        &Case::low().with(|case| case.memory = None),
        Phase::Blocked,
        Trigger::ContextUnavailable,
        "context::memory",
    );
    ends(
        &Case::low().with(|case| case.facts = None),
        Phase::Blocked,
        Trigger::ContextUnavailable,
        "context::facts",
    );
}

fn with_rule(severity: &str, when: &Value, then: &Value) -> Case {
    Case::low()
        .with(|case| case.registry.push((Kind::Rule, rule("rule_r20_of_the_test", severity, when, then))))
}

#[test]
fn a_denial_blocks_or_aborts_by_its_weight() {
    let deny = json!({ "decision": "deny", "reason": "Not here" });
    let always = json!({ "rule_evaluated": true });
    ends(&with_rule("error", &always, &deny), Phase::Blocked, Trigger::RuleDenied, "rules::deny");
    ends(&with_rule("block", &always, &deny), Phase::Aborted, Trigger::HardRuleDenied, "rules::hard_deny");
}

#[test]
fn a_rule_that_nobody_can_decide_aborts_and_one_that_lacks_a_fact_blocks() {
    let deny = json!({ "decision": "deny", "reason": "Not here" });
    let unknown_word = json!({ "moon_is_full": true });
    ends(
        &with_rule("error", &unknown_word, &deny),
        Phase::Aborted,
        Trigger::RuleDefective,
        "rules::unknown_operator",
    );
    let asks_for_models = json!({ "inference_not_cloud": true });
    let mut case = with_rule("error", &asks_for_models, &deny);
    case.registry.retain(|(kind, _)| *kind != Kind::Model);
    ends(&case, Phase::Blocked, Trigger::EvidenceInsufficient, "routing::no_catalogue");
    // Whoever mends that is asked for the way back then; until then no rule has denied anything.
    let mut high = Case::high();
    high.registry.push((Kind::Rule, rule("rule_r20_of_the_test", "error", &asks_for_models, &deny)));
    high.registry.retain(|(kind, _)| *kind != Kind::Model);
    ends(&high, Phase::Blocked, Trigger::EvidenceInsufficient, "routing::no_catalogue");
}

#[test]
fn what_the_policy_forbids_blocks() {
    let case = Case::low().with(|case| {
        case.policy["constraints"] = json!({ "forbidden_operations": ["write"] });
    });
    ends(&case, Phase::Blocked, Trigger::PolicyForbade, "policy::forbids");
}

#[test]
fn a_rule_and_a_policy_that_contradict_each_other_about_models_abort() {
    let mut case = Case::high();
    let when =
        json!({ "all_of": [{ "risk_level_high_or_critical": true }, { "inference_not_cloud": true }] });
    let then = json!({ "decision": "deny", "reason": "Only large models" });
    case.registry.push((Kind::Rule, rule("rule_r05_large_models", "error", &when, &then)));
    case.policy["allow_cloud"] = json!(false);
    ends(&case, Phase::Aborted, Trigger::RuleDefective, "routing::contradiction");
}

#[test]
fn a_graph_that_is_too_large_is_refused_and_never_cut() {
    let case = Case::low().with(|case| {
        let phases = json!([
            "setup",
            "analysis",
            "design",
            "implementation",
            "validation",
            "review",
            "release",
            "operations",
            "postmortem"
        ]);
        let mut workflows = Vec::new();
        for number in 0..18 {
            let id = format!("workflow_{number:02}");
            let mut content = case.registry[0].1.clone();
            content["id"] = json!(id);
            case.registry.push((Kind::Workflow, content));
            workflows.push(json!({ "workflow_id": id, "phases": phases }));
        }
        case.intent["selected_workflows"] = json!(workflows);
        let command = case.intent["planned_commands"][0].clone();
        case.intent["planned_commands"] = json!(vec![command; 80]);
        case.intent["budgets"]["max_commits"] = json!(50);
    });
    ends(&case, Phase::Blocked, Trigger::GraphInvalid, "graph::invalid");
}

#[test]
fn what_may_neither_be_asked_nor_defaulted_blocks() {
    let case = Case::low().with(|case| {
        case.intent["planned_commands"] = json!([]);
        case.intent["interaction"] =
            json!({ "mode": "full_auto", "question_budget": 0, "question_policy": "never" });
    });
    ends(&case, Phase::Blocked, Trigger::FallbackMissing, "planning::unsettled");
}

#[test]
fn questions_without_enough_evidence_block() {
    let case = Case::high().with(|case| case.policy["question_rules"] = json!({ "min_evidence_count": 40 }));
    ends(&case, Phase::Blocked, Trigger::QuestionsRejected, "planning::question_evidence");
}

/// Plans a case with answers to each pack in turn, made by the test.
fn with_rounds(case: &Case, rounds: &[&dyn Fn(&Run) -> Round]) -> Result<Run, NoRun> {
    let mut inputs = case.inputs();
    let mut run = plan(&inputs, &mut Ticking(1_000), &Strict)?;
    for round in rounds {
        inputs.rounds.push(round(&run));
        run = plan(&inputs, &mut Ticking(1_000), &Strict)?;
    }
    Ok(run)
}

/// An answer that calls the risk lower than rules found it.
fn conflicting(run: &Run) -> Round {
    let pack = run.questions.as_ref().unwrap();
    let id = pack.questions[0].question_id.clone();
    let mut sealed = answers_value(pack, &id);
    sealed["answers"][0]["answer_data"] = json!({ "risk_level": "low" });
    Round::Answers(crate::kit::resealed(sealed))
}

fn answers_value(pack: &provost_core::planning::questions_pack::QuestionPack, id: &str) -> Value {
    serde_json::to_value(&answers(pack, &[(id, "Drop the new table")]).root).unwrap()
}

#[test]
fn answers_that_contradict_a_verdict_are_judged_again_three_times_and_no_more() {
    let case = Case::high();
    for count in 1..=3 {
        let rounds: Vec<&dyn Fn(&Run) -> Round> = vec![&conflicting; count];
        let run = with_rounds(&case, &rounds).unwrap();
        assert_eq!(end(&run), (Phase::AwaitingAnswers, Trigger::QuestionsSent), "{count}");
        assert!(run.steps.contains(&Trigger::AnswersConflicted));
    }
    let run = with_rounds(&case, &[&conflicting, &conflicting, &conflicting, &conflicting]).unwrap();
    assert_eq!(
        (end(&run), code(&run)),
        ((Phase::Blocked, Trigger::ConflictsExhausted), "planning::conflict")
    );
    let mend = |run: &Run| {
        let pack = run.questions.as_ref().unwrap();
        let id = pack.questions[0].question_id.as_str();
        Round::Answers(answers(pack, &[(id, "Drop the new table")]))
    };
    let run = with_rounds(&case, &[&conflicting, &conflicting, &mend]).unwrap();
    assert_eq!(end(&run), (Phase::Done, Trigger::OutputsFrozen), "{:#?}", run.failure);
}

#[test]
fn silence_takes_defaults_or_blocks() {
    let silence = |_: &Run| Round::Silence;
    let run = with_rounds(&Case::high(), &[&silence]).unwrap();
    assert_eq!((end(&run), code(&run)), ((Phase::Blocked, Trigger::AnswersMissing), "planning::unanswered"));
    let open_evidence = Case::low().with(|case| {
        case.intent["planned_commands"][1]["evidence_refs"] = json!(["doc://docs/not-there.md"]);
    });
    let run = with_rounds(&open_evidence, &[&silence]).unwrap();
    assert_eq!(end(&run), (Phase::Done, Trigger::OutputsFrozen), "{:#?}", run.failure);
    assert!(run.steps.contains(&Trigger::DefaultsApplied));
}

#[test]
fn malformed_answers_are_refused_and_a_word_of_execution_in_them_aborts() {
    let malformed = |run: &Run| {
        let mut value = answers_value(run.questions.as_ref().unwrap(), "q_0001");
        value["answers"][0]["question_id"] = json!("q_9999");
        Round::Answers(crate::kit::resealed(value))
    };
    assert!(matches!(with_rounds(&Case::high(), &[&malformed]), Err(NoRun::Answers(_))));
    let crossing = |run: &Run| {
        let mut value = answers_value(run.questions.as_ref().unwrap(), "q_0001");
        value["answers"][0]["answer_data"] = json!({ "execute": "rm" });
        Round::Answers(crate::kit::resealed(value))
    };
    let run = with_rounds(&Case::high(), &[&crossing]).unwrap();
    assert_eq!(end(&run), (Phase::Aborted, Trigger::RedLineCrossed));
}

#[test]
fn a_plan_that_answers_empty_is_not_complete() {
    let case = Case::low().with(|case| case.intent["planned_commands"] = json!([]));
    let withdraw =
        |run: &Run| Round::Answers(answers(run.questions.as_ref().unwrap(), &[("q_0001", "withdraw")]));
    let run = with_rounds(&case, &[&withdraw]).unwrap();
    assert_eq!((end(&run), code(&run)), ((Phase::Blocked, Trigger::GraphIncomplete), "graph::incomplete"));
}

#[test]
fn a_change_beyond_its_budget_blocks() {
    let case = Case::low().with(|case| case.intent["budgets"]["max_files"] = json!(0));
    ends(&case, Phase::Blocked, Trigger::BudgetViolated, "review::budget");
}

#[test]
fn a_plan_that_names_what_the_registry_does_not_have_is_not_frozen() {
    let case = Case::low().with(|case| {
        case.intent["planned_commands"][1]["evidence_refs"] = json!(["registry://workflows/unheard_of"]);
    });
    ends(&case, Phase::Blocked, Trigger::FreezeFailed, "freeze::failed");
}
