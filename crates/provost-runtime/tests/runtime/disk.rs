//! A modelled disk: knows for every file and folder what is durable and what only the system's cache holds, and
//! fails, stops or ignores any call. Apart from its crash states so that each can be read alone.

use std::cell::{Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::Location;
use std::rc::Rc;

use provost_runtime::storage::Storage;

/// The unit that a disk writes or does not write.
pub(crate) const SECTOR: usize = 512;

/// Where in the source a call was made.
pub(crate) type Site = (&'static str, u32);

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Nothing.
    Sound,
    /// `times` calls fail, from number `from` on.
    Fail { from: u64, times: u64, error: Trouble, which: Which },
    /// The process ends before call number `at`; of a write, `part` bytes still reach the cache.
    Stop { at: u64, part: usize },
    /// Flush number `sync` fails, and the process ends before call number `at`.
    FailAndStop { sync: u64, at: u64 },
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// An input or output error, with nothing done.
    Io,
    /// No room, with nothing done.
    Full,
    /// No room after half of the bytes.
    Short,
}

/// Which calls are counted and fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Every,
    Syncs,
}

/// What was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Look,
    Change,
    Write,
    Sync,
}

/// One call, as it is remembered.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) kind: Kind,
    pub(crate) path: String,
    pub(crate) bytes: usize,
    pub(crate) site: Option<Site>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    File(usize),
    Folder,
}

/// The names in each folder.
pub(crate) type Tree = BTreeMap<String, BTreeMap<String, Node>>;

/// A name that was made, perhaps in place of another, and is not durable.
#[derive(Clone, Debug)]
pub(crate) struct NameChange {
    pub(crate) folder: String,
    pub(crate) gone: Option<String>,
    pub(crate) made: String,
    pub(crate) node: Node,
}

/// A file's bytes, in the cache and on the disk, and how it got from one to the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    pub(crate) cache: Vec<u8>,
    pub(crate) disk: Vec<u8>,
    /// For each sector all contents it had since the last flush; the disk may have any of them, or the old one.
    pub(crate) sectors: BTreeMap<usize, Vec<Vec<u8>>>,
    /// All lengths since the last flush.
    pub(crate) lengths: Vec<usize>,
}

/// Everything that outlives a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) files: Vec<Bytes>,
    pub(crate) cached: Tree,
    pub(crate) durable: Tree,
    pub(crate) names: Vec<NameChange>,
}

#[derive(Debug)]
struct Machine {
    world: World,
    plan: Plan,
    deaf: Option<Site>,
    counted: u64,
    stopped: bool,
    fired: u64,
    fenced: bool,
    log: Vec<Call>,
}

/// The disk. Clones are the same disk.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    machine: Rc<RefCell<Machine>>,
}

/// An open file.
#[derive(Debug)]
pub(crate) struct Open {
    id: usize,
    path: String,
}

impl Machine {
    fn flushes(&self) -> u64 {
        self.log.iter().filter(|call| call.kind == Kind::Sync).count() as u64
    }
}

impl Model {
    pub(crate) fn new(world: World) -> Model {
        let machine = Machine {
            world,
            plan: Plan::Sound,
            deaf: None,
            counted: 0,
            stopped: false,
            fired: 0,
            fenced: false,
            log: Vec::new(),
        };
        Model { machine: Rc::new(RefCell::new(machine)) }
    }

    /// Sets what goes wrong, counting calls from now on.
    pub(crate) fn plan(&self, plan: Plan) {
        let mut machine = self.machine.borrow_mut();
        (machine.plan, machine.counted, machine.fired) = (plan, 0, 0);
    }

    /// Lets the flushes of one place in the source do nothing.
    pub(crate) fn ignore(&self, site: Option<Site>) {
        self.machine.borrow_mut().deaf = site;
    }

    /// Lets another process own the folder, or this one.
    pub(crate) fn fence_off(&self, fenced: bool) {
        self.machine.borrow_mut().fenced = fenced;
    }

