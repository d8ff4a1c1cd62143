//! `PRECHECKED`: form, seal, red lines, references, versions. Everything that is wrong is found at once; the worst decides.

use std::collections::BTreeSet;

use serde::Serialize;
use strum::VariantNames;

use super::{Verdict, Walk};
use crate::diagnostic::{self, Diagnostic, quoted};
use crate::finding::{Consequence, FailureType, Finding, RedLine};
use crate::graph::RegistryVersion;
use crate::intent::Intent;
use crate::planning::Trigger;
use crate::planning::audit::{Noted, RedLineCheck};
use crate::planning::policy::{Effective, Pins};
use crate::planning::shelf::Unfit;
use crate::planning::tape::Guard;
use crate::planning::{REGISTRY_VERSION, RUN_ID};
use crate::registry::{Drift, Item, Kind, Pin, Resolution};
use crate::schema::{Schema, Shape, choice, list, object, optional, required, text};

/// How many names a message has; the report has all of them.
const NAMED_MAX: usize = 10;

#[derive(Serialize)]
struct Report<'r> {
    run_id: &'r str,
    intent_id: &'r str,
    passed: bool,
    /// The profile in which the declared checksum holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum_profile: Option<String>,
    red_lines: Vec<Line>,
    findings: Vec<Found>,
    registry_versions: Vec<RegistryVersion>,
    unpinned: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    red_line: String,
    passed: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Found {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    red_line: Option<String>,
    consequence: &'static str,
}

