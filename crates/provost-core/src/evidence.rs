//! What the record has to show for each task, with the sequence of every record that shows it. Apart from the state
//! because nothing is decided from it: it is gathered by whoever wants to tell.

mod criteria;

use std::collections::BTreeMap;

use crate::adapter::Act;
use crate::delivery::{About, CheckResult, Event, Question, What};
use crate::digest::Digest;
use crate::record::Sequence;
use crate::role::Role;
use crate::time::Timestamp;

pub use criteria::{Ground, Judgement, Shown, criteria, outcome};

/// How many refusals of one task are kept to be told.
const REFUSED_MAX: usize = 20;

/// Everything that the record shows about deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// By the delivery's id.
    pub deliveries: BTreeMap<String, Trail>,
}

/// What the record shows about one delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Its first record.
    pub first: Sequence,
    /// Its last record so far.
    pub last: Sequence,
    /// The record of the checks before any work.
    pub baseline: Option<Sequence>,
    /// Every question, in the order of asking.
    pub questions: Vec<Asked>,
    /// By the task's id.
    pub tasks: BTreeMap<String, Proof>,
}

/// What the record shows about one task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The last claim that was measured and holds.
    pub measured: Option<Measured>,
    /// What the critic said about it.
    pub review: Option<Word>,
    /// What the auditor said about it.
    pub audit: Option<Word>,
    /// How the review was left out.
    pub bypassed: Option<Sequence>,
    /// What a person let it write besides its files, each time.
    pub allowed: Vec<(Sequence, Vec<String>)>,
    /// What landed.
    pub landed: Option<Landed>,
    /// Why it came back, each time.
    pub setbacks: Vec<Setback>,
    /// What was first refused to its agents; the task counts all of it.
    pub refused: Vec<Refused>,
    /// The turn that was begun last.
    pub turn: Option<Turn>,
    /// What the last agent was told.
    pub prompt: Option<(Sequence, Digest)>,
    /// What the last agent printed.
    pub output: Option<(Sequence, Digest)>,
}

/// A claim of a developer, measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The record.
    pub sequence: Sequence,
    /// What was measured.
    pub commit: String,
    /// The files that it changes.
    pub files: Vec<String>,
    /// How many more it changes than the record holds.
    pub files_more: u64,
    /// What the checks gave.
    pub results: Vec<CheckResult>,
    /// Whether the work was sent back since, so that it shows nothing about what will land.
    pub is_void: bool,
}

/// An agent's word for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The record.
    pub sequence: Sequence,
    /// The agent's name in the configuration.
    pub agent: String,
    /// What it said.
    pub summary: String,
}

impl Word {
    /// Whether it speaks of a criterion, however the lines of it are broken.
    fn names(&self, criterion: &str) -> bool {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        one_line(&self.summary).contains(&one_line(criterion))
    }
}

/// A task that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landed {
    /// The record.
    pub sequence: Sequence,
    /// The commit, if there was something to land.
    pub commit: Option<String>,
    /// What the checks gave on the joined tree; none where it is the tree that was measured before.
    pub results: Vec<CheckResult>,
}

/// Something that sent a task back or ended a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setback {
    /// The record.
    pub sequence: Sequence,
    /// Who or what did.
    pub from: &'static str,
    /// Why.
    pub text: String,
}

/// Something that an agent asked to do and was not allowed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The record.
    pub sequence: Sequence,
    /// Who asked.
    pub role: Role,
    /// What it wanted to do.
    pub act: Act,
    /// Why not.
    pub why: String,
}

/// A turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The record that began it.
    pub sequence: Sequence,
    /// When that was.
    pub since: Timestamp,
    /// The part that the agent plays.
    pub role: Role,
    /// The agent's name in the configuration.
    pub agent: String,
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The record.
    pub sequence: Sequence,
    /// The task that it is about.
    pub task: Option<String>,
    /// The question.
    pub question: Question,
    /// The record of the answer, and the answer.
    pub answer: Option<(Sequence, String)>,
}