    pub(crate) fn world(&self) -> Ref<'_, World> {
        Ref::map(self.machine.borrow(), |machine| &machine.world)
    }

    pub(crate) fn log(&self) -> Vec<Call> {
        self.machine.borrow().log.clone()
    }

    /// How many calls there were since the plan was set.
    pub(crate) fn counted(&self) -> u64 {
        self.machine.borrow().counted
    }

    /// How many calls failed.
    pub(crate) fn fired(&self) -> u64 {
        self.machine.borrow().fired
    }

    pub(crate) fn has_stopped(&self) -> bool {
        self.machine.borrow().stopped
    }

    /// The places that flush.
    pub(crate) fn sites(&self) -> BTreeSet<Site> {
        self.machine.borrow().log.iter().filter_map(|call| call.site).collect()
    }

    /// Changes the cached and durable bytes of a file behind everyone's back.
    pub(crate) fn tamper(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut machine = self.machine.borrow_mut();
        let id = machine.world.file(path).unwrap();
        let bytes = &mut machine.world.files[id];
        change(&mut bytes.cache);
        *bytes =
            Bytes { disk: bytes.cache.clone(), cache: std::mem::take(&mut bytes.cache), ..Bytes::default() };
    }

    /// Notes a call and says whether it goes through; a part says how much of a write does.
    fn call(
        &self,
        kind: Kind,
        path: &str,
        bytes: usize,
        site: Option<Site>,
    ) -> Result<(), (usize, io::Error)> {
        let mut machine = self.machine.borrow_mut();
        let machine = &mut *machine;
        let ended = || io::Error::other("the process ended");
        if machine.stopped {
            return Err((0, ended()));
        }
        machine.log.push(Call { kind, path: path.to_owned(), bytes, site });
        let counts = !matches!(machine.plan, Plan::Fail { which: Which::Syncs, .. }) || kind == Kind::Sync;
        machine.counted += u64::from(counts);
        match machine.plan {
            Plan::Stop { at, part } if machine.counted == at => {
                machine.stopped = true;
                Err((part.min(bytes), ended()))
            }
            Plan::FailAndStop { at, .. } if machine.counted == at => {
                machine.stopped = true;
                Err((0, ended()))
            }
            Plan::FailAndStop { sync, .. } if kind == Kind::Sync && machine.flushes() == sync => {
                machine.fired += 1;
                Err((0, io::Error::from_raw_os_error(5)))
            }
            Plan::Fail { from, times, error, .. }
                if counts && machine.counted >= from && machine.counted - from < times =>
            {
                machine.fired += 1;
                Err(match error {
                    Trouble::Io => (0, io::Error::from_raw_os_error(5)),
                    Trouble::Full => (0, io::Error::from_raw_os_error(28)),
                    Trouble::Short => (bytes / 2, io::Error::from_raw_os_error(28)),
                })
            }
            _ => Ok(()),
        }
    }

    fn look(&self, path: &str) -> io::Result<()> {
        self.call(Kind::Look, path, 0, None).map_err(|(_, error)| error)
    }

    fn change(&self, path: &str) -> io::Result<()> {
        self.call(Kind::Change, path, 0, None).map_err(|(_, error)| error)
    }

    fn is_deaf(&self, site: Site) -> bool {
        self.machine.borrow().deaf == Some(site)
    }
}

/// Splits a path into its folder and its name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl World {
    /// The file that a path leads to.
    pub(crate) fn file(&self, path: &str) -> Option<usize> {
        let (folder, name) = split(path);
        match self.cached.get(folder)?.get(name)? {
            Node::File(id) => Some(*id),
            Node::Folder => None,
        }
    }

    fn name(&mut self, path: &str, node: Node, gone: Option<&str>) -> io::Result<()> {
        let (folder, made) = split(path);
        let names = match folder {
            "" => self.cached.entry(String::new()).or_default(),
            _ => self.cached.get_mut(folder).ok_or_else(missing)?,
        };
        if let Some(gone) = gone {
            names.remove(gone);
        }
        names.insert(made.to_owned(), node);
        let (folder, made, gone) = (folder.to_owned(), made.to_owned(), gone.map(str::to_owned));
        self.names.push(NameChange { folder, gone, made, node });
        Ok(())
    }
}

impl Bytes {
    fn touch(&mut self, from: usize, to: usize) {
        for sector in from / SECTOR..to.div_ceil(SECTOR) {
            let start = (sector * SECTOR).min(self.cache.len());
            let end = (start + SECTOR).min(self.cache.len());
            let mut content = self.cache[start..end].to_vec();
            content.resize(SECTOR, 0);
            let versions = self.sectors.entry(sector).or_default();
            if versions.last() != Some(&content) {
                versions.push(content);
            }
        }
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset + bytes.len();
        if !bytes.is_empty() {
            self.resize(self.cache.len().max(end));
            self.cache[offset..end].copy_from_slice(bytes);
            self.touch(offset, end);
        }
    }

    fn resize(&mut self, length: usize) {
        let before = self.cache.len();
        if before != length {
            self.cache.resize(length, 0);
            self.lengths.push(length);
        }
        if length < before {
            self.touch(length, before);
        }
    }

    /// Writes what counts as changed, and only that: what an earlier flush failed to write stays unwritten.
    fn flush(&mut self) {
        for (sector, versions) in std::mem::take(&mut self.sectors) {
            let start = sector * SECTOR;
            self.disk.resize(self.disk.len().max(start + SECTOR), 0);
            self.disk[start..start + SECTOR].copy_from_slice(versions.last().unwrap());
        }
        self.disk.resize(self.cache.len(), 0);
        self.lengths.clear();
    }
}

impl Storage for Model {
    type File = Open;

    fn names(&self, folder: &str) -> io::Result<Vec<String>> {
        self.look(folder)?;
        let machine = self.machine.borrow();
        Ok(machine.world.cached.get(folder).into_iter().flat_map(BTreeMap::keys).cloned().collect())
    }

