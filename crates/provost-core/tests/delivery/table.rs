//! A table to play deliveries on: commands in, everything that follows applied, events by name out.

use provost_core::adapter::Account;
use provost_core::decider::{At, Decider, Moment};
use provost_core::delivery::{
    Begin, Bypassed, CheckResult, CheckSpec, Command, Effect, Landing, Measurement, NewTask, Outcome, Report,
    Roles, Status, TurnEnd, Verdict,
};
use provost_core::digest::Digest;
use provost_core::effects::EffectId;
use provost_core::limits::Limit;
use provost_core::project::{self, Preparation, Settings};
use provost_core::record::Sequence;
use provost_core::role::Role;
use provost_core::state::{self, Event, State};
use provost_core::time::Timestamp;

/// The state and how far the record is.
#[derive(Clone, Default)]
pub(crate) struct Table {
    pub(crate) state: State,
    sequence: Sequence,
    /// The time at which everything is decided until it is moved on.
    pub(crate) now: Timestamp,
}

/// A task of a delivery to begin.
#[derive(Clone, Copy)]
pub(crate) struct NewTaskOf {
    pub(crate) id: &'static str,
    pub(crate) blocked_by: &'static [&'static str],
    pub(crate) verify: bool,
}

impl Table {
    /// A delivery that has begun, with limits of its own.
    pub(crate) fn begun(tasks: &[NewTaskOf], limits: &[(Limit, u32)]) -> Table {
        let mut table = Table::default();
        let mut settings = Settings::default();
        for (limit, value) in limits {
            settings.set(*limit, *value);
        }
        let preparation = Preparation { project_id: "p".to_owned(), settings };
        table.take(&state::Command::Project(project::Command::Prepare(preparation)));
        let mut begin = begin(&tasks.iter().map(|task| (task.id, task.blocked_by)).collect::<Vec<_>>());
        for (new, task) in begin.tasks.iter_mut().zip(tasks) {
            new.verify = task.verify;
        }
        table.ask(Command::Begin(begin));
        table
    }

    /// The same with limits as they are by default, past its baseline.
    pub(crate) fn past_baseline(tasks: &[NewTaskOf]) -> Table {
        let mut table = Table::begun(tasks, &[]);
        let baseline = table.effects()[0].0;
        table.report(baseline, Report::Baseline(vec![result(Verdict::Passed)]));
        table
    }

    /// Decides and applies a command and all that follows from it; a refusal is nothing that happened.
    pub(crate) fn attempt(
        &mut self,
        command: &state::Command,
        see: &mut dyn FnMut(&State, &Event),
    ) -> Result<Vec<Event>, String> {
        let mut happened = Vec::new();
        let mut command = command.clone();
        loop {
            let moment = Moment { now: self.now, sequence: self.sequence + 1 };
            for event in self.state.decide(&command, moment).unwrap_or_default() {
                see(&self.state, &event);
                self.sequence += 1;
                let at = At { sequence: self.sequence, timestamp: self.now, session_id: "s" };
                self.state.apply(at, &event).map_err(|why| why.to_string())?;
                happened.push(event);
            }
            if self.state.wake().is_none() {
                return Ok(happened);
            }
            if happened.len() > 100 {
                return Err("it does not come to rest".to_owned());
            }
            command = State::woken();
        }
    }

    /// How far the record is.
    pub(crate) fn sequence(&self) -> Sequence {
        self.sequence
    }

    /// A delivery of tasks, each with what it waits for, past its baseline.
    pub(crate) fn new(tasks: &[(&str, &[&str])]) -> Table {
        Table::on(begin(tasks))
    }

    /// The same for a delivery that says more than its tasks.
    pub(crate) fn on(begin: Begin) -> Table {
        let mut table = Table::default();
        table.ask(Command::Begin(begin));
        let baseline = table.effects()[0].0;
        table.report(baseline, Report::Baseline(vec![result(Verdict::Passed)]));
        table
    }

    /// Decides and applies a command and all that follows from it, and names the events.
    pub(crate) fn ask(&mut self, command: Command) -> Vec<String> {
        let mut names = self.take(&state::Command::Delivery(command));
        while self.state.wake().is_some() {
            names.extend(self.take(&State::woken()));
        }
        names
    }

    pub(crate) fn report(&mut self, effect: EffectId, report: Report) -> Vec<String> {
        self.ask(Command::Report { effect, report })
    }

    pub(crate) fn lose(&mut self, effect: EffectId) -> Vec<String> {
        let mut names = self.take(&State::lost(effect));
        while self.state.wake().is_some() {
            names.extend(self.take(&State::woken()));
        }
        names
    }

    fn take(&mut self, command: &state::Command) -> Vec<String> {
        let moment = Moment { now: self.now, sequence: self.sequence + 1 };
        let events = self.state.decide(command, moment).unwrap();
        events.iter().map(|event| self.apply(event)).collect()
    }

    fn apply(&mut self, event: &Event) -> String {
        self.sequence += 1;
        let at = At { sequence: self.sequence, timestamp: self.now, session_id: "s" };
        self.state.apply(at, event).unwrap();
        let Event::Delivery(event) = event else { return "project".to_owned() };
        event.task.iter().fold(event.what.name().to_owned(), |name, task| format!("{task} {name}"))
    }

