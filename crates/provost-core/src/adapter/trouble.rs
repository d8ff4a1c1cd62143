//! Why a turn came to nothing, in classes that something can be done about.
//!
//! Agents say it in a status, in a word of their own or only in prose. The signatures of prose were taken from real
//! streams; what fits none is unclassified and keeps the line, so that a new wording is seen and never guessed at.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::beginning;
use crate::time::Timestamp;

/// The most bytes that are kept of what an agent said about it.
const SAID_MAX: usize = 600;

/// Why a turn came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Class {
    /// The provider does not know who asks, or does not let them.
    Auth,
    /// There is nothing left to use until some time, or until somebody pays.
    Quota,
    /// The provider was not reached.
    Network,
    /// It did not answer in time.
    Timeout,
    /// It failed.
    Server,
    /// The conversation is longer than the model takes.
    Context,
    /// Something that the work needed was refused.
    RefusedPermission,
    /// The agent's own budget is used up.
    Budget,
    /// The agent's own number of steps is used up.
    TurnLimit,
    /// The conversation to go on with is not there any more.
    Session,
    /// The stream is not what its protocol says.
    Protocol,
    /// The agent's process died.
    Crashed,
    /// Nothing that is known.
    Unclassified,
}

/// What was found in prose, in the order that is looked for: what says more comes first.
const SIGNATURES: &[(Class, &[&str])] = &[
    (Class::Session, &["no conversation found", "no rollout found", "session not found", "unknown session"]),
    (
        Class::Context,
        &[
            "prompt is too long",
            "context length",
            "context window",
            "context_length_exceeded",
            "maximum context",
        ],
    ),
    (
        Class::Quota,
        &[
            "usage limit",
            "hit your limit",
            "rate limit",
            "rate_limit",
            "quota",
            "too many requests",
            "credit balance",
            "billing",
        ],
    ),
    (
        Class::Auth,
        &[
            "unauthorized",
            "authenticat",
            "invalid api key",
            "invalid x-api-key",
            "not logged in",
            "missing environment variable",
            "permission_error",
        ],
    ),
    (Class::Timeout, &["timed out", "timeout", "etimedout"]),
    (
        Class::Network,
        &[
            "econnrefused",
            "econnreset",
            "enotfound",
            "connection refused",
            "connection reset",
            "connection lost",
            "connection dropped",
            "stream disconnected",
            "waiting for network",
            "error sending request",
            "unable to connect",
        ],
    ),
    (Class::Server, &["overloaded", "high demand", "server_error", "internal server error", "server-side"]),
];

impl Class {
    /// What a status of the provider and a text about it mean.
    pub fn of(status: Option<u16>, text: &str) -> Class {
        let text = text.to_lowercase();
        let signature = SIGNATURES.iter().find(|(_, words)| words.iter().any(|word| text.contains(word)));
        let signature = signature.map(|(class, _)| *class);
        if let Some(said @ (Class::Session | Class::Context)) = signature {
            return said;
        }
        match status.or_else(|| status_in(&text)) {
            Some(401 | 403) => Class::Auth,
            Some(402 | 429) => Class::Quota,
            Some(408 | 504) => Class::Timeout,
            Some(413) => Class::Context,
            Some(500..=599) => Class::Server,
            _ => signature.unwrap_or(Class::Unclassified),
        }
    }

    /// Whether it may pass by itself, so that trying again makes sense.
    pub const fn is_passing(self) -> bool {
        matches!(self, Class::Network | Class::Timeout | Class::Server)
    }

    /// What people read for it.
    pub const fn label(self) -> &'static str {
        match self {
            Class::Auth => "not signed in, or not permitted",
            Class::Quota => "nothing left of its quota",
            Class::Network => "its provider was not reached",
            Class::Timeout => "its provider did not answer in time",
            Class::Server => "its provider failed",
            Class::Context => "the conversation became too long",
            Class::RefusedPermission => "it was refused what it needed",
            Class::Budget => "its own budget is used up",
            Class::TurnLimit => "its own number of steps is used up",
            Class::Session => "the conversation to go on with is gone",
            Class::Protocol => "its stream is not what it should be",
            Class::Crashed => "its process died",
            Class::Unclassified => "it failed in a way that is not known",
        }
    }
}

/// The number after the last word `status` in a text.
fn status_in(text: &str) -> Option<u16> {
    let (_, rest) = text.rsplit_once("status")?;
    let digits: String =
        rest.trim_start_matches([':', ' ']).chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|status| (400..600).contains(status))
}

/// Why a turn came to nothing, and what the agent said about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The class.
    pub class: Class,
    /// What the agent said, from its beginning.
    pub said: String,
    /// When there will be something to use again, where the provider says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets_at: Option<Timestamp>,
}

impl Trouble {
    /// Trouble of a known class.
    pub fn new(class: Class, said: &str) -> Trouble {
        Trouble { class, said: beginning(said, SAID_MAX), resets_at: None }
    }

    /// Trouble as an agent tells it.
    pub(super) fn said(status: Option<u16>, text: &str) -> Trouble {
        Trouble::new(Class::of(status, text), text)
    }

    /// The same with the time, in seconds since 1970, at which it is over.
    #[must_use]
    pub(super) fn until(self, seconds: Option<i64>) -> Trouble {
        let resets_at = seconds.map(|seconds| Timestamp::from_ms(seconds.saturating_mul(1_000)));
        Trouble { resets_at, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_of_real_agents_is_classified() {
        for (said, class) in [
            ("unexpected status 401 Unauthorized: invalid x-api-key", Class::Auth),
            ("exceeded retry limit, last status: 429 Too Many Requests", Class::Quota),
            ("We’re currently experiencing high demand, which may cause temporary errors.", Class::Server),
            ("stream disconnected before completion: error sending request", Class::Network),
            ("Missing environment variable: `KEY`.", Class::Auth),
            ("thread/resume failed: no rollout found for thread id 01a1 (code -32600)", Class::Session),
            ("Claude AI usage limit reached|1747857600", Class::Quota),
            ("Request timed out", Class::Timeout),
            ("API Error: Connection refused — a firewall may be blocking it (ECONNREFUSED)", Class::Network),
            ("400: prompt is too long: 210000 tokens > 200000 maximum", Class::Context),
            ("the cat sat on the mat", Class::Unclassified),
            ("exit status 1", Class::Unclassified),
        ] {
            assert_eq!(Class::of(None, said), class, "{said}");
        }
    }

    #[test]
    fn a_status_says_more_than_prose_around_it() {
        assert_eq!(Class::of(Some(503), "rate limit service timed out"), Class::Server);
        assert_eq!(Class::of(Some(400), "prompt is too long"), Class::Context);
        assert_eq!(Class::of(Some(418), "short and stout"), Class::Unclassified);
    }
}
