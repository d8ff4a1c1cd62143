//! What Landlock has to be told: it only knows what is allowed, and what is allowed for a folder is allowed for all in
//! it. So whatever is to be hidden or only read is left out by allowing everything beside it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Access, TEMPORARY, Walls};

/// Devices that every program needs; writing to others would be writing to the machine.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
];

/// Something that is allowed, with all below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grant {
    pub(super) path: PathBuf,
    pub(super) writable: bool,
}

/// What is allowed where bubblewrap has hidden everything else.
pub(super) fn inside(walls: &Walls) -> Vec<Grant> {
    let writable = walls.writable().map(Path::to_owned);
    // A `/dev` and a `/proc` of the program's own are there.
    let own = [TEMPORARY, "/dev", "/proc"].map(PathBuf::from);
    let all = writable.chain(own).map(|path| Grant { path, writable: true });
    [Grant { path: PathBuf::from("/"), writable: false }].into_iter().chain(all).collect()
}

/// What is allowed where nothing is hidden by anything else.
pub(super) fn alone(walls: &Walls) -> Vec<Grant> {
    let mut grants = Vec::new();
    allow(walls, Path::new("/"), &list, &mut grants);
    grants.extend(DEVICES.iter().map(|path| Grant { path: PathBuf::from(path), writable: true }));
    grants.push(Grant { path: walls.scratch.clone(), writable: true });
    grants
}

/// Allows a folder as a whole, or, where something below differs, what is in it one by one.
fn allow(walls: &Walls, path: &Path, list: &dyn Fn(&Path) -> Vec<PathBuf>, grants: &mut Vec<Grant>) {
    let writable = match walls.at(path) {
        // What is in a folder that can be written cannot be kept from being written: new files would be kept too.
        Access::Writable => true,
        Access::ReadOnly | Access::Sealed => false,
        Access::Hidden | Access::Scratch => {
            // Nothing here but what is said to be.
            let first =
                |place: &&PathBuf| differs(walls, path, place) && walls.around(place) == walls.at(path);
            for place in walls.places.keys().filter(first) {
                allow(walls, place, list, grants);
            }
            return;
        }
    };
    if writable || !walls.places.keys().any(|place| differs(walls, path, place)) {
        grants.push(Grant { path: path.to_owned(), writable });
        return;
    }
    for child in list(path) {
        allow(walls, &child, list, grants);
    }
}

/// Whether a place lies below a path and is not simply read as it is.
fn differs(walls: &Walls, path: &Path, place: &Path) -> bool {
    place != path && place.starts_with(path) && walls.at(place) != walls.at(path)
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    // A link would allow what it leads to, which may be what is hidden.
    let real = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    real.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Builder, Network};
    use super::*;

    #[test]
    fn what_is_hidden_is_left_out_by_allowing_what_is_beside_it() {
        let places = [
            ("/people/ada/r/.git/provost", Access::Hidden),
            ("/people/ada/r/.git/provost/running/7/prompt.md", Access::ReadOnly),
            ("/trees", Access::Hidden),
            ("/trees/own", Access::Writable),
            ("/trees/own/.git", Access::ReadOnly),
            ("/tmp", Access::Scratch),
        ];
        let places = places.map(|(path, access)| (PathBuf::from(path), access));
        let walls = Walls {
            by: Builder::Landlock,
            places: BTreeMap::from(places),
            scratch: PathBuf::from("/scratch"),
            network: Network::Open,
            nests: false,
        };
        let list = |folder: &Path| {
            let names: &[&str] = match folder.to_str().unwrap() {
                "/" => &["/etc", "/people", "/trees", "/tmp"],
                "/people" => &["/people/ada", "/people/bob"],
                "/people/ada" => &["/people/ada/r", "/people/ada/notes"],
                "/people/ada/r" => &["/people/ada/r/.git", "/people/ada/r/src"],
                "/people/ada/r/.git" => &["/people/ada/r/.git/objects", "/people/ada/r/.git/provost"],
                other => panic!("{other} is not to be listed"),
            };
            names.iter().map(PathBuf::from).collect()
        };
        let mut grants = Vec::new();
        allow(&walls, Path::new("/"), &list, &mut grants);
        let said: Vec<String> = grants
            .iter()
            .map(|it| format!("{} {}", if it.writable { "write" } else { "read" }, it.path.display()))
            .collect();
        assert_eq!(
            said,
            [
                "read /etc",
                "read /people/ada/r/.git/objects",
                "read /people/ada/r/.git/provost/running/7/prompt.md",
                "read /people/ada/r/src",
                "read /people/ada/notes",
                "read /people/bob",
                "write /trees/own",
            ]
        );
    }
}
