//! What an evaluation can put on record beside its verdict, apart because rules demand it by name and the list is
//! closed: a name that nothing can ever fill is a mistake that nobody would notice.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// One thing that may be on record; that it is absent never changes a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Evidence {
    /// The registry document as it was read.
    ContentSourceYaml,
    /// That the document is valid.
    SchemaValidation,
    /// Id, version and status of the content.
    ContentMetadata,
    /// What was found of its lineage.
    LineageValidation,
    /// What the registry said to a reference.
    RegistryQueryResult,
    /// What the content refers to.
    ContentReferenceList,
    /// The facts about the project.
    Factpack,
    /// The scan that the facts come from.
    ProjectScan,
    /// Which paths were found.
    PathValidation,
    /// The risk and what it was derived from.
    RiskAssessment,
    /// Which model was routed.
    ModelConfiguration,
    /// How the model was chosen.
    InferenceMetadata,
    /// The policy in force.
    ExecutionPolicy,
    /// The mode in force.
    ModeConfiguration,
    /// The limits on files, commits, tokens and money.
    ResourceBudget,
    /// What the plan says about itself.
    PlanMetadata,
    /// What the command does to the world.
    CommandEffects,
    /// The states that the run went through.
    StateTransitionLog,
    /// Who approved.
    ApprovalMetadata,
    /// What was decided, and when.
    DecisionMetadata,
    /// The references that the subject names.
    EvidenceReferences,
    /// Which conditions led to the verdict.
    ReasoningTrace,
    /// The files that are targets.
    TargetFileList,
    /// What is locked.
    LockScopeDeclaration,
    /// Whether locks collide.
    ConflictCheckResult,
    /// The line of the audit log.
    AuditLogEntry,
    /// The place in the tape of the run.
    RunTapeReference,
    /// Which rules were evaluated, and how.
    EvaluationMetadata,
    /// How it is taken back.
    RollbackPlan,
    /// That taking it back was tried.
    RollbackTestResult,
}
