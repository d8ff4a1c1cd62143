//! `RULES_EVALUATED`: models are chosen, rules judge every command and workflow, and the risk follows from what they say.

use std::borrow::Cow;

use serde::Serialize;

use super::{Verdict, Walk};
use crate::canonical;
use crate::diagnostic::{self, Diagnostic};
use crate::document::Value;
use crate::finding::{Consequence, FailureType, Finding};
use crate::graph::{self, RegistryVersion};
use crate::intent::Intent;
use crate::planning::action::Action;
use crate::planning::audit::{ModelSelection, Noted, PolicyEnforcement, RuleAdjudication};
use crate::planning::decisions::{self, Ruled, Sheet};
use crate::planning::policy::Effective;
use crate::planning::predicates::Ground;
use crate::planning::questions_pack::QuestionType;
use crate::planning::routing::{self, Routing};
use crate::planning::shelf::Unfit;
use crate::planning::tape::{Alternative, ChoiceInputs, ChoiceType, Decided, Guard};
use crate::planning::{Trigger, risk};
use crate::registry::{Item, Kind, Resolution};
use crate::rules::{Evidence, Fields, Predicate, RuleBook, Set, Subject, SubjectKind, lookup};
use crate::vocabulary::{Decision, Effect, Mode, Risk, Stage};

impl<'w> Walk<'w> {
    pub(super) fn evaluate_rules(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let (book, defects) = decisions::rule_book(&self.inputs.registry);
        if !defects.is_empty() {
            let guard =
                Guard::new("all_rules_decidable", false, format!("{} defects in the rules", defects.len()));
            return Ok(Verdict::ended(Trigger::RuleDefective, vec![guard], defects));
        }
        if self.actions.is_empty() {
            self.actions = Action::all(intent, &self.inputs.registry);
            self.place_actions(intent, &effective);
        }
        let routing = match self.route(&book, intent, &effective) {
            Ok(routing) => routing,
            Err(finding) => {
                let aborts = finding.consequence == Consequence::Aborted;
                let on = if aborts { Trigger::RuleDefective } else { Trigger::PolicyForbade };
                let guard = Guard::new("models_available", false, finding.diagnostic.message.clone());
                return Ok(Verdict::ended(on, vec![guard], vec![*finding]));
            }
        };
        self.put_routing(&routing)?;
        let sheet = self.judge_all(&book, intent, &effective, &routing);
        self.routing = Some(routing);
        self.judged = sheet.judged(&book, self.may_ask_for_rollback(&effective));
        self.note_verdicts(&sheet);
        self.shelf.put(
            &self.numbered("decisions"),
            &decisions::SCHEMA,
            &sheet.document(&book, &self.judged, self.rules_used(&book), &self.run_id, &intent.id),
            &["intent.json", "registry.lock.json", "context.json"],
        )?;
        let assessment = risk::assess(intent, &self.planned(), &self.decisions());
        let paper = Assessed { run_id: &self.run_id, intent_id: &intent.id, assessment: &assessment };
        self.shelf.put(&self.numbered("risk"), &risk::SCHEMA, &paper, &[&self.numbered("decisions")])?;
        let overall = assessment.overall;
        self.tape.decide(Decided {
            about: ChoiceType::RiskAssessment,
            rationale: assessment
                .factors
                .iter()
                .map(|it| it.reason.as_str())
                .collect::<Vec<_>>()
                .join("; ")
                .chars()
                .take(4_000)
                .collect(),
            outcome: overall.to_string(),
            inputs: ChoiceInputs { evidence_refs: vec!["intent://risk".to_owned()], rule_refs: Vec::new() },
            alternatives: Vec::new(),
        });
        self.risk = Some(assessment);
        let findings = self.rule_findings(&book, &sheet, &effective, overall);
        Ok(verdict(&findings.clone(), findings))
    }

    fn place_actions(&mut self, intent: &Intent, effective: &Effective) {
        let graph_id = self.graph_id();
        let outline = self.outline(intent, effective, &graph_id, Vec::new());
        let places: Vec<Option<(String, Stage)>> = graph::placements(&outline)
            .into_iter()
            .map(|place| place.map(|(workflow, stage)| (workflow.to_owned(), stage)))
            .collect();
        for (action, place) in self.actions.iter_mut().zip(places) {
            action.placed = place;
        }
    }

