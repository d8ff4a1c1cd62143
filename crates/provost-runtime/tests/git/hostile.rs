//! What an agent, a repository's content or the environment could try to have run, and where they could lead git.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use provost_runtime::worktree::{Joined, Removed, Worktree};
use rustix::fs::{Mode, OFlags};

use crate::ground::{Ground, author, label, run, trap, write};

/// Everything that touches a worktree, in the order of a task's life.
fn whole_life(ground: &Ground, worktree: &Worktree) {
    let repository = &ground.repository;
    repository.preflight().unwrap();
    let snapshot = repository.snapshot(worktree).unwrap();
    let commit = ground.commit(&snapshot.tree, &worktree.base);
    repository.changed(&worktree.base, &commit).unwrap();
    repository.diff(&worktree.base, &commit, 1 << 20).unwrap();
    repository.create_branch("provost/d-1", &worktree.base).unwrap();
    let side = ground.add(&label("side"));
    write(&side.path.join("a.txt"), "side\n");
    let tip = ground.commit_of(&side);
    let joined = repository.join(&tip, &commit, &worktree.base).unwrap();
    assert!(matches!(joined, Joined::Conflict { .. }));
    repository.move_branch("provost/d-1", &worktree.base, &commit).unwrap();
    let merged = repository.merge_into(worktree, &tip).unwrap();
    repository.salvage(&merged.worktree, "provost/salvage/d-1/T1-1", "salvaged", &author()).unwrap();
    let back = repository.reset_to(&merged.worktree, &ground.head).unwrap();
    repository.remove(&back, &[]).unwrap();
}

/// A configuration in which everything runs the same program.
fn set_traps(folder: &Path, git_folder: &Path, program: &str) {
    let config = git_folder.join("config").display().to_string();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "merge.evil.driver",
        "merge.default",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
        "credential.helper",
        "trailer.provost-task.command",
    ] {
        run(
            folder,
            &["config", "--file", &config, key, if key == "merge.default" { "evil" } else { program }],
        );
    }
    for (key, value) in
        [("filter.evil.required", "true"), ("commit.gpgSign", "true"), ("log.showSignature", "true")]
    {
        run(folder, &["config", "--file", &config, key, value]);
    }
    for hook in [
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "pre-commit",
        "post-merge",
        "fsmonitor-watchman",
        "pre-auto-gc",
    ] {
        let path = git_folder.join("hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(program, path).unwrap();
    }
}

const EVIL_ATTRIBUTES: &str = "* filter=evil diff=evil merge=evil text eol=lf ident\n";

#[test]
fn a_replaced_git_file_leads_nowhere() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    let (program, trace) = trap(&ground.outside("trap"));
    let evil = worktree.path.join("evil.git");
    run(&ground.outside(""), &["init", "--quiet", "--bare", evil.to_str().unwrap()]);
    set_traps(&worktree.path, &evil, &program);
    run(&worktree.path, &["config", "--file", evil.join("config").to_str().unwrap(), "core.bare", "false"]);
    fs::write(worktree.path.join(".git"), format!("gitdir: {}\n", evil.display())).unwrap();
    write(&worktree.path.join("a.txt"), "agent\n");
    write(&worktree.path.join(".gitattributes"), EVIL_ATTRIBUTES);
    // The trap works: an unsuspecting call walks into it.
    Command::new("git").arg("status").current_dir(&worktree.path).output().unwrap();
    assert!(trace.exists());
    fs::remove_file(&trace).unwrap();
    let before = ground.untouched();
    whole_life(&ground, &worktree);
    assert!(!trace.exists());
    assert_eq!(ground.untouched(), before);
}

#[test]
fn attributes_run_nothing_that_the_person_has_configured() {
    let ground = Ground::new();
    let (program, trace) = trap(&ground.outside("trap"));
    set_traps(&ground.root(), &ground.root().join(".git"), &program);
    let ground = ground.reopened();
    let worktree = ground.worktree();
    assert!(!trace.exists());
    write(&worktree.path.join(".gitattributes"), EVIL_ATTRIBUTES);
    write(&worktree.path.join("a.txt"), "agent\n");
    Command::new("git").arg("status").current_dir(&worktree.path).output().unwrap();
    assert!(trace.exists());
    fs::remove_file(&trace).unwrap();
    // Looking at the person's own checkout does not run the filter that its content asks for either.
    write(&ground.root().join(".gitattributes"), EVIL_ATTRIBUTES);
    write(&ground.root().join("a.txt"), "dirty\n");
    whole_life(&ground, &worktree);
    assert!(!trace.exists());
}

