//! The policy that plans are made under, apart because its form is that of a document which can also be handed in as a
//! file: one schema judges both.

use std::ops::Range;

use provost_core::delivery::WhileWaiting;
use provost_core::diagnostic::{Diagnostic, Span};
use provost_core::document::{self, Limits, Step};
use provost_core::planning::policy::{self, Policy};
use provost_core::vocabulary::Mode;
use serde_json::{Map, Value as Json};
use toml::de::{DeTable, DeValue};

use super::Approve;
use super::reading::Reading;
use crate::walls::Sandbox;

/// Keys that are no part of the document that plans are made under.
const BESIDE: &[&str] = &["approve", "sandbox", "while_waiting"];

impl Reading<'_> {
    pub(super) fn policy(&mut self, table: &DeTable<'_>, whole: Range<usize>) {
        self.approve(table);
        self.sandbox(table);
        self.while_waiting(table);
        let planning = table.iter().filter(|(key, _)| !BESIDE.contains(&key.get_ref().as_ref()));
        let mut written: Map<String, Json> =
            planning.map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref()))).collect();
        written.entry("schema_version").or_insert_with(|| policy::VERSION.into());
        written.entry("mode").or_insert_with(|| Mode::Interactive.to_string().into());
        for (name, value) in written.iter().filter(|(name, _)| *name != "schema_version") {
            let origin = self.origin(table.get(name.as_str()));
            self.show(format!("policy.{name}"), value.clone(), origin);
        }
        let text = Json::Object(written).to_string();
        let read = document::read(self.file(), text.as_bytes(), &Limits::default());
        let read = read.and_then(|document| {
            // Places within the text that was made here mean nothing to whoever wrote the file.
            Policy::read(&document).map_err(|mut unreadable| {
                for defect in &mut unreadable.defects {
                    let span = defect.place.take().and_then(|place| place.span).unwrap_or_default();
                    defect.place = place_of(&document, span, table).map(|at| Box::new(self.place(at)));
                }
                unreadable
            })
        });
        match read {
            Ok(policy) => self.config.policy = policy,
            Err(unreadable) => {
                let at = |defect: Diagnostic, place| Diagnostic { place, ..defect };
                for defect in unreadable.defects {
                    let place = defect.place.clone().unwrap_or_else(|| Box::new(self.place(whole.clone())));
                    self.defects.push(at(defect, Some(place)));
                }
            }
        }
    }

    /// When a written plan counts as approved; no part of the document that plans are made under.
    fn approve(&mut self, table: &DeTable<'_>) {
        let value = table.get("approve");
        if let Some(approve) = value.and_then(|value| self.choice::<Approve>("policy.approve", value)) {
            self.config.approve = approve;
        }
        let approve: &str = self.config.approve.into();
        let origin = self.origin(value);
        self.show("policy.approve".to_owned(), approve, origin);
    }

    /// Whether programs run inside walls.
    fn sandbox(&mut self, table: &DeTable<'_>) {
        let value = table.get("sandbox");
        if let Some(sandbox) = value.and_then(|value| self.choice::<Sandbox>("policy.sandbox", value)) {
            self.config.sandbox = sandbox;
        }
        let sandbox: &str = self.config.sandbox.into();
        let origin = self.origin(value);
        self.show("policy.sandbox".to_owned(), sandbox, origin);
    }

    /// What is begun while a task waits for an answer.
    fn while_waiting(&mut self, table: &DeTable<'_>) {
        let value = table.get("while_waiting");
        let chosen = value.and_then(|value| self.choice::<WhileWaiting>("policy.while_waiting", value));
        if let Some(while_waiting) = chosen {
            self.config.while_waiting = while_waiting;
        }
        let while_waiting: &str = self.config.while_waiting.into();
        let origin = self.origin(value);
        self.show("policy.while_waiting".to_owned(), while_waiting, origin);
    }
}

/// Where the entry stands in the file that a span of its document lies in.
fn place_of(document: &document::Document, span: Span, table: &DeTable<'_>) -> Option<Range<usize>> {
    let path = document.path(span);
    let Some(Step::Key(key)) = path.steps().first() else { return None };
    let (name, _) = table.get_key_value(*key)?;
    Some(name.span())
}

fn json(value: &DeValue<'_>) -> Json {
    match value {
        DeValue::String(text) => Json::String(text.to_string()),
        DeValue::Boolean(flag) => Json::Bool(*flag),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Json::Null, Json::from)
        }
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Json::Null, Json::from),
        DeValue::Datetime(time) => Json::String(time.to_string()),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())))
            .collect::<Map<_, _>>()
            .into(),
    }
}
