//! The settings in force, as the record knows them: put there by events, never read from a file by the rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::Change;
use crate::limits::Limit;

/// Every limit with its value. Between processes it travels as the names and values that differ from the defaults, so
/// that two versions with other limits do not mistake one for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "BTreeMap<String, u32>", try_from = "BTreeMap<String, u32>")]
pub struct Settings {
    limits: Vec<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { limits: Limit::VARIANTS.iter().map(|limit| limit.default_value()).collect() }
    }
}

impl Settings {
    /// The value of a limit.
    pub fn limit(&self, limit: Limit) -> u32 {
        self.limits.get(limit as usize).copied().unwrap_or_else(|| limit.default_value())
    }

    /// Sets a limit.
    pub fn set(&mut self, limit: Limit, value: u32) {
        if let Some(slot) = self.limits.get_mut(limit as usize) {
            *slot = value;
        }
    }

    /// What has to change to get from these settings to `wanted`.
    pub fn differences(&self, wanted: &Settings) -> Vec<Change> {
        let change = |limit: &Limit| {
            let (from, to) = (self.limit(*limit), wanted.limit(*limit));
            (from != to).then(|| Change { name: setting_name(*limit), from, to })
        };
        Limit::VARIANTS.iter().filter_map(change).collect()
    }

    /// Applies one recorded change.
    pub(super) fn take(&mut self, change: &Change) -> Result<(), String> {
        let limit = limit_named(&change.name).ok_or_else(|| format!("`{}` is not a setting", change.name))?;
        if self.limit(limit) != change.from {
            return Err(format!("`{}` was {}, not {}", change.name, self.limit(limit), change.from));
        }
        self.set(limit, change.to);
        Ok(())
    }
}

impl From<Settings> for BTreeMap<String, u32> {
    fn from(settings: Settings) -> Self {
        let named = |change: Change| (change.name, change.to);
        Settings::default().differences(&settings).into_iter().map(named).collect()
    }
}

impl TryFrom<BTreeMap<String, u32>> for Settings {
    type Error = String;

    fn try_from(named: BTreeMap<String, u32>) -> Result<Self, String> {
        let mut settings = Settings::default();
        for (name, value) in named {
            let limit = limit_named(&name).ok_or_else(|| format!("`{name}` is not a setting"))?;
            if !limit.range().contains(&value) {
                return Err(format!("`{name}` cannot be {value}"));
            }
            settings.set(limit, value);
        }
        Ok(settings)
    }
}

fn limit_named(name: &str) -> Option<Limit> {
    name.strip_prefix("limits.")?.parse().ok()
}

fn setting_name(limit: Limit) -> String {
    let name: &str = limit.into();
    format!("limits.{name}")
}