    /// What is due.
    pub(crate) fn effects(&self) -> Vec<(EffectId, Effect)> {
        self.state.due().iter().map(|(id, effect)| (id, effect.clone())).collect()
    }

    /// The effect that is due for a task.
    pub(crate) fn effect(&self, task: &str) -> EffectId {
        let of = |effect: &Effect| match effect {
            Effect::Turn(turn) => turn.task == task,
            Effect::Measure(measure) => measure.task == task,
            Effect::Land(land) => land.task == task,
            Effect::Clean { .. } | Effect::Baseline { .. } => false,
        };
        self.effects().into_iter().find(|(_, effect)| of(effect)).unwrap().0
    }

    /// Ends a turn of a task.
    pub(crate) fn turn(&mut self, task: &str, outcome: Outcome) -> Vec<String> {
        self.turn_with(task, outcome, None)
    }

    /// The same with what the agent's stream came to.
    pub(crate) fn turn_with(
        &mut self,
        task: &str,
        outcome: Outcome,
        account: Option<Box<Account>>,
    ) -> Vec<String> {
        let effect = self.effect(task);
        self.report(effect, Report::Started { prompt: None, token: None });
        let end = TurnEnd {
            outcome,
            exit: Some(0),
            duration_ms: 1,
            output: None,
            results: Vec::new(),
            checkpoints: Vec::new(),
            account,
        };
        self.report(effect, Report::Turn(end))
    }

    /// Lets a developer be ready and its checks give a verdict.
    pub(crate) fn develop(&mut self, task: &str, verdict: Verdict) -> Vec<String> {
        let mut names = self.turn(task, Outcome::Ready { summary: "done".to_owned() });
        let effect = self.effect(task);
        let measured = Measurement::Committed {
            commit: format!("commit-of-{task}"),
            tree: "tree".to_owned(),
            files: vec!["file".to_owned()],
            results: vec![result(verdict)],
        };
        names.extend(self.report(effect, Report::Measured(measured)));
        names
    }

    pub(crate) fn pass(&mut self, task: &str) -> Vec<String> {
        self.turn(task, Outcome::Passed { summary: "fine".to_owned() })
    }

    pub(crate) fn land(&mut self, task: &str, landing: Landing) -> Vec<String> {
        let effect = self.effect(task);
        self.report(effect, Report::Landing(landing))
    }

    pub(crate) fn landed(&mut self, task: &str) -> Vec<String> {
        let commit = format!("landed-{task}");
        self.land(task, Landing::Landed { commit, results: vec![result(Verdict::Passed)] })
    }

    pub(crate) fn status(&self, task: &str) -> Status {
        self.state.deliveries.boards.values().next().unwrap().tasks[task].status
    }

    pub(crate) fn questions(&self) -> Vec<(String, Vec<String>)> {
        let board = self.state.deliveries.boards.values().next().unwrap();
        board
            .questions
            .values()
            .map(|(question, _)| (question.id.clone(), question.options.clone()))
            .collect()
    }

    pub(crate) fn reply(&mut self, answer: &str) -> Vec<String> {
        let question = self.questions()[0].0.clone();
        self.ask(Command::Reply { question, answer: answer.to_owned() })
    }

    /// The roles that agents play now, by task.
    pub(crate) fn roles(&self) -> Vec<(String, Role)> {
        let turn = |(_, effect): (EffectId, Effect)| match effect {
            Effect::Turn(turn) => Some((turn.task, turn.role)),
            _ => None,
        };
        self.effects().into_iter().filter_map(turn).collect()
    }
}

pub(crate) fn begin(tasks: &[(&str, &[&str])]) -> Begin {
    let task = |(id, blocked_by): &(&str, &[&str])| NewTask {
        id: (*id).to_owned(),
        title: format!("Task {id}"),
        priority: 2,
        downstream: 0,
        blocked_by: blocked_by.iter().map(|it| (*it).to_owned()).collect(),
        verify: false,
        checks: Vec::new(),
        files: Vec::new(),
        without_criteria: false,
    };
    let role = |name: &str| name.to_owned();
    Begin {
        plan: Digest::of(b"plan"),
        name: "plan.md".to_owned(),
        title: "A plan".to_owned(),
        base: "base".to_owned(),
        tasks: tasks.iter().map(task).collect(),
        checks: vec![CheckSpec {
            name: "test".to_owned(),
            argv: vec!["true".to_owned()],
            expect_exit: 0,
            limit_s: 60,
            required: true,
        }],
        roles: Roles { developer: role("dev"), critic: role("critic"), auditor: role("auditor") },
        bypassed: Bypassed::Ask,
        again: false,
        warrant: Box::default(),
        terms: Box::default(),
    }
}

pub(crate) fn result(verdict: Verdict) -> CheckResult {
    let exit = Some(i32::from(verdict != Verdict::Passed));
    CheckResult {
        check: "test".to_owned(),
        verdict,
        exit,
        expected: 0,
        output: None,
        tail: "tail".to_owned(),
        required: true,
    }
}
