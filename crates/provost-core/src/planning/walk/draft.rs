//! `GRAPH_DRAFTED`: the plan as a graph, and what becomes of the places that it leaves open.

use std::collections::BTreeSet;

use super::{Verdict, Walk};
use crate::diagnostic::{self, Diagnostic};
use crate::finding::{FailureType, Finding};
use crate::graph::{self, Graph, Lineage, Outline, Placeholder};
use crate::intent::Intent;
use crate::planning::action::Action;
use crate::planning::ask::{Triage, question_id, triage};
use crate::planning::open::{self, Scene};
use crate::planning::policy::Effective;
use crate::planning::shelf::Unfit;
use crate::planning::tape::{ChoiceInputs, ChoiceType, Decided, Guard};
use crate::planning::{PLANNER_VERSION, Trigger};
use crate::vocabulary::{Decision, Mode, ReviewCategory};

impl<'w> Walk<'w> {
    pub(super) fn draft_graph(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let stuck = self.triage_open_places(intent, &effective);
        if !stuck.is_empty() {
            let guard = Guard::new(
                "no_blocking_uncertainties",
                false,
                "something open may neither be asked nor defaulted",
            );
            return Ok(Verdict::ended(Trigger::FallbackMissing, vec![guard], stuck));
        }
        let draft = match self.graph_of(intent, &effective) {
            Ok(draft) => draft,
            Err(finding) => {
                let guard = Guard::new("graph_is_valid", false, finding.diagnostic.message.clone());
                return Ok(Verdict::ended(Trigger::GraphInvalid, vec![guard], vec![*finding]));
            }
        };
        let defects = graph::defects(&draft);
        let file = format!("graph.draft.{}.json", self.revision);
        self.shelf.put(
            &file,
            &graph::SCHEMA,
            &draft,
            &["intent.json", "registry.lock.json", &self.numbered("decisions")],
        )?;
        let guards = graph_guards(&defects);
        if let Some(defect) = defects.first() {
            let diagnostic = Diagnostic::error(diagnostic::GRAPH_INVALID, defect.to_string());
            let finding = Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                .shown_by([format!("run://{file}")]);
            return Ok(Verdict::ended(Trigger::GraphInvalid, guards, vec![finding]));
        }
        self.record_placement(&draft);
        self.graph = Some(draft);
        let trigger = if self.asked.is_empty() { Trigger::NothingToAsk } else { Trigger::QuestionsNeeded };
        Ok(Verdict::new(trigger, guards))
    }

    /// Finds what is open, takes defaults where nothing may be asked, and keeps what is asked; what may neither be asked
    /// nor defaulted comes back.
    fn triage_open_places(&mut self, intent: &'w Intent, effective: &Effective) -> Vec<Finding> {
        let resolve = |reference: &str| self.follow(reference);
        let decisions: Vec<Decision> =
            self.actions.iter().map(|action| self.decision_on(action.index)).collect();
        let open = open::detect(&Scene {
            intent,
            actions: &self.actions,
            decisions: &decisions,
            workflow_reviewed: self.judged.workflows.iter().any(|it| it.decision == Decision::RequireReview),
            resolve: &resolve,
            rollback_wanted: self.judged.rollback_wanted,
            answered: &self.answered,
        });
        let Triage { asked, defaulted, stuck } = triage(open, effective, self.spent);
        for (place, why) in &defaulted {
            self.answered.take_default(place);
            self.tape.decide(Decided {
                about: ChoiceType::QuestionEmission,
                rationale: format!("not asked: {why}. {}", place.text),
                outcome: format!("default: {}", place.default.text),
                inputs: ChoiceInputs { evidence_refs: place.evidence.clone(), rule_refs: Vec::new() },
                alternatives: Vec::new(),
            });
        }
        self.asked = asked;
        self.before = self.spent;
        self.spent = self.spent.saturating_add(u32::try_from(self.asked.len()).unwrap_or(u32::MAX));
        if self.asked.is_empty() && effective.mode == Mode::SemiAuto && !defaulted.is_empty() {
            self.tape.decide(Decided {
                about: ChoiceType::QuestionEmission,
                rationale: "nothing that is open stops the plan".to_owned(),
                outcome: "skipped".to_owned(),
                inputs: ChoiceInputs::default(),
                alternatives: Vec::new(),
            });
        }
        stuck
    }

