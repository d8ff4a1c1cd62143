//! What a command that performs needs, put together from the repository and the configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use provost_core::delivery::{Roles, Terms};
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::state::State;
use provost_runtime::acting::new_id;
use provost_runtime::config::{self, Config};
use provost_runtime::content;
use provost_runtime::home::Home;
use provost_runtime::journal::{fold, walk_along};
use provost_runtime::perform::Tools;
use provost_runtime::permissions;
use provost_runtime::repository::Repository;
use provost_runtime::walls::{Force, Reach, Strength};

use crate::failure::Failure;

/// Everything that the record says.
pub(crate) fn state(home: &Home) -> Result<State, Failure> {
    let mut state = State::default();
    walk_along(&home.reading(), &mut |record| fold(&mut state, record).map(drop))?;
    Ok(state)
}

/// What a run stands on, looked at before anything is made or started.
pub(crate) struct Ground {
    force: Force,
    /// New if there is no project yet.
    project_id: String,
    worktrees: PathBuf,
}

/// Looks at what a run stands on; where it cannot stand, that is said.
pub(crate) fn ground(home: &Home, config: &Config) -> Result<Ground, Failure> {
    let force = Strength::of_this_machine().force(config.sandbox)?;
    let project_id = state(home)?.project.id.unwrap_or_else(new_id);
    home.refuse_copy(&project_id)?;
    let worktrees = home.worktrees(&project_id, config.worktree.root.as_deref().map(Path::new))?;
    Ok(Ground { force, project_id, worktrees })
}

/// The project's id, new if there is no project yet, and the tools to perform with.
pub(crate) fn tools(home: &Home, config: &Config) -> Result<(String, Tools), Failure> {
    let Ground { force, project_id, worktrees } = ground(home, config)?;
    home.make().map_err(|error| provost_runtime::acting::folder_trouble(&error))?;
    let repository = Repository::open(home).map_err(|fault| fault.diagnostic())?;
    let exe = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("provost"));
    let tools = Tools {
        home: home.clone(),
        repository,
        project_id: project_id.clone(),
        worktrees,
        agents: config.agents.clone(),
        setup: config.worktree.setup.clone(),
        setup_reach: Reach { writable: config.worktree.writable.clone(), ..Reach::default() },
        copy: config.worktree.copy.clone(),
        check_reach: config.check_reach.clone(),
        permissions: Arc::new(permissions::of(&home.root.join(content::REGISTRY), content::REGISTRY).0),
        force,
        exe,
    };
    Ok((project_id, tools))
}

/// Which agent plays which role.
pub(crate) fn roles(config: &Config) -> Result<Roles, Diagnostic> {
    let named = |role: &Option<String>, name: &str| {
        role.clone().ok_or_else(|| {
            let message = format!("no agent is configured for the role `{name}`");
            let nobody = Diagnostic::error(diagnostic::CONFIG_ROLE, message);
            match config.agents.keys().next() {
                Some(agent) => nobody.with_help(format!(
                    "write `default = \"{agent}\"` under `[roles]` in {}, or name another agent",
                    config::NAME
                )),
                None => nobody.with_help(format!(
                    "add an `[agents.NAME]` to {}; any program can be one, and `provost doctor` says whether it can be started",
                    config::NAME
                )),
            }
        })
    };
    Ok(Roles {
        developer: named(&config.roles.developer, "developer")?,
        critic: named(&config.roles.critic, "critic")?,
        auditor: named(&config.roles.auditor, "auditor")?,
    })
}

/// On which terms agents work: what the file says about spending and waiting, and who stands in for whom.
pub(crate) fn terms(config: &Config) -> Terms {
    let fallbacks = config.agents.iter().filter(|(_, agent)| !agent.fallback.is_empty());
    let fallbacks = fallbacks.map(|(name, agent)| (name.clone(), agent.fallback.clone())).collect();
    Terms { fallbacks, while_waiting: config.while_waiting, ..config.spend.clone() }
}