impl Evidence {
    /// Takes in one event; events come in the order of the record.
    pub fn observe(&mut self, sequence: Sequence, timestamp: Timestamp, event: &Event) {
        let trail = self.deliveries.entry(event.delivery.clone()).or_default();
        trail.observe(sequence, timestamp, event);
    }

    /// The delivery that was begun last among those that have a task of this id.
    pub fn newest_of(&self, task: &str) -> Option<&str> {
        let having = self.deliveries.iter().filter(|(_, trail)| trail.tasks.contains_key(task));
        // By their first records: as text, d-10 comes before d-9.
        having.max_by_key(|(_, trail)| trail.first).map(|(id, _)| id.as_str())
    }
}

impl Trail {
    fn observe(&mut self, sequence: Sequence, timestamp: Timestamp, event: &Event) {
        if self.first == 0 {
            self.first = sequence;
        }
        self.last = sequence;
        match &event.what {
            What::PreExistingBaselineCaptured { .. } => self.baseline = Some(sequence),
            What::CoordinatorPrays { question }
            | What::RemediationUnavailable { question }
            | What::SpendLimitReached { question }
            | What::AgentSeeksGuidance { question }
            | What::CoordinatorSeeksGuidance { question }
            | What::TaskHalted { question, .. } => {
                let (task, question) = (event.task.clone(), question.clone());
                self.questions.push(Asked { sequence, task, question, answer: None });
            }
            What::GuidanceReceived { question, answer, .. }
            | What::DivineResponseReceived { question, answer, .. }
            | What::CriticBypassDeclined { question, answer } => {
                self.answer(sequence, answer, |asked| asked.question.id == *question);
            }
            // Only an answer removes a task.
            What::TaskRemoved {} => self.answer(sequence, "remove", |asked| asked.task == event.task),
            What::RemediationDivineOverride { answer } => {
                self.answer(sequence, answer, |asked| asked.question.about == About::Infrastructure);
            }
            _ => {}
        }
        if let Some(task) = &event.task {
            let proof = self.tasks.entry(task.clone()).or_default();
            proof.observe(sequence, timestamp, &event.what);
        }
    }

    fn answer(&mut self, sequence: Sequence, answer: &str, is_meant: impl Fn(&Asked) -> bool) {
        for asked in self.questions.iter_mut().filter(|asked| asked.answer.is_none() && is_meant(asked)) {
            asked.answer = Some((sequence, answer.to_owned()));
        }
    }

    /// The questions about one task.
    pub fn questions_of<'a>(&'a self, task: &'a str) -> impl Iterator<Item = &'a Asked> {
        self.questions.iter().filter(move |asked| asked.task.as_deref() == Some(task))
    }
}

impl Proof {
    fn observe(&mut self, sequence: Sequence, since: Timestamp, what: &What) {
        match what {
            What::DeveloperDispatched { agent } => self.begin(sequence, since, Role::Developer, agent),
            What::CriticDispatched { agent } => self.begin(sequence, since, Role::Critic, agent),
            What::AuditorDispatched { agent } => self.begin(sequence, since, Role::Auditor, agent),
            What::AgentDispatched { prompt: Some(prompt), .. } => self.prompt = Some((sequence, *prompt)),
            What::AgentComplete { output: Some(output), .. }
            | What::AgentTimeout { output: Some(output), .. }
            | What::AgentCrashed { output: Some(output), .. } => self.output = Some((sequence, *output)),
            What::DeveloperReadyForReview { commit, files, files_more, results, .. } => {
                let (commit, files, results) = (commit.clone(), files.clone(), results.clone());
                let files_more = *files_more;
                self.measured =
                    Some(Measured { sequence, commit, files, files_more, results, is_void: false });
            }
            What::DivineResponseReceived { allowed, .. } if !allowed.is_empty() => {
                self.allowed.push((sequence, allowed.clone()));
            }
            What::CriticPass { summary } => self.review = Some(self.word(sequence, summary)),
            What::CriticBypassed { .. } => self.bypassed = Some(sequence),
            What::CriticBypassDeclined { .. } => self.bypassed = None,
            What::AuditorPass { summary } => self.audit = Some(self.word(sequence, summary)),
            What::TaskComplete { commit, results, summary } => {
                if commit.is_none() {
                    // A task that only verifies is complete by its auditor's word and the checks that came with it.
                    self.audit = Some(self.word(sequence, summary));
                }
                self.landed = Some(Landed { sequence, commit: commit.clone(), results: results.clone() });
            }
            What::PermissionDecided { role, act, allowed: false, why, .. } => {
                // An agent may ask as often as it likes.
                if self.refused.len() < REFUSED_MAX {
                    let (role, act, why) = (*role, act.clone(), why.clone());
                    self.refused.push(Refused { sequence, role, act, why });
                }
            }
            _ => self.setback(sequence, what),
        }
    }

