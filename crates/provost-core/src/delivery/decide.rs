//! Deciding what commands and reports make happen. Guards are evaluated here, once; what they gave is the event's name.

mod reply;
mod resume;
mod trouble;
mod turn;

use super::apply::sequence_of;
use super::board::{Board, Course};
use super::command::{Begin, CheckResult, Command, Landing, Measurement, Permission, Report, Verdict};
use super::event::{About, Event, Question, What};
use super::prices::{Basis, priced};
use super::scope::{ALLOW, CLAIM_MAX, KEEP_OUT, listed};
use super::task::Task;
use super::{Deliveries, Status, green, named, outside, unproven};
use crate::decider::Moment;
use crate::diagnostic::{self, Diagnostic, quoted, visible};
use crate::effects::{EffectId, Effects};
use crate::infrastructure::Health;
use crate::limits::Limit;
use crate::project::Settings;

use super::effect::Effect;

/// The most characters of what a check said that a question repeats.
const SAID_MAX: usize = 200;

/// Events of one decision, in order.
pub(super) struct Decision<'a> {
    moment: Moment,
    delivery: &'a str,
    events: Vec<Event>,
}

impl<'a> Decision<'a> {
    fn new(moment: Moment, delivery: &'a str) -> Self {
        Decision { moment, delivery, events: Vec::new() }
    }

    fn whole(&mut self, what: What) {
        self.events.push(Event { delivery: self.delivery.to_owned(), task: None, what });
    }

    fn of(&mut self, task: &str, what: What) {
        let task = Some(task.to_owned());
        self.events.push(Event { delivery: self.delivery.to_owned(), task, what });
    }

    /// A question whose id is the sequence of the event that carries it.
    fn question(&self, about: About, text: String, options: &[&str]) -> Question {
        let sequence = self.moment.sequence + self.events.len() as u64;
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Question { id: format!("q-{sequence}"), about, text, options }
    }
}

impl Deliveries {
    /// Says what a command makes happen.
    pub(crate) fn decide(
        &self,
        command: &Command,
        moment: Moment,
        settings: &Settings,
        effects: &Effects<Effect>,
    ) -> Result<Vec<Event>, Diagnostic> {
        match command {
            Command::Begin(begin) => self.decide_begin(begin, moment),
            Command::Report { effect, report } => {
                Ok(self.decide_report(*effect, report, moment, settings, effects))
            }
            Command::Reply { question, answer } => self.decide_reply(question, answer, moment),
            Command::Pause { reason } => {
                let running =
                    self.open.iter().filter(|id| self.boards.get(*id).is_some_and(Board::can_pause));
                let pause = |id: &String| Event {
                    delivery: id.clone(),
                    task: None,
                    what: What::SessionPause { reason: reason.clone() },
                };
                Ok(running.map(pause).collect())
            }
            Command::Resume { delivery, task } => {
                self.decide_resume(delivery.as_deref(), task.as_deref(), moment)
            }
            Command::Cancel { delivery } => {
                let board = self.board(delivery)?;
                if board.has_ended() {
                    let message = format!("delivery {delivery} has ended");
                    return Err(Diagnostic::error(diagnostic::DELIVERY_ENDED, message));
                }
                let (delivery, what) = (delivery.clone(), What::DeliveryCancelled {});
                Ok(vec![Event { delivery, task: None, what }])
            }
        }
    }

    /// A delivery by its id, or that there is none, with the one that may be meant.
    pub fn board(&self, delivery: &str) -> Result<&Board, Diagnostic> {
        let unknown = || {
            let message = format!("there is no delivery {}", quoted(delivery));
            let known = self.boards.keys().map(String::as_str);
            Diagnostic::error(diagnostic::DELIVERY_UNKNOWN, message).meaning(delivery, known)
        };
        self.boards.get(delivery).ok_or_else(unknown)
    }

