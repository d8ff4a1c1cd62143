//! Gate D against disguises, and against harmless words that it must leave alone.
#![cfg(test)]

use provost_core::document::{self, Document, Limits};
use provost_core::gate::{self, COMMAND_KEYS, PROSE};

fn read(text: &str) -> Document {
    document::read("test.json", text.as_bytes(), &Limits::default()).unwrap()
}

/// The word that a key is taken for.
fn word(key: &str) -> Option<&'static str> {
    let document = read(&serde_json::json!({ "a": [{ key: 1 }] }).to_string());
    gate::keys(&document, &[]).first().map(|hit| hit.word)
}

#[test]
fn disguises_are_taken_off() {
    for (key, expected) in [
        ("execute", "execute"),
        ("EXECUTE", "execute"),
        ("e_x-e_c", "exec"),
        ("command_line", "commandline"),
        ("Command-Line", "commandline"),
        ("command line", "commandline"),
        ("os_system", "ossystem"),
        ("\u{ff45}\u{ff56}\u{ff41}\u{ff4c}", "eval"),
        ("ru\u{200d}n", "run"),
        ("sh\u{ad}ell", "shell"),
        ("\u{feff}bash\u{fe0f}", "bash"),
        ("𝐩𝐲𝐭𝐡𝐨𝐧", "python"),
        ("ⓢⓒⓡⓘⓟⓣ", "script"),
        ("POWER\u{2060}SHELL", "powershell"),
        ("\trun", "run"),
        ("run\n", "run"),
        ("command.line", "commandline"),
        ("SCR\u{130}PT", "script"),
    ] {
        assert_eq!(word(key), Some(expected), "{key}");
    }
}

#[test]
fn whole_words_only() {
    for key in [
        "shell-script",
        "execution",
        "runs",
        "run_id",
        "rerun",
        "scripts",
        "code",
        "payload",
        "",
        "_",
        &"e".repeat(100_000),
    ] {
        assert_eq!(word(key), None, "{key}");
    }
    let command = read(r#"{"code":1,"pay_load":1,"Invoke":1,"executable":1,"run":{"shell":1}}"#);
    let words: Vec<_> = gate::keys(&command, COMMAND_KEYS).into_iter().map(|hit| hit.word).collect();
    assert_eq!(words, ["code", "payload", "invoke", "executable", "run", "shell"]);
}

#[test]
fn a_hit_says_where_it_is() {
    let document = read(r#"{"nodes":[{"metadata":{"Ex-ec":"ls"}}]}"#);
    let hits = gate::keys(&document, &[]);
    assert_eq!((hits[0].path.as_str(), hits[0].key.as_str()), ("nodes[0].metadata.Ex-ec", "Ex-ec"));
    assert_eq!(document.place(hits[0].span).column, 24);
    assert_eq!(hits.len(), 1);
}

#[test]
fn calls_in_values_and_not_in_prose() {
    let found = |json: serde_json::Value| -> Vec<_> {
        gate::values(&read(&json.to_string()), PROSE).into_iter().map(|hit| (hit.path, hit.word)).collect()
    };
    for (text, expected) in [
        ("subprocess.call", "subprocess"),
        ("a command_line b", "command_line"),
        ("shell.execute", "shell execute"),
        ("bash   -c ls", "bash -c"),
        ("'python' -c x", "python -c"),
        ("PowerShell -Command x", "powershell -command"),
        ("os.system", "os.system"),
        ("exec (x)", "exec("),
        ("eval(x)", "eval("),
    ] {
        assert_eq!(
            found(serde_json::json!({ "scope": { "files": [text] } })),
            [("scope.files[0]".to_owned(), expected)]
        );
        assert_eq!(
            found(serde_json::json!({ "objective": { "goal": text, "success_criteria": [text] } })),
            []
        );
    }
    let harmless = serde_json::json!({
        "goal": "execute the shell script with bash -c",
        "planned_commands": [{ "command_id": "subprocess", "evidence_refs": ["scan://file/src/executor.py"] }],
        "files": ["src/evaluate.rs", "bash/completions", "python-client/a.py", "docs/shell.md"],
    });
    assert_eq!(found(harmless), []);
}
