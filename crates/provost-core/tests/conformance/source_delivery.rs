//! docs/spec/delivery.toml against its source text.

use std::collections::BTreeSet;

use crate::source::{between, part, slug, table, text};
use crate::spec::{Delivery, Field, Section, State, read};

#[test]
fn thresholds_blockers_and_constants() {
    let Some(source) = text("001") else { return };
    let spec: Delivery = read("delivery");
    let rows = table(&source, &["Attempt Type", "Threshold", "Escalation Action"]);
    let theirs: Vec<(&str, u32)> =
        rows.iter().map(|row| (row[0].as_str(), row[1].parse().unwrap())).collect();
    assert_eq!(theirs, spec.thresholds.iter().map(|it| (it.attempts.as_str(), it.at)).collect::<Vec<_>>());

    let rows = table(&source, &["Category", "Action", "Escalation"]);
    let theirs: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(theirs, spec.blockers.iter().map(|it| it.category.as_str()).collect::<Vec<_>>());

    for (name, value) in spec.constants {
        assert!(source.contains(&format!("{name} = {value}")), "{name}");
    }
}

#[test]
fn state_fields() {
    let Some(source) = text("001") else { return };
    let body = part(&source, "## State Fields", "## Attempt Tracking");
    let section = |text: &str| Section {
        section: slug(text.lines().next().unwrap()),
        fields: table(text, &["Field", "Type", "Description"])
            .into_iter()
            .map(|row| Field { name: row[0].clone(), kind: row[1].clone() })
            .collect(),
    };
    let theirs: Vec<_> = body.split("### ").skip(1).map(section).collect();
    assert_eq!(theirs, read::<Delivery>("delivery").fields);
}

#[test]
fn events() {
    let Some(source) = text("001") else { return };
    let spec: Delivery = read("delivery");
    let mut theirs = between(&source, "log_event(\"", "\"");
    let lists = ["Log event: ", "Log events: "];
    for line in source.lines().filter_map(|line| lists.iter().find_map(|&list| line.split_once(list))) {
        // What follows is the event's payload.
        let names = line.1.split(" with ").next().unwrap();
        theirs.extend(names.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    assert_eq!(theirs, spec.events["delivery"]);

    let rows = table(&source, &["Event", "When", "State Change"]);
    let theirs: BTreeSet<_> = rows.into_iter().map(|row| row[0].clone()).collect();
    assert_eq!(theirs, spec.events["agent"]);
}

#[test]
fn every_edge_has_an_event_and_statuses_of_the_source() {
    let Some(source) = text("001") else { return };
    let spec: Delivery = read("delivery");
    let events: BTreeSet<&String> = spec.events.values().flatten().collect();
    let machines = [&spec.machine, &spec.agent, &spec.infrastructure];
    for edge in machines.iter().flat_map(|machine| &machine.edges) {
        assert!(events.contains(&edge.on), "{edge:?}");
    }
    // Statuses are written in quotation marks, once in back-ticks.
    let named = |status: &str| {
        source.contains(&format!("\"{status}\"")) || source.contains(&format!("to `{status}`"))
    };
    let fields: BTreeSet<_> =
        spec.fields.iter().flat_map(|section| &section.fields).map(|it| &it.name).collect();
    let toml: toml::Table = read("delivery");
    for (state, entry) in spec.machine.states.iter().zip(toml["states"].as_array().unwrap()) {
        let field = entry.get("field").and_then(toml::Value::as_str);
        let implied = field.is_some_and(|field| fields.iter().any(|it| it.as_str() == field));
        assert!(implied || entry.get("threshold").is_some() || named(state.name()), "{}", state.name());
    }
    let written = between(part(&source, "## State Update Triggers", "## Atomic"), "status to \"", "\"");
    let known: BTreeSet<_> = spec.machine.states.iter().map(State::name).map(str::to_owned).collect();
    assert!(written.is_subset(&known), "{written:?}");
}

#[test]
fn structures() {
    let Some(source) = text("001") else { return };
    let places = [
        ("expert", "**Expert Object Structure**", 1),
        ("task_attempts", "### Attempt Tracking Structure", 3),
        ("task_commits", "### Commit Tracking", 3),
        ("failure_patterns", "### Failure Pattern Storage", 3),
        ("active_agents", "### Agent Tracking Structure", 3),
    ];
    let spec: Delivery = read("delivery");
    assert_eq!(spec.structures.len(), places.len() + 1);
    for (name, heading, depth) in places {
        let json = part(part(&source, heading, "\n## "), "```json", "```");
        assert_eq!(keys(json, depth), spec.structures[name], "{name}");
    }
    let question = part(&source, "pending_divine_questions.append({", "})");
    let theirs: Vec<_> =
        question.lines().filter_map(|line| line.trim().strip_prefix('\'')?.split('\'').next()).collect();
    assert_eq!(theirs, spec.structures["pending_divine_questions"]);
}

/// The keys at one depth of a JSON example, which may be abbreviated and so is not parsed as JSON.
fn keys(json: &str, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut level = 0;
    for line in json.lines() {
        let key = line.trim().strip_prefix('"').and_then(|rest| rest.split_once("\":"));
        if let Some((key, _)) = key.filter(|_| level == depth) {
            found.push(key.to_owned());
        }
        level += line.matches(['{', '[']).count();
        level -= line.matches(['}', ']']).count();
    }
    found
}
