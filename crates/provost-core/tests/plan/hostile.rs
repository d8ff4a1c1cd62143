//! Plans that are wrong in one way each, and in many at once: code, line and column of everything that is said.

use std::fmt::Write as _;

use provost_core::plan;

/// Everything that is said, as `what line:column`, warnings with a `?`.
fn said(name: &str, bytes: &[u8]) -> Vec<String> {
    let findings = match plan::read(name, bytes) {
        Ok(read) => read.warnings,
        Err(refused) => refused.defects,
    };
    let line = |finding: &provost_core::diagnostic::Diagnostic| {
        let text = format!("{} {}", finding.message, finding.help);
        assert!(!text.contains(|character: char| character.is_control()), "{text}");
        assert!(
            !finding.message.ends_with('.') && !finding.message.starts_with(char::is_uppercase),
            "{text}"
        );
        let place = finding.place.as_ref().unwrap();
        let mark = if finding.severity == provost_core::diagnostic::Severity::Warning { "?" } else { "" };
        let code = finding.code.name().trim_start_matches("plan::");
        format!("{code}{mark} {}:{}", place.line, place.column)
    };
    findings.iter().map(line).collect()
}

/// A task that is right, in three lines.
const OK: &str = "#### Task ok: ok\n**Work**: w\n**Acceptance Criteria**: `x` exits 0\n";

#[rustfmt::skip]
const MARKDOWN: &[(&str, &[&str])] = &[
    // Nothing, and nearly nothing.
    ("",                                            &["no_task 1:1", "title 1:1"]),
    ("text\n",                                      &["no_task 1:1", "title 1:1"]),
    ("# T\n",                                       &["no_task 1:1"]),
    ("@",                                           &["title 1:1"]),
    ("#\n@",                                        &["title 1:1"]),
    ("# T\n#### Task a: b\n",                       &["no_criterion? 2:11", "no_work 2:11"]),
    // Characters.
    ("# T\u{1b}[31m\n@",                            &["character 1:4"]),
    ("# é\u{202e}T\n@",                             &["character 1:4"]),
    ("# T\rx\n@",                                   &["character 1:4"]),
    ("# T\n\u{feff}\n@",                              &["character 2:1"]),
    ("# T\0\n@",                                    &["character 1:4"]),
    // What is never closed.
    ("# T\n@x\n  ```sh\n#### Task a: b\n",          &["open_block 6:3"]),
    ("# T\n@<!-- x\n#### Task a: b\n",              &["open_block 5:1"]),
    ("# T\n#### Task a: b\n**Work**: ```\n**Acceptance Criteria**: `x` exits 0\n", &["open_block 2:11"]),
    // Headings.
    ("# T\n@### Task 1: x\n",                       &["heading 5:1"]),
    ("# T\n@##### Task 1-2: x\n",                   &["heading 5:1"]),
    ("# T\n## Phase 1: x\n@",                       &["heading 2:1"]),
    ("# T\n### Phase one: x\n@",                    &["heading 2:5"]),
    ("# T\n### Phase 1:\n@",                        &["heading 2:5"]),
    ("# T\n@#### 1-2: x\n",                         &["heading 5:1"]),
    ("# T\n@#### Task b\n**Work**: w\n**Acceptance Criteria**: `x` exits 0\n", &["heading 5:6"]),
    ("# T\n@#### Task b:\nw\n**Acceptance Criteria**: `x` exits 0\n", &["heading 5:6"]),
    ("# T\n## Task breakdown: ours\n@",             &[]),
    ("# T\n@##### Details\nx\n",                    &[]),
    ("# T\n### Phase 1: a\n@### Phase 1: b\n",      &["duplicate_phase 6:5"]),
    // Text that nobody reads.
    ("# T\n@---\n\nhello\nagain\n",                 &["unread? 7:1"]),
    ("# T\n### Phase 1: a\n\n  hello\n@",           &["unread? 4:3"]),
    ("# T\n@## Appendix\nhello\n",                  &["unread? 6:1"]),
    // Ids.
    ("# T\n#### Task 1.1: x\nw\n**Acceptance Criteria**: `x` exits 0\n", &["task_id 2:11"]),
    ("# T\n#### Task : x\nw\n**Acceptance Criteria**: `x` exits 0\n", &["task_id 2:11"]),
    ("# T\n#### Task none: x\nw\n**Acceptance Criteria**: `x` exits 0\n", &["task_id 2:11"]),
    ("# T\n@@",                                     &["duplicate_id 5:11"]),
    ("# T\n@#### Task OK: x\nw\n**Acceptance Criteria**: `x` exits 0\n", &["duplicate_id 5:11"]),
    // Labels.
    ("# T\n@**Work**: again\n",                     &["duplicate_label 5:3"]),
    ("# T\n@**Blockd By**: x\n",                    &["unknown_label? 5:3"]),
    ("# T\n@**Blocked By**:\n- x y\n- ok, zz\n",    &["task_id 6:3", "blocks_itself 7:3", "no_start 2:11", "unknown_blocker 7:7"]),
    // Values.
    ("# T\n@**Priority**: P4\n**Risk**: `huge`\n**Mode**: maybe\n", &["value 5:15", "value 6:12", "value 7:11"]),
    ("# T\n@**Priority**:\n**Risk**:\n",            &[]),
    ("# T\n@**Priority**: P1\n\nmore\n",            &["value 7:1"]),
    ("# T\n@**Files**: /etc/x, a/../b, ~/x, `.git/config`, a\\b, ./\n", &["path 5:12", "path 5:20", "path 5:28", "path 5:34", "path 5:48", "path 5:53"]),
    // Commands.
    ("# T\n@**Verify**:\n- `a | b`\n- make\n- x `a`\n- `a` exits 256\n- `a` `b`\n- `a` exits 0 today\n", &["command 6:3", "command 7:3", "command 8:3", "command 9:3", "command 10:3", "command 11:3"]),
    ("# T\n@**Verify**:\n| Check | Command |\n",    &["command 6:1"]),
    ("# T\n@**Verify**:\n- x: `a`\n- x: `b`\n- x: `a`\n", &["value 7:3"]),
    // Criteria.
    ("# T\n#### Task a: b\nw\n**Acceptance Criteria**:\n- [ ] it is clean\n- [ ] works\n- `a > b` exits 0\n", &["vague? 5:7", "unclear? 6:7", "command? 7:3"]),
    ("# T\n#### Task a: b\nw\n**Acceptance Criteria**:\n\n- [ ]\n", &["no_criterion? 2:11"]),
];

