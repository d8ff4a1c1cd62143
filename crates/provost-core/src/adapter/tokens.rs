//! What a turn uses, in the same few words whatever the agent calls them.

use serde::{Deserialize, Serialize};

/// Tokens, by what they were for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Read and not found in a cache.
    pub input: u64,
    /// Read from a cache.
    pub cached_read: u64,
    /// Written to a cache.
    pub cache_write: u64,
    /// Said.
    pub output: u64,
    /// Of what was said, thought.
    pub reasoning: u64,
}

impl Tokens {
    /// All that were read or said.
    pub const fn total(&self) -> u64 {
        self.input
            .saturating_add(self.cached_read)
            .saturating_add(self.cache_write)
            .saturating_add(self.output)
    }

    fn each(&self, other: &Tokens, join: impl Fn(u64, u64) -> u64) -> Tokens {
        Tokens {
            input: join(self.input, other.input),
            cached_read: join(self.cached_read, other.cached_read),
            cache_write: join(self.cache_write, other.cache_write),
            output: join(self.output, other.output),
            reasoning: join(self.reasoning, other.reasoning),
        }
    }
}

/// What was used, as far as the agent says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// The tokens, where it counts them.
    pub tokens: Option<Tokens>,
    /// Millionths of a dollar, where it says a price.
    pub micro_usd: Option<u64>,
}

impl Spent {
    /// Only a price.
    pub(super) const fn priced(micro_usd: u64) -> Spent {
        Spent { tokens: None, micro_usd: Some(micro_usd) }
    }

    /// Only tokens.
    pub(super) const fn counted(tokens: Tokens) -> Spent {
        Spent { tokens: Some(tokens), micro_usd: None }
    }

    /// Whether nothing is known.
    pub const fn is_unknown(&self) -> bool {
        self.tokens.is_none() && self.micro_usd.is_none()
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Spent) -> Spent {
        Spent {
            tokens: joined(self.tokens, other.tokens, |one, other| one.each(&other, u64::saturating_add)),
            micro_usd: joined(self.micro_usd, other.micro_usd, u64::saturating_add),
        }
    }

    /// What came on top of `before`. Figures that have become smaller were counted from zero again.
    #[must_use]
    pub fn since(self, before: Spent) -> Spent {
        let tokens = self.tokens.map(|now| match before.tokens {
            Some(before) if before.total() <= now.total() => now.each(&before, u64::saturating_sub),
            _ => now,
        });
        let micro_usd = self.micro_usd.map(|now| match before.micro_usd {
            Some(before) if before <= now => now - before,
            _ => now,
        });
        Spent { tokens, micro_usd }
    }

    /// This, and where it says nothing, the other.
    #[must_use]
    pub(super) fn or(self, other: Spent) -> Spent {
        Spent { tokens: self.tokens.or(other.tokens), micro_usd: self.micro_usd.or(other.micro_usd) }
    }
}

fn joined<T>(one: Option<T>, other: Option<T>, join: impl Fn(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(join(one, other)),
        (one, other) => one.or(other),
    }
}

/// Millionths of a dollar; nothing where it is no amount.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the amount is within the range that is exact, and not negative"
)]
pub(super) fn micro_usd(dollars: f64) -> Option<u64> {
    let micro = (dollars * 1e6).round();
    (0.0..9e15).contains(&micro).then_some(micro as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_over_a_conversation_is_taken_apart() {
        let tokens = |input, output| Some(Tokens { input, output, ..Tokens::default() });
        let before = Spent { tokens: tokens(200, 40), micro_usd: Some(1_206) };
        let now = Spent { tokens: tokens(300, 60), micro_usd: Some(1_809) };
        assert_eq!(now.since(before), Spent { tokens: tokens(100, 20), micro_usd: Some(603) });
        assert_eq!(before.since(now), before);
        assert_eq!(now.since(Spent::default()), now);
    }

    #[test]
    fn an_amount_is_rounded_and_never_negative() {
        let given = [0.001_206, 6.03e-5, 0.0, 0.001_590_000_000_000_000_3];
        assert_eq!(given.map(micro_usd), [Some(1_206), Some(60), Some(0), Some(1_590)]);
        assert_eq!([-1.0, f64::NAN, f64::INFINITY, 1e30].map(micro_usd), [None; 4]);
    }
}
