//! Streams of real agents, trimmed, and what an adapter must hear in them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "transcripts are files beside the test")]

mod hostile;
mod own_tools;
mod permissions;
mod transcripts;

use provost_core::adapter::{self, Account, Conversation, Fed, Heard, Protocol, Spent};

/// A conversation that goes on with nothing.
fn fresh(protocol: Protocol) -> Conversation {
    Conversation { protocol, cwd: "/w".to_owned(), resume: None, before: Spent::default(), server: None }
}

/// A stream heard to its end.
#[derive(Default)]
struct Listened {
    account: Account,
    said: Vec<String>,
    asked: Vec<adapter::Asked>,
    replies: String,
    over: bool,
}

/// Has an adapter hear all lines of a stream; nobody answers what it asks.
fn listen(conversation: &Conversation, lines: &[&str]) -> Listened {
    let mut adapter = adapter::open(conversation);
    let mut listened = Listened::default();
    listened.replies.push_str(&String::from_utf8(adapter.begin("the prompt")).unwrap());
    for line in lines {
        let Fed { heard, reply } = adapter.feed(line);
        listened.replies.push_str(&String::from_utf8(reply).unwrap());
        for heard in heard {
            listened.account.hear(&heard, conversation.before);
            match heard {
                Heard::Text(text) => listened.said.push(text),
                Heard::Asked(asked) => listened.asked.push(asked),
                _ => {}
            }
        }
    }
    listened.over = adapter.is_over();
    listened
}
