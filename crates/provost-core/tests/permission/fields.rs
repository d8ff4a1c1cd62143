//! Every field, as rules see it.

use std::collections::BTreeSet;

use provost_core::adapter::{Act, Deed};
use provost_core::permission::{Asker, Field};
use provost_core::role::Role;
use serde_json::{Value as Json, json};
use strum::VariantArray as _;

use crate::{act, asker, command, file, judged, permissions, rule};

/// All fields of an act, as JSON.
fn fields(act: &Act) -> Json {
    let permissions = permissions(&[rule(10, &["act"], &json!({ "rule_evaluated": true }), "allow")]);
    let listed = permissions.explain(act, &asker(Role::Developer)).fields;
    let listed = listed.into_iter().map(|(field, value)| (field.to_string(), json!(value)));
    Json::Object(listed.collect())
}

/// Whether the fields have these values among others.
fn assert_fields(act: &Act, wanted: &Json) {
    let found = fields(act);
    for (field, value) in wanted.as_object().unwrap() {
        assert_eq!(&found[field], value, "{field} of {act:?}");
    }
}

#[test]
fn a_command_has_all_of_them() {
    let found = fields(&command("git log '--format=%h %s' -pS x ./src/../docs"));
    let wanted = json!({
        "tool": "Bash", "deed": "run", "server": null, "role": "developer", "agent": "claude", "task": "parse",
        "paths": [], "inside": true, "in_files": false, "protected": false,
        "command": "git log '--format=%h %s' -pS x ./src/../docs", "plain": true, "program": "git",
        "by_path": false, "subcommand": "log", "option_first": false,
        "options": ["--format", "-S", "-p", "-pS"],
        "words": ["git", "log", "--format=%h %s", "-pS", "x", "./src/../docs"],
        "host": null, "cut": false,
    });
    assert_eq!(found, wanted);
    assert_eq!(found.as_object().unwrap().len(), Field::VARIANTS.len());
}

#[test]
fn files_are_named_from_the_worktree() {
    let cases = [
        ("src/a.rs", "src/a.rs", true, false),
        ("/w/tree/src/a.rs", "src/a.rs", true, false),
        ("./x/../../etc", "/w/etc", false, false),
        ("/etc/passwd", "/etc/passwd", false, false),
        ("/w/tree-two/a", "/w/tree-two/a", false, false),
        ("~/.ssh/id", "~/.ssh/id", false, false),
        (".git/config", ".git/config", true, true),
        ("web/.VSCode/tasks.json", "web/.VSCode/tasks.json", true, true),
        ("a/../.claude/settings.json", ".claude/settings.json", true, true),
        (".gitignore", ".gitignore", true, false),
        ("a\u{200c}b", "a\u{200c}b", false, false),
    ];
    for (path, shown, inside, protected) in cases {
        assert_fields(
            &file(Deed::Write, path),
            &json!({ "paths": [shown], "inside": inside, "protected": protected, "plain": false, "program": null }),
        );
    }
    assert_fields(&act("Grep", Deed::Read), &json!({ "paths": [], "inside": false }));
    let both = Act { paths: vec!["a".to_owned(), "/b".to_owned()], ..act("move", Deed::Write) };
    assert_fields(&both, &json!({ "paths": ["a", "/b"], "inside": false }));
}

