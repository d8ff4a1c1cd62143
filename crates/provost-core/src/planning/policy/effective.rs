//! What is in force for one run: of what its intent and the policy say, always the stricter.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use super::{AllowedType, Pins, Policy, QuestionRules, RiskProfile};
use crate::intent::Intent;
use crate::limits::Limit;
use crate::planning::questions_pack::QuestionType;
use crate::vocabulary::{Mode, QuestionPolicy, Risk, Sensitivity};

/// What is in force for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a permission of its own, named as policies name it"
)]
pub struct Effective {
    /// How much may be asked; of two modes the one that asks less.
    pub mode: Mode,
    /// How many questions in the whole run, loops included; 0 in `full_auto`, whatever is written.
    pub question_budget: u32,
    /// Which questions; none in `full_auto`.
    pub question_policy: QuestionPolicy,
    /// The kinds of question that follow from mode, policy and the policy's own list.
    pub allowed_question_types: BTreeSet<QuestionType>,
    /// How much evidence a question has to name.
    pub min_evidence_count: u32,
    /// Whether a default may stand in for an answer that has to be given.
    pub auto_fallback: bool,
    /// Money, in millionths of a dollar.
    pub max_cost_microusd: u64,
    /// The most files of one commit.
    pub max_files_per_commit: u32,
    /// Whether something may be taken away.
    pub allow_destructive: bool,
    /// Whether many files may change at once.
    pub allow_bulk: bool,
    /// Effects and commands that the plan may not have.
    pub forbidden_operations: BTreeSet<String>,
    /// Whether every change has to be verified.
    pub require_verification: bool,
    /// How often something is tried again.
    pub max_retries: u32,
    /// How long answers are waited for; without it, for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
    /// Whether models of others may be used.
    pub allow_cloud: bool,
    /// How public what is worked on may become.
    pub sensitivity: Sensitivity,
    /// The fewest memories that the run needs.
    pub min_memories: u32,
    /// Whether registry content has to be pinned.
    pub pins: Pins,
}

impl Effective {
    /// What is in force for an intent under a policy.
    pub fn of(intent: &Intent, policy: &Policy) -> Self {
        let mode = intent.interaction.mode.min(policy.mode);
        let question_policy = match mode {
            Mode::FullAuto => QuestionPolicy::Never,
            Mode::SemiAuto | Mode::Interactive => {
                intent.interaction.question_policy.min(policy.questions()).min(questions_of(mode))
            }
        };
        let question_budget = match mode {
            Mode::FullAuto => 0,
            Mode::SemiAuto | Mode::Interactive => {
                let most = Limit::Questions.default_value();
                intent.interaction.question_budget.min(policy.budget()).min(most)
            }
        };
        let profile = Bounds::of(policy.risk_profile);
        let bounds = &policy.constraints;
        let dollars = policy.budgets.max_cost_usd.unwrap_or(f64::INFINITY).min(intent.budgets.max_cost_usd);
        Self {
            mode,
            question_budget,
            question_policy,
            allowed_question_types: allowed_types(question_policy, &policy.question_rules),
            min_evidence_count: min_evidence(&policy.question_rules),
            auto_fallback: policy.auto_fallback,
            max_cost_microusd: microusd(dollars),
            max_files_per_commit: bounds.max_files_per_commit.unwrap_or(profile.files),
            allow_destructive: bounds.allow_destructive.unwrap_or(profile.destructive),
            allow_bulk: bounds.allow_bulk_changes.unwrap_or(profile.bulk),
            forbidden_operations: bounds.forbidden_operations.clone(),
            require_verification: policy.require_verification,
            max_retries: policy.max_retries,
            timeout_seconds: policy.timeout_seconds,
            allow_cloud: policy.allow_cloud,
            sensitivity: policy.data_sensitivity,
            min_memories: policy.min_memories,
            pins: policy.pins,
        }
    }

    /// Tells whether questions of a kind may be asked at all.
    pub fn allows_question(&self, kind: QuestionType) -> bool {
        self.allowed_question_types.contains(&kind)
    }

    /// Tells whether so much is at stake that the run may not be without people: red line I3.
    pub fn needs_people(&self, risk: Risk) -> bool {
        self.mode == Mode::FullAuto && risk >= Risk::High
    }
}

impl Policy {
    /// The most questions that the policy allows, by its mode where it does not say.
    fn budget(&self) -> u32 {
        self.question_budget.unwrap_or(match self.mode {
            Mode::FullAuto => 0,
            Mode::SemiAuto => 3,
            Mode::Interactive => 999,
        })
    }

    fn questions(&self) -> QuestionPolicy {
        self.question_policy.unwrap_or(questions_of(self.mode))
    }
}

/// Which questions a mode allows at most.
const fn questions_of(mode: Mode) -> QuestionPolicy {
    match mode {
        Mode::FullAuto => QuestionPolicy::Never,
        Mode::SemiAuto => QuestionPolicy::BlockersOnly,
        Mode::Interactive => QuestionPolicy::All,
    }
}

/// The bounds of a risk profile.
struct Bounds {
    files: u32,
    destructive: bool,
    bulk: bool,
}

impl Bounds {
    const fn of(profile: RiskProfile) -> Self {
        match profile {
            RiskProfile::Safe => Self { files: 5, destructive: false, bulk: false },
            RiskProfile::AggressiveSafe => Self { files: 50, destructive: false, bulk: true },
            RiskProfile::Aggressive => Self { files: 999, destructive: true, bulk: true },
        }
    }
}

fn allowed_types(policy: QuestionPolicy, rules: &QuestionRules) -> BTreeSet<QuestionType> {
    let by_policy = |kind: &QuestionType| match policy {
        QuestionPolicy::Never => false,
        QuestionPolicy::BlockersOnly => *kind == QuestionType::Blocker,
        QuestionPolicy::ConceptualOnly => *kind != QuestionType::Optimization,
        QuestionPolicy::All => true,
    };
    let by_rules = |kind: &QuestionType| {
        rules.allowed_types.as_ref().is_none_or(|listed| listed.iter().any(|named| named.covers(*kind)))
    };
    QuestionType::VARIANTS.iter().copied().filter(|kind| by_policy(kind) && by_rules(kind)).collect()
}

impl AllowedType {
    const fn covers(self, kind: QuestionType) -> bool {
        match self {
            Self::Clarification => matches!(kind, QuestionType::Clarification),
            Self::Blocker => matches!(kind, QuestionType::Blocker),
            Self::Optimization => matches!(kind, QuestionType::Optimization),
            Self::RiskMitigation => matches!(kind, QuestionType::RiskMitigation),
            Self::DecisionNeeded => {
                matches!(kind, QuestionType::Clarification | QuestionType::RiskMitigation)
            }
        }
    }
}

/// One at least: a question without evidence has no document to stand in.
fn min_evidence(rules: &QuestionRules) -> u32 {
    if rules.require_evidence { rules.min_evidence_count.max(1) } else { 1 }
}

/// Dollars as millionths; what is smaller is cut off, so that a bound never grows.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "schemas keep dollars between 0 and a million"
)]
fn microusd(dollars: f64) -> u64 {
    // A hair more than the product: 0.29 dollars are 289999.99999999994 millionths in doubles.
    let millionths = dollars * 1e6;
    (millionths + millionths * 1e-12).floor() as u64
}
