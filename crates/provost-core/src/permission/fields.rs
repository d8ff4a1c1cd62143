//! What rules can ask about an act, apart because this list is what people write rules with. Every field is always
//! there: what an act does not have is `null` or empty, so that a rule about commands is false for a file and not unknown.

use std::collections::BTreeSet;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::command::Words;
use super::paths;
use crate::adapter::{Act, Deed};
use crate::delivery::outside;
use crate::diagnostic::Span;
use crate::document::{Kind, Value};
use crate::role::Role;
use crate::rules::Fields;
use crate::vocabulary::Risk;

/// Who asks, and where it works.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// What it is asked to be.
    pub role: Role,
    /// Its name in the settings.
    pub agent: &'a str,
    /// Its task.
    pub task: &'a str,
    /// Its worktree, an absolute path.
    pub worktree: &'a str,
    /// The patterns of the files that the plan gives to its task; without any it may change all.
    pub files: &'a [String],
    /// Paths that a person gave to it besides.
    pub allowed: &'a BTreeSet<String>,
}

/// Something that a rule can ask about an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Field {
    /// The tool, as the agent calls it.
    Tool,
    /// The kind of act.
    Deed,
    /// The tool server.
    Server,
    /// What the agent is asked to be.
    Role,
    /// The agent.
    Agent,
    /// The task.
    Task,
    /// The files.
    Paths,
    /// Whether all is inside the worktree.
    Inside,
    /// Whether the task was given all of them.
    InFiles,
    /// Whether something is protected.
    Protected,
    /// The command.
    Command,
    /// Whether it is plain.
    Plain,
    /// Its program.
    Program,
    /// Whether that is called by a path.
    ByPath,
    /// The word after it.
    Subcommand,
    /// Whether that word is an option.
    OptionFirst,
    /// The names of its options.
    Options,
    /// All its words.
    Words,
    /// The host.
    Host,
    /// Whether something was too long.
    Cut,
}

impl Field {
    /// What it holds, in words that stand in `docs/permissions.md`.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Tool => "the tool, as the agent calls it",
            Self::Deed => "read, write, run, fetch or other",
            Self::Server => "`NAME` of a tool that is called `mcp__NAME__…`",
            Self::Role => "developer, critic or auditor",
            Self::Agent => "the agent's name in the settings",
            Self::Task => "the task's id",
            Self::Paths => {
                "the files, from the top of the worktree, without `.` and `..`; outside of it from the root"
            }
            Self::Inside => {
                "whether it names files and all are in the worktree; for a command, that no word leads out of it"
            }
            Self::InFiles => {
                "whether it names files that the task was given by its `Files` or a person; without `Files` all inside"
            }
            Self::Protected => {
                "whether a file, or a word of a command, is one that programs outside the walls obey and the task's `Files` do not name"
            }
            Self::Command => "the command, whole",
            Self::Plain => "whether the command starts one program with exactly the words that are written",
            Self::Program => "its first word without folders; `null` where it is not plain",
            Self::ByPath => "whether the program is called by a path",
            Self::Subcommand => {
                "the word after the program, with `-m` the one after that too; `null` where it is not plain"
            }
            Self::OptionFirst => "whether the word after the program begins with `-`",
            Self::Options => {
                "the words that begin with `-`, without what follows `=`; of `-abc` also `-a`, `-b` and `-c`"
            }
            Self::Words => "all words without quotes; every piece of the text where it is not plain",
            Self::Host => "the host of the address, in small letters",
            Self::Cut => "whether it is too long to be judged; it is refused then, whatever rules say",
        }
    }
}

/// The fields of one act.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer to a question of its own")]
pub(super) struct ActFields {
    // INVARIANT: one for each field, in the order of the list.
    values: Vec<Value>,
    plain: bool,
    inside: bool,
    protected: bool,
    addressed: bool,
}