    fn begin(&mut self, sequence: Sequence, since: Timestamp, role: Role, agent: &str) {
        self.turn = Some(Turn { sequence, since, role, agent: agent.to_owned() });
    }

    fn word(&self, sequence: Sequence, summary: &str) -> Word {
        let agent = self.turn.as_ref().map(|turn| turn.agent.clone()).unwrap_or_default();
        Word { sequence, agent, summary: summary.to_owned() }
    }

    fn setback(&mut self, sequence: Sequence, what: &What) {
        let (from, text) = match what {
            What::EnvironmentVerificationFailed { results, outside, outside_more } => {
                let red = failed(results);
                let paths = (!outside.is_empty()).then(|| outside_of_files(outside, *outside_more));
                let from = if red.is_empty() { "files" } else { "checks" };
                (
                    from,
                    [Some(red), paths]
                        .into_iter()
                        .flatten()
                        .filter(|it| !it.is_empty())
                        .collect::<Vec<_>>()
                        .join("; "),
                )
            }
            What::LandingChecksFailed { results } => ("checks", failed(results)),
            What::SignalRejected { reason } => ("provost", reason.clone()),
            What::CriticFail { feedback } => ("critic", feedback.clone()),
            What::AuditorFail { feedback } => ("auditor", feedback.clone()),
            What::MergeConflict { files } => ("landing", format!("conflict in {}", files.join(", "))),
            What::DeveloperIncomplete { blocker, .. } => ("developer", blocker.clone()),
            What::AgentFailure { role, why } => (role.name(), why.clone()),
            What::EnvironmentUnavailable { issue }
            | What::DeveloperBlocked { issue }
            | What::AuditorBlocked { issue } => ("infrastructure", issue.clone()),
            What::TaskHalted { reason, .. } => ("limits", format!("halted: {reason}")),
            _ => return,
        };
        self.setbacks.push(Setback { sequence, from, text });
        let is_rework = matches!(
            what,
            What::EnvironmentVerificationFailed { .. }
                | What::LandingChecksFailed { .. }
                | What::CriticFail { .. }
                | What::AuditorFail { .. }
                | What::MergeConflict { .. }
        );
        if is_rework {
            // Verdicts and measurements are about the work as it was.
            (self.review, self.audit, self.bypassed) = (None, None, None);
            if let Some(measured) = &mut self.measured {
                measured.is_void = true;
            }
        }
    }
}

/// What a claim changed and may not, in words.
pub fn outside_of_files(outside: &[String], more: u64) -> String {
    format!("changes files that the plan does not let it write: {}", crate::delivery::named(outside, more))
}

fn failed(results: &[CheckResult]) -> String {
    let red = results.iter().filter(|result| result.verdict != crate::delivery::Verdict::Passed);
    red.map(outcome).collect::<Vec<_>>().join("; ")
}
