//! On which terms agents work for a delivery: who stands in for whom, and what may be spent before a person is asked.
//! Apart from the roles, because a delivery that sets none of it has none of it on its record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::board::Board;
use super::prices::Prices;
use super::task::Task;
use crate::adapter::Spent;
use crate::time::Timestamp;

/// On which terms agents work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// Who stands in for an agent that cannot work, in order.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fallbacks: BTreeMap<String, Vec<String>>,
    /// Millionths of a dollar that a task may cost before a person is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_micro_usd: Option<u64>,
    /// Tokens that a task may use before a person is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_tokens: Option<u64>,
    /// Millionths of a dollar that all tasks together may cost before a person is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_micro_usd: Option<u64>,
    /// What tokens cost, where an agent says no price.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: Prices,
    /// What is begun while a task waits for an answer.
    #[serde(skip_serializing_if = "WhileWaiting::is_halt")]
    pub while_waiting: WhileWaiting,
}

/// What is begun while a task waits for an answer; what was begun goes on in any case.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WhileWaiting {
    /// Nothing: the answer may change what others should do.
    #[default]
    Halt,
    /// Every task that does not wait for that one.
    Independent,
}

impl WhileWaiting {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
    fn is_halt(&self) -> bool {
        *self == WhileWaiting::Halt
    }
}

/// A conversation that a later turn can go on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name, as the agent knows it.
    pub id: String,
    /// The agent that it is with.
    pub agent: String,
    /// The worktree that it is about.
    pub generation: u32,
    /// What it has used in all.
    pub in_all: Spent,
}

/// Why an agent is not asked to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Until when; without a time, until somebody resumes the work.
    pub until: Option<Timestamp>,
}

impl Rest {
    /// Whether it is over.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// Agents that rest, by name, over all deliveries.
pub(super) type Resting = BTreeMap<String, Rest>;

impl Terms {
    /// Whether nothing was agreed on.
    pub fn is_empty(&self) -> bool {
        *self == Terms::default()
    }

    /// An agent and everybody who stands in for it, in order.
    pub(super) fn candidates<'t>(&'t self, agent: &'t str) -> impl Iterator<Item = &'t str> {
        let others = self.fallbacks.get(agent).into_iter().flatten().map(String::as_str);
        [agent].into_iter().chain(others)
    }

    /// Who works in an agent's place now: the first of them that does not rest.
    pub(super) fn at_work<'t>(&'t self, agent: &'t str, resting: &Resting, now: Timestamp) -> &'t str {
        let works = |name: &&str| resting.get(*name).is_none_or(|rest| rest.is_over(now));
        self.candidates(agent).find(works).unwrap_or(agent)
    }
}

impl Board {
    /// What of its terms a task has used up, in words, if it has.
    pub(super) fn used_up(&self, task: &Task) -> Option<String> {
        let times = u64::from(task.granted).saturating_add(1);
        let over = |used: Option<u64>, limit: Option<u64>| {
            let (used, limit) = (used?, limit?.saturating_mul(times));
            (used >= limit).then_some((used, limit))
        };
        let tokens = task.bill.spent.tokens.map(|tokens| tokens.total());
        if let Some((used, limit)) = over(task.bill.spent.micro_usd, self.terms.task_micro_usd) {
            return Some(format!("{} of the {} that it may cost", dollars(used), dollars(limit)));
        }
        let (used, limit) = over(tokens, self.terms.task_tokens)?;
        Some(format!("{used} of the {limit} tokens that it may use"))
    }

    /// What the delivery has used up as a whole, in words, if it has.
    pub(super) fn all_used_up(&self) -> Option<String> {
        let times = u64::from(self.granted).saturating_add(1);
        let (used, limit) =
            (self.bill.spent.micro_usd?, self.terms.delivery_micro_usd?.saturating_mul(times));
        (used >= limit).then(|| format!("{} of the {} that it may cost", dollars(used), dollars(limit)))
    }
}

/// Millionths of a dollar, for people.
pub fn dollars(micro_usd: u64) -> String {
    let cents = micro_usd.saturating_add(5_000) / 10_000;
    if micro_usd > 0 && cents == 0 {
        return "less than $0.01".to_owned();
    }
    format!("${}.{:02}", cents / 100, cents % 100)
}