impl ActFields {
    pub(super) fn new(act: &Act, asker: &Asker<'_>) -> Self {
        let command = act.command.as_deref().map(Words::of).unwrap_or_default();
        let resolve = |path: &str| paths::resolved(path, asker.worktree);
        // What begins with `~` is somebody's home to one tool and a name to another: it counts as outside.
        let named = |path: &str| if path.starts_with('~') { path.to_owned() } else { resolve(path) };
        let files: Vec<String> = act.paths.iter().map(|path| named(path)).collect();
        let words: Vec<String> =
            command.words.iter().flat_map(|word| paths::in_word(word)).map(named).collect();
        let is_named = act.deed == Deed::Run || !files.is_empty();
        let inside = is_named && files.iter().chain(&words).all(|path| paths::is_inside(path));
        let protected = files.iter().chain(&words).any(|path| paths::is_protected(path, asker.files));
        let all_given = || outside(asker.files, asker.allowed, &files).is_empty();
        let in_files = !files.is_empty() && files.iter().all(|path| paths::is_inside(path)) && all_given();
        let addressed = command.words.iter().any(|word| word.contains("://"));
        let value = |field: Field| match field {
            Field::Tool => text(&act.tool),
            Field::Deed => text(act.deed.into()),
            Field::Server => server(&act.tool).map_or(Kind::Null, text),
            Field::Role => text(asker.role.name()),
            Field::Agent => text(asker.agent),
            Field::Task => text(asker.task),
            Field::Paths => list(&files),
            Field::Inside => Kind::Bool(inside),
            Field::InFiles => Kind::Bool(in_files),
            Field::Protected => Kind::Bool(protected),
            Field::Command => act.command.as_deref().map_or(Kind::Null, text),
            Field::Plain => Kind::Bool(command.plain),
            Field::Program => command.program().map_or(Kind::Null, text),
            Field::ByPath => Kind::Bool(command.by_path()),
            Field::Subcommand => command.subcommand().as_deref().map_or(Kind::Null, text),
            Field::OptionFirst => Kind::Bool(command.option_first()),
            Field::Options => list(&command.options()),
            Field::Words => list(&command.words),
            Field::Host => act.address.as_deref().and_then(host).as_deref().map_or(Kind::Null, text),
            Field::Cut => Kind::Bool(!act.is_whole()),
        };
        let values = Field::VARIANTS.iter().map(|field| made(value(*field))).collect();
        Self { values, plain: command.plain, inside, protected, addressed }
    }

    /// Whether a word of a command is an address, which is no file that could be inside.
    pub(super) const fn is_addressed(&self) -> bool {
        self.addressed
    }

    pub(super) const fn is_plain(&self) -> bool {
        self.plain
    }

    pub(super) const fn is_inside(&self) -> bool {
        self.inside
    }

    pub(super) const fn is_protected(&self) -> bool {
        self.protected
    }

    /// What is at stake: least where something inside is read, most where nobody can tell.
    pub(super) const fn risk(&self, deed: Deed) -> Risk {
        match deed {
            Deed::Fetch | Deed::Other => Risk::High,
            _ if !self.inside || self.protected => Risk::High,
            Deed::Run if !self.plain => Risk::High,
            Deed::Write | Deed::Run => Risk::Medium,
            Deed::Read => Risk::Low,
        }
    }

    /// Each field with its value.
    pub(super) fn listed(&self) -> Vec<(Field, Value)> {
        Field::VARIANTS.iter().copied().zip(self.values.iter().cloned()).collect()
    }
}

impl Fields for ActFields {
    fn field(&self, dotted: &str) -> Option<&Value> {
        let field: Field = dotted.parse().ok()?;
        self.values.get(field as usize)
    }

    fn raw(&self) -> Option<&str> {
        None
    }
}

fn made(kind: Kind) -> Value {
    Value { span: Span::default(), kind }
}

fn text(text: &str) -> Kind {
    Kind::String(text.into())
}

fn list(texts: &[String]) -> Kind {
    Kind::Array(texts.iter().map(|it| made(text(it))).collect())
}

/// The server of a tool.
fn server(tool: &str) -> Option<&str> {
    let (server, name) = tool.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !name.is_empty()).then_some(server)
}

/// The host of an address, where there is no doubt about it.
fn host(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let is_name = |text: &str| {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '.';
        !text.is_empty() && text.chars().all(is_part)
    };
    // A name before the host, a bracket or a backslash is read differently by different programs.
    let (name, port) = authority.split_once(':').unwrap_or((authority, "0"));
    let is_plain = is_name(name) && !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit());
    is_plain.then(|| name.trim_end_matches('.').to_ascii_lowercase()).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_named_where_there_is_no_doubt() {
        let cases = [
            ("https://Docs.RS/serde?x=1", Some("docs.rs")),
            ("http://a.b:80", Some("a.b")),
            ("https://a.b./", Some("a.b")),
            ("https://docs.rs@evil.com/", None),
            ("https://docs.rs\\@evil.com/", None),
            ("https://docs.rs:x@evil.com", None),
            ("https://dоcs.rs/", None),
            ("https://[::1]/", None),
            ("file:///etc/passwd", None),
            ("docs.rs", None),
        ];
        for (address, wanted) in cases {
            assert_eq!(host(address).as_deref(), wanted, "{address}");
        }
    }

    #[test]
    fn servers_are_named_by_their_tools() {
        assert_eq!(server("mcp__provost__task"), Some("provost"));
        for tool in ["mcp__provost", "mcp____x", "provost__task", "mcp__provost__", "Bash"] {
            assert_eq!(server(tool), None, "{tool}");
        }
    }
}
