//! What turns cost, and on whose word: the agent's, where it says a price, else a table that a person wrote. Apart from
//! the terms, because this is arithmetic: whole millionths of a dollar, rounded once, and never a guess.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

use super::terms::dollars;
use crate::adapter::{Spent, Tokens};

/// Tokens that a price is for.
const TOKENS: u128 = 1_000_000;

/// The most millionths of a dollar that one turn can be said to have cost; more is no price, and would not be exact everywhere.
const COST_MAX: u64 = 9_000_000_000_000_000;

/// On whose word a turn cost what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Display, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Basis {
    /// The agent said it.
    Agent,
    /// It follows from the tokens and a table.
    PriceTable,
    /// Nobody knows.
    #[default]
    Unknown,
}

/// What a million tokens cost, in millionths of a dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Read, and written to a cache.
    pub input: u64,
    /// Read from a cache.
    pub cached_input: u64,
    /// Said.
    pub output: u64,
}

impl Price {
    /// What these tokens cost, rounded to the nearest millionth; nothing where it is more than anything costs.
    pub fn of(&self, tokens: &Tokens) -> Option<u64> {
        let read = u128::from(tokens.input) + u128::from(tokens.cache_write);
        let parts = [
            read.checked_mul(u128::from(self.input))?,
            u128::from(tokens.cached_read) * u128::from(self.cached_input),
            u128::from(tokens.output) * u128::from(self.output),
        ];
        let sum = parts.into_iter().try_fold(TOKENS / 2, u128::checked_add)?;
        u64::try_from(sum / TOKENS).ok().filter(|cost| *cost <= COST_MAX)
    }
}

/// Prices by the name of a model, or of an agent that does not say its model.
pub type Prices = BTreeMap<String, Price>;

/// What a turn used with its price, and on whose word. What the agent says wins.
pub fn priced(prices: &Prices, agent: &str, model: Option<&str>, spent: Spent) -> (Spent, Basis) {
    if spent.micro_usd.is_some() {
        return (spent, Basis::Agent);
    }
    let price = prices.get(model.unwrap_or(agent));
    match price.zip(spent.tokens).and_then(|(price, tokens)| price.of(&tokens)) {
        Some(cost) => (Spent { micro_usd: Some(cost), ..spent }, Basis::PriceTable),
        None => (spent, Basis::Unknown),
    }
}

/// What turns cost together, by whose word it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Millionths of a dollar as agents said.
    pub by_agent: u64,
    /// Millionths of a dollar by the price table.
    pub by_table: u64,
    /// Turns whose price nobody knows.
    pub unknown: u32,
}

impl Costs {
    /// Adds a turn.
    pub fn add(&mut self, spent: Spent, basis: Basis) {
        match (spent.micro_usd, basis) {
            (Some(cost), Basis::PriceTable) => self.by_table = self.by_table.saturating_add(cost),
            // Before there were tables, whatever was said was the agent's word.
            (Some(cost), _) => self.by_agent = self.by_agent.saturating_add(cost),
            (None, _) => self.unknown = self.unknown.saturating_add(1),
        }
    }