    fn make_folder(&self, folder: &str) -> io::Result<()> {
        self.change(folder)?;
        let world = &mut self.machine.borrow_mut().world;
        if world.cached.contains_key(folder) {
            return Ok(());
        }
        world.name(folder, Node::Folder, None)?;
        world.cached.insert(folder.to_owned(), BTreeMap::new());
        Ok(())
    }

    fn read(&self, path: &str, into: &mut Vec<u8>) -> io::Result<()> {
        self.look(path)?;
        let machine = self.machine.borrow();
        let id = machine.world.file(path).ok_or_else(missing)?;
        into.clone_from(&machine.world.files[id].cache);
        Ok(())
    }

    fn create(&self, path: &str) -> io::Result<Open> {
        self.change(path)?;
        let world = &mut self.machine.borrow_mut().world;
        if let Some(id) = world.file(path) {
            world.files[id].resize(0);
            return Ok(Open { id, path: path.to_owned() });
        }
        let id = world.files.len();
        world.name(path, Node::File(id), None)?;
        world.files.push(Bytes::default());
        Ok(Open { id, path: path.to_owned() })
    }

    fn open(&self, path: &str) -> io::Result<Open> {
        self.look(path)?;
        let id = self.machine.borrow().world.file(path).ok_or_else(missing)?;
        Ok(Open { id, path: path.to_owned() })
    }

    fn write_at(&self, file: &Open, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let called = self.call(Kind::Write, &file.path, bytes.len(), None);
        let part = called.as_ref().map_or_else(|(part, _)| *part, |()| bytes.len());
        let world = &mut self.machine.borrow_mut().world;
        world.files[file.id].write(usize::try_from(offset).unwrap(), &bytes[..part]);
        called.map_err(|(_, error)| error)
    }

    fn allocate(&self, file: &Open, length: u64) -> io::Result<()> {
        self.change(&file.path)?;
        let bytes = &mut self.machine.borrow_mut().world.files[file.id];
        bytes.resize(bytes.cache.len().max(usize::try_from(length).unwrap()));
        Ok(())
    }

    fn truncate(&self, file: &Open, length: u64) -> io::Result<()> {
        self.change(&file.path)?;
        let bytes = &mut self.machine.borrow_mut().world.files[file.id];
        bytes.resize(usize::try_from(length).unwrap());
        Ok(())
    }

    #[track_caller]
    fn sync(&self, file: &Open) -> io::Result<()> {
        let place = Location::caller();
        let site = (place.file(), place.line());
        let called = self.call(Kind::Sync, &file.path, 0, Some(site));
        let deaf = self.is_deaf(site);
        let mut machine = self.machine.borrow_mut();
        let failed = called.is_err() && !machine.stopped;
        let bytes = &mut machine.world.files[file.id];
        if failed {
            // As ext4 does: the pages count as clean, readers go on seeing what the disk never got.
            bytes.sectors.clear();
        }
        if called.is_ok() && !deaf {
            bytes.flush();
        }
        called.map_err(|(_, error)| error)
    }

    #[track_caller]
    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        let place = Location::caller();
        let site = (place.file(), place.line());
        self.call(Kind::Sync, folder, 0, Some(site)).map_err(|(_, error)| error)?;
        if self.is_deaf(site) {
            return Ok(());
        }
        let world = &mut self.machine.borrow_mut().world;
        let names = world.cached.get(folder).cloned().unwrap_or_default();
        world.durable.insert(folder.to_owned(), names);
        world.names.retain(|change| change.folder != folder);
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(to)?;
        let world = &mut self.machine.borrow_mut().world;
        let id = world.file(from).ok_or_else(missing)?;
        let (folder, name) = split(from);
        if folder == split(to).0 {
            return world.name(to, Node::File(id), Some(name));
        }
        world.name(to, Node::File(id), None)?;
        // Only drafts are brought to another folder: see `remove`.
        world.names.retain(|change| (change.folder.as_str(), change.made.as_str()) != (folder, name));
        let left = world.cached.get_mut(folder).and_then(|names| names.remove(name));
        left.map(drop).ok_or_else(missing)
    }

    /// Only drafts are removed, which nobody reads: that one comes back after a power cut makes no difference.
    fn remove(&self, path: &str) -> io::Result<()> {
        self.change(path)?;
        let (folder, name) = split(path);
        let world = &mut self.machine.borrow_mut().world;
        let removed = world.cached.get_mut(folder).and_then(|names| names.remove(name));
        removed.map(drop).ok_or_else(missing)
    }

    fn check(&self, file: &Open) -> io::Result<()> {
        self.look(&file.path)?;
        let found = self.machine.borrow().world.file(&file.path);
        if found == Some(file.id) { Ok(()) } else { Err(missing()) }
    }

    fn fence(&self) -> io::Result<()> {
        self.look("lock")?;
        if self.machine.borrow().fenced { Err(io::Error::other("another process owns it")) } else { Ok(()) }
    }
}
