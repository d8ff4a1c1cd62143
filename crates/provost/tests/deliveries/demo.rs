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
        let line = text.lines().find(|line| line.contains(shown) && line.starts_with("  "));
        let line = line.unwrap_or_else(|| panic!("{shown}\n{text}"));
        // Every line ends with records that prove it.
        let (_, records) = line.rsplit_once("  ").unwrap_or_else(|| panic!("{line}"));
        assert!(records.split(", ").all(|record| record.trim().parse::<u64>().is_ok()), "{line}");
    }
    // Where it says that one can look around, one can.
    let around = format!("cd {} && provost log", folder.path().join("demo/project").display());
    assert!(text.contains(&around), "{text}");
    let killed = text.lines().find(|line| line.contains("killed with SIGKILL and")).unwrap();
    let again = killed.rsplit("  ").next().unwrap().split(", ").nth(1).unwrap().trim();
    let log = Command::new(env!("CARGO_BIN_EXE_provost"))
        .args(["log", "--json", "--project"])
        .arg(folder.path().join("demo/project"))
        .output()
        .unwrap();
    let log = String::from_utf8(log.stdout).unwrap();
    let cited = log.lines().find(|line| line.contains(&format!("\"sequence\":{again},"))).unwrap();
    assert!(
        cited.contains("\"event_type\":\"project.opened\"") && cited.contains("provost resume"),
        "{cited}"
    );
}
