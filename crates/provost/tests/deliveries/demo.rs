//! The demo, as the README tells people to run it.

use std::process::Command;

use tempfile::TempDir;

#[test]
fn the_demo_shows_and_proves_all_of_it() {
    let folder = TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_provost"))
        .args(["demo", "--fast", "--keep"])
        .arg(folder.path().join("demo"))
        .env("XDG_RUNTIME_DIR", folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    for shown in [
        "at the same time",
        "sent `docs` back",
        "measured exit status 3",
        "killed with SIGKILL",
        "all 6 tasks landed",
        "`verify` named the record",
    ] {
        assert!(text.contains(shown), "{shown}\n{text}");
    }
}
