//! What is seen of a checkout before work begins.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use provost_runtime::home::Home;
use provost_runtime::repository::{HeadState, Identity, Repository};

use crate::ground::{Ground, label, run, write};

#[test]
fn a_clean_checkout() {
    let ground = Ground::new();
    let seen = ground.repository.preflight().unwrap();
    let branch = Some("main".to_owned());
    assert_eq!(seen.head, HeadState::Born { commit: ground.head.clone(), branch });
    assert_eq!((seen.dirty_count, seen.untracked_count, seen.submodules), (0, 0, Vec::new()));
    assert!(!seen.sparse && !seen.shallow && !seen.partial && seen.in_progress.is_none());
    let ada = Identity { name: "Ada".to_owned(), email: "ada@example.org".to_owned() };
    assert_eq!(ground.repository.identity(), Some(ada));
}

#[test]
fn a_dirty_checkout_is_named_and_not_touched() {
    let ground = Ground::new();
    write(&ground.root().join("a.txt"), "other\n");
    write(&ground.root().join("staged file\n\"é\".txt"), "x\n");
    ground.git(&["add", "staged file\n\"é\".txt"]);
    fs::remove_file(ground.root().join("src/b.txt")).unwrap();
    write(&ground.root().join("new/1"), "");
    write(&ground.root().join("new/2"), "");
    let before = ground.untouched();
    let seen = ground.repository.preflight().unwrap();
    let dirty = ["a.txt", "src/b.txt", "staged file\n\"é\".txt"].map(PathBuf::from);
    assert_eq!(seen.dirty, dirty);
    assert_eq!((seen.dirty_count, seen.untracked_count), (3, 1));
    assert_eq!(ground.untouched(), before);
}

#[test]
fn many_changes_are_counted_and_some_are_named() {
    let mut ground = Ground::new();
    let file = |number: u32| ground.root().join(format!("many/{number}"));
    let files: Vec<PathBuf> = (0..150).map(file).collect();
    for file in &files {
        write(file, "before");
    }
    ground.commit_all("many");
    for file in &files {
        write(file, "after!");
    }
    let seen = ground.repository.preflight().unwrap();
    assert_eq!((seen.dirty.len(), seen.dirty_count), (100, 150));
}

#[test]
fn unborn_and_detached_heads() {
    let ground = Ground::new();
    ground.git(&["checkout", "--quiet", "--detach"]);
    let seen = ground.repository.preflight().unwrap();
    assert_eq!(seen.head, HeadState::Born { commit: ground.head.clone(), branch: None });
    ground.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    assert_eq!(ground.repository.preflight().unwrap().head, HeadState::Unborn);
}

#[test]
fn conflicts_sparse_and_shallow_checkouts() {
    let mut ground = Ground::new();
    ground.git(&["checkout", "--quiet", "-b", "side"]);
    write(&ground.root().join("a.txt"), "side\n");
    ground.commit_all("side");
    ground.git(&["checkout", "--quiet", "main"]);
    write(&ground.root().join("a.txt"), "main\n");
    ground.commit_all("main");
    let merge = std::process::Command::new("git").args(["merge", "side"]).current_dir(ground.root()).output();
    assert!(!merge.unwrap().status.success());
    let seen = ground.repository.preflight().unwrap();
    assert_eq!((seen.in_progress, seen.dirty), (Some("merge"), vec![PathBuf::from("a.txt")]));
    ground.git(&["merge", "--abort"]);
    ground.git(&["sparse-checkout", "set", "src"]);
    let ground = ground.reopened();
    assert!(ground.repository.preflight().unwrap().sparse);

    let url = format!("file://{}", ground.root().display());
    run(&ground.outside(""), &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    let clone = Repository::open(&Home::find(&ground.outside("shallow")).unwrap()).unwrap();
    assert!(clone.preflight().unwrap().shallow);
}

#[test]
fn submodules_are_named() {
    let ground = Ground::new();
    let url = ground.root().display().to_string();
    let quiet = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "deps/the lib"];
    ground.git(&quiet);
    let seen = ground.repository.preflight().unwrap();
    assert_eq!(seen.submodules, [PathBuf::from("deps/the lib")]);
}

#[test]
fn a_linked_checkout_has_its_own_head_and_the_same_project() {
    let ground = Ground::new();
    let linked = ground.outside("linked");
    ground.git(&["worktree", "add", "--quiet", "-b", "other", linked.to_str().unwrap()]);
    let home = Home::find(&linked).unwrap();
    assert_eq!(home.common(), Home::find(&ground.root()).unwrap().common());
    let seen = Repository::open(&home).unwrap().preflight().unwrap();
    let branch = Some("other".to_owned());
    assert_eq!(seen.head, HeadState::Born { commit: ground.head.clone(), branch });
}

#[test]
fn a_repository_may_have_any_name() {
    for name in [&b"n\xff"[..], b"l\nm", b" \"'; x"] {
        let ground = Ground::new();
        let root = ground.outside("").join(OsStr::from_bytes(name));
        fs::rename(ground.root(), &root).unwrap();
        let home = Home::find(&root).unwrap();
        assert_eq!(
            (&home.root, &home.git),
            (&root.canonicalize().unwrap(), &root.join(".git").canonicalize().unwrap())
        );
        let repository = Repository::open(&home).unwrap();
        repository.preflight().unwrap();
        let path = ground.outside("worktrees").join(OsStr::from_bytes(name));
        let worktree = repository.add(&path, &ground.head, &label("T1")).unwrap();
        assert_eq!(repository.list(), vec![worktree.clone()]);
        write(&path.join("new"), "new\n");
        assert!(repository.snapshot(&worktree).unwrap().is_whole());
        repository.reset_to(&worktree, &ground.head).unwrap();
        repository.remove(&worktree, &[]).unwrap();
        assert!(!path.exists());
    }
}

#[test]
fn the_way_to_the_first_agent_takes_five_processes() {
    let ground = Ground::new();
    // One more, to find the project, is not counted here.
    ground.repository.preflight().unwrap();
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    ground.worktree();
    assert_eq!(ground.repository.calls(), 4);
}
