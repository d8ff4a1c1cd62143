//! Who an agent is for one turn, apart because prompts, signals and limits speak of the same few roles.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// What an agent is asked to be.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Changes files.
    Developer,
    /// Reads the change and judges its quality.
    Critic,
    /// Judges whether the acceptance criteria are met.
    Auditor,
}

impl Role {
    /// Its name on the record, in configuration and in an agent's environment.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_uses_one_name() {
        for role in Role::VARIANTS {
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
            assert_eq!(role.name().parse(), Ok(*role));
        }
    }
}