#[test]
fn every_defect_of_markdown_has_its_code_and_place() {
    for (text, expected) in MARKDOWN {
        let text = text.replace('@', OK);
        let mut expected = expected.to_vec();
        let mut found = said("plan.md", text.as_bytes());
        // Places are compared as sets: their order has its own test.
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
        let windows = said("plan.md", text.replace('\n', "\r\n").as_bytes());
        let mut windows: Vec<_> = windows.into_iter().filter(|it| !it.starts_with("character")).collect();
        windows.sort();
        expected.retain(|it| !it.starts_with("character"));
        assert_eq!(windows, expected, "with carriage returns: {text}");
    }
}

#[rustfmt::skip]
const JSON: &[(&str, &[&str])] = &[
    ("{",                                           &["document::syntax 1:2"]),
    ("{}",                                          &["key 1:1", "key 1:1", "no_task 1:1"]),
    ("[]",                                          &["no_task 1:1", "value 1:1"]),
    (r#"{"title":"","tasks":[@]}"#,                 &["title 1:10"]),
    (r#"{"title":1,"tasks":[@]}"#,                  &["value 1:10"]),
    (r#"{"title":"T","tasks":{}}"#,                 &["no_task 1:1", "value 1:22"]),
    (r#"{"title":"T","tasks":[1]}"#,                &["no_task 1:1", "value 1:23"]),
    (r#"{"title":"T","task":[],"tasks":[@]}"#,      &["key 1:14"]),
    (r#"{"title":"T","schema":"x","tasks":[@]}"#,   &["value 1:23"]),
    (r#"{"title":"T","title":"U","tasks":[@]}"#,    &["document::duplicate_key 1:14"]),
    (r#"{"title":"T\u001b","tasks":[@]}"#,          &["character 1:10"]),
    ("{\"title\":\"T\",\"tasks\":[\n@,\n@]}",       &["duplicate_id 3:7"]),
    ("{\"title\":\"T\",\"tasks\":[{\n\"id\":\"a\"}]}", &["key 1:23", "key 1:23", "no_criterion? 2:6", "no_work 2:6"]),
    ("{\"title\":\"T\",\"tasks\":[@,{\"id\":\"b\",\"title\":\"t\",\"work\":\"w\",\"criteria\":[\"`x` exits 0\"],\n\
      \"phase\":2,\n\"blocked_by\":[\"c\"],\n\"reading\":[\"x\"],\n\"priority\":\"p9\",\n\"files\":[\"..\"],\n\
      \"verify\":[{\"argv\":[]},{\"argv\":[\"x\"],\"expect_exit\":-1}],\n\"propose\":\"yes\"}]}",
        &["value 2:9", "unknown_blocker 3:15", "value 4:12", "value 5:12", "path 6:10", "command 7:19", "value 7:51", "value 8:11"]),
    ("{\"title\":\"T\",\"tasks\":[{\"id\":\"b\",\"title\":\"t\",\n\"work\":\"```\",\"criteria\":[\"`x` exits 0\"]}]}", &["open_block 2:8"]),
];

#[test]
fn every_defect_of_json_has_its_code_and_place() {
    let ok = r#"{"id":"ok","title":"ok","work":"w","criteria":["`x` exits 0"]}"#;
    for (text, expected) in JSON {
        let mut found = said("plan.json", text.replace('@', ok).as_bytes());
        let mut expected = expected.to_vec();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn everything_is_said_at_once_in_the_order_of_places() {
    let text = "# T\n@#### Task ok: b\n**Priority**: x\n**Blocked By**: ok\n#### Task c:\n".replace('@', OK);
    let expected = [
        "duplicate_id 5:11",
        "no_criterion? 5:11",
        "no_work 5:11",
        "value 6:15",
        "blocks_itself 7:17",
        "heading 8:6",
        "no_criterion? 8:11",
        "no_work 8:11",
    ];
    assert_eq!(said("plan.md", text.as_bytes()), expected);
}

#[test]
fn bytes_that_are_no_text_are_one_error() {
    let utf16: Vec<u8> = "# T\n#### Task a: b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let binary: Vec<u8> = (0..=255).cycle().take(9_000).collect();
    for (bytes, expected) in [
        (b"# T\n\xc3\xa9\xe2\x82 x\n#### Task a: b\n\xff".to_vec(), "document::encoding 2:2"),
        (vec![0xff, 0xfe, b'#', 0], "document::encoding 1:1"),
        (utf16, "character 1:2"),
        (binary, "document::encoding 2:118"),
    ] {
        assert_eq!(said("plan.md", &bytes), [expected]);
    }
}

#[test]
fn characters_that_hide_are_one_error_beside_all_others() {
    let text = "# T\u{7}\n\u{202e}#### Task a: b\u{1b}\n#### Task c: d\n";
    assert_eq!(said("plan.md", text.as_bytes()), ["character 1:4", "no_criterion? 3:11", "no_work 3:11"]);
}

/// A plan whose tasks are given as `id blocker blocker`.
fn blocked(tasks: &[&str]) -> Vec<String> {
    let mut text = String::from("# T\n");
    for task in tasks {
        let (id, blockers) = task.split_once(' ').unwrap_or((task, "none"));
        let blockers = blockers.replace(' ', ", ");
        let _ = write!(
            text,
            "#### Task {id}: t\nw\n**Acceptance Criteria**: `x` exits 0\n**Blocked By**: {blockers}\n"
        );
    }
    let refused = plan::read("plan.md", text.as_bytes()).unwrap_err();
    refused.defects.iter().map(ToString::to_string).collect()
}

#[test]
fn cycles_are_paths_and_each_group_is_told_once() {
    assert_eq!(
        blocked(&["a", "b a c", "c b", "d e", "e f", "f d e", "g g a"]),
        [
            "plan.md:9:20: tasks wait for each other: `b -> c -> b` [plan::cycle]",
            "plan.md:17:17: tasks wait for each other: `d -> e -> f -> d` [plan::cycle]",
            "plan.md:29:17: task `g` is blocked by itself [plan::blocks_itself]",
        ]
    );
    assert_eq!(
        blocked(&["a b", "b a"]),
        [
            "plan.md:2:11: every task is blocked by another, so none can start [plan::no_start]",
            "plan.md:5:17: tasks wait for each other: `a -> b -> a` [plan::cycle]",
        ]
    );
}

#[test]
fn a_cycle_of_thousands_is_cut() {
    let tasks: Vec<String> = (0..5_000).map(|at| format!("t{at} t{}", (at + 1) % 5_000)).collect();
    let tasks: Vec<&str> = tasks.iter().map(|task| &**task).collect();
    let said = blocked(&tasks);
    assert!(said[1].contains("-> t19 -> … 4980 more … -> t0`"), "{}", said[1]);
}

#[test]
fn what_is_too_much_is_refused_and_reports_stay_small() {
    let large = vec![b'x'; plan::BYTES_MAX as usize + 1];
    assert_eq!(said("plan.md", &large), ["document::too_large 1:1"]);
    assert_eq!(said("plan.json", &large), ["document::too_large 1:1"]);
    let many = "# T\n".to_owned() + &"#### Task a: b\n".repeat(plan::TASKS_MAX + 1);
    assert_eq!(said("plan.md", many.as_bytes()), [format!("too_many {}:11", plan::TASKS_MAX + 2)]);
    let criteria =
        "# T\n#### Task a: b\nw\n**Acceptance Criteria**\n".to_owned() + &"- `x` exits 0\n".repeat(1_001);
    assert_eq!(said("plan.md", criteria.as_bytes()), ["too_many 1005:3"]);
    let mut empty = String::new();
    for at in 0..5_000 {
        let _ = write!(empty, "#### Task t{at}: b\n**Blocked By**: x{at}\n");
    }
    let refused = plan::read("plan.md", empty.as_bytes()).unwrap_err();
    assert_eq!((refused.defects.len(), refused.omitted), (2_000, 5_000 * 3 + 2 - 2_000));
}

#[test]
fn help_names_what_is_near() {
    let text = "# T\n#### Task one-1: b\nw\n**Acceptance Criterias**: x\n**Blocked By**: one-2\n";
    let refused = plan::read("plan.md", text.as_bytes()).unwrap_err();
    let helps: Vec<&str> = refused.defects.iter().map(|defect| &*defect.help).collect();
    assert!(helps.contains(&"did you mean `Acceptance Criteria`?"), "{helps:?}");
    assert!(helps.contains(&"did you mean `one-1`?"), "{helps:?}");
}
