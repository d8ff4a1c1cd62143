//! A task is complete only with green checks, a review or a person's waiver, and an audit of its last work; nobody is
//! asked to waive a review that took place.

use provost_core::delivery::{About, What};

use super::{check, delivery_events, passed};
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for event in delivery_events(step.events) {
        if let (Some(id), What::CoordinatorSeeksGuidance { question }) = (&event.task, &event.what) {
            let waives = question.about == About::Bypass && step.ghosts.of(id).reviewed;
            check(!waives, || {
                format!("{id} was reviewed, and a person is asked to land it without a review")
            })?;
        }
        let (Some(id), What::TaskComplete { commit, results, .. }) = (&event.task, &event.what) else {
            continue;
        };
        check(passed(results), || format!("{id} is complete with checks that did not pass"))?;
        let task = &step.before.board().tasks[id];
        if commit.is_none() {
            check(task.verify && task.commit.is_none(), || {
                format!("{id} is complete and its work is thrown away")
            })?;
        } else {
            let proof = step.ghosts.of(id);
            check(proof.green, || format!("{id} is complete and was not measured"))?;
            check(proof.reviewed, || format!("{id} is complete and was not reviewed"))?;
            check(proof.audited, || format!("{id} is complete and was not audited"))?;
        }
    }
    Ok(())
}