    /// What was paid on which word, for people; nothing where no turn was counted.
    pub fn words(&self) -> Option<String> {
        let money = |cost: u64, on: &str| (cost > 0).then(|| format!("{} {on}", dollars(cost)));
        let turns = match self.unknown {
            0 => None,
            1 => Some("1 turn at an unknown price".to_owned()),
            many => Some(format!("{many} turns at an unknown price")),
        };
        let parts =
            [money(self.by_agent, "as agents say"), money(self.by_table, "by the price table"), turns];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What turns used, and what of it was paid on whose word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bill {
    /// What was used.
    pub spent: Spent,
    /// What of it was paid.
    pub costs: Costs,
}

impl Bill {
    /// Adds a turn.
    pub fn add(&mut self, spent: Spent, basis: Basis) {
        self.spent = self.spent.plus(spent);
        self.costs.add(spent, basis);
    }

    /// Both, for people; nothing where no turn was counted.
    pub fn words(&self) -> Option<String> {
        let tokens = self.spent.tokens.map(|tokens| format!("{} tokens", tokens.total()));
        let parts: Vec<String> = [tokens, self.costs.words()].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price { input: 3_000_000, cached_input: 300_000, output: 15_000_000 };

    fn tokens(input: u64, cached_read: u64, cache_write: u64, output: u64) -> Tokens {
        Tokens { input, cached_read, cache_write, output, reasoning: 7 }
    }

    #[test]
    fn tokens_cost_what_the_table_says_rounded_once() {
        assert_eq!(PRICE.of(&tokens(1_000_000, 0, 0, 0)), Some(3_000_000));
        assert_eq!(PRICE.of(&tokens(100, 10, 5, 20)), Some(300 + 3 + 15 + 300));
        // Three halves of a millionth are two, not three times one.
        let small = Price { input: 500_000, cached_input: 500_000, output: 500_000 };
        assert_eq!(small.of(&tokens(1, 1, 0, 1)), Some(2));
        assert_eq!(PRICE.of(&Tokens::default()), Some(0));
        assert_eq!(Price::default().of(&tokens(u64::MAX, 9, 9, 9)), Some(0));
    }

    #[test]
    fn what_is_more_than_anything_costs_is_no_price() {
        let most = Price { input: u64::MAX, cached_input: u64::MAX, output: u64::MAX };
        assert_eq!(most.of(&tokens(u64::MAX, u64::MAX, u64::MAX, u64::MAX)), None);
        assert_eq!(most.of(&tokens(u64::MAX, 0, 0, 0)), None);
        let exact = Price { input: 1_000_000, ..Price::default() };
        assert_eq!(exact.of(&tokens(COST_MAX, 0, 0, 0)), Some(COST_MAX));
        assert_eq!(exact.of(&tokens(COST_MAX + 1, 0, 0, 0)), None);
    }

    #[test]
    fn the_agents_word_wins_and_what_nobody_says_is_unknown() {
        let prices = Prices::from([("m".to_owned(), PRICE), ("codex".to_owned(), PRICE)]);
        let used = Spent { tokens: Some(tokens(100, 0, 0, 0)), micro_usd: None };
        let told = Spent { micro_usd: Some(7), ..used };
        let table = Spent { micro_usd: Some(300), ..used };
        assert_eq!(priced(&prices, "a", Some("m"), told), (told, Basis::Agent));
        assert_eq!(priced(&prices, "a", Some("m"), used), (table, Basis::PriceTable));
        assert_eq!(priced(&prices, "codex", None, used), (table, Basis::PriceTable));
        // An agent that says its model has the price of that model or none.
        assert_eq!(priced(&prices, "codex", Some("other"), used), (used, Basis::Unknown));
        assert_eq!(priced(&prices, "a", Some("m"), Spent::default()), (Spent::default(), Basis::Unknown));
    }

    #[test]
    fn sums_say_on_whose_word_they_are() {
        let mut costs = Costs::default();
        assert_eq!(costs.words(), None);
        for (cost, basis) in [
            (Some(1_200_000), Basis::Agent),
            (Some(340_000), Basis::PriceTable),
            (Some(10_000), Basis::Unknown),
            (None, Basis::Unknown),
        ] {
            costs.add(Spent { tokens: None, micro_usd: cost }, basis);
        }
        let said = "$1.21 as agents say, $0.34 by the price table, 1 turn at an unknown price";
        assert_eq!(costs.words().as_deref(), Some(said));
        costs.add(Spent { tokens: None, micro_usd: Some(u64::MAX) }, Basis::Agent);
        assert_eq!(costs.by_agent, u64::MAX);
        let mut bill = Bill::default();
        assert_eq!(bill.words(), None);
        bill.add(Spent { tokens: Some(tokens(100, 0, 0, 20)), micro_usd: None }, Basis::Unknown);
        assert_eq!(bill.words().as_deref(), Some("120 tokens, 1 turn at an unknown price"));
    }
}
