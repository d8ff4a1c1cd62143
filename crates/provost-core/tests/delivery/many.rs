//! Many tasks: what one step costs does not grow with how many there are.

use provost_core::delivery::{Effect, Report, Verdict};

use crate::table::{NewTaskOf, Table};

#[test]
fn a_thousand_tasks_are_delivered_with_as_many_records_each_as_ten() {
    assert_eq!(records_of(10), records_of(1_000));
}

/// The records that one task takes, in a delivery of many by instant agents.
fn records_of(tasks: u64) -> u64 {
    let names: Vec<&'static str> = (0..tasks).map(|number| &*format!("t{number:05}").leak()).collect();
    let new = |name: &&'static str| NewTaskOf { id: name, blocked_by: &[], verify: false };
    let tasks: Vec<NewTaskOf> = names.iter().map(new).collect();
    let mut table = Table::past_baseline(&tasks);
    let before = table.sequence();
    for name in &names {
        table.develop(name, Verdict::Passed);
        table.pass(name);
        table.pass(name);
        table.landed(name);
        let is_clean = |(_, effect): &(_, Effect)| matches!(effect, Effect::Clean { .. });
        let cleaning = table.effects().into_iter().find(is_clean).unwrap().0;
        table.report(cleaning, Report::Cleaned);
    }
    assert!(table.board().has_ended());
    (table.sequence() - before) / names.len() as u64
}
