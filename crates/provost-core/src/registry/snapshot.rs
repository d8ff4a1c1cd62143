//! All content at once, in an order that no file system decides, with what is wrong beside what can be used.

use serde_json::json;

use super::content::{Agent, Command, Expert, Header, Kind, Lineage, Model, Status, Workflow};
use super::shape::schema;
use crate::canonical;
use crate::diagnostic::{self, Diagnostic, nearest, quoted};
use crate::digest::Digest;
use crate::document::{Document, Mismatch, Unreadable, Value, from_value};
use crate::gate;

/// A file of the registry as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it should hold.
    pub kind: Kind,
    /// Its path from the top of the registry, with `/`.
    pub path: String,
    /// What it holds, or why that cannot be said.
    pub read: Result<Document, Unreadable>,
}

/// Content that has the right shape.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Whether it may be used.
    pub status: Status,
    /// Where it came from.
    pub lineage: Lineage,
    /// The digest of the whole document, whatever the order of its keys.
    pub checksum: Digest,
    /// Its file, from the top of the registry.
    pub path: String,
    /// What it says, as plain data.
    pub spec: Spec,
    /// What it says, as it was written.
    pub document: Document,
}

/// What content says, as plain data.
#[derive(Clone, Debug)]
pub enum Spec {
    /// The order in which work is done.
    Workflow(Workflow),
    /// Who takes part.
    Agent(Agent),
    /// What can be planned.
    Command(Command),
    /// What governs it; read from the document by those who judge.
    Rule,
    /// Whom agents can be asked to consult.
    Expert(Expert),
    /// What agents can be started with.
    Model(Model),
}

/// A file that cannot be used, and why.
#[derive(Clone, Debug)]
pub struct Broken {
    /// What it should hold.
    pub kind: Kind,
    /// The id that it gives itself, as far as one can be read.
    pub id: Option<String>,
    /// Whether it would be used if it could, as far as that can be read.
    pub status: Status,
    /// Its file, from the top of the registry.
    pub path: String,
    /// What is wrong; never empty.
    pub defects: Vec<Diagnostic>,
}

/// What became of a name.
#[derive(Clone, Copy, Debug)]
pub enum Resolution<'r> {
    /// It may be used.
    Usable(&'r Item),
    /// It exists and may not be used.
    NotUsable(Status),
    /// It exists and nobody can tell what it says.
    Broken(&'r [Diagnostic]),
    /// There is nothing of that name.
    Unknown {
        /// A usable one with a name like it, or the same with another version.
        nearest: Option<&'r Item>,
    },
}

/// Everything that an intent may name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    // INVARIANT: sorted by kind, id and version, of which each occurs once, and at most one of an id is usable.
    items: Vec<Item>,
    // INVARIANT: sorted by kind and path.
    broken: Vec<Broken>,
}

impl Item {
    /// What it says, where it is a command.
    pub fn command(&self) -> Option<&Command> {
        if let Spec::Command(command) = &self.spec { Some(command) } else { None }
    }

    /// What it says, where it is a model.
    pub fn model(&self) -> Option<&Model> {
        if let Spec::Model(model) = &self.spec { Some(model) } else { None }
    }
}

