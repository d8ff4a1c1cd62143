//! The last steps before a program begins, taken inside of what bubblewrap has built or, without it, by Landlock alone:
//! everything handed down by accident is closed, privileges are given up, and the program takes this process's place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, Scope,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::raise::STANDING;
use super::{Builder, Network, Walls, grants};

/// The newest Landlock that this was written against; an older kernel enforces what it has.
const LANDLOCK: ABI = ABI::V6;

/// The most processes inside of namespaces of their own.
const PROCESSES_MAX: u64 = 4_096;

/// Confines this process and replaces it by a program; it comes back only when that fails.
///
/// `told` is the descriptor on which the supervisor is told that the walls stand, and what kept the program from
/// beginning.
pub fn confine(told: RawFd, walls: &Walls, argv: &[String]) -> io::Error {
    let mut told = match keep_only(told) {
        Ok(told) => told,
        Err(error) => return error,
    };
    let Some((program, arguments)) = argv.split_first() else {
        return io::Error::new(io::ErrorKind::InvalidInput, "no program is named");
    };
    if let Err(error) = close(walls).and_then(|()| told.write_all(STANDING.as_bytes())) {
        return error;
    }
    let error = Command::new(program).args(arguments).exec();
    // Should nobody listen any more, nobody needs to know.
    let _ = writeln!(told, "{}", error.raw_os_error().unwrap_or_default());
    error
}

/// Closes every descriptor but the standard ones and this one, which the program will not have either.
fn keep_only(told: RawFd) -> io::Result<File> {
    let own = OpenOptions::new().write(true).open(format!("/proc/self/fd/{told}"))?;
    close_descriptors(&[own.as_raw_fd()])?;
    Ok(own)
}

/// Closes every descriptor but the standard ones and those named.
pub(crate) fn close_descriptors(kept: &[RawFd]) -> io::Result<()> {
    let names = fs::read_dir("/proc/self/fd")?.flatten().map(|entry| entry.file_name());
    let numbers: Vec<RawFd> = names.filter_map(|name| name.to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2 && !kept.contains(number)) {
        // The one that the list was read from is closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

fn close(walls: &Walls) -> io::Result<()> {
    // What is in the memory of a program that crashed may be secret.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    if matches!(walls.by, Builder::Bubblewrap(_)) {
        let most = Rlimit { current: Some(PROCESSES_MAX), maximum: Some(PROCESSES_MAX) };
        // Whoever has a lower limit keeps it.
        let _ = setrlimit(Resource::Nproc, most);
    }
    rustix::thread::set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)?;
    if walls.nests && matches!(walls.by, Builder::Bubblewrap(_)) {
        return Ok(());
    }
    restrict(walls).map_err(io::Error::other)
}

/// Has Landlock enforce what it can of the walls; a kernel without it enforces nothing.
fn restrict(walls: &Walls) -> Result<(), landlock::RulesetError> {
    let (read, write) = (AccessFs::from_read(LANDLOCK), AccessFs::from_write(LANDLOCK));
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(read | write)?
        .scope(Scope::from_all(LANDLOCK))?;
    if walls.by == Builder::Landlock && walls.network == Network::None {
        ruleset = ruleset.handle_access(AccessNet::from_all(LANDLOCK))?;
    }
    let mut created = ruleset.create()?;
    let granted = match walls.by {
        Builder::Bubblewrap(_) => grants::inside(walls),
        Builder::Landlock => grants::alone(walls),
    };
    for grant in granted {
        // What is gone by now cannot be reached either.
        let Ok(place) = PathFd::new(&grant.path) else { continue };
        let allowed = if grant.writable { read | write } else { read };
        let is_folder = fs::metadata(&grant.path).is_ok_and(|meta| meta.is_dir());
        let allowed = if is_folder { allowed } else { allowed & AccessFs::from_file(LANDLOCK) };
        created = created.add_rule(PathBeneath::new(place, allowed))?;
    }
    created.restrict_self().map(drop)
}

/// The version of Landlock that the kernel has, as far as this program knows it; zero where it has none.
pub(super) fn landlock_version() -> u8 {
    let has = |abi: ABI| {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let ruleset = ruleset.handle_access(AccessFs::from_all(abi));
        let ruleset = match abi {
            ABI::V4 | ABI::V5 => ruleset.and_then(|it| it.handle_access(AccessNet::from_all(abi))),
            ABI::V6 => ruleset.and_then(|it| it.scope(Scope::from_all(abi))),
            _ => ruleset,
        };
        ruleset.and_then(Ruleset::create).is_ok()
    };
    let known = [ABI::V1, ABI::V2, ABI::V3, ABI::V4, ABI::V5, LANDLOCK];
    u8::try_from(known.into_iter().take_while(|abi| has(*abi)).count()).unwrap_or_default()
}