impl Walk<'_> {
    pub(super) fn precheck(&mut self) -> Result<Verdict, Unfit> {
        let mut findings = self.examined.findings.clone();
        let mut unpinned = Vec::new();
        if let Some(intent) = &self.examined.intent {
            self.resolve_references(intent, &mut findings);
            unpinned = self.compare_pins(intent, &mut findings);
            self.effective = Some(Effective::of(intent, &self.inputs.policy));
        }
        self.judge_effective_mode(&mut findings);
        // Among equals the first check decides; within a check, the order of the intent's keys by name.
        findings.sort_by_key(rank);
        self.note_red_lines(&findings);
        self.warnings.extend(
            findings
                .iter()
                .filter(|it| it.consequence == Consequence::Noted)
                .map(|it| it.diagnostic.message.clone()),
        );
        self.put_report(&findings, unpinned)?;
        let guards = guards(&findings);
        let worst = crate::finding::worst(&findings);
        Ok(match worst {
            Consequence::Noted => Verdict::new(Trigger::PrecheckPassed, guards),
            Consequence::Blocked(_) => Verdict::ended(Trigger::PrecheckFailed, guards, findings),
            Consequence::Aborted => Verdict::ended(Trigger::RedLineCrossed, guards, findings),
        })
    }

    fn resolve_references(&self, intent: &Intent, findings: &mut Vec<Finding>) {
        for (kind, id) in named(intent) {
            let quoted_id = quoted(id);
            let (message, help) = match self.inputs.registry.resolve(kind, id, None) {
                Resolution::Usable(_) => continue,
                Resolution::NotUsable(status) => (
                    format!("the {kind} {quoted_id} is {status}"),
                    "activate it, or name one that is active".to_owned(),
                ),
                Resolution::Broken(defects) => {
                    let first = crate::registry::first_of(defects);
                    (
                        format!("the {kind} {quoted_id} is broken: {first}"),
                        "mend its file; `provost rules check` names it".to_owned(),
                    )
                }
                Resolution::Unknown { nearest } => {
                    let help = nearest.map_or_else(
                        || {
                            format!(
                                "write `.provost/registry/{}/{id}.yaml`, or name one that is there",
                                kind.folder()
                            )
                        },
                        |item| format!("the nearest one is {}", quoted(&item.id)),
                    );
                    (format!("the {kind} {quoted_id} is not in the registry"), help)
                }
            };
            let diagnostic = Diagnostic::error(diagnostic::REGISTRY_MISSING, message).with_help(help);
            let finding = Finding {
                red_line: Some(RedLine::I5),
                ..Finding::blocked(diagnostic, FailureType::MissingRegistry)
            };
            findings.push(finding.shown_by([format!("registry://{}/{id}", kind.folder())]));
        }
    }

    /// Holds pins against what is there; returns what is used without a pin.
    fn compare_pins(&self, intent: &Intent, findings: &mut Vec<Finding>) -> Vec<String> {
        let references = intent
            .evidence_refs
            .iter()
            .chain(intent.planned_commands.iter().flat_map(|it| &it.evidence_refs));
        let mut pins: Vec<Pin> = references.filter_map(|reference| Pin::of_reference(reference)).collect();
        pins.extend(self.inputs.pins.iter().flat_map(|lock| lock.pins().iter().cloned()));
        findings.extend(
            pins.iter().filter_map(|pin| pin.drift(&self.inputs.registry)).map(|drift| drifted(&drift)),
        );
        let is_pinned = |item: &Item| {
            pins.iter().any(|pin| pin.id == item.id && pin.kind.is_none_or(|kind| kind == item.kind))
        };
        let used = self.used();
        let unpinned: Vec<String> = used
            .into_iter()
            .filter(|item| !is_pinned(item))
            .map(|item| format!("{}/{}", item.kind.folder(), item.id))
            .collect();
        if self.inputs.policy.pins == Pins::Required && !unpinned.is_empty() {
            let shown: Vec<&str> = unpinned.iter().take(NAMED_MAX).map(String::as_str).collect();
            let more = if unpinned.len() > NAMED_MAX { " and more" } else { "" };
            let message = format!(
                "the policy wants versions pinned and {} are not: {}{more}",
                unpinned.len(),
                shown.join(", ")
            );
            let diagnostic = Diagnostic::error(diagnostic::REGISTRY_UNPINNED, message);
            findings.push(
                Finding::blocked(diagnostic, FailureType::PolicyViolation)
                    .shown_by(["policy://pins".to_owned()]),
            );
        }
        unpinned
    }

    /// The intent's own mode is judged with the intent; the stricter one that policy makes of it is judged here.
    fn judge_effective_mode(&self, findings: &mut Vec<Finding>) {
        let Some((intent, effective)) = self.examined.intent.as_ref().zip(self.effective.as_ref()) else {
            return;
        };
        let high = intent.risk.overall >= crate::vocabulary::Risk::High;
        let full_auto = effective.mode == crate::vocabulary::Mode::FullAuto;
        if high && full_auto && intent.interaction.mode != crate::vocabulary::Mode::FullAuto {
            let message =
                format!("the policy makes the mode full_auto and the risk is {}", intent.risk.overall);
            findings.push(Finding::crossed(
                RedLine::I3,
                Diagnostic::error(diagnostic::INTENT_RED_LINE_I3, message),
            ));
        }
    }

    /// The registry content that the run rests on, without rules.
    pub(super) fn used(&self) -> Vec<&Item> {
        let Some(intent) = &self.examined.intent else { return Vec::new() };
        let registry = &self.inputs.registry;
        let item = |(kind, id): (Kind, &str)| match registry.resolve(kind, id, None) {
            Resolution::Usable(item) => Some(item),
            _ => None,
        };
        named(intent).into_iter().filter_map(item).collect()
    }

    fn note_red_lines(&mut self, findings: &[Finding]) {
        for line in [RedLine::I1, RedLine::I2, RedLine::I3, RedLine::I4, RedLine::I5] {
            let crossed = findings.iter().find(|it| it.red_line == Some(line));
            let name: &'static str = line.into();
            self.note(Noted::RedLineCheck {
                red_line_check_record: RedLineCheck {
                    red_line: name,
                    passed: crossed.is_none(),
                    violation_details: crossed.map(|it| it.diagnostic.message.clone()),
                    enforcement_action: match crossed.map(|it| it.consequence) {
                        None | Some(Consequence::Noted) => "log",
                        Some(Consequence::Blocked(_)) => "block",
                        Some(Consequence::Aborted) => "abort",
                    },
                },
            });
        }
    }

    fn put_report(&mut self, findings: &[Finding], unpinned: Vec<String>) -> Result<(), Unfit> {
        let lines = [RedLine::I1, RedLine::I2, RedLine::I3, RedLine::I4, RedLine::I5];
        let mut found: Vec<Found> = findings.iter().map(found).collect();
        // In the order of the words, not of the document: the order of keys changes no byte.
        found.sort();
        let report = Report {
            run_id: &self.run_id,
            intent_id: &self.examined.id,
            passed: crate::finding::worst(findings) == Consequence::Noted,
            checksum_profile: self.examined.sealed.map(|profile| profile.to_string()),
            red_lines: lines
                .map(|line| Line {
                    red_line: line.to_string(),
                    passed: !findings.iter().any(|it| it.red_line == Some(line)),
                })
                .into_iter()
                .collect(),
            findings: found,
            registry_versions: self.used().into_iter().map(version_of).collect(),
            unpinned,
        };
        self.shelf.put("precheck.json", &SCHEMA, &report, &["intent.json", "registry.lock.json"])
    }
}

