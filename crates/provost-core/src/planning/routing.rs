//! Which model each role's agent is started with. Apart because it only advises: no decision here says whether something
//! may be done, and a missing catalogue is recorded and stops nothing by itself.

use serde::Serialize;
use strum::VariantNames;

use super::policy::Effective;
use crate::diagnostic::{self, Diagnostic};
use crate::finding::{FailureType, Finding};
use crate::registry::{Item, Kind, Location, Model, Registry};
use crate::schema::{Schema, Shape, choice, integer, list, object, required, text};
use crate::vocabulary::Sensitivity;

/// The roles that are routed, in order.
pub const ROLES: [&str; 3] = ["developer", "critic", "auditor"];

/// Which model each role gets, and what was not chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Routing {
    /// Whether the registry has any model.
    pub catalogue: bool,
    /// How public the work is.
    pub sensitivity: Sensitivity,
    /// One for each role; none without a catalogue.
    pub routes: Vec<Route>,
}

/// The model of a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The role.
    pub role: &'static str,
    /// The model.
    pub model: String,
    /// Where it runs.
    pub location: Location,
    /// What its tokens may cost at most, in millionths of a dollar.
    pub estimate_microusd: u64,
    /// What is left of the budget then.
    pub remaining_microusd: u64,
    /// Why this one.
    pub reason: String,
    /// The others, and why not.
    pub rejected: Vec<Rejected>,
}

/// A model that was not chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// The model.
    pub model: String,
    /// Why not.
    pub reason: String,
}

impl Routing {
    /// Whether the developer's model is local; unknown without a catalogue.
    pub fn is_local(&self) -> Option<bool> {
        self.routes.first().map(|route| route.location == Location::Local)
    }
}

/// Chooses for every role. `needs_cloud` is whether a rule demands a model that is not local.
pub fn route(
    registry: &Registry,
    policy: &Effective,
    tokens: u64,
    needs_cloud: bool,
) -> Result<Routing, Box<Finding>> {
    let models: Vec<(&Item, &Model)> =
        registry.usable(Kind::Model).filter_map(|item| Some((item, item.model()?))).collect();
    let mut routing =
        Routing { catalogue: !models.is_empty(), sensitivity: policy.sensitivity, routes: Vec::new() };
    if models.is_empty() {
        return Ok(routing);
    }
    let mut remaining = policy.max_cost_microusd;
    for role in ROLES {
        let desk = Desk { role, policy, needs_cloud, tokens: tokens / 3, remaining };
        let route = desk.choose(&models)?;
        remaining = route.remaining_microusd;
        routing.routes.push(route);
    }
    Ok(routing)
}

struct Desk<'p> {
    role: &'static str,
    policy: &'p Effective,
    needs_cloud: bool,
    tokens: u64,
    remaining: u64,
}

