//! The whole table: which rows real documents take, and why the others cannot be taken by any.

use std::collections::BTreeSet;

use provost_core::machine::{self, Machine as _, Source, Target};
use provost_core::planning::account::Account;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Phase, Planning, Round, Run, Trigger, plan};
use provost_core::registry::Kind;
use serde_json::{Value, json};

use crate::documents::rule;
use crate::kit::{Case, Tamper, Tampered, Ticking, answers, resealed};

type Taken = BTreeSet<(Phase, Trigger)>;

/// Documents of ours, and the state that makes each. That one is unfit is a defect of ours: a document that somebody hands
/// in and that leads there would be a bug, which `extremes` looks for. So the documents are real, and the defect is planted.
const OWN: [(Phase, &str); 13] = [
    (Phase::Prechecked, "precheck.json"),
    (Phase::ContextBuilt, "context.json"),
    (Phase::RulesEvaluated, "routing.json"),
    (Phase::RulesEvaluated, "decisions.json"),
    (Phase::RulesEvaluated, "risk.json"),
    (Phase::GraphDrafted, "graph.draft.1.json"),
    (Phase::QuestionsEmitted, "questions.1.json"),
    (Phase::GraphFinalized, "graph.json"),
    (Phase::ReviewPackBuilt, "review.json"),
    (Phase::FrozenOutputs, "summary.json"),
    (Phase::FrozenOutputs, "tape.json"),
    (Phase::FrozenOutputs, "audit.jsonl"),
    (Phase::FrozenOutputs, "manifest.json"),
];

/// The row that nothing takes. [`every_review_has_a_gate_whatever_is_planned_and_answered`] shows it, and the guard itself
/// has its own test beside it.
const NEVER: (Phase, Trigger) = (Phase::ReviewPackBuilt, Trigger::ReviewUncovered);

/// The rows that a run took.
fn rows_of(run: &Run) -> Taken {
    let mut phase = Phase::Received;
    let mut taken = Taken::new();
    for &on in &run.steps {
        taken.insert((phase, on));
        let Target::To(to) = machine::next::<Planning>(phase, on).unwrap().to else {
            panic!("{phase:?} {on:?}")
        };
        phase = to;
    }
    assert_eq!(phase, run.state);
    taken
}

/// Plans a case, answering each pack of questions in turn.
fn run(case: &Case, rounds: &[&dyn Fn(&Run) -> Round]) -> Run {
    let mut inputs = case.inputs();
    let mut run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    for round in rounds {
        inputs.rounds.push(round(&run));
        run = plan(&inputs, &mut Ticking(1_000), &Strict).unwrap();
    }
    run
}

/// The answer that names a way back, with data beside it.
fn answered(run: &Run, data: &Value) -> Round {
    let pack = run.questions.as_ref().unwrap();
    let id = pack.questions[0].question_id.as_str();
    let given = answers(pack, &[(id, "Drop the new table")]);
    if data.is_null() {
        return Round::Answers(given);
    }
    let mut value = serde_json::to_value(&given.root).unwrap();
    value["answers"][0]["answer_data"] = data.clone();
    Round::Answers(resealed(value))
}

fn with_rule(severity: &str, when: &Value) -> Case {
    let deny = json!({ "decision": "deny", "reason": "Not here" });
    Case::low()
        .with(|case| case.registry.push((Kind::Rule, rule("rule_r20_of_the_test", severity, when, &deny))))
}

