//! An intent, examined: everything that is wrong with it at once, each with its place and what becomes of the run;
//! apart from its shape because most of what an intent must not do depends on two fields at once.

use crate::canonical::checksum::Profile;
use std::collections::{BTreeMap, BTreeSet};

use super::shape::{EFFECTS, SCHEMA};
use super::{Intent, PROSE, seal};
use crate::diagnostic::{
    Diagnostic, INTENT_CHECKSUM, INTENT_DRAFT, INTENT_NOT_AN_INTENT, INTENT_PATH, INTENT_RED_LINE_I1,
    INTENT_RED_LINE_I2, INTENT_RED_LINE_I3, INTENT_RED_LINE_I4, INTENT_RED_LINE_I5, INTENT_REFERENCE,
    INTENT_REVIEW_MISSING, INTENT_SCHEMA, INTENT_STATUS, SCHEMA_MISSING, Span, clipped, quoted,
};
use crate::digest::Digest;
use crate::document::{self, Document, Kind, Limits, Value};
use crate::finding::{FailureType, Finding, RedLine};
use crate::gate;
use crate::plan::repository_path;
use crate::planning::reference::Reference;
use crate::vocabulary::Effect;

/// An intent that has a run: it is an object with an id, whatever else is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// Its id, as written; one that is far too long is cut.
    pub id: String,
    /// The intent; there if and only if it satisfies its schema.
    pub intent: Option<Intent>,
    /// The profile of its checksum, where that is right.
    pub sealed: Option<Profile>,
    /// What was found, in the order of places.
    pub findings: Vec<Finding>,
    /// How many more there are; of every kind some are kept, so that the worst is among them.
    pub omitted: usize,
}

/// The most characters of an id that documents repeat, beyond what any right one has.
const ID_MAX: usize = 200;

/// Whether a file says that it is an intent, right or wrong.
pub fn is_one(name: &str, bytes: &[u8]) -> bool {
    let document = document::read_any(name, bytes, &Limits::default());
    document.is_ok_and(|it| it.root.get("type").and_then(Value::as_str) == Some(SCHEMA.name))
}

/// Examines an intent; only what is not an object with an id has no run.
pub fn read(document: &Document) -> Result<Examined, Diagnostic> {
    let root = &document.root;
    let Some(id) = root.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()) else {
        let message = format!("{} is not an object with an id, so there is nothing to plan", document.name);
        return Err(document.error(INTENT_NOT_AN_INTENT, root.span, message));
    };
    let mut examination = Examination::new(document);
    examination.execution();
    examination.full_auto();
    examination.evidence();
    examination.flags();
    examination.review();
    examination.status();
    examination.references();
    examination.paths();
    let sealed = examination.checksum();
    let intent = examination.form();
    let Examination { mut findings, omitted, .. } = examination;
    findings.sort_by_key(|finding| {
        let place = finding.diagnostic.place.as_ref();
        (place.and_then(|place| place.span), finding.diagnostic.code.name())
    });
    Ok(Examined { id: clipped(id, ID_MAX), intent, sealed, findings, omitted })
}

/// What was found so far.
struct Examination<'d> {
    document: &'d Document,
    findings: Vec<Finding>,
    /// Values that a red line has spoken about; their form is not reported again.
    covered: BTreeSet<Span>,
    /// How many of each kind were found.
    counted: BTreeMap<&'static str, usize>,
    omitted: usize,
}

/// How many findings of a kind are kept: a hostile document must not make a report larger than itself.
const KEPT_MAX: usize = 100;

impl<'d> Examination<'d> {
    const fn new(document: &'d Document) -> Self {
        Self {
            document,
            findings: Vec::new(),
            covered: BTreeSet::new(),
            counted: BTreeMap::new(),
            omitted: 0,
        }
    }

    fn push(&mut self, finding: Finding) {
        let counted = self.counted.entry(finding.diagnostic.code.name()).or_default();
        *counted += 1;
        if *counted > KEPT_MAX {
            self.omitted += 1;
        } else {
            self.findings.push(finding);
        }
    }

