//! What agents may cost and do: counted over a task's whole life, asked about before anything stops.

use provost_core::adapter::{Account, Act, Deed};
use provost_core::delivery::{
    Begin, Command, Event, Outcome, Permission, Price, Report, Status, Terms, TurnEnd, What,
};
use provost_core::evidence::Evidence;
use provost_core::report;
use provost_core::role::Role;

use crate::table::{Table, begin};
use crate::troubles::account;

fn limited(terms: Terms) -> Begin {
    Begin { terms: Box::new(terms), ..begin(&[("a", &[]), ("b", &[])]) }
}

fn odd() -> Outcome {
    Outcome::Rejected { reason: "odd".to_owned() }
}

#[test]
fn a_task_that_has_used_its_share_is_asked_about_and_may_use_as_much_again() {
    let mut table = Table::on(limited(Terms { task_micro_usd: Some(100), ..Terms::default() }));
    table.turn_with("a", odd(), Some(account("s", 60, 60)));
    assert_eq!(table.status("a"), Status::Implementing);
    let names = table.turn_with("a", odd(), Some(account("s", 60, 120)));
    assert_eq!(names.last().unwrap(), "a coordinator_seeks_guidance");
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    assert_eq!(table.questions()[0].1, ["continue", "remove"]);
    // The other one goes on.
    assert_eq!(table.status("b"), Status::Implementing);
    assert_eq!(table.reply("continue").last().unwrap(), "a developer_dispatched");
    table.turn_with("a", odd(), Some(account("s", 79, 199)));
    assert_eq!(table.status("a"), Status::Implementing);
    table.turn_with("a", odd(), Some(account("s", 1, 200)));
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    table.reply("remove");
    assert_eq!(table.status("a"), Status::Removed);
}

#[test]
fn tokens_are_counted_where_nobody_says_a_price() {
    let mut table = Table::on(limited(Terms { task_tokens: Some(6), ..Terms::default() }));
    table.turn_with("a", odd(), Some(account("s", 60, 60)));
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
}

#[test]
fn a_delivery_that_has_used_its_share_pays_nobody_until_a_person_said_so() {
    let mut table = Table::on(limited(Terms { delivery_micro_usd: Some(100), ..Terms::default() }));
    table.turn_with("a", odd(), Some(account("s", 99, 99)));
    assert_eq!(table.status("a"), Status::Implementing);
    let names = table.turn_with("b", odd(), Some(account("t", 1, 1)));
    assert_eq!(names.last().unwrap(), "spend_limit_reached");
    // What runs is not ended; what it leads to waits.
    let names = table.turn_with("a", odd(), Some(account("s", 1, 100)));
    assert_eq!(names.last().unwrap(), "workflow_halted");
    assert!(table.roles().is_empty());
    let names = table.reply("continue");
    assert_eq!(names, ["guidance_received", "a developer_dispatched", "b developer_dispatched"]);
}

#[test]
fn a_delivery_can_be_ended_over_its_cost() {
    let mut table = Table::on(limited(Terms { delivery_micro_usd: Some(1), ..Terms::default() }));
    table.turn_with("a", odd(), Some(account("s", 1, 1)));
    assert_eq!(table.reply("stop"), ["delivery_cancelled"]);
}

#[test]
fn what_an_agent_asked_for_is_on_the_record_and_counted() {
    let mut table = Table::on(limited(Terms::default()));
    let effect = table.effect("a");
    table.report(effect, Report::Started { prompt: None, token: None });
    for allowed in [true, false, false] {
        let act = Act {
            tool: "Bash".to_owned(),
            deed: Deed::Run,
            paths: Vec::new(),
            command: Some("make".to_owned()),
            address: None,
            cut: false,
        };
        let permission = Permission { act, allowed, rules: vec!["r-1".to_owned()], why: "so".to_owned() };
        let names = table.report(effect, Report::Permission(Box::new(permission)));
        assert_eq!(names, ["a permission_decided"]);
    }
    let board = table.state.deliveries.boards.values().next().unwrap();
    let counted = board.tasks["a"].permissions;
    assert_eq!((counted.allowed, counted.denied), (1, 2));
    // The turn goes on.
    assert_eq!(table.effect("a"), effect);
}

