//! A run of planning: its page, or its graph as a drawing.

use clap::ValueEnum;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::graph;
use serde::Serialize;

use super::{Context, Done};
use crate::planned::{self, Found, Shown};

/// How a graph is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Drawing {
    /// A flowchart, in Mermaid.
    Mermaid,
    /// A drawing, in the language of Graphviz.
    Dot,
    /// The graph itself, in JSON.
    Json,
}

#[derive(Serialize)]
struct Drawn<'a> {
    run_id: &'a str,
    drawing: String,
}

pub(super) fn show(found: &Found, drawing: Option<Drawing>, context: &mut Context) -> Done {
    let screen = &mut context.screen;
    let Some(drawing) = drawing else {
        if screen.is_json() {
            screen.document(&Shown::of(found))?;
        } else {
            planned::print(found, screen)?;
        }
        return Ok(Exit::Done);
    };
    let Some(graph) = &found.account.graph else {
        let message = format!("{} ended before it had a graph", quoted(&found.run_id));
        return Err(Diagnostic::error(diagnostic::PLANNING_NOT_FROZEN, message).into());
    };
    let text = match drawing {
        Drawing::Mermaid => graph::mermaid(graph),
        Drawing::Dot => graph::dot(graph),
        Drawing::Json => serde_json::to_string_pretty(graph).map_err(std::io::Error::from)? + "\n",
    };
    match (screen.is_json(), drawing) {
        (true, Drawing::Json) => screen.document(graph)?,
        (true, _) => screen.document(&Drawn { run_id: &found.run_id, drawing: text })?,
        (false, _) => screen.text(&text)?,
    }
    Ok(Exit::Done)
}