impl Desk<'_> {
    fn choose(&self, models: &[(&Item, &Model)]) -> Result<Route, Box<Finding>> {
        let mut rejected = Vec::new();
        let mut fit: Vec<(u64, &Item, &Model)> = Vec::new();
        let (mut against_policy, mut too_dear) = (false, false);
        for (item, model) in models {
            let cost = cost_microusd(model, self.tokens);
            let cloud = model.location == Location::Cloud;
            let reason = if !model.roles.is_empty() && !model.roles.iter().any(|role| role == self.role) {
                format!("it does not serve the {}", self.role)
            } else if cloud && !self.policy.allow_cloud {
                against_policy = true;
                "the policy keeps work off the cloud".to_owned()
            } else if self.policy.sensitivity > model.max_sensitivity {
                against_policy |= cloud;
                format!(
                    "it may see {} work at most, this is {}",
                    model.max_sensitivity, self.policy.sensitivity
                )
            } else if self.needs_cloud && !cloud {
                "a rule wants a cloud model for what is at stake".to_owned()
            } else if cost > self.remaining {
                too_dear = true;
                format!("it may cost {cost} millionths of a dollar, {} are left", self.remaining)
            } else {
                fit.push((cost, item, model));
                continue;
            };
            rejected.push(Rejected { model: item.id.clone(), reason });
        }
        fit.sort_by(|one, other| (one.0, &one.1.id).cmp(&(other.0, &other.1.id)));
        let Some((cost, item, model)) = fit.first() else {
            return self.nothing(models, rejected, against_policy, too_dear);
        };
        rejected.extend(fit.iter().skip(1).map(|(cost, item, _)| Rejected {
            model: item.id.clone(),
            reason: format!("it may cost {cost} millionths of a dollar, more than the one chosen or as much"),
        }));
        rejected.sort_by(|one, other| one.model.cmp(&other.model));
        Ok(Route {
            role: self.role,
            model: item.id.clone(),
            location: model.location,
            estimate_microusd: *cost,
            remaining_microusd: self.remaining.saturating_sub(*cost),
            reason: "the cheapest that may be used".to_owned(),
            rejected,
        })
    }

    /// Nothing is left: a contradiction, a matter of money, or a local model that a rule will judge.
    fn nothing(
        &self,
        models: &[(&Item, &Model)],
        rejected: Vec<Rejected>,
        against_policy: bool,
        too_dear: bool,
    ) -> Result<Route, Box<Finding>> {
        let evidence =
            || rejected.iter().map(|it| format!("registry://models/{}", it.model)).collect::<Vec<_>>();
        if self.needs_cloud && against_policy {
            let message = format!(
                "a rule demands a cloud model for the {} and the policy forbids every one",
                self.role
            );
            let finding = Finding::aborted(Diagnostic::error(diagnostic::ROUTING_CONTRADICTION, message));
            return Err(Box::new(finding.shown_by(evidence())));
        }
        if too_dear {
            let message =
                format!("every model that the {} may use costs more than the budget has left", self.role);
            let finding = Finding::blocked(
                Diagnostic::error(diagnostic::ROUTING_BUDGET, message),
                FailureType::ConstraintViolation,
            );
            return Err(Box::new(finding.shown_by(evidence())));
        }
        let local = models.iter().find(|(_, model)| {
            self.needs_cloud
                && model.location == Location::Local
                && self.policy.sensitivity <= model.max_sensitivity
        });
        if let Some((item, model)) = local {
            return Ok(Route {
                role: self.role,
                model: item.id.clone(),
                location: model.location,
                estimate_microusd: 0,
                remaining_microusd: self.remaining,
                reason: "there is no cloud model; rules judge whether a local one will do".to_owned(),
                rejected,
            });
        }
        let message = format!("no model of the catalogue may be used by the {}", self.role);
        let finding = Finding::blocked(
            Diagnostic::error(diagnostic::ROUTING_NO_MODEL, message),
            FailureType::ConstraintViolation,
        );
        Err(Box::new(finding.shown_by(evidence())))
    }
}

/// What so many tokens cost, rounded up.
fn cost_microusd(model: &Model, tokens: u64) -> u64 {
    // A price is a small decimal; a millionth per thousand tokens is the finest that anybody charges.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the schema bounds the price"
    )]
    let per_thousand = (model.cost_per_1k_tokens_usd * 1_000_000.0).ceil() as u64;
    per_thousand.saturating_mul(tokens).div_ceil(1_000)
}

const SENSITIVITY: Shape = choice(<Sensitivity as VariantNames>::VARIANTS);
const AMOUNT: Shape = integer(0, 9_007_199_254_740_991);

/// The shape of `routing.json`.
pub const SCHEMA: Schema = Schema {
    name: "model_routing",
    version: "1.0.0",
    title: "Which model each role's agent is started with",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("catalogue", Shape::Flag, "whether the registry has any model"),
        required("sensitivity", SENSITIVITY, "how public the work is"),
        required(
            "routes",
            list(
                &object(&[
                    required("role", text(1, 80), "the role"),
                    required("model", text(1, 120), "the model"),
                    required("location", choice(<Location as VariantNames>::VARIANTS), "where it runs"),
                    required("estimate_microusd", AMOUNT, "what its tokens may cost at most"),
                    required("remaining_microusd", AMOUNT, "what is left of the budget then"),
                    required("reason", text(1, 500), "why this one"),
                    required(
                        "rejected",
                        list(
                            &object(&[
                                required("model", text(1, 120), "the model"),
                                required("reason", text(1, 500), "why not"),
                            ]),
                            0,
                            1_000,
                        ),
                        "the others, and why not",
                    ),
                ]),
                0,
                3,
            ),
            "one for each role; none without a catalogue",
        ),
    ]),
};
