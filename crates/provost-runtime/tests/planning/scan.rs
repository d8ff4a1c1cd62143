//! Facts about real repositories.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use provost_core::digest::Digest;
use provost_core::document::{self, Limits};
use provost_core::planning::facts::FactPack;
use provost_core::time::Timestamp;
use provost_runtime::home::Home;
use provost_runtime::scan;
use tempfile::TempDir;

use crate::write;

fn git(root: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    let done = Command::new("git").args(identity).args(arguments).current_dir(root).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn look(root: &Path) -> FactPack {
    scan::look(&Home::find(root).unwrap(), Timestamp::EPOCH).unwrap()
}

fn repository(folder: &TempDir, name: &str) -> std::path::PathBuf {
    let root = folder.path().join(name);
    fs::create_dir(&root).unwrap();
    git(&root, &["init", "--quiet"]);
    root
}

fn filled(folder: &TempDir, name: &str) -> std::path::PathBuf {
    let root = repository(folder, name);
    write(&root, "Cargo.toml", "[package]\nname = \"shop\"\n[dependencies]\naxum = \"1\"\n");
    write(&root, "src/main.rs", "fn main() {}\n");
    write(&root, "web/package.json", r#"{ "name": "web", "dependencies": { "react": "19" } }"#);
    write(&root, "web/app.tsx", "export {}\n");
    write(&root, ".github/workflows/test.yml", "on: push\n");
    write(&root, "README.md", "# Shop\n");
    write(&root, "docs/a.md", "a\n");
    git(&root, &["add", "--all"]);
    write(&root, "untracked.rs", "");
    root
}

#[test]
fn the_same_files_are_the_same_facts_wherever_they_lie() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (look(&filled(&folder, "one")), look(&filled(&folder, "other")));
    assert_eq!(one, other);
    assert_eq!(one.project_id, "shop");
    let files: Vec<_> = one.files.as_ref().unwrap().iter().map(|file| file.path.as_str()).collect();
    let sorted = [
        ".github/workflows/test.yml",
        "Cargo.toml",
        "README.md",
        "docs/a.md",
        "src/main.rs",
        "web/app.tsx",
        "web/package.json",
    ];
    assert_eq!((files.as_slice(), one.files_total, one.truncated), (sorted.as_slice(), Some(7), false));
    assert_eq!(one.files.as_ref().unwrap()[4].sha256, Digest::of(b"fn main() {}\n"));
    let parts: Vec<_> = one
        .detected_projects
        .iter()
        .map(|it| (it.root_path.as_str(), it.kind.into(), it.framework.as_str()))
        .collect();
    assert_eq!(parts, [(".", "backend", "axum"), ("web", "frontend", "react")]);
    let languages: Vec<_> = one.languages.iter().map(|it| (it.name.as_str(), it.files)).collect();
    assert_eq!(languages, [("rust", 1), ("typescript", 1)]);
    let evidence: Vec<_> = one.evidence.iter().map(|it| (it.id.as_str(), it.source_file.as_str())).collect();
    assert_eq!(
        evidence,
        [
            ("ev001", "Cargo.toml"),
            ("ev002", "web/package.json"),
            ("ev003", ".github/workflows/test.yml"),
            ("ev004", "Cargo.toml"),
            ("ev005", "README.md"),
            ("ev006", "docs/a.md"),
        ]
    );
    assert_eq!(one.commands.get("test").map(String::as_str), Some("cargo test"));
    let governance = one.governance.unwrap();
    assert_eq!(governance.ci_config.as_deref(), Some(".github/workflows/test.yml"));
}

#[test]
fn facts_are_a_pack_that_can_be_read() {
    let folder = TempDir::new().unwrap();
    for facts in [look(&filled(&folder, "filled")), look(&repository(&folder, "empty"))] {
        let text = serde_json::to_string(&facts).unwrap();
        let document = document::read("facts.json", text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(FactPack::read(&document).unwrap(), facts);
    }
}

#[test]
fn what_is_in_the_work_tree_counts_and_nothing_is_changed() {
    let folder = TempDir::new().unwrap();
    let root = filled(&folder, "one");
    git(&root, &["commit", "--quiet", "-m", "begin"]);
    let before = look(&root);
    assert!(before.repo_fingerprint.as_ref().unwrap().git_commit.is_some());
    write(&root, "README.md", "# Changed\n");
    fs::remove_file(root.join("docs/a.md")).unwrap();
    let index = fs::read(root.join(".git/index")).unwrap();
    let after = look(&root);
    assert_eq!(after.has_file("docs/a.md"), Some(false));
    assert_eq!((after.files_total, after.files.as_ref().unwrap().len()), (Some(7), 6));
    assert_ne!(after.content_digest(), before.content_digest());
    assert_eq!(fs::read(root.join(".git/index")).unwrap(), index);
    assert!(!root.join(".git/provost").exists());
}

#[test]
fn no_link_leads_out_of_the_repository() {
    let folder = TempDir::new().unwrap();
    let root = filled(&folder, "one");
    write(folder.path(), "outside/a.md", "secret\n");
    symlink("../outside/a.md", root.join("tracked-link")).unwrap();
    git(&root, &["add", "--all"]);
    fs::remove_dir_all(root.join("docs")).unwrap();
    symlink(folder.path().join("outside"), root.join("docs")).unwrap();
    fs::remove_file(root.join("README.md")).unwrap();
    symlink(folder.path().join("outside/a.md"), root.join("README.md")).unwrap();
    let facts = look(&root);
    let digest =
        |path: &str| facts.files.as_ref().unwrap().iter().find(|it| it.path == path).map(|it| it.sha256);
    assert_eq!((digest("docs/a.md"), digest("README.md")), (None, None));
    assert_eq!(digest("tracked-link"), Some(Digest::of(b"../outside/a.md")));
}

#[test]
fn a_name_that_is_not_text_is_left_out_and_said() {
    let folder = TempDir::new().unwrap();
    let root = filled(&folder, "one");
    fs::write(root.join(std::ffi::OsStr::from_bytes(b"odd\xff.rs")), "").unwrap();
    git(&root, &["add", "--all"]);
    let facts = look(&root);
    assert!(facts.truncated);
    assert_eq!((facts.files_total, facts.files.as_ref().unwrap().len()), (Some(9), 8));
    assert_eq!(facts.has_file("nothing"), None);
}

#[test]
fn a_checkout_beside_the_first_is_looked_at_by_itself() {
    let folder = TempDir::new().unwrap();
    let root = filled(&folder, "one");
    git(&root, &["commit", "--quiet", "-m", "begin"]);
    git(&root, &["worktree", "add", "--quiet", "../two"]);
    let two = folder.path().join("two");
    write(&two, "README.md", "# Two\n");
    assert_eq!(look(&root).files_total, look(&two).files_total);
    assert_ne!(look(&root).content_digest(), look(&two).content_digest());
}
