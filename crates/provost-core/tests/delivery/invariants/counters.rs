//! Nothing goes wrong more often than its limit allows without a person having been asked.

use provost_core::limits::Limit;

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let limit = |limit| step.after.project.settings.limit(limit);
    for (id, task) in step.boards().flat_map(|(_, _, board)| &board.tasks) {
        let it = &task.counts;
        let agents = it.agent_failures.values().copied().max().unwrap_or(0);
        for (count, of) in [
            (it.critic_failures, Limit::CriticFailures),
            (it.audit_failures, Limit::AuditFailures),
            (it.landing_failures, Limit::LandingFailures),
            (it.critic_timeouts, Limit::CriticTimeouts),
            (it.incomplete, Limit::Incomplete),
            (it.signal_rejections, Limit::SignalRejections),
            (it.self_solve, Limit::SelfSolveAlone),
            (agents, Limit::AgentFailures),
        ] {
            check(count <= limit(of), || format!("{id}: {of:?} is {count}"))?;
        }
    }
    Ok(())
}
