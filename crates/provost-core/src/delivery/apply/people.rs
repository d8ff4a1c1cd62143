//! What people and other tasks do to a task: answers, and tasks that it has to wait for.

use super::super::Status;
use super::super::effect::Answered;
use super::super::event::About;
use super::super::task::{Counts, Review};
use super::Fold;

impl Fold<'_> {
    pub(super) fn answered(&mut self, id: &str, question: &str, answer: &str) {
        let asked = self.board.questions.remove(question);
        self.board.wake();
        self.with(id, |task| {
            task.question = None;
            task.counts = Counts::default();
            if let Some((asked, _)) = asked {
                match asked.about {
                    About::Bypass if task.status == Status::Landing => task.review = Review::Waived,
                    About::Bypass => task.review = Review::Due,
                    About::Spend => task.granted = task.granted.saturating_add(1),
                    about => {
                        if about == About::Files {
                            // Whoever claims such work after this is told once more before anybody is asked.
                            task.outside.clear();
                        }
                        task.answers.push(Answered { question: asked.text, answer: answer.to_owned() });
                    }
                }
            }
        });
    }

    pub(super) fn block(&mut self, id: &str, by: &str) {
        self.with(id, |task| {
            task.blockers.insert(by.to_owned());
        });
        if let Some(blocker) = self.board.tasks.get_mut(by)
            && !blocker.dependents.iter().any(|it| it == id)
        {
            blocker.dependents.push(id.to_owned());
        }
    }
}