/// Ends that come before anybody is asked.
fn unasked() -> Vec<Run> {
    let always = json!({ "rule_evaluated": true });
    let without_models = with_rule("error", &json!({ "inference_not_cloud": true }))
        .with(|case| case.registry.retain(|(kind, _)| *kind != Kind::Model));
    let nothing_settled = Case::full_auto().with(|case| case.intent["planned_commands"] = json!([]));
    let crowded = Case::low().with(|case| {
        let command = case.intent["planned_commands"][0].clone();
        case.intent["planned_commands"] = json!(vec![command; 80]);
        let stages = [
            "setup",
            "analysis",
            "design",
            "implementation",
            "validation",
            "review",
            "release",
            "operations",
            "postmortem",
        ];
        case.intent["selected_workflows"] = (0..18)
            .map(|number| {
                let id = format!("workflow_{number:02}");
                let mut content = case.registry[0].1.clone();
                content["id"] = json!(id);
                case.registry.push((Kind::Workflow, content));
                json!({ "workflow_id": id, "phases": stages })
            })
            .collect();
    });
    let cases = [
        Case::low(),
        Case::low().with(|case| case.intent["shell"] = json!("x")),
        Case::low().with(|case| case.intent["title"] = json!("x")),
        Case::low().with(|case| case.memory = None),
        with_rule("error", &always),
        with_rule("block", &always),
        with_rule("error", &json!({ "moon_is_full": true })),
        without_models,
        Case::low().with(|case| case.policy["constraints"] = json!({ "forbidden_operations": ["write"] })),
        crowded,
        nothing_settled,
        Case::high().with(|case| case.policy["question_rules"] = json!({ "min_evidence_count": 40 })),
        Case::low().with(|case| case.intent["budgets"]["max_files"] = json!(0)),
        Case::low().with(|case| {
            case.intent["planned_commands"][1]["evidence_refs"] = json!(["registry://workflows/unheard_of"]);
        }),
    ];
    cases.iter().map(Case::plan).collect()
}

/// Ends that come after answers.
fn asked() -> Vec<Run> {
    let answer = |run: &Run| answered(run, &Value::Null);
    let conflict = |run: &Run| answered(run, &json!({ "risk_level": "low" }));
    let crossing = |run: &Run| answered(run, &json!({ "execute": "rm" }));
    let silence = |_: &Run| Round::Silence;
    let withdraw =
        |run: &Run| Round::Answers(answers(run.questions.as_ref().unwrap(), &[("q_0001", "withdraw")]));
    let open_evidence = Case::low().with(|case| {
        case.intent["planned_commands"][1]["evidence_refs"] = json!(["doc://docs/not-there.md"]);
    });
    let empty = Case::low().with(|case| case.intent["planned_commands"] = json!([]));
    vec![
        run(&Case::high(), &[&answer]),
        run(&Case::high(), &[&conflict, &conflict, &conflict, &conflict]),
        run(&Case::high(), &[&crossing]),
        run(&Case::high(), &[&silence]),
        run(&open_evidence, &[&silence]),
        run(&empty, &[&withdraw]),
    ]
}

/// The rows that unfit documents of ours take; each is found out by the examination that counts.
fn by_a_defect() -> Taken {
    let mut taken = Taken::new();
    for (phase, file) in OWN {
        let case = if phase == Phase::QuestionsEmitted { Case::high() } else { Case::low() };
        for how in
            [Tamper::Adds("execute"), Tamper::Adds("Sh\u{200b}ell"), Tamper::Adds("beside"), Tamper::Lacks]
        {
            let run = plan(&case.inputs(), &mut Ticking(1_000), &Tampered { file, how }).unwrap();
            let failure = run.failure.as_ref().unwrap();
            assert_eq!((run.state, &*failure.code), (Phase::Aborted, "planning::artifact"), "{file} {how:?}");
            assert_eq!(failure.failed_at_state, phase, "{file}");
            let row = (phase, Trigger::ArtifactViolated);
            assert!(rows_of(&run).contains(&row), "{file}: {:?}", run.steps);
            assert!(run.file("failure.json").is_some() && run.file("tape.json").is_some(), "{file}");
            taken.insert(row);
        }
    }
    taken
}

#[test]
fn every_row_is_taken_by_documents_or_by_a_planted_defect_or_by_none() {
    let by_documents: Taken = unasked().iter().chain(&asked()).flat_map(rows_of).collect();
    let table: Taken = Planning::TABLE
        .iter()
        .map(|row| match row.from {
            Source::At(from) => (from, row.on),
            Source::Anywhere => panic!("the table names its states"),
        })
        .collect();
    assert_eq!(table.len(), Planning::TABLE.len());
    let unfit: Taken = table.iter().filter(|(_, on)| *on == Trigger::ArtifactViolated).copied().collect();
    assert_eq!(by_a_defect(), unfit);
    let expected: Taken = table.difference(&unfit).copied().filter(|row| *row != NEVER).collect();
    assert_eq!(by_documents, expected);
}