    fn at(&self, way: &[&str]) -> Option<&'d Value> {
        way.iter().try_fold(&self.document.root, |value, key| value.get(key))
    }

    fn word(&self, way: &[&str]) -> Option<&'d str> {
        self.at(way).and_then(Value::as_str)
    }

    /// The elements of a list, or none.
    fn elements(&self, way: &[&str]) -> &'d [Value] {
        self.at(way).and_then(Value::as_array).unwrap_or_default()
    }

    fn crossed(&mut self, line: RedLine, span: Span, message: String) {
        let code = match line {
            RedLine::I1 => INTENT_RED_LINE_I1,
            RedLine::I2 => INTENT_RED_LINE_I2,
            RedLine::I3 => INTENT_RED_LINE_I3,
            RedLine::I4 => INTENT_RED_LINE_I4,
            RedLine::I5 => INTENT_RED_LINE_I5,
        };
        self.push(Finding::crossed(line, self.document.error(code, span, message)));
    }

    fn blocked(&mut self, diagnostic: Diagnostic) {
        self.push(Finding::blocked(diagnostic, FailureType::ConstraintViolation));
    }

    /// I1: nothing to be run, neither as a key nor as a value, and execution is said to be forbidden.
    fn execution(&mut self) {
        for hit in gate::keys(self.document, &[]) {
            self.covered.insert(hit.span);
            let message = format!("the key {} is one that nothing to be planned may have", quoted(&hit.key));
            self.crossed(RedLine::I1, hit.span, message);
        }
        for hit in gate::values(self.document, PROSE) {
            self.crossed(
                RedLine::I1,
                hit.span,
                format!("{} looks like something to be run: `{}`", hit.path, hit.word),
            );
        }
        let Some(flag) = self.at(&["constraints", "execution"]) else { return };
        if flag.as_str() != Some("forbidden") {
            self.covered.insert(flag.span);
            self.crossed(RedLine::I1, flag.span, "constraints.execution is not `forbidden`".to_owned());
        }
    }

    /// I2 and I3: who asks nobody has no questions, and not much at stake.
    fn full_auto(&mut self) {
        let Some(mode) = self.at(&["interaction", "mode"]).filter(|mode| mode.as_str() == Some("full_auto"))
        else {
            return;
        };
        if let Some(budget) = self.at(&["interaction", "question_budget"])
            && budget.as_i64() != Some(0)
        {
            let message = "the mode is full_auto and interaction.question_budget is not 0".to_owned();
            self.crossed(RedLine::I2, budget.span, message);
        }
        if let Some(policy) = self.at(&["interaction", "question_policy"])
            && policy.as_str() != Some("never")
        {
            let message = "the mode is full_auto and interaction.question_policy is not `never`".to_owned();
            self.crossed(RedLine::I2, policy.span, message);
        }
        if let Some(risk @ ("high" | "critical")) = self.word(&["risk", "overall"]) {
            let message = format!("the mode is full_auto and risk.overall is {risk}");
            self.crossed(RedLine::I3, mode.span, message);
        }
    }

    /// I4: every planned command rests on something.
    fn evidence(&mut self) {
        for (index, command) in self.elements(&["planned_commands"]).iter().enumerate() {
            let Some(object) = command.as_object() else { continue };
            let refs = object.get("evidence_refs");
            if refs.and_then(Value::as_array).is_some_and(|refs| !refs.is_empty()) {
                continue;
            }
            self.covered.extend(refs.map(|refs| refs.span));
            let span = refs.map_or(command.span, |refs| refs.span);
            self.crossed(RedLine::I4, span, format!("planned_commands[{index}] names no evidence"));
        }
    }

    /// I5, the part that an intent says itself; whether its ids are registered is asked of the registry.
    fn flags(&mut self) {
        for flag in ["no_fabrication", "registry_only"] {
            let value = self.at(&["constraints", flag]);
            if value.and_then(Value::as_bool) == Some(true) {
                continue;
            }
            self.covered.extend(value.map(|value| value.span));
            let near = value.or_else(|| self.at(&["constraints"])).unwrap_or(&self.document.root);
            self.crossed(RedLine::I5, near.span, format!("constraints.{flag} is not true"));
        }
    }

    /// What changes something is looked at by somebody.
    fn review(&mut self) {
        let changes = |command: &&Value| {
            let effects = command.get("effects").and_then(Value::as_array).unwrap_or_default();
            effects
                .iter()
                .filter_map(Value::as_str)
                .any(|word| EFFECTS.contains(&word) && word.parse().is_ok_and(Effect::writes))
        };
        if !self.elements(&["planned_commands"]).iter().any(|command| changes(&command)) {
            return;
        }
        let Some(categories) = self.at(&["risk", "requires_review"]) else { return };
        if categories.as_array().is_some_and(<[Value]>::is_empty) {
            let message = "a command writes or deploys, and risk.requires_review is empty";
            self.blocked(self.document.error(INTENT_REVIEW_MISSING, categories.span, message));
        }
    }

    /// What somebody refused or replaced is not planned; what is still being written is, and that is said.
    fn status(&mut self) {
        let Some(status) = self.at(&["status"]) else { return };
        match status.as_str() {
            Some(word @ ("rejected" | "superseded")) => {
                let message = format!("the intent is {word}");
                self.blocked(self.document.error(INTENT_STATUS, status.span, message));
            }
            Some("draft") => {
                let place = self.document.place(status.span);
                let note = Diagnostic::warning(INTENT_DRAFT, "the intent is a draft").at(place);
                self.push(Finding::noted(note));
            }
            _ => {}
        }
    }

    fn references(&mut self) {
        let of_commands =
            self.elements(&["planned_commands"]).iter().filter_map(|it| it.get("evidence_refs")?.as_array());
        let all = of_commands.flatten().chain(self.elements(&["evidence_refs"]));
        let refused = all.filter_map(|value| {
            let text = value.as_str()?;
            let why = text.parse::<Reference>().err()?;
            Some((value.span, format!("the reference {} {why}", quoted(text))))
        });
        for (span, message) in refused.collect::<Vec<_>>() {
            self.blocked(self.document.error(INTENT_REFERENCE, span, message));
        }
    }

    fn paths(&mut self) {
        let listed = self.elements(&["scope", "targets", "files"]);
        let locked = self.elements(&["constraints", "lock_scope", "paths"]);
        for value in listed.iter().chain(locked) {
            let Kind::String(text) = &value.kind else { continue };
            if let Err(why) = repository_path(text) {
                let message = format!("the path {} {why}", quoted(text));
                self.blocked(self.document.error(INTENT_PATH, value.span, message));
            }
        }
    }

    /// The profile in which the checksum is right; a checksum that is none is a matter of form.
    fn checksum(&mut self) -> Option<Profile> {
        let written = self.at(&["audit", "checksum"])?;
        let digest: Digest = written.as_str()?.parse().ok()?;
        let profile = seal::profile(&self.document.root, &digest);
        if profile.is_none() {
            let message = "audit.checksum is not the digest of this intent in any profile";
            self.blocked(self.document.error(INTENT_CHECKSUM, written.span, message));
        }
        profile
    }

    /// The schema, and the typed intent where it holds.
    fn form(&mut self) -> Option<Intent> {
        let unreadable = match SCHEMA.read(self.document) {
            Ok(intent) => return Some(intent),
            Err(unreadable) => unreadable,
        };
        for defect in unreadable.defects {
            let span = defect.place.as_ref().and_then(|place| place.span);
            let said = span.is_some_and(|span| self.covered.contains(&span)) && defect.code != SCHEMA_MISSING;
            if !said {
                self.blocked(Diagnostic { code: INTENT_SCHEMA, ..defect });
            }
        }
        self.omitted += unreadable.omitted;
        None
    }
}
