//! Every attempt of attempts.py, with how its success shows from outside.

/// How an attempt shows, when it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The secret is in leaks.txt.
    Leaked,
    /// The file at this place has the attempt's mark.
    Marked(&'static str),
    /// Nothing is at this place any more.
    Missing(&'static str),
    /// The file at this place has no content any more.
    Empty(&'static str),
    /// Everybody may write the file at this place.
    OpenToAll(&'static str),
    /// The file at this place has the oldest time that there is.
    Old(&'static str),
    /// Git knows this reference.
    Reference(&'static str),
    /// Somebody listened and heard the mark.
    Heard,
    /// The process that was attacked has ended.
    Ended,
    /// The process that was attacked may open no more than seven files.
    Limited,
    /// The mark can be read from the terminal as if a person had typed it.
    Typed,
    /// The mark stands on the terminal.
    Printed,
}

use Effect::{
    Empty, Ended, Heard, Leaked, Limited, Marked, Missing, Old, OpenToAll, Printed, Reference, Typed,
};

/// An attempt: its family, its name, and how it shows.
pub(crate) type Attempt = (&'static str, &'static str, Effect);

/// All attempts, in the order in which they are made.
pub(crate) const ATTEMPTS: &[Attempt] = &[
    ("files", "file_in_home", Marked("home/file_in_home")),
    ("files", "file_of_the_person", Marked("home/file_of_the_person")),
    ("files", "file_of_the_checkout", Marked("root/file_of_the_checkout")),
    ("files", "file_removed", Missing("home/file_removed")),
    ("files", "file_mode_changed", OpenToAll("home/file_mode_changed")),
    ("files", "file_time_changed", Old("home/file_time_changed")),
    ("files", "file_truncated", Empty("home/file_truncated")),
    ("files", "git_objects", Marked("common/objects/git_objects")),
    ("files", "state_read", Leaked),
    ("files", "state_written", Marked("state/state_written")),
    ("files", "state_moved_away", Missing("state/movable")),
    ("files", "temporary_file_read", Leaked),
    ("files", "temporary_file_written", Marked("temporary/secret.temporary_file_written")),
    ("files", "shared_memory_written", Marked("memory")),
    ("links", "symbolic_link_written_through", Marked("home/symbolic_link_written_through")),
    ("links", "symbolic_link_to_state", Leaked),
    ("links", "hard_link_written_through", Marked("home/hard_link_written_through")),
    ("links", "hard_link_to_outside", Marked("home/hard_link_to_outside")),
    ("links", "moved_outside", Marked("home/moved_outside")),
    ("links", "upwards_by_descriptor", Marked("home/upwards_by_descriptor")),
    ("links", "reopened_by_descriptor", Marked("home/reopened_by_descriptor")),
    ("links", "reopened_from_a_path", Marked("home/reopened_from_a_path")),
    ("/proc", "proc_environment", Leaked),
    ("/proc", "proc_all_environments", Leaked),
    ("/proc", "proc_working_folder", Marked("home/proc_working_folder")),
    ("/proc", "proc_root", Marked("home/proc_root")),
    ("/proc", "proc_descriptor", Marked("home/proc_descriptor")),
    ("/proc", "proc_parents_root", Marked("home/proc_parents_root")),
    ("git pointer", "git_configuration", Marked("common/config")),
    ("git pointer", "git_hook", Marked("common/hooks/git_hook")),
    ("git pointer", "git_entry", Marked("common/git_entry")),
    ("git pointer", "git_reference", Reference("refs/heads/git_reference")),
    ("git pointer", "git_command", Marked("common/config")),
    ("git pointer", "git_attributes", Marked("common/info/attributes")),
    ("git pointer", "git_alternates", Marked("common/objects/info/alternates")),
    ("git pointer", "git_lock", Marked("common/index.lock")),
    ("git pointer", "pointer_overwritten", Marked("worktree/.git")),
    ("git pointer", "pointer_replaced", Marked("worktree/.git")),
    ("git pointer", "pointer_moved_away", Marked("worktree/.git/pointer_moved_away")),
    ("planted", "planted_claude", Marked("worktree/.claude/settings.json")),
    ("planted", "planted_mcp", Marked("worktree/.mcp.json")),
    ("planted", "planted_direnv", Marked("worktree/.envrc")),
    ("planted", "planted_editor", Marked("worktree/.vscode/tasks.json")),
    ("planted", "planted_hook", Marked("worktree/.husky/pre-commit")),
    ("planted", "planted_by_renaming", Marked("worktree/.codex/config.toml")),
    ("planted", "planted_by_link", Marked("worktree/.cursor/hooks.json")),
    ("planted", "planted_settings", Marked("worktree/.provost/provost.toml")),
    ("TCP", "tcp_loopback", Heard),
    ("TCP", "tcp_any_address", Heard),
    ("UDP", "udp_loopback", Heard),
    ("UDP", "udp_any_address", Heard),
    ("sockets", "unix_socket", Heard),
    ("sockets", "unix_socket_of_provost", Heard),
    ("sockets", "unix_socket_of_another_turn", Heard),
    ("sockets", "abstract_socket", Heard),
    ("sockets", "abstract_datagram", Heard),
    ("processes", "killed", Ended),
    ("processes", "killed_by_descriptor", Ended),
    ("processes", "killed_as_group", Ended),
    ("processes", "traced", Ended),
    ("processes", "limited", Limited),
    ("descriptors", "descriptor_read", Leaked),
    ("descriptors", "descriptor_written", Marked("home/descriptor_written")),
    ("descriptors", "descriptor_of_folder", Marked("home/descriptor_of_folder")),
    ("other worktrees", "other_worktree_read", Leaked),
    ("other worktrees", "other_worktree_written", Marked("other/other_worktree_written")),
    ("other worktrees", "other_worktree_found", Leaked),
    ("terminal", "typed_into_own_terminal", Typed),
    ("terminal", "typed_into_terminal", Typed),
    ("terminal", "printed_on_terminal", Printed),
    ("mounts", "remounted", Marked("home/remounted")),
    ("mounts", "unmounted", Leaked),
    ("mounts", "entered", Marked("home/entered")),
];

/// Attempts that also fail without walls unless root makes them.
pub(crate) const ROOT: &[&str] =
    &["entered", "traced", "typed_into_terminal", "typed_into_own_terminal", "remounted", "unmounted"];

/// The attempts that attack a process of their own.
pub(crate) const VICTIMS: &[&str] = &[
    "proc_environment",
    "proc_descriptor",
    "killed",
    "killed_by_descriptor",
    "killed_as_group",
    "traced",
    "limited",
];
