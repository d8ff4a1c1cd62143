//! A verification matrix: a table that an agent filled in, apart because it is read by cells, so that names of checks
//! may have spaces.

use super::body::Section;
use super::payload::{Claim, Claimed};

/// Which cell holds what.
struct Columns {
    check: usize,
    environment: Option<usize>,
    exit_code: Option<usize>,
    result: Option<usize>,
}

/// The order of a table without a heading.
const USUAL: Columns = Columns { check: 0, environment: Some(1), exit_code: Some(2), result: Some(3) };

/// Reads the rows of a table.
pub(super) fn claims(section: &Section) -> Vec<Claim> {
    let mut columns = USUAL;
    let mut claims = Vec::new();
    for row in section.rows() {
        let cells = cells(row);
        if cells.iter().all(|cell| cell.chars().all(|it| matches!(it, '-' | ':' | ' '))) {
            continue;
        }
        match heading(&cells) {
            Some(found) if claims.is_empty() => columns = found,
            _ => claims.extend(claim(&cells, &columns)),
        }
    }
    claims
}

fn heading(cells: &[String]) -> Option<Columns> {
    let named = |name: &str| cells.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    let exit_code = named("exit code").or_else(|| named("exit"));
    let result = named("result");
    // A row of results may be about a check that is called `check`; a heading names its other columns too.
    (exit_code.is_some() || result.is_some()).then_some(())?;
    Some(Columns { check: named("check")?, environment: named("environment"), exit_code, result })
}

fn claim(cells: &[String], columns: &Columns) -> Option<Claim> {
    let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map(String::as_str).unwrap_or_default();
    let check = cells.get(columns.check).filter(|name| !name.is_empty())?;
    Some(Claim {
        check: check.clone(),
        environment: cell(columns.environment).to_owned(),
        exit_code: cell(columns.exit_code).parse().ok(),
        result: claimed(cell(columns.result)),
    })
}

/// The result that a word claims.
pub(super) fn claimed(word: &str) -> Claimed {
    let has = |part: &str| word.to_ascii_uppercase().contains(part);
    match (has("PASS"), has("FAIL")) {
        (true, false) => Claimed::Pass,
        (false, true) => Claimed::Fail,
        _ => Claimed::Unclear,
    }
}

/// The cells of a row; `\|` is a bar within one.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut rest = row.trim().trim_start_matches('|').chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' if rest.next_if_eq(&'|').is_some() => push(&mut cells, '|'),
            '|' => cells.push(String::new()),
            other => push(&mut cells, other),
        }
    }
    if cells.last().is_some_and(|last| last.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
}

fn push(cells: &mut [String], character: char) {
    if let Some(last) = cells.last_mut() {
        last.push(character);
    }
}