impl Registry {
    /// Takes files in any order.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> Self {
        let mut registry = Self::default();
        for source in sources {
            match read(source) {
                Ok(item) => registry.items.push(item),
                Err(broken) => registry.broken.push(broken),
            }
        }
        // The path too, so that of two with one name the same is reported first whatever the order of files.
        registry.items.sort_by_cached_key(|item| {
            (item.kind, item.id.clone(), numbers(&item.version), item.path.clone())
        });
        registry.part_rivals();
        registry.broken.sort_by(|one, other| (one.kind, &one.path).cmp(&(other.kind, &other.path)));
        registry
    }

    /// The same with files that nobody could read when it was frozen.
    pub(super) fn with_broken(mut self, broken: Vec<Broken>) -> Self {
        self.broken.extend(broken);
        self.broken.sort_by(|one, other| (one.kind, &one.path).cmp(&(other.kind, &other.path)));
        self
    }

    /// Content that has the right shape, by kind, id and version.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Files that cannot be used, by kind and path.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// Content of a kind that may be used, by id.
    pub fn usable(&self, kind: Kind) -> impl Iterator<Item = &Item> {
        self.of(kind).iter().filter(|item| item.status.is_usable())
    }

    /// Rule files that nobody can read; one of them ends every run, because nobody knows what it would forbid. Not
    /// among them are those that plainly say that they are not in force.
    pub fn broken_rules(&self) -> impl Iterator<Item = &Broken> {
        self.broken.iter().filter(|broken| broken.kind == Kind::Rule && broken.status.is_usable())
    }

    /// What becomes of a name, and of a version where one is asked for.
    pub fn resolve(&self, kind: Kind, id: &str, version: Option<&str>) -> Resolution<'_> {
        let same = self.named(kind, id);
        let usable = same.iter().find(|item| item.status.is_usable());
        let found = match version {
            Some(version) => same.iter().find(|item| item.version == version),
            None => usable.or(same.last()),
        };
        if let Some(item) = found.filter(|item| item.status.is_usable()) {
            return Resolution::Usable(item);
        }
        let is_it = |broken: &&Broken| broken.kind == kind && broken.id.as_deref() == Some(id);
        // Which version a broken file would have is not asked: whatever it says, it cannot be trusted.
        match (found, self.broken.iter().find(is_it)) {
            (None, Some(broken)) => Resolution::Broken(&broken.defects),
            (Some(item), _) => Resolution::NotUsable(item.status),
            (None, None) => Resolution::Unknown { nearest: usable.or_else(|| self.near(kind, id)) },
        }
    }

    /// The digest of all that planning can see of it; where files lie is not part of it, unless they are broken, and the
    /// order of their keys never is.
    pub fn digest(&self) -> Digest {
        let seen = |item: &Item| json!([item.kind, item.id, item.version, item.checksum]);
        let defect = |it: &Diagnostic| json!([it.code, it.message]);
        let unusable =
            |it: &Broken| json!([it.kind, it.path, by_words(&it.defects).map(defect).collect::<Vec<_>>()]);
        let items: Vec<_> = self.items.iter().map(seen).collect();
        let broken: Vec<_> = self.broken.iter().map(unusable).collect();
        // Made of text and small numbers alone, so it always has a canonical form.
        canonical::digest(&json!({ "items": items, "broken": broken })).unwrap_or(Digest::ZERO)
    }

    fn of(&self, kind: Kind) -> &[Item] {
        let from = self.items.partition_point(|item| item.kind < kind);
        let to = self.items.partition_point(|item| item.kind <= kind);
        self.items.get(from..to).unwrap_or_default()
    }

    fn named(&self, kind: Kind, id: &str) -> &[Item] {
        let all = self.of(kind);
        let from = all.partition_point(|item| *item.id < *id);
        let to = all.partition_point(|item| *item.id <= *id);
        all.get(from..to).unwrap_or_default()
    }

    fn near(&self, kind: Kind, id: &str) -> Option<&Item> {
        let name = nearest(id, self.usable(kind).map(|item| &*item.id))?;
        self.usable(kind).find(|item| item.id == name)
    }

    /// Takes out what claims to be the same: nobody can tell which of two is meant.
    fn part_rivals(&mut self) {
        let all = std::mem::take(&mut self.items);
        let rivals: Vec<Option<(&str, String)>> = all
            .chunk_by(|one, other| (one.kind, &one.id) == (other.kind, &other.id))
            .flat_map(|same| same.iter().map(|item| rival(item, same)))
            .collect();
        for (item, rival) in all.into_iter().zip(rivals) {
            let Some((what, path)) = rival else {
                self.items.push(item);
                continue;
            };
            let Item { kind, id, status, document, path: own, .. } = item;
            let message = format!("the {kind} {} is in {} too, {what}", quoted(&id), quoted(&path));
            let at = document.root.get("id").map_or(document.root.span, |id| id.span);
            let defects = vec![document.error(diagnostic::REGISTRY_RIVALS, at, message)];
            self.broken.push(Broken { kind, id: Some(id), status, path: own, defects });
        }
    }
}

