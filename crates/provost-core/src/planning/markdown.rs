//! Documents of a run as pages for people, made from the frozen bytes alone and carrying their digest. Apart because a page
//! is a view: it is rendered again to be verified, and nothing is ever read from it.

use std::fmt::Write as _;

use serde_json::Value;

use super::bundle::File;
use super::shelf::Paper;
use crate::diagnostic::visible;
use crate::graph::{self, Graph};

/// The pages of a run.
pub(super) fn all(papers: &[Paper]) -> Vec<File> {
    papers.iter().filter_map(page).collect()
}

fn page(paper: &Paper) -> Option<File> {
    let name = paper.file.strip_suffix(".json")?;
    let mut page = Page::default();
    match paper.kind {
        "execution_graph" if name == "graph" => graph_page(&mut page, &paper.bytes)?,
        "question_pack" => questions(&mut page, &read(paper)?),
        "coordinator_review_pack" => review(&mut page, &read(paper)?),
        "failure_pack" => failure(&mut page, &read(paper)?),
        "run_summary" => summary(&mut page, &read(paper)?),
        _ => return None,
    }
    page.line("");
    page.line(&format!("<!-- made from {} {} -->", paper.file, paper.checksum));
    Some(File { name: format!("{name}.md"), bytes: page.0.into_bytes() })
}

fn read(paper: &Paper) -> Option<Value> {
    serde_json::from_slice(&paper.bytes).ok()
}

#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn heading(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.line("");
        }
        self.line(text);
        self.line("");
    }

    /// Text from outside, on one line, unable to be anything but text.
    fn said(&mut self, lead: &str, text: &str) {
        self.line(&format!("{lead}{}", plain(text)));
    }

    fn each(&mut self, title: &str, texts: &Value) {
        let texts = list(texts);
        if texts.is_empty() {
            return;
        }
        self.heading(&format!("## {title}"));
        for text in texts {
            self.said("- ", text.as_str().unwrap_or_default());
        }
    }
}

/// Text as Markdown that is read as text: marks escaped, hidden characters shown.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for character in visible(text).to_string().chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn entries<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).map(list).unwrap_or_default()
}

fn graph_page(page: &mut Page, bytes: &[u8]) -> Option<()> {
    let graph: Graph = serde_json::from_slice(bytes).ok()?;
    page.heading(&format!("# Plan {}", plain(&graph.graph_id)));
    page.line("```text");
    page.line(graph::tree(&graph).trim_end());
    page.line("```");
    page.heading("## As a drawing");
    page.line("```mermaid");
    page.line(graph::mermaid(&graph).trim_end());
    page.line("```");
    Some(())
}

fn questions(page: &mut Page, pack: &Value) {
    page.heading(&format!("# Questions {}", plain(text(pack, "pack_id"))));
    page.line(&format!(
        "For the run `{}`. Answer with `provost answer`.",
        plain(text(pack, "coordinator_run_id"))
    ));
    for question in entries(pack, "questions") {
        page.heading(&format!(
            "## {} ({}, {})",
            text(question, "question_id"),
            text(question, "type"),
            text(question, "blocking_level")
        ));
        page.said("", text(question, "question_text"));
        page.line("");
        page.said("", text(question, "context"));
        if let Some(default) = question.get("default_strategy") {
            page.line("");
            page.said("If nobody answers: ", text(default, "text"));
        }
        let suggested = entries(question, "suggested_answers");
        if !suggested.is_empty() {
            page.line("");
        }
        for answer in suggested {
            let lead = format!("- {}: ", plain(text(answer, "answer_text")));
            page.said(&lead, text(answer, "rationale"));
        }
        page.line("");
        for reference in entries(question, "evidence_refs") {
            page.said("- shown by ", reference.as_str().unwrap_or_default());
        }
    }
}

fn review(page: &mut Page, pack: &Value) {
    page.heading("# Review");
    let empty = Value::Null;
    let plan = pack.get("plan_summary").unwrap_or(&empty);
    page.said("", text(plan, "objective"));
    page.line("");
    page.said("", text(plan, "approach"));
    let risk = pack.get("risk_assessment").unwrap_or(&empty);
    page.heading(&format!("## Risk: {}", text(risk, "overall")));
    for factor in entries(risk, "factors") {
        let lead = format!("- {}: ", text(factor, "level"));
        page.said(&lead, text(factor, "reason"));
    }
    let impact = pack.get("change_impact").unwrap_or(&empty);
    let count = |key: &str| impact.get(key).and_then(Value::as_u64).unwrap_or(0);
    page.heading("## Change");
    page.line(&format!("{} files, {} commits.", count("estimated_files"), count("estimated_commits")));
    page.line("");
    for change in entries(pack, "planned_changes") {
        let lead = format!("- {}: ", text(change, "planned_action"));
        page.said(&lead, text(change, "path"));
    }
    if !entries(pack, "review_gates").is_empty() {
        page.heading("## Gates");
    }
    for gate in entries(pack, "review_gates") {
        page.said("- ", text(gate, "category"));
        for criterion in entries(gate, "criteria") {
            page.said("  - ", criterion.as_str().unwrap_or_default());
        }
    }
    page.each("Warnings", pack.get("warnings").unwrap_or(&empty));
    page.each("The way back", pack.get("rollback_guide").unwrap_or(&empty));
}

fn failure(page: &mut Page, pack: &Value) {
    page.heading(&format!("# {}: {}", text(pack, "final_state"), text(pack, "code")));
    page.said("", text(pack, "message"));
    page.heading("## Everything that is wrong");
    for violation in entries(pack, "violations") {
        let lead = format!("- `{}`: ", text(violation, "code"));
        page.said(&lead, text(violation, "message"));
    }
    page.each("What mends it", pack.get("recovery").unwrap_or(&Value::Null));
}

fn summary(page: &mut Page, run: &Value) {
    page.heading(&format!("# Run {}", text(run, "run_id")));
    let mut said = String::new();
    for (name, value) in run.as_object().into_iter().flatten().filter(|(name, _)| *name != "run_id") {
        let value = value.as_str().map_or_else(|| value.to_string(), plain);
        // Writing to a string does not fail.
        let _written = writeln!(said, "- {}: {value}", name.replace('_', " "));
    }
    page.line(said.trim_end());
}