#[test]
fn what_was_refused_is_told_and_only_so_much_of_it() {
    let mut table = Table::on(limited(Terms::default()));
    let effect = table.effect("a");
    table.report(effect, Report::Started { prompt: None, token: None });
    let mut evidence = Evidence::default();
    let delivery = table.state.deliveries.boards.keys().next().unwrap().clone();
    for number in 0..25_u64 {
        let command = Some(format!("rm `{number}`"));
        let act = Act {
            tool: "Bash".to_owned(),
            deed: Deed::Run,
            paths: vec![],
            command,
            address: None,
            cut: false,
        };
        let (allowed, why) = (number == 0, "no rule allows it".to_owned());
        let permission = Permission { act: act.clone(), allowed, rules: Vec::new(), why: why.clone() };
        table.report(effect, Report::Permission(Box::new(permission)));
        let agent = "claude".to_owned();
        let what =
            What::PermissionDecided { agent, role: Role::Developer, act, allowed, rules: Vec::new(), why };
        let event = Event { delivery: delivery.clone(), task: Some("a".to_owned()), what };
        evidence.observe(100 + number, table.now, &event);
    }
    let board = &table.state.deliveries.boards[&delivery];
    let page = report::markdown(&delivery, board, None, &evidence.deliveries[&delivery]);
    let (_, told) = page.split_once("\nRefused to its agents, 24 of 25 requests:\n\n").unwrap();
    let lines: Vec<&str> = told.lines().take_while(|line| line.starts_with("- ")).collect();
    assert_eq!(lines[0], "- developer, `Bash` `` rm `1` `` (record 101): no rule allows it");
    assert_eq!((lines.len(), lines[20]), (21, "- and 4 more"));
}

fn priced_terms() -> Terms {
    let price = Price { input: 2_000_000, cached_input: 0, output: 0 };
    Terms { prices: [("dev".to_owned(), price)].into(), task_micro_usd: Some(20), ..Terms::default() }
}

/// An agent that counts its tokens, ten of them, and says no price.
fn counted() -> Box<Account> {
    let mut account = account("s", 100, 100);
    (account.spent.micro_usd, account.in_all.micro_usd) = (None, None);
    account
}

#[test]
fn a_table_prices_what_agents_only_count_and_limits_hold_for_it() {
    let mut table = Table::on(limited(priced_terms()));
    table.turn_with("a", odd(), Some(counted()));
    let board = table.state.deliveries.boards.values().next().unwrap();
    assert_eq!(
        (board.bill.spent.micro_usd, board.bill.costs.by_table, board.bill.costs.by_agent),
        (Some(20), 20, 0)
    );
    assert_eq!((board.tasks["a"].bill, board.bills["dev"]), (board.bill, board.bill));
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    // What the agent says wins over the table.
    table.turn_with("b", odd(), Some(account("t", 7, 7)));
    let board = table.state.deliveries.boards.values().next().unwrap();
    assert_eq!((board.bill.costs.by_table, board.bill.costs.by_agent, board.bill.costs.unknown), (20, 7, 0));
}

#[test]
fn what_a_turn_cost_that_was_given_up_counts_once() {
    let mut table = Table::on(limited(priced_terms()));
    // Its agent may have begun, although that is not on the record yet.
    let effect = table.effect("a");
    let delivery = table.state.deliveries.boards.keys().next().unwrap().clone();
    table.ask(Command::Cancel { delivery: delivery.clone() });
    let end = |account| TurnEnd {
        outcome: Outcome::Stopped,
        exit: None,
        duration_ms: 1,
        output: None,
        results: Vec::new(),
        checkpoints: Vec::new(),
        account,
    };
    assert_eq!(table.report(effect, Report::Turn(end(None))), ["late_report"]);
    assert_eq!(table.report(effect, Report::Turn(end(Some(counted())))), ["a late_report"]);
    let spent = |table: &Table| table.state.deliveries.boards[&delivery].bill.costs.by_table;
    assert_eq!(spent(&table), 20);
    assert_eq!(table.report(effect, Report::Turn(end(Some(counted())))), ["late_report"]);
    assert_eq!(spent(&table), 20);
}
