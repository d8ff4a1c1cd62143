//! A plan as Markdown, apart because only tests need it: what is read back must digest the same.

use std::fmt::Write as _;

use provost_core::plan::{Plan, Task, TaskId, shown};

/// Writes a plan with every label.
pub(crate) fn markdown(plan: &Plan) -> String {
    let mut text = format!("# {}\n\n{}\n\n", plan.title, plan.overview);
    let mut phases = plan.phases.iter().peekable();
    for task in &plan.tasks {
        while let Some(phase) = phases.peek().filter(|phase| Some(phase.number) <= task.phase) {
            let _ = write!(text, "### Phase {}: {}\n\n", phase.number, phase.name);
            phases.next();
        }
        write_task(&mut text, task);
    }
    for phase in phases {
        let _ = write!(text, "### Phase {}: {}\n\n", phase.number, phase.name);
    }
    text
}

fn write_task(text: &mut String, task: &Task) {
    let _ = write!(text, "#### Task {}: {}\n\n**Work**:\n{}\n\n", task.id, task.title, task.work);
    text.push_str("**Acceptance Criteria**:\n");
    for criterion in &task.criteria {
        let _ = writeln!(text, "- [ ] {}", criterion.text);
    }
    let blockers: Vec<&str> = task.blocked_by.iter().map(TaskId::as_str).collect();
    let _ = write!(
        text,
        "\n**Blocked By**: {}\n",
        if blockers.is_empty() { "none".into() } else { blockers.join(", ") }
    );
    text.push_str("**Required Reading**:\n");
    for reading in &task.reading {
        let note = reading.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
        let _ = writeln!(text, "- `{}`{note}", reading.pattern);
    }
    let _ = writeln!(text, "**Environment**: {}", task.environment.as_deref().unwrap_or("all"));
    let _ = writeln!(text, "**Priority**: {}\n**Risk**: {}", task.priority, task.risk);
    let _ = writeln!(text, "**Files**: {}", task.files.join(", "));
    let _ = writeln!(text, "**Mode**: {}", if task.propose { "yes" } else { "no" });
    text.push_str("**Verify**:\n");
    for check in &task.verify {
        let environment = check.environment.as_ref().map_or_else(String::new, |it| format!(" ({it})"));
        let command = shown(&check.argv);
        let _ = writeln!(text, "- {}{environment}: `{command}` exits {}", check.name, check.expect_exit);
    }
    text.push_str("\n---\n\n");
}
