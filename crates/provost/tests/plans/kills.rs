//! Planning, killed at every point in turn: afterwards a plan is there whole or not at all, and asking again completes it.

use crate::stage::{Stage, low, said, sealed};

#[test]
fn a_kill_at_any_point_leaves_a_whole_plan_or_none() {
    let mut killed = 0;
    for at in 1_u32.. {
        let stage = Stage::new();
        let (intent, out) = (stage.intent(&sealed(low())), stage.beside("out").display().to_string());
        let arguments = ["plan", &intent, "--out", &out];
        let status = said(stage.command(&arguments).env("PROVOST_KILL_AT", at.to_string())).status;
        if stage.beside("out").exists() {
            stage.run(&["verify", &out]).ended(0);
        }
        if stage.state().join("journal").exists() {
            stage.run(&["verify"]).ended(0);
        }
        stage.run(&arguments).ended(0);
        stage.run(&["verify", &out]).ended(0);
        if status == 0 {
            break;
        }
        killed += 1;
    }
    assert!(killed >= 5, "only {killed} points were passed");
}
