//! What can have happened to a delivery: the triggers of the tables with what they carry, and what lies beside them.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantNames};

use super::Trigger;
use super::command::{Bypassed, Category, CheckResult, CheckSpec, Roles};
use super::prices::Basis;
use super::terms::Terms;
use super::warrant::Warrant;
use crate::adapter::{Act, Class, Spent};
use crate::agent;
use crate::decider::{self, Unreadable};
use crate::digest::Digest;
use crate::effects::EffectId;
use crate::infrastructure;
use crate::record::Record;
use crate::role::Role;
use crate::signal::Checkpoint;
use crate::time::Timestamp;

/// The name of this stream on the record.
pub const STREAM: &str = "delivery";

/// An event of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The delivery.
    pub delivery: String,
    /// The task it is about.
    pub task: Option<String>,
    /// What happened.
    pub what: What,
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// What it is about, which decides what an answer does.
    pub about: About,
    /// The question.
    pub text: String,
    /// The answers that mean something by themselves.
    pub options: Vec<String>,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// An agent or Provost wants to know something about the task.
    Task,
    /// A limit was reached.
    Halt,
    /// Something around the work is broken.
    Infrastructure,
    /// Checks are missing, or fail before any work.
    Baseline,
    /// The review was left out.
    Bypass,
    /// As much was spent as may be without asking.
    Spend,
    /// The task changed files that the plan does not let it write.
    Files,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the tables and docs/events.md say what each means; fields are named after what they hold"
)]
pub enum What {
    DeliveryStarted {
        plan: Digest,
        name: String,
        title: String,
        base: String,
        branch: String,
        checks: Vec<CheckSpec>,
        roles: Roles,
        #[serde(default, skip_serializing_if = "Bypassed::is_default")]
        bypassed: Bypassed,
        #[serde(default, skip_serializing_if = "Warrant::is_empty")]
        warrant: Box<Warrant>,
        #[serde(default, skip_serializing_if = "Terms::is_empty")]
        terms: Box<Terms>,
    },
    TaskAdded {
        title: String,
        priority: u8,
        downstream: u32,
        blocked_by: Vec<String>,
        verify: bool,
        checks: Vec<CheckSpec>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        without_criteria: bool,
    },
    PreExistingBaselineCaptured {
        results: Vec<CheckResult>,
    },
    CoordinatorPrays {
        question: Question,
    },
    GuidanceReceived {
        question: String,
        answer: String,
        ignored_checks: Vec<String>,
    },
    SessionPause {
        reason: String,
    },
    SessionResumed {},
    WorkflowComplete {},
    WorkflowHalted {
        reason: String,
    },
    DeliveryCancelled {},
    LateReport {
        effect: EffectId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<Spent>,
        #[serde(default)]
        basis: Basis,
    },
    TaskCleaned {
        effect: EffectId,
    },

    AgentDispatched {
        effect: EffectId,
        prompt: Option<Digest>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<Digest>,
    },
    AgentCheckpoint {
        checkpoint: Checkpoint,
    },
    AgentComplete {
        exit: Option<i32>,
        duration_ms: u64,
        output: Option<Digest>,
    },
    AgentTimeout {
        duration_ms: u64,
        output: Option<Digest>,
    },
    AgentCrashed {
        error: String,
        output: Option<Digest>,
    },
    AgentStopped {},
    AgentLost {},
    AgentSpent {
        agent: String,
        role: Role,
        spent: Spent,
        #[serde(default)]
        basis: Basis,
        in_all: Spent,
        session: Option<String>,
        version: Option<String>,
        model: Option<String>,
        denied: u32,
    },
    AgentTroubled {
        agent: String,
        role: Role,
        class: Class,
        said: String,
        attempt: u32,
        rests: bool,
        until: Option<Timestamp>,
    },
    PermissionDecided {
        agent: String,
        role: Role,
        act: Act,
        allowed: bool,
        rules: Vec<String>,
        why: String,
    },
    SpendLimitReached {
        question: Question,
    },

    InfrastructureBlocked {
        issue: String,
    },
    RemediationUnavailable {
        question: Question,
    },
    RemediationDivineOverride {
        answer: String,
    },

