//! What a person's answer leads to.

use super::super::board::Board;
use super::super::command::Verdict;
use super::super::event::{About, Event, Question, What};
use super::super::scope::ALLOW;
use super::super::{Deliveries, Status};
use super::Decision;
use crate::decider::Moment;
use crate::diagnostic::{self, Diagnostic, nearest, quoted};

impl Deliveries {
    pub(super) fn decide_reply(
        &self,
        question: &str,
        answer: &str,
        moment: Moment,
    ) -> Result<Vec<Event>, Diagnostic> {
        let asked = self.open.iter().find_map(|id| {
            let board = self.boards.get(id)?;
            Some((id, board, board.questions.get(question)?))
        });
        let Some((delivery, board, (asked, task))) = asked else {
            let message = format!("no question {} is open", quoted(question));
            let known = self.open().flat_map(|(_, board)| board.questions.keys().map(String::as_str));
            return Err(Diagnostic::error(diagnostic::QUESTION_UNKNOWN, message).meaning(question, known));
        };
        if answer.trim().is_empty() {
            return Err(Diagnostic::error(diagnostic::QUESTION_ANSWER, "the answer has no text"));
        }
        let mut decision = Decision::new(moment, delivery);
        match (asked.about, task.as_deref()) {
            (About::Task, Some(task)) => decision.guided(task, asked, answer),
            (About::Halt, Some(task)) => decision.after_halt(task, board, asked, answer)?,
            (About::Bypass, Some(task)) => decision.after_bypass(task, asked, answer)?,
            (About::Files, Some(id)) => {
                not_nearly_an_option(asked, answer)?;
                let outside = board.tasks.get(id).map(|task| task.outside.clone()).unwrap_or_default();
                decision.after_files(id, outside, asked, answer);
            }
            (About::Infrastructure, _) => decision.after_repair(asked, answer)?,
            (About::Baseline, _) => decision.after_baseline(board, asked, answer)?,
            (About::Spend, task) => decision.after_spending(task, board, asked, answer)?,
            (About::Task | About::Halt | About::Bypass | About::Files, None) => {}
        }
        Ok(decision.events)
    }
}

impl Decision<'_> {
    pub(super) fn guided(&mut self, task: &str, asked: &Question, answer: &str) {
        let (question, answer) = (asked.id.clone(), answer.to_owned());
        self.of(task, What::DivineResponseReceived { question, answer, allowed: Vec::new() });
    }

    /// What lay outside its files is allowed by its names, so that nothing else is; all but the word for it is advice.
    fn after_files(&mut self, task: &str, outside: Vec<String>, asked: &Question, answer: &str) {
        let allowed = if answer == ALLOW { outside } else { Vec::new() };
        let (question, answer) = (asked.id.clone(), answer.to_owned());
        self.of(task, What::DivineResponseReceived { question, answer, allowed });
    }

    fn after_halt(
        &mut self,
        task: &str,
        board: &Board,
        asked: &Question,
        answer: &str,
    ) -> Result<(), Diagnostic> {
        if answer != "remove" {
            not_nearly_an_option(asked, answer)?;
            // Anything else is advice for the next attempt.
            self.guided(task, asked, answer);
            return Ok(());
        }
        let waits = |id: &&String| board.tasks.get(*id).is_some_and(|it| it.status == Status::Blocked);
        let dependents = board.tasks.get(task).map(|it| it.dependents.as_slice()).unwrap_or_default();
        let waiting: Vec<&String> = dependents.iter().filter(waits).collect();
        if !waiting.is_empty() {
            let names: Vec<&str> = waiting.iter().map(|id| id.as_str()).collect();
            let message = format!("task {task} cannot be removed while {} wait for it", names.join(", "));
            return Err(Diagnostic::error(diagnostic::QUESTION_ANSWER, message));
        }
        self.of(task, What::TaskRemoved {});
        Ok(())
    }

    fn after_bypass(&mut self, task: &str, asked: &Question, answer: &str) -> Result<(), Diagnostic> {
        match answer {
            "land" => self.guided(task, asked, answer),
            "review" => {
                let (question, answer) = (asked.id.clone(), answer.to_owned());
                self.of(task, What::CriticBypassDeclined { question, answer });
            }
            _ => return Err(not_an_option(asked, answer)),
        }
        Ok(())
    }

    /// Going on means as much again.
    fn after_spending(
        &mut self,
        task: Option<&str>,
        board: &Board,
        asked: &Question,
        answer: &str,
    ) -> Result<(), Diagnostic> {
        match (answer, task) {
            ("continue", Some(task)) => self.guided(task, asked, answer),
            ("remove", Some(task)) => self.after_halt(task, board, asked, answer)?,
            ("continue", None) => {
                let (question, answer) = (asked.id.clone(), answer.to_owned());
                self.whole(What::GuidanceReceived { question, answer, ignored_checks: Vec::new() });
            }
            ("stop", None) => self.whole(What::DeliveryCancelled {}),
            _ => return Err(not_an_option(asked, answer)),
        }
        Ok(())
    }

    fn after_repair(&mut self, asked: &Question, answer: &str) -> Result<(), Diagnostic> {
        match answer {
            "stop" => self.whole(What::DeliveryCancelled {}),
            "retry" => self.whole(What::RemediationDivineOverride { answer: answer.to_owned() }),
            _ => return Err(not_an_option(asked, answer)),
        }
        Ok(())
    }

    fn after_baseline(&mut self, board: &Board, asked: &Question, answer: &str) -> Result<(), Diagnostic> {
        let red = |it: &&super::CheckResult| it.verdict != Verdict::Passed;
        let ignored_checks = match answer {
            "stop" => {
                self.whole(What::DeliveryCancelled {});
                return Ok(());
            }
            "go-on" => Vec::new(),
            "ignore" => {
                let results = board.baseline.as_deref().unwrap_or_default();
                results.iter().filter(red).map(|it| it.check.clone()).collect()
            }
            _ => return Err(not_an_option(asked, answer)),
        };
        let (question, answer) = (asked.id.clone(), answer.to_owned());
        self.whole(What::GuidanceReceived { question, answer, ignored_checks });
        Ok(())
    }
}

/// Refuses what was meant to be an option: as advice it would mean something else.
fn not_nearly_an_option(asked: &Question, answer: &str) -> Result<(), Diagnostic> {
    let options = || asked.options.iter().map(String::as_str);
    if options().any(|option| option == answer) || nearest(answer, options()).is_none() {
        return Ok(());
    }
    let advice = "anything else is advice for the next attempt";
    let refusal = not_an_option(asked, answer);
    Err(refusal.with_help(format!("answer one of: {}; {advice}", asked.options.join(", "))))
}

fn not_an_option(asked: &Question, answer: &str) -> Diagnostic {
    let message = format!("{} is not an answer to {}", quoted(answer), asked.id);
    let help = format!("answer one of: {}", asked.options.join(", "));
    Diagnostic::error(diagnostic::QUESTION_ANSWER, message).with_help(help)
}