/// Ways in which reviews can come to be wanted: by the intent, by a rule about a command or a workflow, by an effect that
/// the intent does not declare, by evidence that is not there.
fn wanting() -> Vec<Case> {
    let mut cases = Vec::new();
    let categories: [&[&str]; 4] =
        [&[], &["release"], &["cost", "compliance"], &["security", "data", "architecture"]];
    for categories in categories {
        for about in ["command", "workflow", "nothing"] {
            for mode in ["interactive", "semi_auto", "full_auto"] {
                for writes in [false, true] {
                    if writes && (categories.is_empty() || mode == "full_auto") {
                        continue;
                    }
                    for undeclared in [false, true] {
                        cases.push(wanting_one(categories, about, mode, writes, undeclared));
                    }
                }
            }
        }
    }
    cases
}

fn wanting_one(categories: &[&str], about: &str, mode: &str, writes: bool, undeclared: bool) -> Case {
    Case::low().with(|case| {
        case.intent["risk"]["requires_review"] = json!(categories);
        let commands = case.intent["planned_commands"].as_array_mut().unwrap();
        commands.truncate(if writes { 2 } else { 1 });
        if writes {
            commands[1]["evidence_refs"] = json!(["doc://docs/not-there.md"]);
        }
        let (budget, policy) = if mode == "full_auto" { (0, "never") } else { (2, "conceptual_only") };
        case.intent["interaction"] =
            json!({ "mode": mode, "question_budget": budget, "question_policy": policy });
        if undeclared {
            let read = case.registry.iter_mut().find(|(_, it)| it["id"] == "cmd_read_code").unwrap();
            read.1["effects"] = json!([{ "scope": "repo", "kind": "write" }]);
        }
        if about != "nothing" {
            let then = json!({ "decision": "require_review", "reason": "Somebody looks" });
            let mut content =
                rule("rule_r20_of_the_test", "error", &json!({ "rule_evaluated": true }), &then);
            content["rule"]["scope"]["applies_to_types"] = json!([about]);
            case.registry.push((Kind::Rule, content));
        }
    })
}

#[test]
fn every_review_has_a_gate_whatever_is_planned_and_answered() {
    let mut frozen = 0;
    for case in wanting() {
        let mut inputs = case.inputs();
        let mut ends = vec![plan(&inputs, &mut Ticking(1_000), &Strict).unwrap()];
        if let Some(pack) = ends[0].questions.clone() {
            let chosen = |last: bool| {
                let given: Vec<(&str, &str)> = pack
                    .questions
                    .iter()
                    .map(|asked| {
                        let suggested = &asked.suggested_answers;
                        let answer = if last { suggested.last() } else { suggested.first() };
                        (asked.question_id.as_str(), answer.unwrap().answer_text.as_str())
                    })
                    .collect();
                Round::Answers(answers(&pack, &given))
            };
            for round in [chosen(false), chosen(true), Round::Silence] {
                inputs.rounds = vec![round];
                ends.push(plan(&inputs, &mut Ticking(1_000), &Strict).unwrap());
            }
        }
        for run in ends.iter().filter(|run| run.state != Phase::AwaitingAnswers) {
            assert!(!run.steps.contains(&NEVER.1), "{:?}", run.failure);
            if run.state != Phase::Done {
                continue;
            }
            frozen += 1;
            let gates = Account::read(&run.files).unwrap().gates;
            let review: Value = serde_json::from_slice(run.file("review.json").unwrap()).unwrap();
            let wanted = &review["rule_decisions"][2];
            let by_rule = wanted["commands"] != 0 || wanted["workflows"] != 0;
            assert_eq!(gates.iter().any(|gate| gate.category == "rule"), by_rule);
            assert!(!by_rule || !review["review_gates"].as_array().unwrap().is_empty());
        }
    }
    assert!(frozen > 100, "{frozen}");
}
