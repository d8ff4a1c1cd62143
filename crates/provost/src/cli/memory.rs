//! `provost memory`: what is worth knowing in every plan, written down and listed.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use provost_core::diagnostic::{Exit, visible};
use provost_core::planning::memory::{MemoryItem, MemoryKind, Scope};
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::content::{self, MEMORY, Memory, NewMemory};
use serde::Serialize;
use strum::VariantNames;

use super::{Context, Done};
use crate::failure::Failure;

/// Write down what every plan should know, or list it.
///
/// Each item is a file in .provost/memory, to be committed, changed and removed like any other.
///
/// Example: `provost memory add "the public API never breaks" --type constraint`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    /// What its document is called.
    pub(super) const fn name(&self) -> &'static str {
        match self.command {
            Command::Add(_) => "memory-add",
            Command::List(_) => "memory-list",
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write down one thing.
    Add(Add),
    /// List what is written down.
    List(List),
}

#[derive(Debug, Args)]
struct Add {
    /// What to remember, in a sentence.
    summary: String,
    /// More about it.
    #[arg(long, value_name = "TEXT")]
    details: Option<String>,
    /// What it is.
    #[arg(long = "type", value_name = "TYPE", default_value = "convention", value_parser = word::<MemoryKind>())]
    kind: MemoryKind,
    /// For whom it holds.
    #[arg(long, value_name = "SCOPE", default_value = "project", value_parser = word::<Scope>())]
    scope: Scope,
    /// How sure it is, from 0 to 1; below 0.3 it is not used.
    #[arg(long, value_name = "NUMBER", default_value_t = 0.8)]
    confidence: f64,
    /// A word to find it by; may be given several times.
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,
    /// What it rests on, such as a file or a commit; may be given several times.
    #[arg(long = "source", value_name = "REFERENCE")]
    sources: Vec<String>,
}

#[derive(Debug, Args)]
struct List {
    /// A folder of items or a file with a pack, instead of .provost/memory.
    #[arg(long, value_name = "PATH")]
    memory: Option<PathBuf>,
}

#[derive(Serialize)]
struct Added<'a> {
    id: &'a str,
    file: &'a str,
}

#[derive(Serialize)]
struct Listed<'a> {
    memories: Vec<&'a serde_json::Value>,
}

/// Reads one word of a closed list.
fn word<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantNames + FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS).try_map(|it| it.parse::<T>().map_err(|error| error.to_string()))
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    match &arguments.command {
        Command::Add(arguments) => add(arguments, context),
        Command::List(arguments) => list(arguments, context),
    }
}

fn add(arguments: &Add, context: &mut Context) -> Done {
    let home = context.home()?;
    let new = NewMemory {
        summary: arguments.summary.clone(),
        details: arguments.details.clone(),
        kind: arguments.kind,
        scope: arguments.scope,
        confidence: arguments.confidence,
        tags: arguments.tags.clone(),
        sources: arguments.sources.clone(),
    };
    let (item, file) = content::remember(&home.root, &new, SystemClock.now()).map_err(Failure::from)?;
    if context.screen.is_json() {
        context.screen.document(&Added { id: &item.id, file: &file })?;
    } else {
        context.screen.line(format!("wrote {file}; commit it for others to know"))?;
    }
    Ok(Exit::Done)
}

fn list(arguments: &List, context: &mut Context) -> Done {
    let (path, shown) = match &arguments.memory {
        Some(path) => (path.clone(), path.display().to_string()),
        None => (context.home()?.root.join(MEMORY), MEMORY.to_owned()),
    };
    let memory = content::memory(&path, &shown).map_err(Failure::from)?;
    let values: Vec<&serde_json::Value> = match &memory {
        Memory::Items(items) => items.iter().map(|item: &MemoryItem| &item.value).collect(),
        Memory::Pack(pack) => pack.memories.iter().collect(),
    };
    if context.screen.is_json() {
        context.screen.document(&Listed { memories: values })?;
        return Ok(Exit::Done);
    }
    if values.is_empty() {
        context
            .screen
            .line("nothing is remembered yet; `provost memory add \"TEXT\"` writes something down")?;
    }
    for value in values {
        let word = |key: &str| value.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
        let summary =
            value.pointer("/content/summary").and_then(serde_json::Value::as_str).unwrap_or_default();
        let line = format!("{:<18} {:<8} {:<12} {summary}", word("id"), word("scope"), word("type"));
        context.screen.line(visible(&line))?;
    }
    Ok(Exit::Done)
}
