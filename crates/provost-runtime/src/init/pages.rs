//! The text of the first files: small, commented, and right as they are.

use std::fmt::Write as _;

use serde_json::json;

use crate::agent::Preset;
use crate::detect::Found;

/// A plan that is complete and small, to be replaced.
pub const PLAN: &str = "\
# A first plan

A sample that can be delivered as it is, to see how it goes. Replace the tasks with your own.

#### Task 1: Say what this project is for

**Work**: Read the repository and add `HELLO.md`: a title, and one sentence on what the project is for.

**Acceptance Criteria**:
- [ ] `test -s HELLO.md` exits 0

**Blocked By**: none
**Files**: `HELLO.md`
**Risk**: low

---

#### Task 2: Say how it is tested

**Work**: Add a section `## Tests` to `HELLO.md` with the command that runs the project's tests.

**Acceptance Criteria**:
- [ ] `grep -q '## Tests' HELLO.md` exits 0

**Blocked By**: 1
**Files**: `HELLO.md`
**Risk**: low
";

/// What stands where no agent was found that Provost drives by itself.
const EXAMPLE: &str = "\
# No agent that Provost drives by itself was found. Any program can be one: it reads a prompt and prints a signal.
# [agents.mine]
# drive = \"command\"
# argv = [\"mytool\", \"--folder\", \"{worktree}\"]   # also {role} {task} {attempt} {prompt_file}
# prompt = \"stdin\"                               # or \"file\"
# env = [\"MY_API_KEY\"]                           # names of variables that it may see
#
# [roles]
# default = \"mine\"
";

/// The settings that fit what was found.
pub fn settings_page(found: &Found) -> String {
    let mut page = String::from(
        "# What Provost works with here. `provost config` shows every setting there is.\nversion = 1\n\n",
    );
    let driven: Vec<&str> = found.agents.iter().filter(|it| it.driven).map(|it| it.name).collect();
    let others: Vec<&str> = found.agents.iter().filter(|it| !it.driven).map(|it| it.name).collect();
    for name in &driven {
        let key = match *name {
            "claude" => "ANTHROPIC_API_KEY",
            "codex" => "OPENAI_API_KEY",
            _ => Preset::named(name).map_or("API_KEY", |preset| preset.key),
        };
        let _ = writeln!(
            page,
            "[agents.{name}]\ndrive = \"{name}\"\n# env = [\"{key}\"]   # names of variables that it may see\n"
        );
    }
    match driven.first() {
        Some(first) => {
            page.push_str("# Who implements, reviews and verifies; `developer`, `critic` and `auditor` can be named one by one.\n");
            let _ = writeln!(page, "[roles]\ndefault = \"{first}\"");
        }
        None => page.push_str(EXAMPLE),
    }
    if !others.is_empty() {
        let _ = writeln!(
            page,
            "\n# Also on the PATH, to be driven as drive = \"command\": {}.",
            others.join(", ")
        );
    }
    page.push_str("\n# Work lands only when every check passes; `required = false` makes one a remark.\n");
    for check in &found.checks {
        let _ = writeln!(page, "[[checks]]   # found in {}", check.file);
        let _ = writeln!(page, "name = {}\nargv = {}\n", json!(check.name), list(&check.argv));
    }
    if found.checks.is_empty() {
        page.push_str(
            "# None was found. Without one only commands among a task's criteria prove anything; `provost run` asks about tasks without.\n",
        );
        page.push_str("# [[checks]]\n# name = \"test\"\n# argv = [\"make\", \"test\"]\n\n");
    }
    let setup: Vec<String> = found.setup.iter().map(|argv| list(argv)).collect();
    if setup.is_empty() {
        page.push_str("# [worktree]\n# setup = [[\"make\", \"deps\"]]   # runs in each new worktree\n");
    } else {
        let _ = writeln!(page, "[worktree]\nsetup = [{}]   # runs in each new worktree", setup.join(", "));
    }
    page.push_str("# copy = [\".env.test\"]         # files that git ignores and a worktree needs\n");
    page
}

/// A list of texts; in TOML it is written as in JSON.
fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| json!(word).to_string()).collect();
    format!("[{}]", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::PRESETS;
    use crate::config;
    use crate::detect::{AgentFound, CheckFound};

    #[test]
    fn the_sample_plan_passes_without_a_warning() {
        let read = provost_core::plan::read("plan.md", PLAN.as_bytes()).unwrap();
        assert_eq!((read.warnings, read.plan.tasks.len()), (vec![], 2));
    }

    #[test]
    fn the_settings_are_read_back_as_they_were_found() {
        let check = CheckFound {
            name: "test".into(),
            argv: vec!["make".into(), "a \"b\"".into()],
            file: "Makefile".into(),
        };
        let found = Found {
            agents: vec![
                AgentFound { name: "claude", driven: true },
                AgentFound { name: "codex", driven: false },
            ],
            checks: vec![check],
            setup: vec![vec!["npm".into(), "ci".into()]],
        };
        let config = config::parse(&settings_page(&found), "provost.toml").unwrap();
        assert_eq!(config.roles.critic.as_deref(), Some("claude"));
        assert_eq!(config.checks[0].argv, ["make", "a \"b\""]);
        assert_eq!(config.worktree.setup, [["npm", "ci"]]);
        let found = PRESETS.iter().map(|preset| AgentFound { name: preset.name, driven: true });
        let found = Found { agents: found.collect(), ..Found::default() };
        let page = settings_page(&found).replace("# env", "env");
        let presets = config::parse(&page, "provost.toml").unwrap();
        assert_eq!(presets.agents["gemini"].env, ["GEMINI_API_KEY"]);
        assert_eq!(presets.agents.values().filter(|agent| agent.program().is_some()).count(), PRESETS.len());
        let bare = config::parse(&settings_page(&Found::default()), "provost.toml").unwrap();
        assert!(bare.agents.is_empty() && bare.checks.is_empty());
    }

    #[test]
    fn what_is_commented_out_can_be_used() {
        let page = settings_page(&Found::default());
        let is_setting = |line: &&str| {
            line.starts_with('[') || line.split_once(' ').is_some_and(|(_, rest)| rest.starts_with("= "))
        };
        let inner = page.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).filter(is_setting);
        let config = config::parse(&inner.collect::<Vec<_>>().join("\n"), "provost.toml").unwrap();
        assert_eq!(config.roles.developer.as_deref(), Some("mine"));
        assert_eq!((config.checks.len(), config.worktree.setup.len(), config.worktree.copy.len()), (1, 1, 1));
    }
}
