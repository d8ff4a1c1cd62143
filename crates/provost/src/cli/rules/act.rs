//! What rules would say to something that an agent asks for, before any agent does.

use std::collections::BTreeSet;

use provost_core::adapter::{Act, Deed};
use provost_core::diagnostic::{self, Diagnostic, Exit, visible};
use provost_core::document::{self, Limits, Value, from_value};
use provost_core::permission::{Asker, Explanation};
use provost_core::role::Role;
use provost_core::rules::{Explained, Outcome, Verdict};
use provost_runtime::content::REGISTRY;
use provost_runtime::permissions::{self, Origin};
use serde::{Deserialize, Serialize};

use super::{Context, Done};
use crate::screen::Screen;

/// An act as somebody types it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Typed {
    tool: String,
    deed: Option<Deed>,
    #[serde(default)]
    paths: Vec<String>,
    command: Option<String>,
    address: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    allowed: bool,
    why: &'a str,
    rules: &'a [String],
    outcome: Outcome,
    role: &'static str,
    origin: &'static str,
    act: &'a Act,
    fields: serde_json::Map<String, serde_json::Value>,
    judged: &'a [Explained<'a>],
}

pub(super) fn run(typed: &str, role: Role, context: &mut Context) -> Done {
    let act = read(typed)?;
    let root = context.home()?.root;
    let (permissions, origin) = permissions::of(&root.join(REGISTRY), REGISTRY);
    let worktree = root.display().to_string();
    // Rules may ask for these; whoever explains has none of them.
    let allowed = BTreeSet::new();
    let asker =
        Asker { role, agent: "AGENT", task: "TASK", worktree: &worktree, files: &[], allowed: &allowed };
    let explanation = permissions.explain(&act, &asker);
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(&document(&explanation, role, origin))?;
    } else {
        print(&explanation, role, origin, screen)?;
    }
    Ok(Exit::Done)
}

fn read(typed: &str) -> Result<Act, Diagnostic> {
    let unusable = |why: String| {
        let example = r#"write it as JSON, such as '{"tool":"Bash","command":"cargo test"}'"#;
        Diagnostic::error(diagnostic::CLI_USAGE, format!("the act cannot be used: {why}")).with_help(example)
    };
    let found = document::read("--act", typed.as_bytes(), &Limits::default());
    let found = found.map_err(|it| {
        unusable(it.defects.first().map_or_else(String::new, |defect| defect.message.clone()))
    })?;
    let typed: Typed = from_value(&found.root).map_err(|mismatch| unusable(mismatch.to_string()))?;
    let Typed { tool, deed, paths, command, address } = typed;
    let deed = match (deed, &command, &address) {
        (Some(deed), ..) => deed,
        (None, Some(_), None) => Deed::Run,
        (None, None, Some(_)) => Deed::Fetch,
        _ => return Err(unusable("`deed` has to say read, write, run, fetch or other".to_owned())),
    };
    Ok(Act { tool, deed, paths, command, address, cut: false })
}

const fn from(origin: Origin) -> &'static str {
    match origin {
        Origin::Registry => "registry",
        Origin::BuiltIn => "built_in",
        Origin::Broken => "broken",
    }
}

fn document<'a>(explanation: &'a Explanation<'a>, role: Role, origin: Origin) -> Document<'a> {
    let Explanation { permission, outcome, rules, fields } = explanation;
    let json = |value: &Value| serde_json::to_value(value).unwrap_or_default();
    Document {
        allowed: permission.allowed,
        why: &permission.why,
        rules: &permission.rules,
        outcome: *outcome,
        role: role.name(),
        origin: from(origin),
        act: &permission.act,
        fields: fields.iter().map(|(field, value)| (field.to_string(), json(value))).collect(),
        judged: rules,
    }
}

fn print(
    explanation: &Explanation<'_>,
    role: Role,
    origin: Origin,
    screen: &mut Screen,
) -> std::io::Result<()> {
    let Explanation { permission, rules, fields, .. } = explanation;
    let answer = if permission.allowed { "allowed" } else { "refused" };
    screen.line(format!("{answer} to the {role}: {}", permission.why))?;
    for rule in rules.iter().filter(|rule| matches!(rule.verdict, Verdict::Fired(_) | Verdict::Undecided)) {
        let fired = if rule.verdict == Verdict::Undecided { "undecided" } else { "fired" };
        screen.line(format!("{fired} {} ({}): {}", visible(rule.rule), rule.severity, rule.decision))?;
        for line in &rule.conditions {
            screen.line(format!("  because {} is {}", visible(&line.text), line.value))?;
        }
    }
    let others =
        rules.iter().filter(|rule| matches!(rule.verdict, Verdict::NotMet | Verdict::UnknownNoted)).count();
    let whose = if origin == Origin::BuiltIn { "built-in rules" } else { "rules for acts" };
    screen.line(format!("of {} {whose} the condition of {others} does not hold", rules.len()))?;
    screen.line("")?;
    for (field, value) in fields {
        let value = serde_json::to_string(value).unwrap_or_default();
        screen.line(format!("{:<12}  {}", field.to_string(), visible(&value)))?;
    }
    Ok(())
}