    fn route(
        &mut self,
        book: &RuleBook,
        intent: &Intent,
        effective: &Effective,
    ) -> Result<Routing, Box<Finding>> {
        let high = self.actions.iter().any(|action| action.risk >= Risk::High && action.writes());
        let needs_cloud = high && book.asks_for(Predicate::InferenceNotCloud);
        let declared = self
            .inputs
            .facts
            .as_ref()
            .and_then(|facts| facts.constraints.as_ref())
            .and_then(|it| it.data_sensitivity);
        let effective = Effective {
            sensitivity: effective.sensitivity.max(declared.unwrap_or_default()),
            ..effective.clone()
        };
        let routing =
            routing::route(&self.inputs.registry, &effective, intent.budgets.max_tokens, needs_cloud)?;
        if !routing.catalogue {
            self.note(Noted::ModelSelected {
                model_selection_record: ModelSelection {
                    role: "all".to_owned(),
                    model: None,
                    reason: "the registry has no models".to_owned(),
                },
            });
        }
        for route in &routing.routes {
            self.tape.decide(Decided {
                about: ChoiceType::ModelRouting,
                rationale: format!("for the {}: {}", route.role, route.reason),
                outcome: route.model.clone(),
                inputs: ChoiceInputs {
                    evidence_refs: vec![format!("registry://models/{}", route.model)],
                    rule_refs: Vec::new(),
                },
                alternatives: route
                    .rejected
                    .iter()
                    .map(|it| Alternative {
                        alternative: it.model.clone(),
                        reason_rejected: it.reason.clone(),
                    })
                    .collect(),
            });
            self.note(Noted::ModelSelected {
                model_selection_record: ModelSelection {
                    role: route.role.to_owned(),
                    model: Some(route.model.clone()),
                    reason: route.reason.clone(),
                },
            });
        }
        Ok(routing)
    }

    fn put_routing(&mut self, routing: &Routing) -> Result<(), Unfit> {
        let paper = Routed { run_id: &self.run_id, intent_id: &self.examined.id, routing };
        self.shelf.put(
            &self.numbered("routing"),
            &routing::SCHEMA,
            &paper,
            &["policy.json", "registry.lock.json"],
        )
    }