#[test]
fn committed_attributes_run_nothing_on_checkout() {
    let mut ground = Ground::new();
    write(&ground.root().join(".gitattributes"), EVIL_ATTRIBUTES);
    ground.commit_all("evil");
    let (program, trace) = trap(&ground.outside("trap"));
    set_traps(&ground.root(), &ground.root().join(".git"), &program);
    let ground = ground.reopened();
    let worktree = ground.worktree();
    write(&worktree.path.join("a.txt"), "agent\n");
    whole_life(&ground, &worktree);
    assert!(!trace.exists());
}

#[test]
fn large_files_pass_the_filter_that_the_person_configured() {
    let mut ground = Ground::new();
    write(&ground.root().join(".gitattributes"), "*.bin filter=lfs -text\n");
    ground.commit_all("large files");
    ground.git(&["config", "filter.lfs.clean", "tr a-z A-Z"]);
    ground.git(&["config", "filter.lfs.smudge", "tr A-Z a-z"]);
    ground.git(&["config", "filter.lfs.required", "true"]);
    let ground = ground.reopened();
    let worktree = ground.worktree();
    write(&worktree.path.join("x.bin"), "large\n");
    let commit = ground.commit_of(&worktree);
    assert_eq!(ground.text(&commit, "x.bin"), "LARGE\n");
    fs::remove_file(worktree.path.join("x.bin")).unwrap();
    ground.repository.reset_to(&worktree, &commit).unwrap();
    assert_eq!(fs::read_to_string(worktree.path.join("x.bin")).unwrap(), "large\n");
}

#[test]
fn planted_repositories_are_reported_and_left_out() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    let (program, trace) = trap(&ground.outside("trap"));
    for planted in ["nested", "src", "deep/in/here", "empty"] {
        let path = worktree.path.join(planted);
        run(&ground.outside(""), &["init", "--quiet", path.to_str().unwrap()]);
        set_traps(&path, &path.join(".git"), &program);
    }
    write(&worktree.path.join("nested/file"), "x\n");
    write(&worktree.path.join(".GIT/config"), "x\n");
    write(&worktree.path.join("ok"), "ok\n");
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    let expected = [".GIT/config", "deep/in/here", "empty", "nested", "src/.git"].map(PathBuf::from);
    assert_eq!(snapshot.refused, expected);
    assert_eq!(ground.files(&snapshot.tree), ["100644 a.txt", "100644 ok", "100644 src/b.txt"]);
    ground.repository.reset_to(&worktree, &ground.head).unwrap();
    assert!(ground.repository.snapshot(&worktree).unwrap().is_whole());
    assert!(!trace.exists());
}

#[test]
fn submodules_stay_as_they_are() {
    let mut ground = Ground::new();
    let url = ground.root().display().to_string();
    ground.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "sub"]);
    ground.commit_all("submodule");
    let worktree = ground.worktree();
    let clean = ground.repository.snapshot(&worktree).unwrap();
    assert_eq!(clean.tree, ground.repository.tree_of(&ground.head).unwrap());
    // Filled by the agent with a repository of its own choice.
    let (program, trace) = trap(&ground.outside("trap"));
    let sub = worktree.path.join("sub");
    run(&worktree.path, &["clone", "--quiet", &url, sub.to_str().unwrap()]);
    run(&sub, &["-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--allow-empty", "-m", "x"]);
    set_traps(&sub, &sub.join(".git"), &program);
    let filled = ground.repository.snapshot(&worktree).unwrap();
    assert_eq!((filled.tree, filled.refused), (clean.tree, vec![PathBuf::from("sub")]));
    ground.repository.preflight().unwrap();
    ground.repository.reset_to(&worktree, &ground.head).unwrap();
    assert!(ground.repository.snapshot(&worktree).unwrap().is_whole());
    assert!(!trace.exists());
}

#[test]
fn files_that_are_no_files_are_reported() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    fs::remove_file(worktree.path.join("a.txt")).unwrap();
    let made = Command::new("mkfifo").arg(worktree.path.join("a.txt")).status().unwrap();
    assert!(made.success());
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    assert_eq!(snapshot.refused, [PathBuf::from("a.txt")]);
}

