//! Plans from outside, against the reader as others see it: right ones, hostile ones, large ones, random ones.
#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "a test reads the page that shows an example")]

mod forms;
mod hostile;
mod random;
mod render;

use provost_core::plan::{self, Plan, PlanRead};

/// Reads a plan that has no error.
fn read(text: &str) -> PlanRead {
    plan::read("plan.md", text.as_bytes()).unwrap_or_else(|refused| panic!("{:#?}", refused.defects))
}

/// A digest as text.
fn digest(plan: &Plan) -> String {
    plan.digest().unwrap().to_string()
}
