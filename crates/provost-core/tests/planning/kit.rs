//! A small project to plan in: its registry, facts and memory, and an intent that a test changes in one place.

use provost_core::canonical::checksum::{self, Profile};
use provost_core::document::{self, Document, Limits};
use provost_core::planning::facts::FactPack;
use provost_core::planning::memory::MemoryPack;
use provost_core::planning::policy::Policy;
use provost_core::planning::questions_pack::QuestionPack;
use provost_core::planning::shelf::{Examine, Strict, Unfit};
use provost_core::planning::{Inputs, Run, Watch, plan};
use provost_core::registry::{Kind, Registry, Source};
use provost_core::schema::Schema;
use provost_core::time::Timestamp;
use serde_json::{Value, json};

use crate::documents::{self, facts, intent, memory, registry, seal};

/// A clock that ticks a millisecond with every look.
pub(crate) struct Ticking(pub(crate) i64);

impl Watch for Ticking {
    fn now(&mut self) -> Timestamp {
        self.0 += 1;
        Timestamp::from_ms(self.0)
    }
}

pub(crate) fn document(name: &str, value: &Value) -> Document {
    document::read(name, value.to_string().as_bytes(), &Limits::default()).unwrap()
}

/// Everything of a plan as JSON, for a test to change.
pub(crate) struct Case {
    pub(crate) intent: Value,
    pub(crate) policy: Value,
    pub(crate) registry: Vec<(Kind, Value)>,
    pub(crate) facts: Option<Value>,
    pub(crate) memory: Option<Value>,
    pub(crate) seal: bool,
    /// Whether documents are written with their keys in the reverse order.
    pub(crate) backwards: bool,
}

impl Case {
    /// Low risk, two commands, one of them writing.
    pub(crate) fn low() -> Case {
        Case {
            intent: intent(),
            policy: json!({ "schema_version": "1.0.0", "mode": "interactive" }),
            registry: registry(),
            facts: Some(facts()),
            memory: Some(memory()),
            seal: true,
            backwards: false,
        }
    }

    /// A change of data with much at stake.
    pub(crate) fn high() -> Case {
        let mut case = Case::low();
        documents::raise(&mut case.intent);
        case
    }

    /// Nothing is written and nothing is asked.
    pub(crate) fn full_auto() -> Case {
        let mut case = Case::low();
        case.intent["planned_commands"].as_array_mut().unwrap().truncate(1);
        case.intent["interaction"] =
            json!({ "mode": "full_auto", "question_budget": 0, "question_policy": "never" });
        case.intent["risk"]["requires_review"] = json!([]);
        case
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Case)) -> Case {
        change(&mut self);
        self
    }

    pub(crate) fn inputs(&self) -> Inputs {
        let mut intent = self.intent.clone();
        if self.seal {
            seal(&mut intent);
        }
        let document = |name: &str, value: &Value| {
            let text = if self.backwards { backwards(value) } else { value.to_string() };
            document::read(name, text.as_bytes(), &Limits::default()).unwrap()
        };
        let sources = self.registry.iter().map(|(kind, value)| {
            let id = value["id"].as_str().unwrap_or("content");
            let path = format!("{}/{id}.json", kind.folder());
            Source { kind: *kind, read: Ok(document(&path, value)), path }
        });
        Inputs {
            intent: document("intent.json", &intent),
            policy: Policy::read(&document("policy.json", &self.policy)).unwrap(),
            registry: Registry::new(sources),
            pins: None,
            facts: self.facts.as_ref().map(|it| FactPack::read(&document("facts.json", it)).unwrap()),
            memory: self.memory.as_ref().map(|it| MemoryPack::read(&document("memory.json", it)).unwrap()),
            supersedes: None,
            rounds: Vec::new(),
        }
    }

    pub(crate) fn plan(&self) -> Run {
        plan(&self.inputs(), &mut Ticking(1_000), &Strict).unwrap()
    }
}

/// JSON with its keys in the reverse order and blanks where nobody puts them.
fn backwards(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| format!("\n {} : {}", json!(key), backwards(value));
            format!("{{{} }}", entries.iter().rev().map(entry).collect::<Vec<_>>().join(","))
        }
        Value::Array(elements) => {
            format!("[ {} ]", elements.iter().map(backwards).collect::<Vec<_>>().join(" ,"))
        }
        other => other.to_string(),
    }
}

/// A sealed pack of answers to a pack of questions.
pub(crate) fn answers(pack: &QuestionPack, given: &[(&str, &str)]) -> Document {
    let built =
        provost_core::planning::answers::build(pack, given, "ada", Timestamp::from_ms(5_000)).unwrap();
    document("answers.json", &serde_json::to_value(built).unwrap())
}

/// A changed pack of answers with the right checksum.
pub(crate) fn resealed(mut value: Value) -> Document {
    let digest = checksum::of(&document("answers.json", &value).root, &["checksum"], Profile::Jcs);
    value["checksum"] = digest.to_string().into();
    document("answers.json", &value)
}

/// What a defect of ours makes of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tamper {
    /// It has a key more.
    Adds(&'static str),
    /// It lacks the run that it belongs to.
    Lacks,
}

/// The examination that counts, of a document that a defect of ours has changed.
pub(crate) struct Tampered {
    pub(crate) file: &'static str,
    pub(crate) how: Tamper,
}

impl Examine for Tampered {
    fn examine(&self, file: &str, schema: &Schema, bytes: &[u8]) -> Result<(), Unfit> {
        // Of what closes a run only that of a frozen one: the end that follows has to be said somehow.
        let closes = ["summary.json", "tape.json", "audit.jsonl", "manifest.json"].contains(&file);
        let is_frozen = || bytes.windows(6).any(|it| it == b"\"DONE\"");
        if file != self.file || (closes && !is_frozen()) {
            return Strict.examine(file, schema, bytes);
        }
        let mut value: Value = serde_json::from_slice(bytes).unwrap();
        let entries = value.as_object_mut().unwrap();
        match self.how {
            Tamper::Adds(key) => {
                entries.insert(key.to_owned(), json!("x"));
            }
            Tamper::Lacks => {
                let named = ["run_id", "coordinator_run_id", "graph_id"];
                named.iter().find(|key| entries.remove(**key).is_some()).unwrap();
            }
        }
        Strict.examine(file, schema, &serde_json::to_vec(&value).unwrap())
    }
}
