//! What can be reported, lost, answered and asked in a state: all that the world around the rules could do.

use provost_core::decider::Decider as _;
use provost_core::delivery::{
    Category, Command, Course, Effect, Incomplete, Landing, Measurement, Outcome, Report, Turn, TurnEnd,
    Verdict,
};
use provost_core::effects::EffectId;
use provost_core::role::Role;
use provost_core::signal::Checkpoint;
use provost_core::state::{self, State};

use super::Move;
use crate::table::{Table, result};

pub(super) fn of(table: &Table) -> Vec<Move> {
    let mut moves = Vec::new();
    for (id, effect) in table.state.due().iter() {
        match effect {
            Effect::Turn(turn) => turns(&mut moves, table, id, turn),
            Effect::Measure(measure) => measured(&mut moves, id, &measure.task),
            Effect::Land(land) => landed(&mut moves, id, &land.task),
            Effect::Clean { task, .. } => report(&mut moves, id, format!("{task} cleaned"), Report::Cleaned),
            Effect::Baseline { .. } => {
                for verdict in [Verdict::Passed, Verdict::Failed] {
                    let label = format!("baseline {verdict:?}");
                    report(&mut moves, id, label, Report::Baseline(vec![result(verdict)]));
                }
                report(&mut moves, id, "baseline of nothing".to_owned(), Report::Baseline(Vec::new()));
                let issue = "broken".to_owned();
                report(&mut moves, id, "no baseline".to_owned(), Report::Unmeasured { issue });
            }
        }
    }
    people(&mut moves, table);
    // Somebody whose effect is long over still talks.
    report(&mut moves, EffectId(0), "late report".to_owned(), Report::Cleaned);
    moves
}

fn report(moves: &mut Vec<Move>, effect: EffectId, label: String, report: Report) {
    let command = state::Command::Delivery(Command::Report { effect, report });
    moves.push(Move { label, command, gives_up: false });
}

fn turns(moves: &mut Vec<Move>, table: &Table, id: EffectId, turn: &Turn) {
    let issue = || "broken".to_owned();
    moves.push(Move { label: format!("{} lost", turn.task), command: State::lost(id), gives_up: false });
    report(moves, id, format!("{} started", turn.task), Report::Started { prompt: None, token: None });
    let mut outcomes = vec![
        Outcome::Unavailable { issue: issue() },
        Outcome::Asks { question: "which?".to_owned(), options: vec!["this".to_owned()] },
        Outcome::Rejected { reason: "no".to_owned() },
        Outcome::Silent,
        Outcome::TimedOut,
        Outcome::Crashed { error: "status 1".to_owned() },
        Outcome::Stopped,
    ];
    match turn.role {
        Role::Developer => developed(&mut outcomes, table, &turn.task),
        Role::Critic | Role::Auditor => {
            outcomes.push(Outcome::Passed { summary: "fine".to_owned() });
            outcomes.push(Outcome::Failed { feedback: "no".to_owned() });
        }
    }
    if turn.role == Role::Auditor {
        outcomes.push(Outcome::Infrastructure { issue: issue() });
    }
    for outcome in outcomes {
        for verdict in [Verdict::Passed, Verdict::Failed] {
            if verdict == Verdict::Failed && turn.measure.is_empty() {
                continue;
            }
            let label = format!("{} {} {outcome:?}, checks {verdict:?}", turn.task, turn.role);
            let results = if turn.measure.is_empty() { Vec::new() } else { vec![result(verdict)] };
            let outcome = outcome.clone();
            // Whoever asks has said before, twice, how far it is.
            let said = if matches!(outcome, Outcome::Asks { .. }) { 2 } else { 0 };
            let checkpoints = vec![Checkpoint::default(); said];
            let end = TurnEnd {
                outcome,
                exit: Some(0),
                duration_ms: 1,
                output: None,
                results,
                checkpoints,
                account: None,
            };
            report(moves, id, label, Report::Turn(end));
        }
    }
}

fn developed(outcomes: &mut Vec<Outcome>, table: &Table, task: &str) {
    outcomes.push(Outcome::Ready { summary: "done".to_owned() });
    outcomes.push(Outcome::Infrastructure { issue: "broken".to_owned() });
    let incomplete = |category, blocker_task: Option<&String>| {
        let blocker_task = blocker_task.cloned();
        Outcome::Incomplete(Incomplete { category, blocker: "it".to_owned(), blocker_task })
    };
    outcomes.push(incomplete(Category::MissingInfo, None));
    outcomes.push(incomplete(Category::Infrastructure, None));
    for other in table.board().tasks.keys().filter(|other| *other != task) {
        outcomes.push(incomplete(Category::BlockedByDependency, Some(other)));
    }
}

fn measured(moves: &mut Vec<Move>, id: EffectId, task: &str) {
    for verdict in [Verdict::Passed, Verdict::Failed, Verdict::Missing] {
        let commit = format!("commit-of-{task}");
        let (tree, files, results) = ("tree".to_owned(), vec!["file".to_owned()], vec![result(verdict)]);
        let measured = Measurement::Committed { commit, tree, files, results };
        report(moves, id, format!("{task} measured {verdict:?}"), Report::Measured(measured));
    }
    let unacceptable = Measurement::Unacceptable { reason: "nothing changed".to_owned() };
    report(moves, id, format!("{task} measured unacceptable"), Report::Measured(unacceptable));
    let unavailable = Measurement::Unavailable { issue: "no disk".to_owned() };
    report(moves, id, format!("{task} not measured"), Report::Measured(unavailable));
}

fn landed(moves: &mut Vec<Move>, id: EffectId, task: &str) {
    let results = |verdict| vec![result(verdict)];
    for landing in [
        Landing::Landed { commit: format!("landed-{task}"), results: results(Verdict::Passed) },
        Landing::Conflict { files: vec!["file".to_owned()] },
        Landing::ChecksFailed { results: results(Verdict::Failed) },
        Landing::Moved { tip: "elsewhere".to_owned() },
        Landing::Gone { found: "nothing".to_owned() },
        Landing::Unavailable { issue: "no disk".to_owned() },
    ] {
        report(moves, id, format!("{task} {landing:?}"), Report::Landing(landing));
    }
}

fn people(moves: &mut Vec<Move>, table: &Table) {
    let board = table.board();
    let mut ask = |label: String, command: Command, gives_up: bool| {
        moves.push(Move { label, command: state::Command::Delivery(command), gives_up });
    };
    for (question, task) in board.questions.values() {
        let advice = "advice".to_owned();
        for answer in question.options.iter().chain([&advice]) {
            let label = format!("{answer} to {:?} of {task:?}", question.about);
            let reply = Command::Reply { question: question.id.clone(), answer: answer.clone() };
            ask(label, reply, answer == "stop");
        }
    }
    if matches!(board.course, Course::Running | Course::Preparing) {
        ask("pause".to_owned(), Command::Pause { reason: "interrupt".to_owned() }, false);
    } else {
        ask("resume".to_owned(), Command::Resume { delivery: None, task: None }, false);
    }
    let delivery = table.state.deliveries.boards.keys().next().unwrap().clone();
    ask("cancel".to_owned(), Command::Cancel { delivery }, true);
}
