//! A task is complete only with green checks, a review or the waiver of a person or of the delivery, and an audit of
//! its last work; no critic is given work whose checks are red or that lies outside its files, and nobody is asked to
//! waive a review that took place.

use provost_core::delivery::{About, Board, Bypassed, Review, Task, What};

use super::{Step, check, passed};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for (event, id, task) in step.task_events() {
        let ghost = step.ghosts.of(&event.delivery, id);
        if let What::CoordinatorSeeksGuidance { question } = &event.what {
            check(question.about != About::Bypass || !ghost.reviewed, || {
                format!("{id} was reviewed, and a person is asked to land it without a review")
            })?;
        }
        if let What::DeveloperReadyForReview { results, files, .. } = &event.what {
            check(passed(results), || format!("{id} is to be reviewed with checks that did not pass"))?;
            // The worlds have files without wildcards.
            let may = |path: &String| task.files.contains(path) || task.allowed.contains(path);
            check(task.files.is_empty() || files.iter().all(may), || {
                format!("{id} is to be reviewed with changes that neither the plan nor a person lets it make")
            })?;
        }
        let What::TaskComplete { commit, results, .. } = &event.what else { continue };
        check(passed(results), || format!("{id} is complete with checks that did not pass"))?;
        if commit.is_none() {
            let board = step.before.deliveries.boards.get(&event.delivery);
            let measured = !results.is_empty() || !board.is_some_and(|board| is_checked(board, task));
            check(measured, || format!("{id} is complete and nothing was measured"))?;
            check(task.verify && task.commit.is_none(), || {
                format!("{id} is complete and its work is thrown away")
            })?;
        } else {
            check(ghost.green, || format!("{id} is complete and was not measured"))?;
            // Whoever configured it said before the delivery began that such tasks land.
            let settled = task.review == Review::Bypassed
                && step
                    .before
                    .deliveries
                    .boards
                    .get(&event.delivery)
                    .is_some_and(|it| it.bypassed == Bypassed::Land);
            check(ghost.reviewed || settled, || format!("{id} is complete and was not reviewed"))?;
            check(ghost.audited, || format!("{id} is complete and was not audited"))?;
        }
    }
    Ok(())
}

/// Whether any check counts for a task: not where a person lets all of them be ignored.
fn is_checked(board: &Board, task: &Task) -> bool {
    !task.checks.is_empty() || board.checks.iter().any(|check| !board.ignored.contains(&check.name))
}
