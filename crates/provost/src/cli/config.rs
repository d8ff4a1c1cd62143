//! `provost config`: every setting, its value, and where the value came from.

use clap::Args;
use provost_core::diagnostic::Exit;
use provost_core::limits::Limit;
use provost_runtime::config;
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
    value: u32,
    origin: String,
}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let name = ".provost/provost.toml";
    let config = config::read(&home.config(), name)?;
    let setting = |limit: &Limit| {
        let short: &str = (*limit).into();
        let origin = config.lines.get(limit).map(|line| format!("{name}:{line}"));
        Setting {
            name: format!("limits.{short}"),
            value: config.settings.limit(*limit),
            origin: origin.unwrap_or_else(|| "default".to_owned()),
        }
    };
    let settings: Vec<Setting> = Limit::VARIANTS.iter().map(setting).collect();
    if context.screen.is_json() {
        context.screen.document(&Settings { settings })?;
        return Ok(Exit::Done);
    }
    for setting in settings {
        context.screen.line(format!("{:<28} {:>8}  {}", setting.name, setting.value, setting.origin))?;
    }
    context.screen.flush()?;
    Ok(Exit::Done)
}
