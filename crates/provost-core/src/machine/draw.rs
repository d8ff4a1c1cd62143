//! A machine as Mermaid and as Markdown, drawn from the same table that runs.

use std::fmt::Write as _;

use super::Sheet;

/// Draws a machine as a Mermaid state diagram with `*` and remembered targets written out.
pub fn mermaid(sheet: &Sheet) -> String {
    let mut out = String::from("stateDiagram-v2\n");
    for (index, state) in sheet.states.iter().enumerate() {
        // Mermaid takes `-` in an identifier for the beginning of an arrow.
        let rests = if sheet.resting.contains(state) { " (may rest)" } else { "" };
        let _ = writeln!(out, "    state \"{state}{rests}\" as s{index}");
    }
    let alias = |name: &str| {
        let index = sheet.states.iter().position(|state| *state == name);
        index.map_or_else(|| "[*]".to_owned(), |index| format!("s{index}"))
    };
    let _ = writeln!(out, "    [*] --> {}", alias(sheet.start));
    for edge in &sheet.edges {
        let _ = write!(out, "    {} --> {}: {}", alias(edge.from), alias(edge.to), edge.on);
        if let Some(limit) = edge.limit {
            let _ = write!(out, " (at most {limit})");
        }
        if edge.reopen {
            out.push_str(" (reopens)");
        }
        out.push('\n');
    }
    for state in &sheet.terminal {
        let _ = writeln!(out, "    {} --> [*]", alias(state));
    }
    out
}

/// Writes a machine as a Markdown page: what it is, its states with what people read, its rows, its diagram.
pub fn markdown(sheet: &Sheet) -> String {
    let mut out = format!("# The {} machine\n\n", sheet.name);
    let _ = writeln!(out, "One run is {}. It begins in `{}`.\n", sheet.what, sheet.start);
    out.push_str("| state | people read | |\n|---|---|---|\n");
    for state in &sheet.states {
        let label = sheet.labels.get(state).copied().unwrap_or_default();
        let _ = writeln!(out, "| `{state}` | {label} | {} |", kind(sheet, state));
    }
    out.push('\n');
    out.push_str("| from | on | to | direction | limit |\n|---|---|---|---|---|\n");
    for row in &sheet.rows {
        let limit = row.limit.map(|limit| format!("`{limit}`")).unwrap_or_default();
        let direction = if row.reopen { "reopens" } else { row.direction };
        let _ = writeln!(out, "| `{}` | `{}` | `{}` | {direction} | {limit} |", row.from, row.on, row.to);
    }
    let _ = write!(out, "\n```mermaid\n{}```\n", mermaid(sheet));
    out
}

fn kind(sheet: &Sheet, state: &&str) -> &'static str {
    match (sheet.terminal.contains(state), sheet.resting.contains(state)) {
        (true, _) => "ends",
        (_, true) => "may rest",
        _ => "",
    }
}
