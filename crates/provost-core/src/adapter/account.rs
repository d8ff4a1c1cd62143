//! What a turn's stream came to as a whole, kept while it is heard so that no stream has to be kept for it.

use serde::{Deserialize, Serialize};

use super::{Heard, Spent, Trouble};

/// What a stream came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The name under which the conversation can be gone on with.
    pub session: Option<String>,
    /// The version that the agent says it has.
    pub version: Option<String>,
    /// The model that it says it asks.
    pub model: Option<String>,
    /// What this turn used.
    pub spent: Spent,
    /// What the conversation has used, earlier turns included.
    pub in_all: Spent,
    /// How often something was refused to it.
    pub denied: u32,
    /// How often it tried again by itself.
    pub retries: u32,
    /// How many tools it used.
    pub tools: u32,
    /// How many lines meant nothing.
    pub unknown: u32,
    /// Whether the stream said that the turn is over, well or not. Trouble that the agent gets over by itself is no end.
    pub ended: bool,
    /// Whether the stream came to its proper end.
    pub finished: bool,
    /// Why it did not.
    pub trouble: Option<Trouble>,
}

impl Account {
    /// Takes in what was heard. `before` is what the conversation had cost before this turn.
    pub fn hear(&mut self, heard: &Heard, before: Spent) {
        match heard {
            Heard::Session(id) => self.session = Some(id.clone()),
            Heard::Identity { version, model } => {
                self.version = version.clone().or(self.version.take());
                self.model = model.clone().or(self.model.take());
            }
            Heard::Tool(_) => self.tools = self.tools.saturating_add(1),
            Heard::Denied => self.denied = self.denied.saturating_add(1),
            Heard::Used(spent) => {
                self.spent = spent.or(self.spent);
                let sum = before.plus(*spent);
                let (tokens, micro_usd) = (spent.tokens.and(sum.tokens), spent.micro_usd.and(sum.micro_usd));
                self.in_all = Spent { tokens, micro_usd }.or(self.in_all);
            }
            Heard::UsedInAll(in_all) => {
                self.in_all = in_all.or(self.in_all);
                self.spent = in_all.since(before).or(self.spent);
            }
            Heard::Retrying(trouble) => {
                self.retries = self.retries.saturating_add(1);
                self.trouble = Some(trouble.clone());
            }
            Heard::Finished => {
                (self.ended, self.finished) = (true, true);
                self.trouble = None;
            }
            Heard::Failed(trouble) => {
                (self.ended, self.finished) = (true, false);
                // A time that was named on the way counts for the end as well.
                let resets_at = self.trouble.as_ref().and_then(|before| before.resets_at);
                let trouble = trouble.clone();
                self.trouble = Some(Trouble { resets_at: trouble.resets_at.or(resets_at), ..trouble });
            }
            Heard::Unknown => self.unknown = self.unknown.saturating_add(1),
            Heard::Text(_) | Heard::Asked(_) => {}
        }
    }
}