/// Defects by what they say, whatever the order of keys in the file.
pub(crate) fn by_words(defects: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let mut all: Vec<&Diagnostic> = defects.iter().collect();
    all.sort_by(|one, other| (one.code.name(), &one.message).cmp(&(other.code.name(), &other.message)));
    all.into_iter()
}

/// What is said of a broken file where there is room for one defect.
pub(crate) fn first_of(defects: &[Diagnostic]) -> String {
    by_words(defects).next().map_or_else(String::new, |it| it.message.clone())
}

/// Another file that claims to be the same, and in what.
fn rival(item: &Item, same: &[Item]) -> Option<(&'static str, String)> {
    let others = || same.iter().filter(|other| other.path != item.path);
    let twin = others().find(|other| other.version == item.version);
    let usable = others().find(|other| other.status.is_usable() && item.status.is_usable());
    let found = twin.map(|it| ("in the same version", it));
    let found = found.or(usable.map(|it| ("in another version that may be used", it)));
    found.map(|(what, other)| (what, other.path.clone()))
}

/// The parts of a version as numbers, so that 0.10.0 comes after 0.9.0.
fn numbers(version: &str) -> Vec<u64> {
    version.split('.').map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

fn read(source: Source) -> Result<Item, Broken> {
    let Source { kind, path, read } = source;
    let document = match read {
        Ok(document) => document,
        Err(Unreadable { defects, .. }) => {
            return Err(Broken { kind, id: None, status: Status::default(), path, defects });
        }
    };
    match parts(kind, &document) {
        Ok((header, spec, checksum)) => {
            let Header { id, version, status, lineage } = header;
            Ok(Item { kind, id, version, status, lineage, checksum, path, spec, document })
        }
        Err(defects) => {
            let word = |key: &str| document.root.get(key).and_then(Value::as_str);
            let status = word("status").and_then(|status| status.parse().ok()).unwrap_or_default();
            Err(Broken { kind, id: word("id").map(str::to_owned), status, path, defects })
        }
    }
}

/// A command says what can be planned; one that carries something to be run is none.
fn red_line(document: &Document) -> Result<(), Vec<Diagnostic>> {
    let carried = |hit: gate::Hit| {
        let message = format!("{} says that something is to be run", quoted(&hit.path));
        document.error(diagnostic::REGISTRY_RED_LINE, hit.span, message)
    };
    let defects: Vec<Diagnostic> =
        gate::keys(document, gate::COMMAND_KEYS).into_iter().map(carried).collect();
    if defects.is_empty() { Ok(()) } else { Err(defects) }
}

fn parts(kind: Kind, document: &Document) -> Result<(Header, Spec, Digest), Vec<Diagnostic>> {
    schema(kind).check(document).map_err(|unreadable| unreadable.defects)?;
    if kind == Kind::Command {
        red_line(document)?;
    }
    let root = &document.root;
    let typed = || {
        let spec = match kind {
            Kind::Workflow => Spec::Workflow(from_value(root)?),
            Kind::Agent => Spec::Agent(from_value(root)?),
            Kind::Command => Spec::Command(from_value(root)?),
            Kind::Rule => Spec::Rule,
            Kind::Expert => Spec::Expert(from_value(root)?),
            Kind::Model => Spec::Model(from_value(root)?),
        };
        Ok((from_value(root)?, spec))
    };
    // What satisfies the schema has these types; should it not, the file is the place to say so.
    let mismatch = |it: Mismatch| {
        vec![document.error(diagnostic::SCHEMA_WRONG_TYPE, it.span().unwrap_or(root.span), it.to_string())]
    };
    let (header, spec) = typed().map_err(mismatch)?;
    let not_canonical = |it: canonical::NotCanonical| {
        vec![document.error(diagnostic::SCHEMA_WRONG_TYPE, root.span, it.to_string())]
    };
    let checksum = canonical::digest(root).map_err(not_canonical)?;
    Ok((header, spec, checksum))
}