/// Everything of the registry that an intent names, each once, by kind and id.
fn named(intent: &Intent) -> BTreeSet<(Kind, &str)> {
    let workflows = intent.selected_workflows.iter().map(|it| (Kind::Workflow, it.workflow_id.as_str()));
    let agents = intent.selected_agents.iter().map(|it| (Kind::Agent, it.agent_id.as_str()));
    let commands = intent.planned_commands.iter().map(|it| (Kind::Command, it.command_id.as_str()));
    workflows.chain(agents).chain(commands).collect()
}

/// An item as documents of ours name it.
pub(super) fn version_of(item: &Item) -> RegistryVersion {
    RegistryVersion {
        kind: item.kind,
        id: item.id.clone(),
        version: item.version.clone(),
        checksum: item.checksum,
    }
}

/// The place of a finding's check among the checks: red lines that an intent crosses by itself, its form, its seal, what
/// it names, the versions of that.
fn rank(finding: &Finding) -> u8 {
    let code = finding.diagnostic.code;
    match finding.red_line {
        Some(RedLine::I1) => 0,
        Some(RedLine::I2 | RedLine::I3 | RedLine::I4) => 1,
        None if code == diagnostic::INTENT_CHECKSUM => 3,
        Some(RedLine::I5) => 4,
        None if code.name().starts_with("registry::") => 5,
        None => 2,
    }
}

fn drifted(drift: &Drift) -> Finding {
    let diagnostic = Diagnostic::error(diagnostic::REGISTRY_DRIFT, drift.to_string());
    let folder = drift.pin.kind.map_or("", Kind::folder);
    let reference = format!("registry://{folder}/{}@{}", drift.pin.id, drift.pin.version);
    Finding::blocked(diagnostic, FailureType::MissingRegistry).shown_by([reference])
}

fn found(finding: &Finding) -> Found {
    Found {
        code: finding.diagnostic.code.name(),
        message: finding.diagnostic.message.clone(),
        red_line: finding.red_line.map(|line| line.to_string()),
        consequence: match finding.consequence {
            Consequence::Noted => "noted",
            Consequence::Blocked(_) => "blocked",
            Consequence::Aborted => "aborted",
        },
    }
}

fn guards(findings: &[Finding]) -> Vec<Guard> {
    let ends = |it: &&Finding| it.consequence != Consequence::Noted;
    let guard = |name: &'static str, about: &dyn Fn(&Finding) -> bool| {
        let against: Vec<&Finding> = findings.iter().filter(ends).filter(|it| about(it)).collect();
        let reason = match against.as_slice() {
            [] => "nothing speaks against it".to_owned(),
            [first, others @ ..] => format!("{} and {} more", first.diagnostic.message, others.len()),
        };
        Guard::new(name, against.is_empty(), reason.chars().take(1_000).collect::<String>())
    };
    let code = |it: &Finding| it.diagnostic.code.name();
    vec![
        guard("no_execution_payload", &|it| it.red_line == Some(RedLine::I1)),
        guard("intent_schema_valid", &|it| code(it).starts_with("schema::") || code(it) == "intent::status"),
        guard("checksum_matches", &|it| code(it) == diagnostic::INTENT_CHECKSUM.name()),
        guard("red_lines_hold", &|it| matches!(it.red_line, Some(RedLine::I2 | RedLine::I3 | RedLine::I4))),
        guard("registry_content_exists", &|it| it.red_line == Some(RedLine::I5)),
        guard("no_version_drift", &|it| code(it).starts_with("registry::") && it.red_line.is_none()),
    ]
}

const FLAG: Shape = Shape::Flag;

/// The shape of `precheck.json`.
pub(crate) const SCHEMA: Schema = Schema {
    name: "precheck_report",
    version: "1.0.0",
    title: "What the intent was found to be before planning",
    root: object(&[
        required("run_id", RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("passed", FLAG, "whether planning goes on"),
        optional("checksum_profile", text(1, 40), "the profile in which the declared checksum holds"),
        required(
            "red_lines",
            list(
                &object(&[
                    required("red_line", choice(<RedLine as VariantNames>::VARIANTS), "which"),
                    required("passed", FLAG, "whether it holds"),
                ]),
                5,
                5,
            ),
            "the lines that nobody may cross",
        ),
        required(
            "findings",
            list(
                &object(&[
                    required("code", text(1, 120), "its code"),
                    required("message", text(1, 8_000), "what is wrong"),
                    optional(
                        "red_line",
                        choice(<RedLine as VariantNames>::VARIANTS),
                        "the line that it crosses",
                    ),
                    required("consequence", choice(&["noted", "blocked", "aborted"]), "what follows"),
                ]),
                0,
                10_000,
            ),
            "everything that was found",
        ),
        required("registry_versions", list(&REGISTRY_VERSION, 0, 200), "the content that is named"),
        required("unpinned", list(&text(1, 300), 0, 200), "what is used without a pinned version"),
    ]),
};
