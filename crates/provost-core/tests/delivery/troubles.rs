//! Agents that cannot work: waited for, stood in for, asked about, and only then counted against the task.

use std::collections::BTreeMap;

use provost_core::adapter::{Account, Class, Spent, Tokens, Trouble};
use provost_core::delivery::{Begin, Effect, Outcome, Status, Terms, Turn};
use provost_core::time::Timestamp;

use crate::table::{Table, begin};

fn trouble(class: Class) -> Outcome {
    Outcome::Troubled(Trouble::new(class, "said so"))
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_ms(seconds * 1_000)
}

/// One task, with somebody to stand in for its developer if wanted.
fn one(fallbacks: &[&str]) -> Begin {
    let mut begin = begin(&[("a", &[])]);
    if !fallbacks.is_empty() {
        let others = fallbacks.iter().map(|it| (*it).to_owned()).collect();
        *begin.terms = Terms { fallbacks: BTreeMap::from([("dev".to_owned(), others)]), ..Terms::default() };
    }
    begin
}

fn turn(table: &Table, task: &str) -> Turn {
    let (_, effect) = table.effects().into_iter().find(|(id, _)| *id == table.effect(task)).unwrap();
    if let Effect::Turn(turn) = effect { *turn } else { unreachable!("{effect:?}") }
}

#[test]
fn what_passes_is_tried_again_after_longer_and_longer_waits() {
    let mut table = Table::on(one(&[]));
    table.now = at(100);
    for wait in [1, 2, 4] {
        let names = table.turn("a", trouble(Class::Network));
        assert_eq!(names, ["a agent_crashed", "a agent_troubled", "a developer_dispatched"]);
        assert_eq!(turn(&table, "a").not_before, Some(at(100 + wait)));
    }
    let names = table.turn("a", trouble(Class::Network));
    assert_eq!(names[1..3], ["a agent_troubled", "a agent_failure"]);
    // A turn that comes to a result begins the count anew.
    table.turn("a", Outcome::Rejected { reason: "odd".to_owned() });
    table.turn("a", trouble(Class::Server));
    assert_eq!(turn(&table, "a").not_before, Some(at(101)));
}

#[test]
fn a_quota_is_waited_for_by_everybody_who_needs_it() {
    let mut begin = begin(&[("a", &[]), ("b", &["a"])]);
    begin.roles.critic = "dev".to_owned();
    let mut table = Table::on(begin);
    table.now = at(100);
    let resets = Trouble { resets_at: Some(at(500)), ..Trouble::new(Class::Quota, "usage limit") };
    let names = table.turn("a", Outcome::Troubled(resets));
    assert_eq!(names, ["a agent_crashed", "a agent_troubled", "a developer_dispatched"]);
    let until = at(500 + 300);
    assert_eq!(turn(&table, "a").not_before, Some(until));
    // Waiting for a provider is not the agent's failure.
    let board = table.state.deliveries.boards.values().next().unwrap();
    assert!(board.tasks["a"].counts.agent_failures.is_empty());
    assert_eq!(table.state.deliveries.resting["dev"].until, Some(until));
}

#[test]
fn a_quota_that_does_not_say_when_it_resets_is_asked_about_in_the_end() {
    let mut table = Table::on(one(&[]));
    for _ in 0..3 {
        table.turn("a", trouble(Class::Quota));
        assert_eq!(turn(&table, "a").not_before, Some(at(300)));
    }
    table.turn("a", trouble(Class::Quota));
    assert_eq!(table.status("a"), Status::AwaitingInfrastructure);
    table.reply("retry");
    assert_eq!(turn(&table, "a").not_before, None);
}

#[test]
fn another_agent_stands_in_until_the_first_can_work_again() {
    let mut table = Table::on(one(&["spare", "last"]));
    table.now = at(100);
    table.turn("a", trouble(Class::Quota));
    assert_eq!((turn(&table, "a").agent.as_str(), turn(&table, "a").not_before), ("spare", None));
    table.turn("a", trouble(Class::Auth));
    assert_eq!(turn(&table, "a").agent, "last");
    // Nobody is left to stand in: whoever needs a person is asked about.
    table.turn("a", trouble(Class::Auth));
    assert_eq!(table.status("a"), Status::AwaitingInfrastructure);
    table.reply("retry");
    assert_eq!(turn(&table, "a").agent, "dev");
    table.turn("a", trouble(Class::Quota));
    table.now = at(100 + 300);
    table.turn("a", Outcome::Rejected { reason: "odd".to_owned() });
    assert_eq!(turn(&table, "a").agent, "dev");
}

