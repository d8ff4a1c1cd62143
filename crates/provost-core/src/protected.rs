//! Paths that nobody may change in passing: what programs outside a task's walls obey without being asked. Apart because
//! the walls close them, and what a task changed is held against the same list.

use crate::plan::pattern;

/// A name that is protected wherever it stands in a worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protected {
    /// The name of the file or folder.
    pub name: &'static str,
    /// What obeys it.
    pub why: &'static str,
    /// Whether the walls keep it from being made where it is missing. What git, opencode and Aider read or make
    /// themselves cannot be covered: they would stumble over the folder that stands there instead.
    pub covered: bool,
}

const fn covered(name: &'static str, why: &'static str) -> Protected {
    Protected { name, why, covered: true }
}

/// Every name that is protected.
pub const PROTECTED: &[Protected] = &[
    Protected { name: ".git", why: "git runs what its configuration and hooks say", covered: false },
    Protected {
        name: ".gitmodules",
        why: "git fetches from where it says, and into where it says",
        covered: false,
    },
    covered(".githooks", "a common folder for hooks of git"),
    covered(".husky", "hooks of git, run by husky"),
    covered(".pre-commit-config.yaml", "hooks of git, run by pre-commit"),
    covered("lefthook.yml", "hooks of git, run by lefthook"),
    covered(".provost", "says which programs Provost starts"),
    covered(".claude", "settings and hooks of Claude Code"),
    covered(".mcp.json", "programs that agents start as tools"),
    covered(".codex", "settings of Codex"),
    covered(".gemini", "settings of Gemini"),
    covered(".qwen", "settings of Qwen Code"),
    Protected { name: ".opencode", why: "settings of opencode", covered: false },
    Protected { name: "opencode.json", why: "settings of opencode", covered: false },
    Protected { name: ".aider.conf.yml", why: "settings of Aider", covered: false },
    covered(".cursor", "settings and hooks of Cursor"),
    covered(".vscode", "tasks that VS Code runs"),
    covered(".idea", "run configurations of JetBrains IDEs"),
    covered(".zed", "tasks that Zed runs"),
    covered(".devcontainer", "commands that editors run when a folder is opened"),
    covered(".devcontainer.json", "the same in one file"),
    covered(".envrc", "direnv runs it when somebody enters the folder"),
];

/// Those of the changed paths that are protected and that no pattern of the plan names.
pub fn touched<'p>(changed: impl IntoIterator<Item = &'p str>, files: &[String]) -> Vec<&'p str> {
    let is_touched = |path: &&str| {
        let protected = PROTECTED.iter().filter(|it| has_part(path, it.name));
        protected.into_iter().any(|it| !files.iter().any(|own| names(own, it) && pattern::matches(own, path)))
    };
    changed.into_iter().filter(is_touched).collect()
}

/// Whether a plan's pattern names what is protected; one that only happens to match it, such as `**`, does not.
pub fn names(pattern: &str, protected: &Protected) -> bool {
    has_part(pattern, protected.name)
}

/// Whether a name is a part of a path, also on a system that does not tell upper from lower case.
fn has_part(path: &str, name: &str) -> bool {
    path.split('/').any(|part| part.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(changed: &[&str], files: &[&str]) -> Vec<String> {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        touched(changed.iter().copied(), &files).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn what_is_protected_is_found_at_any_depth_and_in_any_case() {
        let changed =
            ["src/main.rs", ".claude/settings.json", "web/.ENVRC", "a/.mcp.json", "claude/x", ".gitignore"];
        assert_eq!(found(&changed, &[]), [".claude/settings.json", "web/.ENVRC", "a/.mcp.json"]);
    }

    #[test]
    fn a_plan_lets_a_task_change_only_what_it_names() {
        let changed = [".vscode/tasks.json", ".vscode/launch.json", ".envrc"];
        assert_eq!(found(&changed, &["**"]), changed);
        assert_eq!(found(&changed, &[".vscode/tasks.json"]), [".vscode/launch.json", ".envrc"]);
        assert_eq!(found(&changed, &[".vscode/", "docs/"]), [".envrc"]);
        assert_eq!(found(&["web/.vscode/tasks.json"], &[".vscode/"]), ["web/.vscode/tasks.json"]);
        assert_eq!(found(&["web/.vscode/tasks.json"], &["**/.vscode/*"]), Vec::<String>::new());
    }
}