    /// The graph of what is planned now, with a place for each question that is asked.
    pub(super) fn graph_of(&self, intent: &Intent, effective: &Effective) -> Result<Graph, Box<Finding>> {
        let ids: Vec<String> =
            (0..).zip(&self.asked).map(|(at, _)| question_id(self.before.saturating_add(at))).collect();
        let questions = ids.iter().zip(&self.asked).map(|(id, place)| Placeholder {
            id,
            about: place.about,
            text: &place.text,
        });
        let graph_id = self.graph_id();
        let outline = self.outline(intent, effective, &graph_id, questions.collect());
        graph::build(&outline).map_err(|refused| {
            let diagnostic = Diagnostic::error(diagnostic::GRAPH_INVALID, refused.to_string());
            Box::new(
                Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                    .shown_by(["intent://planned_commands".to_owned()]),
            )
        })
    }

    pub(super) fn graph_id(&self) -> String {
        self.run_id.replace(super::super::RUN_PREFIX, "graph_")
    }

    /// What a graph is built from.
    pub(super) fn outline<'o>(
        &'o self,
        intent: &'o Intent,
        effective: &Effective,
        graph_id: &'o str,
        questions: Vec<Placeholder<'o>>,
    ) -> Outline<'o> {
        let workflows = intent.selected_workflows.iter().map(|workflow| graph::Workflow {
            id: &workflow.workflow_id,
            stages: workflow.phases.clone(),
            reason: workflow.reason.as_deref(),
        });
        let agents = intent.selected_agents.iter().map(|agent| graph::Agent {
            id: &agent.agent_id,
            role: &agent.role,
            responsibilities: agent.responsibilities.iter().map(String::as_str).collect(),
        });
        let reviews: BTreeSet<ReviewCategory> =
            intent.risk.requires_review.iter().chain(&self.answered.categories).copied().collect();
        Outline {
            graph_id,
            intent_id: &intent.id,
            created_at: &intent.created_at,
            revision: self.revision,
            mode: effective.mode,
            workflows: workflows.collect(),
            agents: agents.collect(),
            commands: self.actions.iter().map(|action| self.outlined(action)).collect(),
            reviews: reviews.into_iter().collect(),
            questions,
            lineage: Lineage {
                derived_from_intent: intent.id.clone(),
                intent_checksum: self.intent_digest(),
                registry_versions: self.registry_versions(),
                coordinator_version: PLANNER_VERSION.to_owned(),
            },
        }
    }

    fn outlined<'o>(&'o self, action: &'o Action<'w>) -> graph::Command<'o> {
        let dropped = self.answered.dropped.contains(&action.index);
        // Whoever left it out decided, and no rule.
        let verdict = self.judged.commands.get(action.index).filter(|_| !dropped);
        let unruled = if dropped { "left out by an answer" } else { "" };
        graph::Command {
            id: &action.planned.command_id,
            intent: &action.planned.intent,
            effects: action.effects.iter().copied().collect(),
            risk: action.risk,
            evidence_refs: action.planned.evidence_refs.iter().map(String::as_str).collect(),
            decision: self.decision_on(action.index),
            rule_refs: verdict.map(|it| it.fired.iter().map(String::as_str).collect()).unwrap_or_default(),
            reason: verdict.map_or(unruled, |it| &it.reason),
            links: action
                .command
                .workflow_links
                .iter()
                .flat_map(|link| link.phases.iter().map(|phase| (link.workflow.as_str(), phase.as_str())))
                .collect(),
            recommended_roles: action.command.recommended_roles.iter().map(String::as_str).collect(),
            files: action.files().collect(),
        }
    }

    fn record_placement(&mut self, draft: &Graph) {
        let actions = draft.nodes.iter().filter(|node| node.node_type == graph::NodeKind::ActionProposal);
        self.tape.decide(Decided {
            about: ChoiceType::GraphBuilding,
            rationale: "links of the registry decide where a command stands, else its strongest effect"
                .to_owned(),
            outcome: format!(
                "{} nodes, {} of them actions, {} edges",
                draft.nodes.len(),
                actions.count(),
                draft.edges.len()
            ),
            inputs: ChoiceInputs::default(),
            alternatives: Vec::new(),
        });
    }
}

fn graph_guards(defects: &[graph::Defect]) -> Vec<Guard> {
    let all = defects.first().map_or_else(|| "proven".to_owned(), ToString::to_string);
    vec![
        Guard::new(
            "graph_is_dag",
            !defects.iter().any(|it| matches!(it, graph::Defect::Cycle(_))),
            all.clone(),
        ),
        Guard::new("graph_is_sound", defects.is_empty(), all),
    ]
}