#[test]
fn a_plan_gives_files_to_a_task() {
    let permissions = permissions(&[rule(10, &["act"], &json!({ "rule_evaluated": true }), "allow")]);
    let field = |act: &Act, files: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let allowed = BTreeSet::from(["docs/said.md".to_owned()]);
        let asker = Asker { files: &files, allowed: &allowed, ..asker(Role::Developer) };
        let listed = permissions.explain(act, &asker).fields;
        let value = |wanted: Field| listed.iter().find(|(field, _)| *field == wanted).map(|it| json!(it.1));
        (value(Field::InFiles).unwrap() == json!(true), value(Field::Protected).unwrap() == json!(true))
    };
    let write = |path: &str| file(Deed::Write, path);
    assert_eq!(field(&write("src/a.rs"), &["src/"]), (true, false));
    assert_eq!(field(&write("/w/tree/src/../src/a.rs"), &["src/*.rs"]), (true, false));
    assert_eq!(field(&write("src/../docs/a.md"), &["src/"]), (false, false));
    assert_eq!(field(&write("docs/said.md"), &["src/"]), (true, false));
    assert_eq!(field(&write("docs/a.md"), &[]), (true, false));
    assert_eq!(field(&write("../tree-two/src/a.rs"), &["**"]), (false, false));
    let both = Act { paths: vec!["src/a".to_owned(), "docs/b".to_owned()], ..act("move", Deed::Write) };
    assert_eq!(field(&both, &["src/"]), (false, false));
    assert_eq!(field(&command("touch src/a.rs"), &["src/"]), (false, false));
    // What an approved plan names may be changed, and `**` names no protected file.
    assert_eq!(field(&write(".vscode/tasks.json"), &[".vscode/tasks.json"]), (true, false));
    assert_eq!(field(&write(".vscode/tasks.json"), &["**"]), (true, true));
    assert_eq!(field(&write(".vscode/tasks.json"), &["src/"]), (false, true));
}

#[test]
fn words_of_commands_count_as_paths() {
    for out in
        ["cat /etc/passwd", "cat ../x", "ls ~", "git -C.. log", "grep -rf/etc/passwd .", "make OUT=/tmp"]
    {
        assert_fields(&command(out), &json!({ "inside": false, "plain": true }));
    }
    assert_fields(&command("cat .git/config"), &json!({ "inside": true, "protected": true }));
    assert_fields(&command("git log main..HEAD -- src"), &json!({ "inside": true, "protected": false }));
    assert_fields(&command("./run.sh a"), &json!({ "program": "run.sh", "by_path": true }));
    assert_fields(
        &command("cargo test; rm x"),
        &json!({ "plain": false, "program": null, "subcommand": null, "words": ["cargo", "test", "rm", "x"] }),
    );
}

#[test]
fn hosts_servers_and_what_was_cut() {
    let fetch = Act { address: Some("https://Docs.rs/x".to_owned()), ..act("WebFetch", Deed::Fetch) };
    assert_fields(&fetch, &json!({ "host": "docs.rs", "deed": "fetch", "inside": false }));
    assert_fields(
        &act("mcp__provost__my_task", Deed::Other),
        &json!({ "server": "provost", "deed": "other" }),
    );
    assert_fields(&Act { cut: true, ..command("ls") }, &json!({ "cut": true }));
    assert_fields(&command(&format!("echo {}", "x".repeat(2_000))), &json!({ "cut": true }));
}

#[test]
fn what_an_act_does_and_what_is_at_stake_can_be_asked() {
    let fires = |when: Json, act: &Act| judged(&[rule(10, &["act"], &when, "allow")], act).allowed;
    assert!(fires(json!({ "effect_any": ["read"] }), &file(Deed::Read, "a")));
    assert!(fires(json!({ "effect_any": ["write"] }), &command("ls")));
    assert!(fires(json!({ "effect_any": ["network"] }), &act("WebFetch", Deed::Fetch)));
    assert!(!fires(json!({ "effect_any": ["write", "network"] }), &file(Deed::Read, "a")));
    let at_least = |risk: &str| json!({ "risk_at_least": risk });
    assert!(!fires(at_least("medium"), &file(Deed::Read, "a")));
    assert!(
        fires(at_least("medium"), &file(Deed::Write, "a"))
            && !fires(at_least("high"), &file(Deed::Write, "a"))
    );
    for high in
        [file(Deed::Read, "/etc/x"), file(Deed::Write, ".git/x"), command("a|b"), act("x", Deed::Other)]
    {
        assert!(fires(at_least("high"), &high), "{high:?}");
    }
}
