//! Each recorded turn ends as it ended in truth, whatever the agent said last and however its process exited.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use provost_core::adapter::{Class, Conversation, Protocol, Spent, Tokens};

use super::{fresh, listen};

const DONE: &str = "Done: hello.txt written.";

/// How a recorded turn ends: finished, or in the class of its trouble.
type Ending = Result<(), Option<Class>>;

#[rustfmt::skip]
const TURNS: &[(&str, Ending, &[&str])] = &[
    ("claude-ok",       Ok(()),                               &[DONE]),
    ("claude-resumed",  Ok(()),                               &[DONE]),
    // Every tool was refused, and it says that it is done.
    ("claude-denied",   Ok(()),                               &[DONE]),
    // Its command failed, and it says that it is done.
    ("claude-tool",     Ok(()),                               &[DONE]),
    // Ended by the system while it waited for its model: nothing in the stream says so, and nothing is finished.
    ("claude-killed",   Err(None),                            &[]),
    ("claude-401",      Err(Some(Class::Auth)),               &[]),
    ("claude-403",      Err(Some(Class::Auth)),               &[]),
    ("claude-nokey",    Err(Some(Class::Auth)),               &[]),
    ("claude-429",      Err(Some(Class::Quota)),              &[]),
    ("claude-500",      Err(Some(Class::Server)),             &[]),
    ("claude-529",      Err(Some(Class::Server)),             &[]),
    ("claude-refused",  Err(Some(Class::Network)),            &[]),
    ("claude-reset",    Err(Some(Class::Network)),            &[]),
    ("claude-truncate", Err(Some(Class::Network)),            &[DONE, DONE, DONE, DONE]),
    ("claude-hang",     Err(Some(Class::Timeout)),            &[]),
    ("claude-turns",    Err(Some(Class::TurnLimit)),          &[]),
    ("claude-budget",   Err(Some(Class::Budget)),             &[]),
    ("claude-noresume", Err(Some(Class::Session)),            &[]),

    ("codex-ok",        Ok(()),                               &[DONE]),
    ("codex-resume",    Ok(()),                               &[DONE]),
    // Its sandbox let it write nothing, and not even its stream shows it.
    ("codex-readonly",  Ok(()),                               &[DONE]),
    ("codex-tool",      Ok(()),                               &[DONE]),
    ("codex-killed",    Err(None),                            &[]),
    ("codex-401",       Err(Some(Class::Auth)),               &[]),
    ("codex-nokey",     Err(Some(Class::Auth)),               &[]),
    ("codex-429",       Err(Some(Class::Quota)),              &[]),
    ("codex-500",       Err(Some(Class::Server)),             &[]),
    ("codex-reset",     Err(Some(Class::Network)),            &[]),
    ("codex-truncate",  Err(Some(Class::Network)),            &[DONE]),
    // Killed from outside while its provider said nothing.
    ("codex-hang",      Err(None),                            &[]),

    ("acp-ok",          Ok(()),                               &[DONE]),
    ("acp-load",        Ok(()),                               &[DONE]),
    ("acp-resume",      Ok(()),                               &[DONE]),
    ("acp-denied",      Ok(()),                               &[]),
    ("acp-tool",        Ok(()),                               &[DONE]),
    ("acp-killed",      Err(None),                            &[]),
    // Where its provider fails, it asks again without a word, for as long as it is let: only limits end such a turn.
    ("acp-reset",       Err(None),                            &[]),
    ("acp-truncate",    Err(None),                            &[]),
    ("acp-hang",        Err(None),                            &[]),
    ("acp-401",         Err(Some(Class::Auth)),               &[]),
    // The agent hands on the words of its provider and nothing else: "slow down" is not guessed at.
    ("acp-429",         Err(Some(Class::Unclassified)),       &[]),
    ("acp-noresume",    Err(Some(Class::Session)),            &[]),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/adapter/transcripts")
}

fn transcript(name: &str) -> (Protocol, String) {
    let protocol = name.split('-').next().unwrap().parse().unwrap();
    (protocol, fs::read_to_string(folder().join(format!("{name}.jsonl"))).unwrap())
}