    /// Asks every rule about every command and every workflow.
    fn judge_all(&self, book: &RuleBook, intent: &Intent, effective: &Effective, routing: &Routing) -> Sheet {
        let Some(facts) = &self.inputs.facts else { return Sheet::default() };
        let resolve = |reference: &str| self.follow(reference);
        let ground = Ground {
            intent,
            policy: effective,
            facts,
            routing,
            resolve: &resolve,
            actions: &self.actions,
            rollback_answered: self.answered.rollback.is_some(),
        };
        let mut sheet = Sheet::default();
        for action in &self.actions {
            let mut stages = Set::default();
            action.placed.iter().for_each(|(_, stage)| stages.insert(*stage));
            let asked = Asked { item: action.content, risk: action.risk, stages, effects: &action.effects };
            let predicates = ground.of_command(action);
            let judgement = self.ask(book, &asked, SubjectKind::Command, predicates, &ground);
            sheet.push(
                SubjectKind::Command,
                Some(action.index),
                &action.planned.command_id,
                &asked_as(&asked),
                judgement,
            );
        }
        for selected in &intent.selected_workflows {
            let Resolution::Usable(item) =
                self.inputs.registry.resolve(Kind::Workflow, &selected.workflow_id, None)
            else {
                continue;
            };
            let inside = |action: &&Action<'_>| {
                action.placed.as_ref().is_some_and(|(workflow, _)| *workflow == selected.workflow_id)
            };
            let placed: Vec<&Action<'_>> = self.actions.iter().filter(inside).collect();
            let risk = placed.iter().map(|action| action.risk).max().unwrap_or(intent.risk.overall);
            let mut effects: Vec<Effect> =
                placed.iter().flat_map(|action| &action.effects).copied().collect();
            effects.sort_unstable();
            effects.dedup();
            let mut stages = Set::default();
            selected.phases.iter().for_each(|stage| stages.insert(*stage));
            let asked = Asked { item, risk, stages, effects: &effects };
            let predicates = ground.of_workflow(item, &placed, risk);
            let judgement = self.ask(book, &asked, SubjectKind::Workflow, predicates, &ground);
            sheet.push(SubjectKind::Workflow, None, &selected.workflow_id, &asked_as(&asked), judgement);
        }
        sheet
    }

    fn ask(
        &self,
        book: &RuleBook,
        asked: &Asked<'_>,
        kind: SubjectKind,
        predicates: crate::rules::Predicates,
        ground: &Ground<'_>,
    ) -> crate::rules::Judgement {
        let raw =
            canonical::to_vec(&asked.item.document.root).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let fields = SubjectFields { own: &asked.item.document.root, intent: &self.inputs.intent.root, raw };
        let mut effects = Set::default();
        asked.effects.iter().for_each(|effect| effects.insert(*effect));
        book.judge_all(&Subject {
            kind,
            id: &asked.item.id,
            risk: asked.risk,
            stages: asked.stages,
            effects,
            predicates,
            evidence: recorded(ground),
            fields: &fields,
        })
    }

    fn may_ask_for_rollback(&self, effective: &Effective) -> bool {
        effective.mode == Mode::Interactive
            && effective.question_budget > self.spent
            && effective.allows_question(QuestionType::RiskMitigation)
            && self.answered.rollback.is_none()
    }

    fn note_verdicts(&mut self, sheet: &Sheet) {
        let all: Vec<(String, Ruled)> = sheet.named(&self.judged);
        for (subject, ruled) in all {
            self.note(Noted::RuleAdjudication {
                rule_adjudication_record: RuleAdjudication {
                    subject: subject.clone(),
                    decision: ruled.decision,
                    rule_refs: ruled.fired.clone(),
                },
            });
            self.tape.decide(Decided {
                about: ChoiceType::RuleAdjudication,
                rationale: ruled.reason,
                outcome: format!("{subject}: {}", ruled.decision),
                inputs: ChoiceInputs {
                    evidence_refs: vec![format!("run://{}", self.numbered("decisions"))],
                    rule_refs: ruled.fired,
                },
                alternatives: Vec::new(),
            });
        }
    }

    /// What the verdicts and the policy stop.
    fn rule_findings(
        &mut self,
        book: &RuleBook,
        sheet: &Sheet,
        effective: &Effective,
        overall: Risk,
    ) -> Vec<Finding> {
        let mut findings = sheet.findings(book, &self.judged);
        let forbidden: Vec<String> =
            self.actions.iter().filter_map(|action| forbidden(action, effective)).collect();
        for message in &forbidden {
            let diagnostic = Diagnostic::error(diagnostic::POLICY_FORBIDS, message.clone());
            findings.push(
                Finding::blocked(diagnostic, FailureType::PolicyViolation)
                    .shown_by(["policy://constraints".to_owned()]),
            );
        }
        if overall >= Risk::High && effective.mode == Mode::FullAuto {
            let message = format!("the risk is {overall} in all, and nobody may be asked in full_auto");
            let diagnostic = Diagnostic::error(diagnostic::POLICY_FORBIDS, message);
            findings.push(
                Finding::blocked(diagnostic, FailureType::PolicyViolation)
                    .shown_by(["run://risk.json".to_owned()]),
            );
        }
        self.note(Noted::PolicyEnforcement {
            policy_enforcement_record: PolicyEnforcement {
                policy_rule: "forbidden_operations",
                enforced: !forbidden.is_empty(),
                enforcement_reason: forbidden
                    .first()
                    .cloned()
                    .unwrap_or_else(|| "nothing planned is forbidden".to_owned()),
            },
        });
        findings
    }

    /// What is decided on a command, everything considered.
    pub(super) fn decision_on(&self, index: usize) -> Decision {
        if self.answered.dropped.contains(&index) {
            return Decision::Deny;
        }
        let ruled = self.judged.commands.get(index).map_or(Decision::Allow, |it| it.decision);
        let undeclared =
            self.actions.iter().any(|action| action.index == index && !action.undeclared.is_empty());
        let looked_at = undeclared || self.answered.reviewed.contains(&index);
        ruled.max(if looked_at { Decision::RequireReview } else { Decision::Allow })
    }

    /// The commands that no answer left out.
    pub(super) fn planned(&self) -> Cow<'_, [Action<'w>]> {
        if self.answered.dropped.is_empty() {
            return Cow::Borrowed(&self.actions);
        }
        let is_planned = |action: &&Action<'_>| !self.answered.dropped.contains(&action.index);
        Cow::Owned(self.actions.iter().filter(is_planned).cloned().collect())
    }

    /// What is decided on each of them.
    pub(super) fn decisions(&self) -> Vec<Decision> {
        self.planned().iter().map(|action| self.decision_on(action.index)).collect()
    }

    fn rules_used(&self, book: &RuleBook) -> Vec<RegistryVersion> {
        let items = self.inputs.registry.usable(Kind::Rule);
        let is_used = |item: &&Item| book.rules().binary_search_by(|rule| rule.id.cmp(&item.id)).is_ok();
        items.filter(is_used).map(super::precheck::version_of).collect()
    }
}

#[derive(Serialize)]
struct Assessed<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    assessment: &'a risk::Assessment,
}

