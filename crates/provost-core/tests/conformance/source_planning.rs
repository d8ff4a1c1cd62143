//! docs/spec/planning.toml and architecture.toml against their source texts.

use std::collections::{BTreeMap, BTreeSet};

use provost_core::limits::Limit;
use serde::Deserialize;

use crate::source::{arrows, part, slug, table, text};
use crate::spec::{Edge, Machine, State, read};

#[derive(Debug, Deserialize)]
struct Planning {
    #[serde(flatten)]
    machine: Machine,
    guards: Vec<Guard>,
    red_lines: Vec<RedLine>,
    loops: Vec<Loop>,
    failures: BTreeMap<String, BTreeSet<String>>,
    modes: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Guard {
    from: String,
    to: String,
    all: Vec<String>,
    otherwise: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct RedLine {
    number: usize,
    at: String,
    action: String,
}

#[derive(Debug, Deserialize)]
struct Loop {
    between: Vec<String>,
    max_iterations: u32,
    exceeded: String,
}

#[test]
fn states_and_arrows() {
    let Some(source) = text("000") else { return };
    let spec: Planning = read("planning");
    assert_eq!(arrows(&source, "stateDiagram-v2"), spec.machine.edges);
    let heading = |line: &str| {
        let (number, name) = line.strip_prefix("### ")?.split_once(". ")?;
        let (name, tag) = name.split_once(" (").unwrap_or((name, ""));
        let state = name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        state.then(|| (number.parse::<usize>().unwrap(), name.to_owned(), slug(tag)))
    };
    let theirs: Vec<_> = source.lines().filter_map(heading).collect();
    let entries = spec.machine.states.iter().map(|state| match state {
        State::Entry(entry) => (entry.order, entry.name.clone(), entry.tag.clone()),
        State::Name(name) => panic!("{name} has no entry"),
    });
    assert_eq!(theirs, entries.collect::<Vec<_>>());
}

#[test]
fn every_state_has_as_many_guards_as_its_section() {
    let Some(source) = text("000") else { return };
    let spec: Planning = read("planning");
    for state in &spec.machine.states {
        let State::Entry(entry) = state else { continue };
        let section = part(&source, &format!("### {}. {}", entry.order, entry.name), "\n---");
        assert_eq!(section.matches('✅').count(), entry.guards.len(), "{}", entry.name);
    }
}

#[test]
fn guard_table() {
    let Some(source) = text("000") else { return };
    let row = |cells: Vec<String>| {
        let (from, to) = cells[0].split_once('→').unwrap();
        let states = cells[2].split("→ ").skip(1);
        Guard {
            from: from.trim().to_owned(),
            to: to.trim().to_owned(),
            all: cells[1].split(',').map(slug).collect(),
            otherwise: states.map(|rest| rest.split([' ', ',']).next().unwrap().to_owned()).collect(),
        }
    };
    let rows = table(&source, &["Transition", "Guard Conditions", "Failure Action"]);
    assert_eq!(rows.into_iter().map(row).collect::<Vec<_>>(), read::<Planning>("planning").guards);
}

#[test]
fn red_lines_loops_failures_and_modes() {
    let Some(source) = text("000") else { return };
    let spec: Planning = read("planning");
    let red_line = |section: &str| {
        let number = section.split(':').next().unwrap().parse().unwrap();
        let at = part(section, "**Enforced at**: ", "\n").split(' ').next().unwrap().to_owned();
        let action = part(section, "**Action**: ", "\n");
        let ends = ["ABORTED", "BLOCKED", "skipped"];
        let action = ends.into_iter().find(|end| action.contains(end)).unwrap().to_owned();
        RedLine { number, at, action }
    };
    let theirs: Vec<_> = source.split("### RED LINE #").skip(1).map(red_line).collect();
    assert_eq!(theirs, spec.red_lines);

    let [only] = spec.loops.as_slice() else { panic!("one loop is permitted") };
    let permitted = part(&source, "### Permitted Loops", "### Forbidden");
    let line = format!("**{}**: Max {} iterations", only.between.join(" ↔ "), only.max_iterations);
    assert!(permitted.contains(&line) && permitted.contains(&format!("→ {}", only.exceeded)), "{line}");
    assert_eq!(only.max_iterations, Limit::AnswerConflicts.default_value());

    for (state, types) in &spec.failures {
        let section = part(
            part(&source, "## State Definitions", "## State Transition"),
            &format!(". {state} ("),
            "\n---",
        );
        let theirs = part(section, "`FailurePack(type=", ")`").split(" | ").map(str::to_owned).collect();
        assert_eq!(types, &theirs, "{state}");
    }
    let modes = part(&source, "**Trigger Conditions** (depends on", "**Responsibilities**");
    let theirs: BTreeSet<_> =
        modes.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).collect();
    assert_eq!(theirs, spec.modes.keys().map(String::as_str).collect());
}

#[derive(Debug, Deserialize)]
struct Architecture {
    dependencies: Vec<Edge>,
    components: Vec<Component>,
    io: BTreeMap<String, BTreeSet<String>>,
    targets: Vec<Target>,
    limits: BTreeMap<String, u32>,
    order: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Component {
    name: String,
    methods: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Target {
    what: String,
    below_ms: u32,
}

#[test]
fn components_and_their_graph() {
    let Some(source) = text("002") else { return };
    let spec: Architecture = read("architecture");
    let component = |class: &str| {
        let (name, rest) = class.split_once(':').unwrap();
        let body = rest.split("```").next().unwrap();
        let methods = body.split("def ").skip(1).map(|def| def.split('(').next().unwrap().to_owned());
        Component { name: name.to_owned(), methods: methods.filter(|name| name != "__init__").collect() }
    };
    assert_eq!(source.split("\nclass ").skip(1).map(component).collect::<Vec<_>>(), spec.components);

    let mut names = BTreeMap::new();
    let mut node = |text: &str| -> String {
        let (id, name) = text.split_once('[').unwrap_or((text, ""));
        let name = name.trim_end_matches(']').to_owned();
        let entry = names.entry(id.to_owned()).or_insert_with(|| name.clone());
        entry.clone()
    };
    let mut ends = |edge: Edge| (node(&edge.from), node(&edge.to));
    let theirs: Vec<_> = arrows(&source, "graph LR").into_iter().map(&mut ends).collect();
    let ours: Vec<_> = spec.dependencies.into_iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(theirs, ours);

    let order = part(&source, "## Implementation Order", "\n---");
    let theirs: Vec<_> = order.split("**").skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(theirs, spec.order["build"]);
    let read_only = part(&source, "access to:\n", "\n\n");
    let theirs = read_only.lines().map(|line| line[2..].split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(spec.io["read_only"], theirs);
}

#[test]
fn targets_and_limits() {
    let Some(source) = text("002") else { return };
    let spec: Architecture = read("architecture");
    let target = |line: &str| {
        let (what, rest) = line.strip_prefix("- ")?.split_once(": < ")?;
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().unwrap();
        Some((slug(what), if rest[digits..].starts_with("ms") { number } else { number * 1000 }))
    };
    let theirs: Vec<_> =
        part(&source, "### Optimization Targets", "###").lines().filter_map(target).collect();
    assert_eq!(theirs, spec.targets.into_iter().map(|it| (it.what, it.below_ms)).collect::<Vec<_>>());

    let limit = |line: &str| {
        let (what, rest) = line.strip_prefix("- Max ")?.split_once(": ")?;
        Some((slug(what), rest.split(' ').next().unwrap().parse().unwrap()))
    };
    let theirs: BTreeMap<String, u32> =
        part(&source, "### Scalability Limits", "---").lines().filter_map(limit).collect();
    assert_eq!(theirs, spec.limits);
    assert_eq!(spec.limits["nodes_per_graph"], Limit::GraphNodes.default_value());
    assert_eq!(spec.limits["questions_per_pack"], Limit::Questions.default_value());
}