#[test]
fn only_a_person_can_sign_in() {
    for class in [Class::Auth, Class::Budget] {
        let mut table = Table::on(one(&[]));
        table.turn("a", trouble(class));
        assert_eq!(table.status("a"), Status::AwaitingInfrastructure);
        assert_eq!(table.questions()[0].1, ["retry", "stop"]);
    }
}

#[test]
fn whatever_nobody_can_wait_for_counts_against_the_agent() {
    for class in [
        Class::Context,
        Class::TurnLimit,
        Class::Protocol,
        Class::Crashed,
        Class::Unclassified,
        Class::RefusedPermission,
        // Nothing was gone on with, so nothing can be gone.
        Class::Session,
    ] {
        let mut table = Table::on(one(&[]));
        for _ in 0..2 {
            let names = table.turn("a", trouble(class));
            assert_eq!(
                names[1..],
                ["a agent_troubled", "a agent_failure", "a developer_dispatched"],
                "{class}"
            );
        }
        table.turn("a", trouble(class));
        assert_eq!(table.status("a"), Status::Halted, "{class}");
    }
}

/// What a stream came to in a conversation with a name.
pub(crate) fn account(session: &str, micro_usd: u64, in_all: u64) -> Box<Account> {
    let spent = |micro_usd| {
        let tokens = Tokens { input: micro_usd / 10, ..Tokens::default() };
        Spent { tokens: Some(tokens), micro_usd: Some(micro_usd) }
    };
    let session = Some(session.to_owned());
    Box::new(Account {
        session,
        spent: spent(micro_usd),
        in_all: spent(in_all),
        finished: true,
        ..Account::default()
    })
}

#[test]
fn rework_goes_on_with_the_conversation_and_whoever_judges_begins_anew() {
    let mut table = Table::on(one(&[]));
    let odd = || Outcome::Rejected { reason: "odd".to_owned() };
    assert_eq!(turn(&table, "a").session, None);
    table.turn_with("a", odd(), Some(account("s-1", 100, 100)));
    let session = turn(&table, "a").session.unwrap();
    assert_eq!((session.id.as_str(), session.in_all.micro_usd), ("s-1", Some(100)));
    // Gone: the next turn begins without it, and nothing is counted.
    let names = table.turn("a", trouble(Class::Session));
    assert_eq!(names, ["a agent_crashed", "a agent_troubled", "a developer_dispatched"]);
    assert_eq!(turn(&table, "a").session, None);

    table.develop("a", provost_core::delivery::Verdict::Passed);
    table.turn_with("a", odd(), Some(account("critic", 1, 1)));
    assert_eq!(turn(&table, "a").session, None);
}

#[test]
fn a_conversation_stays_with_its_agent_and_its_worktree() {
    let mut table = Table::on(one(&["spare"]));
    table.turn_with("a", Outcome::Rejected { reason: "odd".to_owned() }, Some(account("s-1", 1, 1)));
    table.turn("a", trouble(Class::Auth));
    let with_spare = turn(&table, "a");
    assert_eq!((with_spare.agent.as_str(), with_spare.session), ("spare", None));

    let mut table = Table::on(one(&[]));
    table.turn_with("a", Outcome::Rejected { reason: "odd".to_owned() }, Some(account("s-1", 1, 1)));
    table.lose(table.effect("a"));
    assert_eq!(turn(&table, "a").session, None);
}

#[test]
fn a_turn_that_rests_when_its_coordinator_ends_goes_on_with_its_conversation_where_it_was() {
    let mut table = Table::on(one(&[]));
    table.now = at(100);
    table.turn_with("a", Outcome::Rejected { reason: "odd".to_owned() }, Some(account("s", 10, 10)));
    let resets = Trouble { resets_at: Some(at(500)), ..Trouble::new(Class::Quota, "usage limit") };
    table.turn_with("a", Outcome::Troubled(resets), Some(account("s", 0, 10)));
    let resting = turn(&table, "a");
    assert_eq!(resting.session.as_ref().unwrap().id, "s");
    // Nobody has begun it: its time has not come.
    table.now = at(200);
    let effect = table.effect("a");
    table.lose(effect);
    let next = turn(&table, "a");
    assert_eq!(next.not_before, resting.not_before);
    assert_eq!(next.worktree, resting.worktree);
    assert_eq!(next.session, resting.session);
    // Its time has come, and it may have begun.
    table.now = at(900);
    let effect = table.effect("a");
    table.lose(effect);
    let next = turn(&table, "a");
    assert_eq!((next.worktree.generation, next.session), (resting.worktree.generation + 1, None));
}
