//! People: they begin deliveries, answer what they are asked, pause, resume and cancel, each when the seed says so.

use std::collections::{BTreeMap, BTreeSet};

use provost_core::delivery::{self, Course, Question, Status};
use provost_core::project::{self, Preparation};
use provost_core::state::{Command, State};

use crate::plan;
use crate::world::{Happening, World};

/// What people are about to do, so that nobody does it twice.
#[derive(Debug, Default)]
pub(crate) struct People {
    /// Questions that somebody is answering, by request.
    answering: BTreeMap<String, String>,
    /// Requests to resume that are on their way.
    resuming: BTreeSet<String>,
    requests: u64,
}

/// Answers that end a delivery or a task.
const FINAL: &[&str] = &["stop", "remove"];

impl World {
    /// What is asked whatever happens: that there is a project, and something to deliver.
    pub(crate) fn ask_first(&mut self) {
        let settings = plan::settings(&mut self.random);
        let preparation = Preparation { project_id: "p".to_owned(), settings };
        let prepare = Command::Project(project::Command::Prepare(preparation));
        self.later(0, Happening::Request("prepare".to_owned(), prepare));
        let plans: &[&str] = if self.random.chance(25) { &["first", "second"] } else { &["first"] };
        for name in plans {
            let begin = plan::begin(&mut self.random, name, self.plan.tasks_max);
            let begin = Command::Delivery(delivery::Command::Begin(begin));
            let at = 40 + self.random.below(400);
            self.later(at, Happening::Request(format!("begin-{name}"), begin.clone()));
            if self.random.chance(25) {
                // The same request again, as a client does that lost its answer.
                self.later(at + 300, Happening::Request(format!("begin-{name}"), begin.clone()));
            }
            if self.random.chance(25) {
                // The same plan, asked for by somebody else.
                self.later(at + 300, Happening::Request(format!("again-{name}"), begin));
            }
        }
        if plans.len() > 1 {
            self.seen.note("two deliveries");
        }
    }

    /// Whether things still go wrong.
    pub(crate) fn is_troubled(&self) -> bool {
        self.begun < self.plan.troubled
    }

    fn ask(&mut self, ms: u64, command: delivery::Command) -> String {
        self.people.requests += 1;
        let id = format!("person-{}", self.people.requests);
        self.later(ms, Happening::Request(id.clone(), Command::Delivery(command)));
        id
    }

    /// Somebody looks at how things stand, and does something about it later.
    pub(crate) fn look(&mut self, state: &State) {
        if self.plan.people_leave.is_some_and(|begun| self.begun >= begun) {
            self.seen.note("people left");
            return;
        }
        for (id, board) in state.deliveries.open() {
            for (question, _) in board.questions.values() {
                if !self.people.answering.values().any(|it| *it == question.id) {
                    let (ms, answer) = (self.random.below(600), self.answer_to(question));
                    let reply = delivery::Command::Reply { question: question.id.clone(), answer };
                    let request = self.ask(ms, reply);
                    self.people.answering.insert(request, question.id.clone());
                }
            }
            let halted = board.tasks.iter().find(|(_, task)| task.status == Status::Halted);
            if let Some((task, _)) = halted.filter(|_| self.random.chance(10)) {
                let (delivery, task) = (Some(id.clone()), Some(task.clone()));
                let ms = self.random.below(400);
                self.ask(ms, delivery::Command::Resume { delivery, task });
            }
            if board.course == Course::Paused && self.people.resuming.is_empty() {
                let delivery = self.random.chance(50).then(|| id.clone());
                let ms = self.random.below(400);
                let request = self.ask(ms, delivery::Command::Resume { delivery, task: None });
                self.people.resuming.insert(request);
            }
            if self.is_troubled() && self.random.below(1_500) == 0 {
                let ms = self.random.below(300);
                self.ask(ms, delivery::Command::Cancel { delivery: id.clone() });
            }
        }
        if self.is_troubled() && self.random.below(60) == 0 {
            let ms = self.random.below(300);
            self.ask(ms, delivery::Command::Pause { reason: "interrupt".to_owned() });
        }
    }

    fn answer_to(&mut self, question: &Question) -> String {
        let options = || question.options.iter().map(String::as_str);
        let goes_on = options().find(|option| !FINAL.contains(option)).unwrap_or("advice").to_owned();
        if !self.is_troubled() {
            return goes_on;
        }
        let possible: Vec<&str> = options().chain(["advice", " "]).collect();
        let answer = self.random.pick(&possible);
        // Few give up at once.
        if answer == "stop" && self.random.chance(90) { goes_on } else { answer.to_owned() }
    }

    /// A request got its answer, or was refused: what is still open can be done again.
    pub(crate) fn heard_back(&mut self, request: &str) {
        self.people.answering.remove(request);
        self.people.resuming.remove(request);
    }
}
