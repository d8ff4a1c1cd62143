//! docs/spec/round.toml and lifecycle.toml against their source texts.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::source::{arrows, between, part, table, text};
use crate::spec::{Machine, State, read};

#[derive(Debug, Deserialize)]
struct Round {
    #[serde(flatten)]
    machine: Machine,
    outcomes: BTreeMap<String, BTreeSet<String>>,
    retry: BTreeMap<String, BTreeSet<String>>,
}

#[test]
fn stages_rows_and_outcomes_of_a_round() {
    let Some(source) = text("003") else { return };
    let spec: Round = read("round");
    let stages = part(&source, "## 1. State Set", "## 2.").lines();
    let theirs: Vec<_> = stages.filter_map(|line| line.strip_prefix("- `")?.strip_suffix('`')).collect();
    assert_eq!(theirs, spec.machine.states.iter().map(State::name).collect::<Vec<_>>());

    let rows = table(&source, &["From", "Event / Condition", "Guard", "Action", "To"]);
    let begins = |from: &str| if from == "null" { String::new() } else { from.to_owned() };
    let theirs: Vec<_> =
        rows.into_iter().map(|row| (begins(&row[0]), row[1].clone(), row[4].clone())).collect();
    let ours = spec.machine.edges.into_iter().map(|edge| (edge.from, edge.on, edge.to));
    assert_eq!(theirs, ours.collect::<Vec<_>>());

    let outcomes = part(&source, "## 3.", "## 4.").lines();
    let theirs = outcomes.filter_map(|line| line.strip_prefix("- `")?.split('`').next()).map(str::to_owned);
    assert_eq!(theirs.collect::<BTreeSet<_>>(), spec.outcomes["current"]);
    let (recommended, retry) = part(&source, "## 4.", "\u{0}").split_once("3. ").unwrap();
    assert_eq!(quoted(recommended), spec.outcomes["recommended"]);
    assert_eq!(quoted(retry), spec.retry["fields"]);
}

fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[derive(Debug, Deserialize)]
struct Lifecycle {
    #[serde(flatten)]
    machine: Machine,
    rules: Vec<Rule>,
    regressions: Vec<Regression>,
    commands: BTreeMap<String, String>,
    state_json: toml::Table,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Rule {
    number: String,
    from: String,
    to: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Regression {
    from: String,
    to: String,
}

#[test]
fn phases_arrows_rules_and_commands_of_the_lifecycle() {
    let Some(source) = text("004") else { return };
    let spec: Lifecycle = read("lifecycle");
    let phases: Vec<_> = part(&source, "phases**:", "`done`").split_whitespace().collect();
    assert_eq!(phases, spec.machine.states.iter().map(State::name).collect::<Vec<_>>());
    assert_eq!(arrows(&source, "stateDiagram-v2"), spec.machine.edges);

    let rule = |line: &str| {
        let (number, rest) = line.split_once(' ')?;
        let (from, to) = rest.split_once(" → ")?;
        let to = to.split(" / ").map(|phase| phase.trim().to_owned()).collect();
        number.starts_with("3.").then(|| Rule { number: number.to_owned(), from: from.to_owned(), to })
    };
    assert_eq!(source.lines().filter_map(rule).collect::<Vec<_>>(), spec.rules);

    let regression = |line: &str| {
        let (from, rest) = line.trim_start_matches(['\t', '•', ' ']).split_once(" → ")?;
        Some(Regression { from: from.to_owned(), to: rest.split(' ').next()?.to_owned() })
    };
    let section = part(&source, "6. Allowed regressions", "7. Human override");
    assert_eq!(section.lines().filter_map(regression).collect::<Vec<_>>(), spec.regressions);

    let commands = part(&source, "State\tCLI / REPL Trigger\n", "\n\n").lines();
    let pair =
        |(phase, command): (&str, &str)| (phase.to_owned(), command.trim_matches(['(', ')']).to_owned());
    let theirs: BTreeMap<_, _> = commands.filter_map(|line| line.split_once('\t')).map(pair).collect();
    assert_eq!(theirs, spec.commands);
}

#[test]
fn the_state_document_of_the_lifecycle() {
    let Some(source) = text("004") else { return };
    let spec: Lifecycle = read("lifecycle");
    let example: serde_json::Value = serde_json::from_str(part(&source, "```JSON", "```")).unwrap();
    let named = |key: &str| -> BTreeSet<&str> {
        spec.state_json[key].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect()
    };
    let actors = example["actors"].as_object().unwrap();
    assert_eq!(named("actors"), actors.keys().map(String::as_str).collect());
    let fields = actors.values().flat_map(|actor| actor.as_object().unwrap().keys().map(String::as_str));
    assert_eq!(named("actor_fields"), fields.collect());
    let ours = spec.state_json["example"].as_table().unwrap();
    assert_eq!(ours["phase"].as_str(), example["phase"].as_str());
    assert_eq!(ours["planning"]["round"].as_integer(), actors["planning"]["round"].as_i64());
    assert_eq!(ours["planning"]["status"].as_str(), actors["planning"]["status"].as_str());
    assert_eq!(ours["codegen"]["status"].as_str(), actors["codegen"]["status"].as_str());
    let without: BTreeSet<_> =
        actors.iter().filter(|(_, actor)| actor["status"].is_null()).map(|(name, _)| name.as_str()).collect();
    let listed = ours["without_status"].as_array().unwrap().iter().filter_map(toml::Value::as_str);
    assert_eq!(without, listed.collect());
    assert!(between(&source, "/next ", " \"").contains("--override"));
}
