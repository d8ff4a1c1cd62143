//! The whole table: which rows real documents take, and why the others cannot be taken by any.

use std::collections::BTreeSet;

use provost_core::machine::{self, Machine as _, Source, Target};
use provost_core::planning::shelf::{Examine, Strict, Unfit};
use provost_core::planning::{Phase, Planning, Round, Run, Trigger, plan};
use provost_core::registry::Kind;
use provost_core::schema::Schema;
use serde_json::{Value, json};

use crate::documents::rule;
use crate::kit::{Case, Ticking, answers, resealed};

type Taken = BTreeSet<(Phase, Trigger)>;

/// Rows that no document takes: the state's own documents would have to be wrong.
const BY_A_DEFECT: [(Phase, &str); 7] = [
    (Phase::Prechecked, "precheck.json"),
    (Phase::ContextBuilt, "context.json"),
    (Phase::RulesEvaluated, "decisions.json"),
    (Phase::GraphDrafted, "graph.draft.1.json"),
    (Phase::QuestionsEmitted, "questions.1.json"),
    (Phase::GraphFinalized, "graph.json"),
    (Phase::ReviewPackBuilt, "review.json"),
];

/// Rows that nothing takes, and why they are there.
const NEVER: [(Phase, Trigger, &str); 2] = [
    (
        Phase::ReviewPackBuilt,
        Trigger::ReviewUncovered,
        "the graph has a gate for every category and for every review that a rule wants; should it ever not, the run ends here",
    ),
    (
        Phase::FrozenOutputs,
        Trigger::ArtifactViolated,
        "freezing makes no document: those before were examined when they were made and are only hashed again",
    ),
];

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

/// Finds fault with one file.
struct Against(&'static str);

impl Examine for Against {
    fn examine(&self, file: &str, schema: &Schema, bytes: &[u8]) -> Result<(), Unfit> {
        if file == self.0 {
            return Err(Unfit { file: file.to_owned(), why: "the test says so".to_owned() });
        }
        Strict.examine(file, schema, bytes)
    }
}

#[test]
fn every_row_is_taken_by_documents_or_is_listed_with_its_reason() {
    let by_documents: Taken = unasked().iter().chain(&asked()).flat_map(rows_of).collect();
    let by_a_defect: Taken = BY_A_DEFECT
        .iter()
        .map(|(phase, file)| {
            let case = if *phase == Phase::QuestionsEmitted { Case::high() } else { Case::low() };
            let run = plan(&case.inputs(), &mut Ticking(1_000), &Against(file)).unwrap();
            let last = (*phase, Trigger::ArtifactViolated);
            assert!(rows_of(&run).contains(&last), "{file}: {:?}", run.steps);
            last
        })
        .collect();
    let never: Taken = NEVER.iter().map(|(phase, on, _)| (*phase, *on)).collect();
    let table: Taken = Planning::TABLE
        .iter()
        .map(|row| match row.from {
            Source::At(from) => (from, row.on),
            Source::Anywhere => panic!("the table names its states"),
        })
        .collect();
    assert_eq!(table.len(), Planning::TABLE.len());
    let listed: Taken = by_a_defect.union(&never).copied().collect();
    assert_eq!(by_documents, table.difference(&listed).copied().collect::<Taken>());
}
