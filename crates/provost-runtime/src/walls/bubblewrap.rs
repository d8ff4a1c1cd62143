//! The arguments of bubblewrap that build walls: namespaces of their own, and a view of the file system in which each
//! place is mounted over what surrounds it.

use std::ffi::OsString;
use std::path::Path;

use super::{Access, Network, Walls};

/// What every wall has: nothing of the machine's processes, and an end together with whoever started it. In a session of
/// its own a program cannot type into the terminal that Provost was started from.
const ALWAYS: &[&str] =
    &["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--ro-bind", "/", "/"];

/// A `/dev` with nothing but what every program needs, and a `/proc` with nothing but the processes inside.
const SYSTEM: &[&str] = &["--dev", "/dev", "--proc", "/proc"];

/// The arguments for walls around nothing in particular, to see whether the machine can build any.
pub(super) fn trial() -> impl Iterator<Item = &'static str> {
    ALWAYS.iter().chain(SYSTEM).copied()
}

/// All arguments up to the program; places that are not there are left out.
pub(super) fn arguments(walls: &Walls, cwd: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = trial().map(OsString::from).collect();
    if walls.network == Network::Open {
        arguments.push("--share-net".into());
    }
    let mut hidden = Vec::new();
    // Folders come before what is in them, so that what is mounted later lies on top.
    for (path, access) in &walls.places {
        let Ok(meta) = path.symlink_metadata() else { continue };
        // What a link leads to has its own place; the link itself cannot be mounted.
        if meta.is_symlink() || is_covered(*access, walls.around(path)) {
            continue;
        }
        let nothing = Path::new("/dev/null");
        let (option, from): (&str, Option<&Path>) = match access {
            Access::ReadOnly | Access::Sealed => ("--ro-bind", Some(path)),
            Access::Writable => ("--bind", Some(path)),
            Access::Scratch => ("--bind", Some(&walls.scratch)),
            Access::Hidden if meta.is_dir() => ("--tmpfs", None),
            Access::Hidden => ("--ro-bind", Some(nothing)),
        };
        arguments.push(option.into());
        arguments.extend(from.map(OsString::from));
        arguments.push(path.into());
        if option == "--tmpfs" {
            hidden.push(path);
        }
    }
    // Only now: what lies inside has been mounted.
    for path in hidden {
        arguments.extend(["--remount-ro".into(), path.into()]);
    }
    arguments.extend(["--chdir".into(), cwd.into(), "--".into()]);
    arguments
}

/// Whether what surrounds a place gives it the same access.
fn is_covered(access: Access, around: Access) -> bool {
    match access {
        Access::ReadOnly | Access::Sealed => matches!(around, Access::ReadOnly | Access::Sealed),
        Access::Writable | Access::Hidden => access == around,
        Access::Scratch => false,
    }
}