    fn decide_begin(&self, begin: &Begin, moment: Moment) -> Result<Vec<Event>, Diagnostic> {
        let same = |board: &Board| board.plan == begin.plan && !board.has_ended();
        if let Some((id, _)) = self.boards.iter().find(|(_, board)| same(board)) {
            let message = format!("{} is being delivered as {id}", quoted(&begin.name));
            let help = format!("go on with `provost resume {id}`, or end it with `provost cancel {id}`");
            return Err(Diagnostic::error(diagnostic::DELIVERY_BEGUN, message).with_help(help));
        }
        let done = |board: &Board| board.plan == begin.plan && board.course == Course::Complete;
        let delivered = self.boards.iter().filter(|(_, board)| done(board) && !begin.again);
        if let Some((id, board)) = delivered.max_by_key(|(id, _)| sequence_of(id)) {
            let message = format!("{} was delivered as {id}, on {}", quoted(&begin.name), board.branch);
            let help = format!(
                "see it with `provost show {id}`; `provost run {} --again` delivers it once more",
                visible(&begin.name)
            );
            return Err(Diagnostic::error(diagnostic::DELIVERY_DONE, message).with_help(help));
        }
        let delivery = format!("d-{}", moment.sequence);
        let mut decision = Decision::new(moment, &delivery);
        decision.whole(What::DeliveryStarted {
            plan: begin.plan,
            name: begin.name.clone(),
            title: begin.title.clone(),
            base: begin.base.clone(),
            branch: format!("provost/{delivery}"),
            checks: begin.checks.clone(),
            roles: begin.roles.clone(),
            bypassed: begin.bypassed,
            warrant: begin.warrant.clone(),
            terms: begin.terms.clone(),
        });
        for task in &begin.tasks {
            let added = What::TaskAdded {
                title: task.title.clone(),
                priority: task.priority,
                downstream: task.downstream,
                blocked_by: task.blocked_by.clone(),
                verify: task.verify,
                checks: task.checks.clone(),
                files: task.files.clone(),
                without_criteria: task.without_criteria,
            };
            decision.of(&task.id, added);
        }
        Ok(decision.events)
    }

    fn decide_report(
        &self,
        effect: EffectId,
        report: &Report,
        moment: Moment,
        settings: &Settings,
        effects: &Effects<Effect>,
    ) -> Vec<Event> {
        let Some((delivery, task)) = owner(effect, effects) else {
            // Nothing is permitted to a turn that nobody waits for any more, and nothing happened.
            let asks = matches!(report, Report::Permission(_));
            return if asks { Vec::new() } else { vec![self.late(effect, report)] };
        };
        let Some(board) = self.boards.get(delivery) else { return Vec::new() };
        let mut decision = Decision::new(moment, delivery);
        let task = task.and_then(|id| Some((id, board.tasks.get(id)?)));
        match (report, task) {
            (Report::Started { prompt, token }, Some((id, _))) => {
                decision.of(id, What::AgentDispatched { effect, prompt: *prompt, token: *token });
            }
            (Report::Baseline(results), _) => decision.baseline(results, board),
            (Report::Unmeasured { issue }, _) => decision.ask_for_repair(board, issue),
            (Report::Permission(permission), Some((id, task))) => decision.permitted(id, task, permission),
            (Report::Turn(end), Some((id, task))) => {
                decision.turn(id, task, board, end, settings, &self.resting);
            }
            (Report::Measured(measured), Some((id, task))) => {
                decision.measured(id, task, board, measured, settings);
            }
            (Report::Landing(landing), Some((id, task))) => {
                decision.landing(id, task, board, landing, settings);
            }
            (Report::Cleaned, Some((id, _))) => decision.of(id, What::TaskCleaned { effect }),
            (_, None) => {}
        }
        decision.events
    }

    /// A report that nobody waits for: only what a turn cost still counts, since it was really spent.
    fn late(&self, effect: EffectId, report: &Report) -> Event {
        let of = self.boards.iter().find_map(|(id, board)| Some((id, board, board.given_up.get(&effect)?)));
        let account = match report {
            Report::Turn(end) => end.account.as_ref().filter(|account| !account.spent.is_unknown()),
            _ => None,
        };
        let (Some((delivery, board, (task, agent))), Some(account)) = (of, account) else {
            let what = What::LateReport { effect, spent: None, basis: Basis::Unknown };
            return Event { delivery: String::new(), task: None, what };
        };
        let (spent, basis) = priced(&board.terms.prices, agent, account.model.as_deref(), account.spent);
        let what = What::LateReport { effect, spent: Some(spent), basis };
        Event { delivery: delivery.clone(), task: Some(task.clone()), what }
    }

    /// What follows when an effect was running as its performer ended.
    pub(crate) fn lost(&self, effect: EffectId, moment: Moment, effects: &Effects<Effect>) -> Vec<Event> {
        let Some((delivery, Some(id))) = owner(effect, effects) else { return Vec::new() };
        let mut decision = Decision::new(moment, delivery);
        if let Some(task) = self.boards.get(delivery).and_then(|board| board.tasks.get(id)) {
            decision.lost(id, task);
        }
        decision.events
    }
}

