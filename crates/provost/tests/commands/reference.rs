//! Commands that explain Provost itself.

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn machines_are_listed_and_drawn() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["machines"]), @"
    planning         13 states   39 rows   an intent becoming a frozen plan, or ending BLOCKED or ABORTED
    delivery         14 states  118 rows   one task among many, from blocked to complete
    round             7 states   28 rows   one loop of coder, reviewer and tester over one task, as a proposal or an implementation
    lifecycle         8 states   66 rows   one task led by a person from planning to done
    agent             6 states   11 rows   one turn of an agent, from dispatch to its end
    infrastructure    5 states   18 rows   what all tasks of a project stand on, breaking and being repaired for as long as there are tasks

    `provost machines NAME` prints the rows of one; docs/machines/ has a page for each
    ");
    assert_snapshot!(repository.run(&["machines", "infrastructure"]), @"
    infrastructure: what all tasks of a project stand on, breaking and being repaired for as long as there are tasks

    healthy      infrastructure_blocked       → blocked
    blocked      infrastructure_blocked       → blocked
    remediating  infrastructure_blocked       → remediating
    auditing     infrastructure_blocked       → auditing
    exhausted    infrastructure_blocked       → exhausted
    blocked      remediation_dispatched       → remediating
    blocked      remediation_exhausted        → exhausted
    blocked      remediation_unavailable      → exhausted
    remediating  remediation_dispatched       → remediating
    remediating  health_audit_dispatched      → auditing
    remediating  remediation_failed           → blocked  at most remediation_attempts
    auditing     health_audit_dispatched      → auditing
    auditing     health_audit_pass            → healthy
    auditing     health_audit_fail            → blocked  at most remediation_attempts
    auditing     health_audit_unexpected      → blocked  at most remediation_attempts
    exhausted    remediation_divine_retry     → remediating
    exhausted    remediation_divine_override  → healthy
    exhausted    workflow_halted              → exhausted

    begins in healthy; ends in
    ");
    let drawn = repository.run(&["machines", "agent", "--format", "mermaid"]);
    assert!(drawn.starts_with("stateDiagram-v2\n"), "{drawn}");
    let json = repository.run(&["machines", "agent", "--format", "json"]);
    assert!(
        json.starts_with("{\"schema\":\"provost/machines/1\",\"machines\":[{\"name\":\"agent\""),
        "{json}"
    );
    assert_snapshot!(repository.run(&["machines", "agents"]), @"
    error[machines::unknown]: there is no machine `agents`
     |
     = help: name one of planning, delivery, round, lifecycle, agent, infrastructure
    exit 2
    ");
}

#[test]
fn codes_are_explained() {
    let repository = Repository::new();
    assert!(repository.run(&["explain", "journal::damaged"]).starts_with("# journal::damaged\n"));
    assert!(repository.run(&["explain"]).lines().count() > 30);
    assert_snapshot!(repository.run(&["explain", "journal"]), @"
    error[explain::unknown]: there is no code `journal`
     |
     = help: copy the code as it was printed; `provost explain` lists all of them
    exit 2
    ");
}
