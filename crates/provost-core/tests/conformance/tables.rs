//! Each table against its specification: what differs is listed with a reason, and what is listed differs.

use std::collections::BTreeSet;

use provost_core::limits::Limit;
use provost_core::machine::Sheet;
use provost_core::machines::sheets;

use crate::spec::{Delivery, Kind, Machine, State, differences, docs, read};

/// One difference: whose, which way, and the state or edge as a list of names.
type Found = BTreeSet<(String, Kind, Vec<String>)>;

#[test]
fn every_difference_from_the_specification_is_listed_and_every_listed_one_exists() {
    let found: Found = sheets().iter().flat_map(|sheet| compare(sheet, &specification(sheet.name))).collect();
    let mut listed = Found::new();
    for difference in differences() {
        let states = difference.states.into_iter().map(|state| vec![state]);
        for item in states.chain(difference.edges) {
            let new = listed.insert((difference.machine.clone(), difference.kind, item.clone()));
            assert!(new, "listed twice: {} {:?} {item:?}", difference.machine, difference.kind);
        }
    }
    let unlisted: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(unlisted.is_empty(), "not in docs/spec/differences.toml: {unlisted:#?}");
    assert!(gone.is_empty(), "in docs/spec/differences.toml and no longer true: {gone:#?}");
}

#[test]
fn every_difference_has_a_reason_and_a_decision_that_exists() {
    for difference in differences() {
        assert!(difference.reason.ends_with('.'), "{difference:?}");
        assert!(
            docs().join("adr").join(&difference.decision).is_file(),
            "no such file: {}",
            difference.decision
        );
    }
}

#[test]
fn every_threshold_is_the_default_of_its_limit() {
    let limits = [
        ("self_solve_attempts", Limit::SelfSolve),
        ("delegation_attempts", Limit::Delegations),
        ("audit_failures", Limit::AuditFailures),
        ("critic_failures", Limit::CriticFailures),
        ("critic_timeouts", Limit::CriticTimeouts),
        ("incomplete_count", Limit::Incomplete),
        ("signal_rejections", Limit::SignalRejections),
    ];
    let spec: Delivery = read("delivery");
    let theirs: Vec<_> = spec.thresholds.iter().map(|it| (it.attempts.as_str(), it.at)).collect();
    let ours = limits.map(|(name, limit)| (name, limit.default_value()));
    assert_eq!(theirs, ours);
    assert_eq!(spec.constants["REMEDIATION_ATTEMPTS_LIMIT"], Limit::RemediationAttempts.default_value());
    let rows: Vec<_> = sheets().iter().flat_map(|sheet| sheet.rows.clone()).collect();
    for (name, limit) in limits {
        let used = rows.iter().any(|row| row.limit == Some(limit.into()));
        assert!(used, "no row is bounded for {name}");
    }
}

fn specification(name: &str) -> Machine {
    let delivery = || read::<Delivery>("delivery");
    match name {
        "delivery" => delivery().machine,
        "agent" => delivery().agent,
        "infrastructure" => delivery().infrastructure,
        other => read(other),
    }
}

/// Compares rows as written. Where the specification labels its arrows in prose, only their ends are compared; a
/// specified move without an event allows any row that makes it.
fn compare(sheet: &Sheet, spec: &Machine) -> Found {
    let by_event = spec.edges.iter().all(|edge| !edge.on.is_empty());
    let item = |from: &str, on: &str, to: &str| -> Vec<String> {
        let parts: &[&str] = if by_event { &[from, on, to] } else { &[from, to] };
        parts.iter().map(|&part| part.to_owned()).collect()
    };
    let silent = |from: &str, to: &str| spec.silent_edges.iter().any(|it| it.from == from && it.to == to);
    let theirs = spec.edges.iter().filter(|edge| !edge.from.is_empty());
    let mut theirs: BTreeSet<_> = theirs.map(|edge| item(&edge.from, &edge.on, &edge.to)).collect();
    theirs.extend(spec.states.iter().map(State::name).map(|name| vec![name.to_owned()]));
    let rows = sheet.rows.iter();
    let mut ours: BTreeSet<_> =
        rows.filter(|row| !silent(row.from, row.to)).map(|row| item(row.from, row.on, row.to)).collect();
    ours.extend(sheet.states.iter().map(|&name| vec![name.to_owned()]));
    for edge in &spec.silent_edges {
        let made = sheet.rows.iter().any(|row| row.from == edge.from && row.to == edge.to);
        assert!(made, "no row from {} to {}", edge.from, edge.to);
    }
    let name = || sheet.name.to_owned();
    let extra = ours.difference(&theirs).map(|item| (name(), Kind::Extra, item.clone()));
    let missing = theirs.difference(&ours).map(|item| (name(), Kind::Missing, item.clone()));
    extra.chain(missing).collect()
}
