//! What a criterion can prove, apart because this is a lint of wording: it never refuses a plan, and it decides what
//! the closing report may call proven.

use serde::{Serialize, Serializer};

use crate::diagnostic::visible;

use super::command;
use super::scan::one_line;
use super::task::Verify;

mod wording;

use wording::{Statement, commands, measurable, vague_word};

pub(super) use wording::{Piece, exit_phrase, pieces};

/// Something that has to hold when a task is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// The person's words, on one line.
    pub text: String,
    /// What it can prove.
    pub kind: CriterionKind,
}

/// What a criterion can prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CriterionKind {
    /// It is a command, and its exit status decides.
    Provable {
        /// The position of the command among the task's checks.
        verify: usize,
    },
    /// It can be measured, but not by us: an auditor's word decides.
    Judged,
    /// Its wording means something else to everyone.
    Vague {
        /// The wording.
        word: String,
    },
    /// It does not say how it could be verified.
    Unclear,
}

/// What a person should know about the wording of a criterion.
pub(super) struct Remark {
    /// What stands out.
    pub(super) kind: RemarkKind,
    /// What is wrong, for a message.
    pub(super) message: String,
}

/// What stands out.
pub(super) enum RemarkKind {
    Vague,
    Unclear,
    Command,
}

impl Criterion {
    /// Reads a criterion, and adds the commands that it states to the task's checks.
    pub(super) fn read(text: String, verify: &mut Vec<Verify>) -> (Self, Vec<Remark>) {
        Self::classified(text, |check| Some(position(verify, check)))
    }

    /// The criterion of a frozen task, whose checks are what they are.
    pub(super) fn frozen(text: String, verify: &[Verify]) -> Self {
        Self::classified(text, |check| verify.iter().position(|other| does_the_same(other, &check))).0
    }

    fn classified(text: String, mut place: impl FnMut(Verify) -> Option<usize>) -> (Self, Vec<Remark>) {
        let mut remarks = Vec::new();
        let mut proof = None;
        let statements = commands(&text);
        for statement in &statements {
            match check_of(statement) {
                Ok(check) => proof = place(check),
                Err(message) => remarks.push(Remark { kind: RemarkKind::Command, message }),
            }
        }
        let alone = matches!(statements.as_slice(), [only] if only.is_alone);
        let word = vague_word(&text);
        if let Some(word) = word {
            let message = format!("`{word}` does not say how it is verified");
            remarks.push(Remark { kind: RemarkKind::Vague, message });
        }
        let kind = match (proof, word) {
            (Some(verify), _) if alone => CriterionKind::Provable { verify },
            (_, Some(word)) => CriterionKind::Vague { word: word.to_owned() },
            _ if !statements.is_empty() || measurable(&text) => CriterionKind::Judged,
            _ => {
                let message = "the criterion does not say how it is verified".to_owned();
                remarks.push(Remark { kind: RemarkKind::Unclear, message });
                CriterionKind::Unclear
            }
        };
        (Self { text, kind }, remarks)
    }
}

impl Serialize for Criterion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// The check that a statement asks for.
fn check_of(statement: &Statement<'_>) -> Result<Verify, String> {
    let argv = command::words(statement.command).map_err(|why| why.to_string())?;
    let expect_exit = statement.exit.ok_or("asks for an exit status that is not between 0 and 255")?;
    Ok(Verify { name: default_name(&argv, expect_exit), environment: None, argv, expect_exit })
}

/// What a check is called that nobody gave a name.
pub(super) fn default_name(argv: &[String], expect_exit: i32) -> String {
    // A name is read by people, on one line, whatever an argument holds.
    let line = one_line(&visible(&command::shown(argv)).to_string());
    if expect_exit == 0 { line } else { format!("{line} exits {expect_exit}") }
}

/// The position of a check that does the same, after adding it where there is none.
fn position(verify: &mut Vec<Verify>, check: Verify) -> usize {
    verify.iter().position(|other| does_the_same(other, &check)).unwrap_or_else(|| {
        verify.push(check);
        verify.len() - 1
    })
}

fn does_the_same(one: &Verify, other: &Verify) -> bool {
    one.environment == other.environment && one.argv == other.argv && one.expect_exit == other.expect_exit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> (String, usize, usize) {
        let mut verify = Vec::new();
        let (criterion, remarks) = Criterion::read(text.to_owned(), &mut verify);
        let kind = match criterion.kind {
            CriterionKind::Provable { verify } => format!("provable {verify}"),
            CriterionKind::Judged => "judged".to_owned(),
            CriterionKind::Vague { word } => format!("vague {word}"),
            CriterionKind::Unclear => "unclear".to_owned(),
        };
        (kind, verify.len(), remarks.len())
    }

    #[test]
    #[rustfmt::skip]
    fn what_each_wording_proves() {
        for (text, expected, checks, remarks) in [
            ("`cargo test` exits 0",                        "provable 0",           1, 0),
            ("Running `cargo test` exits with code 101.",   "provable 0",           1, 0),
            ("`a` exits 0 (takes a while)",                 "provable 0",           1, 0),
            ("`a` exits 0 and the page is complete",        "judged",               1, 0),
            ("`a` exits 0 and `b` exits 1",                 "judged",               2, 0),
            ("`a | b` exits 0",                             "judged",               0, 1),
            ("`a` exits 256",                               "judged",               0, 1),
            ("``echo ` `` exits 0",                         "judged",               0, 1),
            ("`src/lib.rs` exists",                         "judged",               0, 0),
            ("returns `None` on a timeout",                 "judged",               0, 0),
            ("raises `ValueError`",                         "judged",               0, 0),
            ("the log contains the id",                     "judged",               0, 0),
            ("answers within 200ms",                        "judged",               0, 0),
            ("answers within 1.5 seconds",                  "judged",               0, 0),
            ("an unknown id gives HTTP 404",                "judged",               0, 0),
            ("the code is clean",                           "vague clean",          0, 1),
            ("Errors are handled Properly.",                "vague properly",       0, 1),
            ("follows best practices",                      "vague best practices", 0, 1),
            ("implement the login feature",                 "vague implement … feature", 0, 1),
            ("it should be  fast",                          "vague should be fast", 0, 1),
            ("`clean` works",                               "unclear",              0, 1),
            ("cleaning works",                              "unclear",              0, 1),
            ("`cargo test` passes",                         "unclear",              0, 1),
            ("it exits 0",                                  "unclear",              0, 1),
            ("HTTP 40",                                     "unclear",              0, 1),
            ("returns something",                           "unclear",              0, 1),
        ] {
            assert_eq!(kind(text), (expected.to_owned(), checks, remarks), "{text}");
        }
    }

    #[test]
    fn the_same_command_is_one_check() {
        let mut verify = Vec::new();
        for text in ["`cargo  test` exits 0", "`cargo 'test'` exits 0", "`cargo test` exits 1"] {
            let _ = Criterion::read(text.to_owned(), &mut verify);
        }
        let names: Vec<&str> = verify.iter().map(|check| &*check.name).collect();
        assert_eq!(names, ["cargo test", "cargo test exits 1"]);
    }

    #[test]
    fn frozen_criteria_add_no_check() {
        let criterion = Criterion::frozen("`a` exits 0".to_owned(), &[]);
        assert_eq!(criterion.kind, CriterionKind::Judged);
    }
}
