//! The attempts within each kind of walls, and without any.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use provost_core::protected::PROTECTED;
use provost_runtime::walls::Strength;

use crate::attempts::{ATTEMPTS, ROOT};
use crate::project::{Project, plan};
use crate::scene::Scene;

/// Families that are the network's; an agent that may use it is not kept from them.
const NETWORK: &[&str] = &["TCP", "UDP"];

/// What Landlock alone leaves open; `docs/isolation.md` says the same.
const LANDLOCK_OPEN: &[&str] = &[
    "file_mode_changed",
    "file_time_changed",
    "shared_memory_written",
    "pointer_overwritten",
    "pointer_replaced",
    "pointer_moved_away",
    "planted_claude",
    "planted_mcp",
    "planted_direnv",
    "planted_editor",
    "planted_hook",
    "planted_by_renaming",
    "planted_by_link",
    "planted_settings",
    "udp_loopback",
    "udp_any_address",
    "unix_socket",
    "unix_socket_of_provost",
    "unix_socket_of_another_turn",
    "limited",
    "printed_on_terminal",
];

/// Walls need bubblewrap; a machine that has none shows nothing, and that must not look like success.
pub(crate) fn demand_bubblewrap() {
    if let Err(why) = &Strength::of_this_machine().bubblewrap {
        panic!("{why}: walls cannot be tried here; `.ci/run` installs bubblewrap");
    }
}

fn names(family: impl Fn(&str) -> bool) -> BTreeSet<&'static str> {
    ATTEMPTS.iter().filter(|it| family(it.0)).map(|it| it.1).collect()
}

fn told(worktree: &Path) -> String {
    fs::read_to_string(worktree.join("attempts.txt")).unwrap()
}

#[test]
fn the_table_has_every_attempt_and_every_family() {
    let script = include_str!("attempts.py");
    let defined: Vec<&str> =
        script.split("@attempt\ndef ").skip(1).map(|rest| rest.split_once('(').unwrap().0).collect();
    assert_eq!(defined, ATTEMPTS.iter().map(|it| it.1).collect::<Vec<_>>());
    let families: BTreeSet<&str> = ATTEMPTS.iter().map(|it| it.0).collect();
    assert!(families.len() >= 12 && ATTEMPTS.len() >= 40, "{families:?}");
}

#[test]
fn without_walls_every_attempt_succeeds() {
    let mut scene = Scene::new("", "");
    let worktree = scene.bare();
    let succeeded = scene.succeeded(ATTEMPTS, &worktree);
    let is_root = rustix::process::geteuid().is_root();
    let expected: BTreeSet<&str> =
        names(|_| true).into_iter().filter(|it| is_root || !ROOT.contains(it)).collect();
    let missing: Vec<_> = expected.difference(&succeeded).collect();
    assert!(missing.is_empty(), "{missing:?}\n{}", told(&worktree));
}

#[test]
fn within_walls_no_attempt_succeeds() {
    demand_bubblewrap();
    let mut scene = Scene::new("network = \"none\"", "sandbox = \"require\"");
    let worktree = scene.deliver(None);
    assert_eq!(told(&worktree).lines().count(), ATTEMPTS.len());
    let succeeded = scene.succeeded(ATTEMPTS, &worktree);
    assert!(succeeded.is_empty(), "{succeeded:?}\n{}", told(&worktree));
    // What kept things from being made is gone with the walls.
    for name in [".claude", ".mcp.json", ".envrc", ".vscode", ".codex"] {
        assert!(!worktree.join(name).exists(), "{name} was left behind");
    }
}

#[test]
fn with_the_network_open_nothing_else_is() {
    demand_bubblewrap();
    let mut scene = Scene::new("network = \"open\"", "sandbox = \"require\"");
    let worktree = scene.deliver(None);
    let succeeded = scene.succeeded(ATTEMPTS, &worktree);
    let mut expected = names(|family| NETWORK.contains(&family));
    if Strength::of_this_machine().landlock < 6 {
        expected.extend(["abstract_socket", "abstract_datagram"]);
    }
    assert_eq!(succeeded, expected, "{}", told(&worktree));
}

#[test]
fn landlock_alone_leaves_open_what_is_said_and_no_more() {
    let landlock = Strength::of_this_machine().landlock;
    assert!(landlock >= 6, "this kernel has version {landlock} of Landlock; the list is that of version 6");
    let mut scene = Scene::new("network = \"none\"", "sandbox = \"prefer\"");
    let path = without_bubblewrap(scene.project.folder());
    let worktree = scene.deliver(Some(&path));
    let succeeded = scene.succeeded(ATTEMPTS, &worktree);
    assert_eq!(succeeded, LANDLOCK_OPEN.iter().copied().collect(), "{}", told(&worktree));
}

#[test]
fn where_walls_are_required_and_cannot_be_built_nothing_starts() {
    let project = Project::with(
        &plan(&[("one", "none")]),
        "#!/bin/sh\ntouch \"$HOME/told/started\"\n",
        "#!/bin/sh\ntouch \"$HOME/told/started\"\n",
        "developer_s = 60\n[policy]\nsandbox = \"require\"\n",
    );
    let path = without_bubblewrap(project.folder());
    let output = project.command(&["run", "plan.md"]).env("PATH", &path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(9), "{said}");
    assert!(said.contains("sandbox::missing") && said.contains("bwrap"), "{said}");
    assert!(!project.folder().join("told/started").exists());
    assert!(project.worktrees().is_empty());
}

#[test]
fn the_page_names_what_is_protected_and_what_landlock_leaves_open() {
    let page = include_str!("../../../../docs/isolation.md");
    for it in PROTECTED {
        assert!(page.contains(&format!("`{}`", it.name)), "{}", it.name);
    }
    for word in ["UDP", "sockets", "limits", "modes", "times", "shared memory", "pointer", "printing"] {
        assert!(page.contains(word), "{word}");
    }
}

/// A folder with every program of the search path but bubblewrap.
pub(crate) fn without_bubblewrap(folder: &Path) -> PathBuf {
    let programs = folder.join("programs");
    fs::create_dir(&programs).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).filter_map(|part| fs::read_dir(part).ok()).flatten().flatten();
    for entry in found.filter(|entry| entry.file_name() != "bwrap") {
        // The first of a name is the one that counts.
        let _ = symlink(entry.path(), programs.join(entry.file_name()));
    }
    programs
}