    TaskUnblocked {
        unblocked_by: Option<String>,
    },
    TaskBlocked {
        by: String,
    },
    TaskRemoved {},
    DeveloperDispatched {
        agent: String,
    },
    ReadyClaimed {
        summary: String,
    },
    DeveloperReadyForReview {
        commit: String,
        tree: String,
        files: Vec<String>,
        #[serde(default, skip_serializing_if = "is_none")]
        files_more: u64,
        results: Vec<CheckResult>,
    },
    EnvironmentVerificationFailed {
        results: Vec<CheckResult>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        outside: Vec<String>,
        #[serde(default, skip_serializing_if = "is_none")]
        outside_more: u64,
    },
    DeveloperIncomplete {
        category: Category,
        blocker: String,
    },
    TaskRetried {},
    DeveloperBlocked {
        issue: String,
    },
    CriticDispatched {
        agent: String,
    },
    CriticPass {
        summary: String,
    },
    CriticFail {
        feedback: String,
    },
    CriticTimeout {},
    CriticBypassed {
        reason: String,
    },
    CriticBypassDeclined {
        question: String,
        answer: String,
    },
    AuditorDispatched {
        agent: String,
    },
    AuditorPass {
        summary: String,
    },
    AuditorFail {
        feedback: String,
    },
    AuditorBlocked {
        issue: String,
    },
    LandingStarted {
        tip: String,
    },
    LandingRepeated {
        tip: String,
    },
    MergeConflict {
        files: Vec<String>,
    },
    LandingChecksFailed {
        results: Vec<CheckResult>,
    },
    TaskComplete {
        commit: Option<String>,
        results: Vec<CheckResult>,
        summary: String,
    },
    EnvironmentUnavailable {
        issue: String,
    },
    InfrastructureRestored {},
    SignalRejected {
        reason: String,
    },
    AgentFailure {
        role: Role,
        why: String,
    },
    TaskRestartedOnResume {
        role: Role,
    },
    AgentSeeksGuidance {
        question: Question,
    },
    CoordinatorSeeksGuidance {
        question: Question,
    },
    DivineResponseReceived {
        question: String,
        answer: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        allowed: Vec<String>,
    },
    TaskHalted {
        reason: String,
        question: Question,
    },
}

impl What {
    /// Its name on the record.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// The row of the delivery table that it takes, if it is about a task's status.
    pub fn trigger(&self) -> Option<Trigger> {
        self.name().parse().ok()
    }

    /// The row of the agent table that it takes.
    pub fn agent_trigger(&self) -> Option<agent::Trigger> {
        self.name().parse().ok()
    }

    /// The row of the infrastructure table that it takes.
    pub fn infrastructure_trigger(&self) -> Option<infrastructure::Trigger> {
        match self {
            // A delivery that rests says so whatever the infrastructure does.
            What::WorkflowHalted { .. } => None,
            _ => self.name().parse().ok(),
        }
    }

    fn results(&self) -> &[CheckResult] {
        match self {
            What::PreExistingBaselineCaptured { results }
            | What::DeveloperReadyForReview { results, .. }
            | What::EnvironmentVerificationFailed { results, .. }
            | What::LandingChecksFailed { results }
            | What::TaskComplete { results, .. } => results,
            _ => &[],
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it may skip by reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

#[derive(Deserialize)]
struct Which<'a> {
    #[serde(borrow)]
    delivery: std::borrow::Cow<'a, str>,
}

impl decider::Event for Event {
    fn stream(&self) -> &'static str {
        STREAM
    }

    fn event_type(&self) -> &'static str {
        self.what.name()
    }

    fn task_id(&self) -> Option<&str> {
        self.task.as_deref()
    }

    fn artifacts(&self) -> Vec<Digest> {
        let own = match &self.what {
            What::DeliveryStarted { plan, .. } => Some(*plan),
            What::AgentDispatched { prompt, .. } => *prompt,
            What::AgentComplete { output, .. }
            | What::AgentTimeout { output, .. }
            | What::AgentCrashed { output, .. } => *output,
            _ => None,
        };
        own.into_iter().chain(self.what.results().iter().filter_map(|result| result.output)).collect()
    }

    fn details(&self) -> String {
        // An enum is written as `{"name":{…}}`; the name is in the envelope, and the delivery goes in its place.
        let tagged = serde_json::to_string(&self.what).unwrap_or_default();
        let inner = tagged.get(self.what.name().len() + 4..tagged.len().saturating_sub(1)).unwrap_or("{}");
        let delivery = serde_json::to_string(&self.delivery).unwrap_or_default();
        match inner.get(1..).unwrap_or("}") {
            "}" => format!("{{\"delivery\":{delivery}}}"),
            fields => format!("{{\"delivery\":{delivery},{fields}"),
        }
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        let unreadable = |error: serde_json::Error| Unreadable::Details {
            event_type: record.event_type.to_owned(),
            why: error.to_string(),
        };
        let which: Which<'_> = serde_json::from_str(record.details).map_err(unreadable)?;
        let tagged = format!("{{\"{}\":{}}}", record.event_type, record.details);
        let what = serde_json::from_str(&tagged).map_err(|error| {
            let unknown = error.to_string().starts_with("unknown variant");
            if unknown { Unreadable::Newer(record.event_type.to_owned()) } else { unreadable(error) }
        })?;
        Ok(Event { delivery: which.delivery.into_owned(), task: record.task_id.map(str::to_owned), what })
    }
}
