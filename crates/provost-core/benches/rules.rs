//! What judging and loading rules costs, against a matcher written by hand for rules of this shape and against reading
//! the same files. Fails when a target is missed.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench fails by panicking")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench needs a clock; core has none"
)]

use std::process::ExitCode;
use std::time::Duration;

use provost_core::document::{self, Document, Limits};
use provost_core::rules::{self, Documents, Predicate, Predicates, RuleBook, Set, Subject, SubjectKind};
use provost_core::vocabulary::{Effect, Risk, Stage};
use serde_json::json;
use strum::VariantArray as _;

#[expect(dead_code, reason = "other benches count, this one only compares")]
mod ratio;
mod rules_by_hand;

use ratio::{Measured, Target, compare, report, time};
use rules_by_hand::{ByHand, Made};

const ROUNDS: usize = 15;

fn main() -> ExitCode {
    let made: Vec<Made> = (0..5_000).map(Made::new).collect();
    let subjects: Vec<Known> = (0..64).map(Known::new).collect();
    let worlds: Vec<World> = [50, 500, 5_000].map(|count| World::new(&made[..count])).into();
    for world in &worlds {
        world.agrees(&subjects);
    }
    let [small, middle, large] = worlds.as_slice() else { return ExitCode::FAILURE };
    report(&[
        fired("one subject, 50 rules: what fired", small, &subjects),
        fired("one subject, 500 rules: what fired", middle, &subjects),
        fired("one subject, 5,000 rules: what fired", large, &subjects),
        every("one subject, 50 rules: every evaluation", small, &subjects),
        every("one subject, 500 rules: every evaluation", middle, &subjects),
        every("one subject, 5,000 rules: every evaluation", large, &subjects),
        compare(
            "one subject: 5,000 rules to 50",
            Target::Times(20.0),
            ROUNDS,
            || small.judge(&subjects, 40),
            || large.judge(&subjects, 4),
        ),
        loading(&made),
    ])
}

fn fired(name: &'static str, world: &World, subjects: &[Known]) -> Measured {
    let repeats = world.repeats();
    compare(
        name,
        Target::Times(3.0),
        ROUNDS,
        || world.match_by_hand(subjects, repeats),
        || world.judge(subjects, repeats),
    )
}

fn every(name: &'static str, world: &World, subjects: &[Known]) -> Measured {
    let repeats = world.repeats();
    let all = || each(subjects, repeats, |subject| world.book.judge_all(subject));
    compare(name, Target::Times(10.0), ROUNDS, || world.match_by_hand(subjects, repeats), all)
}

/// Reading files alone, and reading them with all that makes a book of them.
fn loading(made: &[Made]) -> Measured {
    let files: Vec<String> = made.iter().map(Made::text).collect();
    let parse = || -> Vec<Document> {
        let read = |text: &String| document::read("rule.json", text.as_bytes(), &Limits::default()).unwrap();
        files.iter().map(read).collect()
    };
    let load = || {
        let documents = parse();
        RuleBook::compile(rules::read(&documents).unwrap().rules)
    };
    compare(
        "loading 5,000 rules, to parsing them",
        Target::Times(3.0),
        7,
        || time(1, parse),
        || time(1, load),
    )
}

/// The same rules twice.
struct World {
    book: RuleBook,
    by_hand: ByHand,
}

impl World {
    fn new(made: &[Made]) -> Self {
        let documents: Vec<Document> = made
            .iter()
            .map(|made| document::read("rule.json", made.text().as_bytes(), &Limits::default()).unwrap())
            .collect();
        let book = RuleBook::compile(rules::read(&documents).unwrap().rules);
        Self { book, by_hand: ByHand::new(made) }
    }

    /// Both say the same, or comparing them would mean nothing.
    fn agrees(&self, subjects: &[Known]) {
        let mut total = 0;
        for known in subjects {
            let fired: Vec<u32> =
                known.ask(|it| self.book.judge(it).fired.iter().map(|it| it.rule).collect());
            assert_eq!(fired, known.ask(|it| self.by_hand.fired(it)));
            total += fired.len();
        }
        assert!(total > 0);
        println!("{} rules: {} fire for {} subjects", self.book.rules().len(), total, subjects.len());
    }

    fn repeats(&self) -> u32 {
        if self.book.rules().len() > 1_000 { 4 } else { 40 }
    }

    fn judge(&self, subjects: &[Known], repeats: u32) -> Duration {
        each(subjects, repeats, |subject| self.book.judge(subject))
    }

    fn match_by_hand(&self, subjects: &[Known], repeats: u32) -> Duration {
        each(subjects, repeats, |subject| self.by_hand.fired(subject))
    }
}

/// The time of one subject.
fn each<T>(subjects: &[Known], repeats: u32, work: impl Fn(&Subject<'_>) -> T) -> Duration {
    let all = || {
        for known in subjects {
            std::hint::black_box(known.ask(&work));
        }
    };
    time(repeats, all) / u32::try_from(subjects.len()).unwrap()
}

/// A planned command: mostly in order, with one or two things amiss.
struct Known {
    document: Document,
    raw: String,
    risk: Risk,
    stages: Set<Stage>,
    effects: Set<Effect>,
    predicates: Predicates,
}

impl Known {
    fn new(number: u32) -> Self {
        let mut random = rules_by_hand::Random::new(1_000_003 * (number + 7));
        let mut fields = serde_json::Map::new();
        for field in 0..rules_by_hand::FIELDS {
            if field % 3 < 2 || random.below(4) == 0 {
                let value = if field % 2 == 0 {
                    json!(random.below(100))
                } else {
                    json!(rules_by_hand::word(random.below(400)))
                };
                let (top, below) = rules_by_hand::path(field);
                match below {
                    Some(below) => fields.entry(top).or_insert(json!({}))[below] = value,
                    None => _ = fields.insert(top, value),
                }
            }
        }
        let prose: Vec<String> = (0..60).map(|_| rules_by_hand::word(40 + random.below(2_000))).collect();
        fields.insert("description".to_owned(), json!(prose.join(" ")));
        let raw = serde_json::Value::Object(fields).to_string();
        let document = document::read("command.json", raw.as_bytes(), &Limits::default()).unwrap();
        let risk = Risk::VARIANTS[random.below(4) as usize];
        let mut predicates = Predicates::default();
        for predicate in Predicate::VARIANTS {
            let holds = rules_by_hand::CIRCUMSTANCES.contains(predicate) && random.below(2) == 0;
            predicates.set(*predicate, holds);
        }
        predicates.set(rules_by_hand::DEFECTS[random.below(13) as usize], true);
        predicates.set(Predicate::InferenceNotCloud, rules::Tri::Unknown);
        let stages = [random.below(9), random.below(9)].into_iter().map(|it| Stage::VARIANTS[it as usize]);
        let effects = Set::EMPTY.with(Effect::VARIANTS[random.below(8) as usize]).with(Effect::Write);
        Self { document, raw, risk, stages: stages.collect(), effects, predicates }
    }

    fn ask<T>(&self, asked: impl FnOnce(&Subject<'_>) -> T) -> T {
        let fields = Documents { own: &self.document.root, beyond: None, raw: Some(&self.raw) };
        asked(&Subject {
            kind: SubjectKind::Command,
            id: "a_command",
            risk: self.risk,
            stages: self.stages,
            effects: self.effects,
            predicates: self.predicates,
            evidence: Set::all(),
            fields: &fields,
        })
    }
}