#[derive(Serialize)]
struct Routed<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    #[serde(flatten)]
    routing: &'a Routing,
}

/// One subject, before rules are asked about it.
struct Asked<'a> {
    item: &'a Item,
    risk: Risk,
    stages: Set<Stage>,
    effects: &'a [Effect],
}

fn asked_as(asked: &Asked<'_>) -> decisions::About {
    decisions::About { risk: asked.risk, stages: asked.stages, effects: asked.effects.to_vec() }
}

/// Fields of the registry's document, then, for names that it does not have, of the intent.
struct SubjectFields<'v> {
    own: &'v Value,
    intent: &'v Value,
    raw: Option<String>,
}

impl Fields for SubjectFields<'_> {
    fn field(&self, dotted: &str) -> Option<&Value> {
        let (name, rest) = dotted.split_once('.').map_or((dotted, None), |(name, rest)| (name, Some(rest)));
        // Rules call it a resource budget, intents call it budgets.
        let beyond = if name == "resource_budget" { "budgets" } else { name };
        let found = self.own.get(name).or_else(|| self.intent.get(beyond))?;
        rest.map_or(Some(found), |rest| lookup(found, rest))
    }

    fn raw(&self) -> Option<&str> {
        self.raw.as_deref()
    }
}

/// What is on record about every subject of a run.
fn recorded(ground: &Ground<'_>) -> Set<Evidence> {
    use Evidence as E;
    let mut set = Set::default();
    let always = [
        E::ContentSourceYaml,
        E::SchemaValidation,
        E::ContentMetadata,
        E::LineageValidation,
        E::RegistryQueryResult,
        E::ContentReferenceList,
        E::Factpack,
        E::ProjectScan,
        E::RiskAssessment,
        E::ExecutionPolicy,
        E::ModeConfiguration,
        E::ResourceBudget,
        E::PlanMetadata,
        E::CommandEffects,
        E::StateTransitionLog,
        E::DecisionMetadata,
        E::EvidenceReferences,
        E::ReasoningTrace,
        E::TargetFileList,
        E::LockScopeDeclaration,
        E::AuditLogEntry,
        E::RunTapeReference,
        E::EvaluationMetadata,
    ];
    for it in always {
        set.insert(it);
    }
    if ground.facts.files.is_some() {
        set.insert(E::PathValidation);
    }
    if ground.routing.catalogue {
        set.insert(E::ModelConfiguration);
        set.insert(E::InferenceMetadata);
    }
    if ground.can_go_back() {
        set.insert(E::RollbackPlan);
    }
    set
}

fn forbidden(action: &Action<'_>, effective: &Effective) -> Option<String> {
    let id = &action.planned.command_id;
    if effective.forbidden_operations.contains(id) {
        return Some(format!("the policy forbids `{id}`"));
    }
    let effect =
        action.effects.iter().find(|effect| effective.forbidden_operations.contains(&effect.to_string()));
    if let Some(effect) = effect {
        return Some(format!("the policy forbids to {effect}, as `{id}` does"));
    }
    let destroys = action.effects.contains(&Effect::Delete) && !effective.allow_destructive;
    destroys.then(|| format!("`{id}` deletes and the policy allows nothing destructive"))
}

/// Which row the findings take: the worst decides, and what rules say comes before what the policy says.
fn verdict(findings: &[Finding], all: Vec<Finding>) -> Verdict {
    let has = |code: diagnostic::Code| findings.iter().any(|it| it.diagnostic.code == code);
    let guards = vec![
        Guard::new(
            "all_rules_decidable",
            !has(diagnostic::RULES_UNDECIDED),
            "every rule gave a verdict or is named",
        ),
        Guard::new("no_hard_deny", !has(diagnostic::RULES_HARD_DENY), "no blocking rule denies"),
        Guard::new("no_deny", !has(diagnostic::RULES_DENY), "no rule denies"),
        Guard::new("policy_permits", !has(diagnostic::POLICY_FORBIDS), "the policy forbids nothing planned"),
    ];
    let on = if has(diagnostic::RULES_HARD_DENY) {
        Trigger::HardRuleDenied
    } else if has(diagnostic::RULES_DENY) {
        Trigger::RuleDenied
    } else if has(diagnostic::RULES_UNDECIDED) || has(diagnostic::ROUTING_NO_CATALOGUE) {
        Trigger::EvidenceInsufficient
    } else if has(diagnostic::POLICY_FORBIDS) {
        Trigger::PolicyForbade
    } else {
        return Verdict::new(Trigger::RulesAdjudicated, guards);
    };
    Verdict::ended(on, guards, all)
}
