//! The parts that agents play in a delivery.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A part that an agent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Implements a task.
    Developer,
    /// Reads what was implemented and judges its quality.
    Critic,
    /// Verifies that a task does what was asked.
    Auditor,
}
