//! The page for authors of agents keeps its word: every field is on it, its examples are understood, its script works.
#![cfg(test)]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test reads a page and runs the script on it; the library does neither"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use provost_core::role::Role;
use provost_core::signal::{self, Expected, Name, Outcome, Reason};
use strum::VariantArray as _;

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md")).unwrap()
}

/// The content of the first block that opens with a line, up to the fence that closes it.
fn block<'p>(page: &'p str, opening: &str, closing: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("\n{opening}\n")).unwrap();
    rest.split_once(&format!("\n{closing}\n")).unwrap().0
}

fn understood(role: Role, task_id: &str, output: &str) -> Name {
    match signal::read(&Expected { role, task_id }, output, false).outcome {
        Outcome::Signal(signal) => signal.name(),
        other => panic!("{other:?}\n{output}"),
    }
}

/// The table of fields as it has to stand on the page.
fn fields() -> String {
    let mut table =
        String::from("| signal | label in text | key in JSON | holds | |\n|---|---|---|---|---|\n");
    for name in Name::VARIANTS {
        for field in name.fields() {
            let required = if field.required { "required" } else { "" };
            let (label, key, shape) = (field.label, field.key, field.shape);
            let _ = writeln!(table, "| `{name}` | `{label}` | `{key}` | {shape} | {required} |");
        }
    }
    table
}

#[test]
fn every_field_of_every_signal_is_on_the_page() {
    let fields = fields();
    assert!(page().contains(&fields), "docs/agents.md should have this table:\n\n{fields}");
}

#[test]
fn every_signal_is_listed_with_its_senders() {
    let page = page();
    for name in Name::VARIANTS {
        let roles: Vec<_> = Role::VARIANTS.iter().filter(|role| name.may_be_sent_by(**role)).collect();
        let sender = match roles.as_slice() {
            [one] => one.name(),
            _ => "all",
        };
        assert!(page.contains(&format!("| `{name}` | {sender} |")), "{name}");
    }
}

#[test]
fn the_examples_are_understood_and_the_page_itself_says_nothing() {
    let page = page();
    let task = "2-cache-1";
    assert_eq!(understood(Role::Critic, task, block(&page, "```text", "```")), Name::ReviewFailed);
    assert_eq!(understood(Role::Critic, task, block(&page, "```json", "```")), Name::ReviewFailed);
    assert_eq!(understood(Role::Auditor, task, block(&page, "````text", "````")), Name::AuditPassed);
    for role in Role::VARIANTS {
        let heard = signal::read(&Expected { role: *role, task_id: task }, &page, false);
        assert_eq!(heard.outcome, Outcome::Silent);
    }
}

#[test]
fn the_script_plays_every_role() {
    let page = page();
    let script = block(&page, "```sh", "```");
    assert!(script.lines().count() <= 25, "a short example was promised");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agents-page");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("hello.txt"), "nothing yet\n").unwrap();
    let turn = |role: Role| {
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(&folder)
            .envs([("PROVOST_ROLE", role.name()), ("PROVOST_TASK", "t-1"), ("PROVOST_ATTEMPT", "1")])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for (role, expected) in [
        (Role::Critic, Name::ReviewFailed),
        (Role::Developer, Name::ReadyForReview),
        (Role::Critic, Name::ReviewPassed),
        (Role::Auditor, Name::AuditPassed),
    ] {
        let said = turn(role);
        assert_eq!(understood(role, "t-1", &said), expected);
        // As a terminal would have it, after a long log and an example of the same.
        let loud = format!("\u{1b}[32m{}\u{1b}[0m\r\n", said.trim_end().replace('\n', "\r\n\u{1b}[32m"));
        let log = "compiling, which takes its time\r\n".repeat(150_000);
        assert_eq!(understood(role, "t-1", &format!("{log}```\r\n{loud}```\r\n{loud}")), expected);
    }
}

#[test]
fn every_reason_has_a_name_and_a_remedy() {
    for reason in Reason::VARIANTS {
        assert!(reason.name().bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()));
        assert!(reason.remedy().ends_with('.'));
    }
}
