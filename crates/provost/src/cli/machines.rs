//! `provost machines`: the state machines, printed from the tables that run.

use clap::{Args, ValueEnum};
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::machine::{Sheet, mermaid};
use provost_core::machines::sheets;
use serde::Serialize;

use super::{Context, Done};
use crate::screen::Screen;

/// Print the state machines.
///
/// Without a name, a line for each; with one, its rows.
///
/// Example: `provost machines delivery --format mermaid`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// One machine.
    name: Option<String>,

    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table of rows.
    #[default]
    Table,
    /// A Mermaid state diagram.
    Mermaid,
    /// The same as --json.
    Json,
}

#[derive(Serialize)]
struct Machines<'a> {
    machines: &'a [Sheet],
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let mut chosen = sheets();
    if let Some(name) = &arguments.name {
        let known: Vec<&str> = chosen.iter().map(|sheet| sheet.name).collect();
        let unknown =
            Diagnostic::error(diagnostic::MACHINES_UNKNOWN, format!("there is no machine {}", quoted(name)))
                .with_help(format!("name one of {}", known.join(", ")));
        chosen.retain(|sheet| sheet.name == name);
        if chosen.is_empty() {
            return Err(unknown.into());
        }
    }
    let screen = &mut context.screen;
    if screen.is_json() || arguments.format == Format::Json {
        screen.document(&Machines { machines: &chosen })?;
        return Ok(Exit::Done);
    }
    let overview = arguments.name.is_none() && arguments.format == Format::Table;
    for (index, sheet) in chosen.iter().enumerate() {
        if overview {
            overview_line(sheet, screen)?;
            continue;
        }
        if index > 0 {
            screen.line("")?;
        }
        match arguments.format {
            Format::Mermaid => screen.text(&mermaid(sheet))?,
            Format::Table | Format::Json => table(sheet, screen)?,
        }
    }
    if overview {
        screen
            .line("\n`provost machines NAME` prints the rows of one; docs/machines/ has a page for each")?;
    }
    screen.flush()?;
    Ok(Exit::Done)
}

fn overview_line(sheet: &Sheet, screen: &mut Screen) -> std::io::Result<()> {
    let (states, rows) = (sheet.states.len(), sheet.rows.len());
    screen.line(format!("{:<16}{states:>3} states {rows:>4} rows   {}", sheet.name, sheet.what))
}

fn table(sheet: &Sheet, screen: &mut Screen) -> std::io::Result<()> {
    screen.line(format!("{}: {}\n", sheet.name, sheet.what))?;
    let width = |cell: fn(&provost_core::machine::SheetRow) -> &'static str| {
        sheet.rows.iter().map(|row| cell(row).len()).max().unwrap_or(0)
    };
    let (from, on) = (width(|row| row.from), width(|row| row.on));
    for row in &sheet.rows {
        let limit = row.limit.map(|limit| format!("  at most {limit}")).unwrap_or_default();
        let reopens = if row.reopen { "  reopens" } else { "" };
        screen.line(format!("{:<from$}  {:<on$}  → {}{limit}{reopens}", row.from, row.on, row.to))?;
    }
    screen.line(format!("\nbegins in {}; ends in {}", sheet.start, sheet.terminal.join(", ")))
}