/// A check that does not pass: its name, what became of it, and the last thing that it said.
fn gave(result: &CheckResult) -> String {
    let last = result.tail.lines().map(str::trim).rfind(|line| !line.is_empty());
    let said: String = last.map(|line| format!(", {line}")).unwrap_or_default();
    let said: String = said.chars().take(SAID_MAX).collect();
    format!("{} {}{said}", result.check, result.verdict.as_ref())
}

/// The delivery and task that an open effect belongs to.
fn owner(effect: EffectId, effects: &Effects<Effect>) -> Option<(&str, Option<&str>)> {
    let (delivery, task) = match effects.get(effect)? {
        Effect::Baseline { delivery, .. } => (delivery, None),
        Effect::Turn(turn) => (&turn.delivery, Some(turn.task.as_str())),
        Effect::Measure(measure) => (&measure.delivery, Some(measure.task.as_str())),
        Effect::Land(land) => (&land.delivery, Some(land.task.as_str())),
        Effect::Clean { delivery, task, .. } => (delivery, Some(task.as_str())),
    };
    Some((delivery, task))
}

impl Decision<'_> {
    fn permitted(&mut self, id: &str, task: &Task, permission: &Permission) {
        let Some(working) = &task.agent else { return };
        let Permission { act, allowed, rules, why } = permission.clone();
        let (agent, role) = (working.name.clone(), working.role);
        self.of(id, What::PermissionDecided { agent, role, act, allowed, rules, why });
    }

    /// A red baseline, or none at all, is asked about once before any money is spent.
    fn baseline(&mut self, results: &[CheckResult], board: &Board) {
        self.whole(What::PreExistingBaselineCaptured { results: results.to_vec() });
        let red: Vec<String> = results
            .iter()
            .filter(|result| result.required && result.verdict != Verdict::Passed)
            .map(gave)
            .collect();
        let tasks = board.tasks.iter().map(|(id, task)| (id.as_str(), task.checks.as_slice()));
        let aimless = board.without_criteria.iter().map(String::as_str);
        let unproven = unproven(&board.checks, tasks, aimless);
        let (text, options): (String, &[&str]) = match (red.as_slice(), unproven) {
            ([], None) => return,
            ([], Some(unproven)) => (format!("{unproven}; go on all the same?"), &["go-on", "stop"]),
            // One question for both: whoever goes on has to say what becomes of the checks.
            (red, unproven) => {
                let also = unproven.map(|unproven| format!("; and {unproven}")).unwrap_or_default();
                let red = red.join("; ");
                let text =
                    format!("before any work these checks do not pass: {red}{also}; ignore them, or stop?");
                (text, &["ignore", "stop"])
            }
        };
        let question = self.question(About::Baseline, text, options);
        self.whole(What::CoordinatorPrays { question });
    }

    fn measured(
        &mut self,
        id: &str,
        task: &Task,
        board: &Board,
        measured: &Measurement,
        settings: &Settings,
    ) {
        match measured {
            Measurement::Committed { commit, tree, files, results } => {
                if let Some(broken) = results.iter().find(|it| it.required && it.verdict.is_environment()) {
                    let issue = format!("the check {} cannot be run: {}", broken.check, broken.tail);
                    self.broken(id, board, What::EnvironmentUnavailable { issue: issue.clone() }, &issue);
                } else {
                    let outside = outside(&task.files, &task.allowed, files);
                    if outside.is_empty() && green(results) {
                        let (all, files) = (files.len(), listed(files.iter().map(String::as_str)));
                        let files_more = all.saturating_sub(files.len()) as u64;
                        let (commit, tree, results) = (commit.clone(), tree.clone(), results.clone());
                        self.of(
                            id,
                            What::DeveloperReadyForReview { commit, tree, files, files_more, results },
                        );
                    } else {
                        self.does_not_hold(id, task, &outside, results, settings);
                    }
                }
            }
            Measurement::Unacceptable { reason } => self.rejected(id, task, reason, settings),
            Measurement::Unavailable { issue } => {
                self.broken(id, board, What::EnvironmentUnavailable { issue: issue.clone() }, issue);
            }
        }
    }

    /// What a developer claims is not so: it goes back with what was measured. A developer who changes other files than
    /// the plan lets it write, is told so and claims it again, cannot be right alone: a person says who is.
    fn does_not_hold(
        &mut self,
        id: &str,
        task: &Task,
        outside: &[&str],
        results: &[CheckResult],
        settings: &Settings,
    ) {
        let kept = listed(outside.iter().copied());
        let outside_more = outside.len().saturating_sub(kept.len()) as u64;
        let paths = named(&kept, outside_more);
        let insists = !outside.is_empty() && !task.outside.is_empty();
        let results = results.to_vec();
        self.of(id, What::EnvironmentVerificationFailed { results, outside: kept, outside_more });
        let reached = task.counts.self_solve + 1 >= settings.limit(Limit::SelfSolveAlone);
        if insists && !reached {
            let mut said = task.claim.split_whitespace().collect::<Vec<_>>().join(" ");
            if let Some((cut, _)) = said.char_indices().nth(CLAIM_MAX) {
                said.truncate(cut);
                said.push('…');
            }
            let said = if said.is_empty() { String::new() } else { format!(" its developer says: {said}") };
            let text = format!(
                "task {id} keeps changing files that the plan does not let it write: {paths}; allow these, or keep it out of them?{said}"
            );
            let question = self.question(About::Files, text, &[ALLOW, KEEP_OUT]);
            self.of(id, What::CoordinatorSeeksGuidance { question });
        }
        let why = if outside.is_empty() { "its checks keep failing" } else { "its claims keep not holding" };
        self.halt_if(reached, id, why);
    }

    fn rejected(&mut self, id: &str, task: &Task, reason: &str, settings: &Settings) {
        self.of(id, What::SignalRejected { reason: reason.to_owned() });
        let reached = task.counts.signal_rejections + 1 >= settings.limit(Limit::SignalRejections);
        self.halt_if(reached, id, "its agent's signals keep being invalid");
    }

    fn landing(&mut self, id: &str, task: &Task, board: &Board, landing: &Landing, settings: &Settings) {
        let reached = task.counts.landing_failures + 1 >= settings.limit(Limit::LandingFailures);
        match landing {
            Landing::Landed { commit, results } => {
                let (commit, results) = (Some(commit.clone()), results.clone());
                self.of(id, What::TaskComplete { commit, results, summary: String::new() });
                self.unblock_dependents(id, task, board);
            }
            Landing::Conflict { files } => {
                self.of(id, What::MergeConflict { files: files.clone() });
                self.halt_if(reached, id, "it keeps conflicting with what has landed");
            }
            Landing::ChecksFailed { results } => {
                self.of(id, What::LandingChecksFailed { results: results.clone() });
                self.halt_if(reached, id, "its checks keep failing together with what has landed");
            }
            Landing::Moved { tip } => self.of(id, What::LandingRepeated { tip: tip.clone() }),
            Landing::Gone { found } => {
                let text = format!(
                    "the branch {} is not where it was left: {found}; put it back, then go on?",
                    board.branch
                );
                let question = self.question(About::Task, text, &["go-on"]);
                self.of(id, What::CoordinatorSeeksGuidance { question });
            }
            Landing::CheckedOut { folder } => {
                let text = format!(
                    "the branch {} is checked out in {}, and landing would move it there; leave it \
                     (`git switch --detach` in that folder), then go on?",
                    board.branch,
                    quoted(folder)
                );
                let question = self.question(About::Task, text, &["go-on"]);
                self.of(id, What::CoordinatorSeeksGuidance { question });
            }
            Landing::Unavailable { issue } => {
                self.broken(id, board, What::EnvironmentUnavailable { issue: issue.clone() }, issue);
            }
        }
    }

    fn unblock_dependents(&mut self, id: &str, task: &Task, board: &Board) {
        for dependent in &task.dependents {
            let Some(waiting) = board.tasks.get(dependent) else { continue };
            if waiting.status == Status::Blocked
                && waiting.blockers.len() == 1
                && waiting.blockers.contains(id)
            {
                self.of(dependent, What::TaskUnblocked { unblocked_by: Some(id.to_owned()) });
            }
        }
    }

    /// Something around the work is broken: the task waits, and a person is asked once.
    fn broken(&mut self, id: &str, board: &Board, what: What, issue: &str) {
        self.of(id, what);
        self.ask_for_repair(board, issue);
    }

    fn ask_for_repair(&mut self, board: &Board, issue: &str) {
        self.whole(What::InfrastructureBlocked { issue: issue.to_owned() });
        if board.health == Health::Exhausted {
            return;
        }
        let text = format!("something around the work is broken: {issue}; mend it, then try again?");
        let question = self.question(About::Infrastructure, text, &["retry", "stop"]);
        self.whole(What::RemediationUnavailable { question });
    }

    fn halt_if(&mut self, reached: bool, id: &str, reason: &str) {
        if reached {
            let text = format!("task {id} halted: {reason}; let it start again, or remove it from the plan?");
            let question = self.question(About::Halt, text, &["retry", "remove"]);
            self.of(id, What::TaskHalted { reason: reason.to_owned(), question });
        }
    }
}