/// The conversation that a transcript is of: some went on with an earlier one.
fn recorded(name: &str, protocol: Protocol) -> Conversation {
    let resume = ["load", "resume"].iter().any(|way| name.ends_with(way)).then(|| "ses_1".to_owned());
    Conversation { resume, ..fresh(protocol) }
}

#[test]
fn every_transcript_ends_in_its_class() {
    for (name, ending, said) in TURNS {
        let (protocol, text) = transcript(name);
        let listened = listen(&recorded(name, protocol), &text.lines().collect::<Vec<_>>());
        let account = &listened.account;
        let found = if account.finished { Ok(()) } else { Err(account.trouble.as_ref().map(|it| it.class)) };
        assert_eq!(
            (found, listened.said),
            (*ending, said.iter().map(|it| (*it).to_owned()).collect()),
            "{name}"
        );
        // One agent asks to have files written for it, though it was told that nobody does.
        let foreign = text.lines().filter(|line| line.contains("\"method\":\"fs/")).count();
        assert_eq!(account.unknown as usize, foreign, "{name} has lines that nobody understood");
    }
}

#[test]
fn every_transcript_is_judged() {
    let on_disk: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let judged = TURNS.iter().map(|(name, ..)| format!("{name}.jsonl"));
    assert_eq!(on_disk, judged.collect());
}

#[test]
fn a_stream_that_breaks_off_is_never_finished() {
    for (name, ..) in TURNS {
        let (protocol, text) = transcript(name);
        let lines: Vec<&str> = text.lines().collect();
        for end in 0..lines.len() {
            let listened = listen(&recorded(name, protocol), &lines[..end]);
            assert!(!listened.account.finished, "{name} after {end} lines");
            // Nor is one ended that only tries again: whoever waits for its end would end it too early.
            assert!(!listened.account.ended, "{name} is taken to be over after {end} lines");
            // A line that is only half there ends nothing either.
            let half = lines[end].len() / 2;
            let half = (0..=half).rev().find(|at| lines[end].is_char_boundary(*at)).unwrap();
            let cut = [&lines[..end], &[&lines[end][..half]]].concat();
            assert!(!listen(&recorded(name, protocol), &cut).account.finished, "{name} cut in line {end}");
        }
    }
}

#[test]
fn sums_over_a_conversation_are_taken_apart() {
    let tokens = |input, cached_read, output, reasoning| {
        Some(Tokens { input, cached_read, cache_write: 0, output, reasoning })
    };
    for (first, second, spent, in_all) in [
        (
            "claude-ok",
            "claude-resumed",
            Spent { tokens: tokens(100, 10, 20, 0), micro_usd: Some(603) },
            Spent { tokens: tokens(300, 30, 60, 0), micro_usd: Some(1_809) },
        ),
        (
            "codex-ok",
            "codex-resume",
            Spent { tokens: tokens(90, 10, 20, 5), micro_usd: None },
            Spent { tokens: tokens(270, 30, 60, 15), micro_usd: None },
        ),
    ] {
        let (protocol, text) = transcript(first);
        let first = listen(&fresh(protocol), &text.lines().collect::<Vec<_>>()).account;
        assert_eq!(first.spent, first.in_all);
        let (_, text) = transcript(second);
        let going_on =
            Conversation { resume: first.session.clone(), before: first.in_all, ..fresh(protocol) };
        let second = listen(&going_on, &text.lines().collect::<Vec<_>>()).account;
        assert_eq!((second.session, second.spent, second.in_all), (first.session, spent, in_all));
    }
}

#[test]
fn what_an_agent_says_that_it_is_is_kept() {
    let (protocol, text) = transcript("claude-ok");
    let account = listen(&fresh(protocol), &text.lines().collect::<Vec<_>>()).account;
    assert_eq!(account.version.as_deref(), Some("2.1.325"));
    assert_eq!(account.model.as_deref(), Some("claude-sonnet-4-5"));
    let (protocol, text) = transcript("acp-ok");
    let account = listen(&fresh(protocol), &text.lines().collect::<Vec<_>>()).account;
    assert_eq!((account.version.as_deref(), account.tools), (Some("1.18.33"), 1));
    assert_eq!(account.spent.tokens.map(|tokens| tokens.total()), Some(120));
}