#[test]
fn git_does_not_wait_for_ever_at_a_pipe() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    let clean = ground.repository.snapshot(&worktree).unwrap();
    for folder in ["sub", "sub/deeper"] {
        fs::create_dir(worktree.path.join(folder)).unwrap();
    }
    let pipes = [".gitignore", "sub/.gitattributes", "sub/deeper/.gitignore", "sub/.mailmap"];
    let made = Command::new("mkfifo").args(pipes.map(|it| worktree.path.join(it))).status().unwrap();
    assert!(made.success());
    assert_eq!(ground.repository.snapshot(&worktree).unwrap().tree, clean.tree);
    fs::write(worktree.path.join("sub/new.txt"), "new").unwrap();
    assert_ne!(ground.repository.snapshot(&worktree).unwrap().tree, clean.tree);
}

/// Makes folders inside each other, each with a file, until their path is longer than any system takes.
fn bury(top: &Path, name: &str) {
    let mut folder = rustix::fs::open(top, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap();
    for _ in 0..25 {
        rustix::fs::mkdirat(&folder, name, Mode::RWXU).unwrap();
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        folder = rustix::fs::openat(&folder, name, flags, Mode::empty()).unwrap();
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    drop(rustix::fs::openat(&folder, "work", flags, Mode::RUSR).unwrap());
}

#[test]
fn files_too_deep_for_their_path_are_reported_and_kept() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    bury(&worktree.path, &"d".repeat(200));
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    let [deep] = snapshot.refused.as_slice() else { unreachable!("{:?}", snapshot.refused) };
    assert!(deep.starts_with("d".repeat(200)));
    let removed = ground.repository.remove_salvaged(&worktree, &author()).unwrap();
    assert_eq!(removed, (Removed::Uncommittable(snapshot.refused), None));
    assert!(worktree.path.exists());
    ground.repository.remove_with_all(&worktree).unwrap();
    assert!(!worktree.path.exists());
}

#[test]
fn a_file_too_long_for_its_path_is_reported() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    // Its folder can be opened; with its name the path is too long.
    let room = 4_090 - worktree.path.as_os_str().len();
    let mut path = worktree.path.clone();
    let mut left = room;
    while left > 0 {
        let part = left.min(200);
        path.push("d".repeat(part));
        left = left.saturating_sub(part + 1);
    }
    fs::create_dir_all(&path).unwrap();
    let folder = rustix::fs::open(&path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    drop(rustix::fs::openat(&folder, "x".repeat(250), flags, Mode::RUSR).unwrap());
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    assert_eq!(snapshot.refused.len(), 1, "{:?}", snapshot.refused);
}

/// Run by the test below in a process of its own, whose environment leads elsewhere.
#[test]
fn life_in_this_environment() {
    let ground = Ground::new();
    let before = ground.untouched();
    let worktree = ground.worktree();
    write(&worktree.path.join("a.txt"), "agent\n");
    whole_life(&ground, &worktree);
    assert_eq!(ground.untouched(), before);
}

#[test]
fn the_environment_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let (program, trace) = trap(&folder.path().join("trap"));
    let elsewhere = folder.path().join("elsewhere");
    run(folder.path(), &["init", "--quiet", elsewhere.to_str().unwrap()]);
    let other = |name: &str| elsewhere.join(".git").join(name);
    let before = fs::read_dir(other("objects")).unwrap().count();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hostile::life_in_this_environment"])
        .env("GIT_DIR", other(""))
        .env("GIT_COMMON_DIR", other(""))
        .env("GIT_WORK_TREE", &elsewhere)
        .env("GIT_INDEX_FILE", other("index"))
        .env("GIT_OBJECT_DIRECTORY", other("objects"))
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", other("objects"))
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.fsmonitor")
        .env("GIT_CONFIG_VALUE_0", &program)
        .env("GIT_CONFIG_PARAMETERS", format!("'core.fsmonitor'='{program}'"))
        .env("GIT_EXTERNAL_DIFF", &program)
        .env("GIT_PAGER", &program)
        .env("GIT_SSH_COMMAND", &program)
        .env("GIT_ASKPASS", &program)
        .env("GIT_EXEC_PATH", folder.path())
        .env("GIT_TRACE", folder.path().join("traced"))
        .env("GIT_AUTHOR_DATE", "never")
        .env("GIT_COMMITTER_NAME", "Mallory")
        .env("GIT_NAMESPACE", "mallory")
        .env("GIT_PREFIX", "src/")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(!trace.exists());
    assert!(!folder.path().join("traced").exists() && !other("index").exists());
    assert_eq!(fs::read_dir(other("objects")).unwrap().count(), before);
}
