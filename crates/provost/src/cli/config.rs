//! `provost config`: every setting, its value, and where the value came from.

use clap::Args;
use provost_core::diagnostic::{Exit, visible};
use provost_core::limits::Limit;
use provost_runtime::config::{self, Origin};
use serde::Serialize;
use strum::VariantArray as _;

use super::{Context, Done};

/// Print every setting with its value and where it came from.
///
/// Settings are made in .provost/provost.toml, for example:
///
///     version = 1
///     [limits]
///     agents = 3
///
/// `provost init` writes a first one; docs/config.md has every key.
///
/// Example: `provost config`
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {}

#[derive(Serialize)]
struct Settings {
    settings: Vec<Setting>,
}

#[derive(Serialize)]
struct Setting {
    name: String,
    value: serde_json::Value,
    origin: String,
}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let config = config::read(&home.config(), config::NAME)?;
    let limit = |limit: &Limit| {
        let short: &str = (*limit).into();
        Setting {
            name: format!("limits.{short}"),
            value: config.settings.limit(*limit).into(),
            origin: shown(config.lines.get(limit).map_or(Origin::Default, |line| Origin::Line(*line))),
        }
    };
    let entry = |entry: &config::Entry| Setting {
        name: entry.name.clone(),
        value: entry.value.clone(),
        origin: shown(entry.origin),
    };
    let limits = Limit::VARIANTS.iter().map(limit);
    let settings: Vec<Setting> = limits.chain(config.entries.iter().map(entry)).collect();
    if context.screen.is_json() {
        context.screen.document(&Settings { settings })?;
        return Ok(Exit::Done);
    }
    for Setting { name, value, origin } in settings {
        let value = if value.is_null() { "none".to_owned() } else { visible(&value.to_string()).to_string() };
        context.screen.line(format!("{:<28} {value:>8}  {origin}", visible(&name).to_string()))?;
    }
    context.screen.flush()?;
    Ok(Exit::Done)
}

fn shown(origin: Origin) -> String {
    match origin {
        Origin::Default => "default".to_owned(),
        Origin::Line(line) => format!("{}:{line}", config::NAME),
        Origin::Setting(name) => name.to_owned(),
    }
}
