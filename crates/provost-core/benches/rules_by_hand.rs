//! Rules made up in the shape of real ones, and a matcher written by hand for exactly that shape: scope and predicates
//! as rows of bits, fields asked once and only if they can matter. It knows neither unknown facts nor reasons.

use std::collections::BTreeMap;

use provost_core::document::Value;
use provost_core::rules::{Predicate, Subject, Tri};
use provost_core::vocabulary::{Risk, Stage};
use serde_json::json;
use strum::VariantArray as _;

/// How many fields rules ask for.
pub(crate) const FIELDS: u32 = 60;

/// What is the case, good or bad.
pub(crate) const CIRCUMSTANCES: [Predicate; 6] = [
    Predicate::RiskLevelHighOrCritical,
    Predicate::ModeIsFullAuto,
    Predicate::EffectKindIsWrite,
    Predicate::DecisionIsKey,
    Predicate::TargetsFiles,
    Predicate::RuleEvaluated,
];

/// What is wrong.
pub(crate) const DEFECTS: [Predicate; 13] = [
    Predicate::LineageIncomplete,
    Predicate::ContentReferenceNotInRegistry,
    Predicate::ContentIdFabricated,
    Predicate::PathNotInFactpack,
    Predicate::CommandNotInScan,
    Predicate::FabricatedReference,
    Predicate::QuestionBudgetNotZero,
    Predicate::BudgetUnlimited,
    Predicate::StateNotRequiresReview,
    Predicate::EvidenceRefsMissing,
    Predicate::LockScopeMissing,
    Predicate::RollbackPlanMissing,
    Predicate::InferenceNotCloud,
];

/// Numbers that are the same in every run.
pub(crate) struct Random(u32);

impl Random {
    pub(crate) fn new(seed: u32) -> Self {
        Self(seed | 1)
    }

    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % end
    }
}

/// A word; the first ones are those that rules look for.
pub(crate) fn word(number: u32) -> String {
    let syllables = ["ba", "so", "ter", "min", "ro", "lu", "ke", "ful", "di", "pa"];
    let mut rest = number * 7_919 + 31;
    let mut word = String::new();
    for _ in 0..4 {
        word += syllables[rest as usize % 10];
        rest /= 10;
    }
    word
}

/// The key of a field, and the one below it where it has one.
pub(crate) fn path(field: u32) -> (String, Option<String>) {
    if field.is_multiple_of(3) {
        (format!("group_{}", field % 5), Some(format!("field_{field}")))
    } else {
        (format!("field_{field}"), None)
    }
}

fn dotted(field: u32) -> String {
    let (top, below) = path(field);
    below.map_or(top.clone(), |below| format!("{top}.{below}"))
}

/// A single condition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Holds(Predicate),
    Exists(u32),
    Missing(u32),
    Contains(Vec<u32>),
    Equals(u32, u32),
    Greater(u32, u32),
}

impl Part {
    fn json(&self) -> serde_json::Value {
        match self {
            Self::Holds(predicate) => json!({ predicate.to_string(): true }),
            Self::Exists(field) => json!({ "field_exists": dotted(*field) }),
            Self::Missing(field) => json!({ "field_missing": dotted(*field) }),
            Self::Contains(words) => {
                let tokens: Vec<String> = words.iter().map(|it| word(*it)).collect();
                json!({ "field_contains_any": { "field": "raw", "tokens": tokens } })
            }
            Self::Equals(field, value) => {
                json!({ "field_equals": { "field": dotted(*field), "value": word(*value) } })
            }
            Self::Greater(field, value) => json!({ "field_gt": { "field": dotted(*field), "value": value } }),
        }
    }
}

/// A rule before it is written: any of clauses, each all of its parts.
pub(crate) struct Made {
    number: u32,
    types: Vec<&'static str>,
    risks: Vec<Risk>,
    stages: Vec<Stage>,
    clauses: Vec<Vec<Part>>,
    decision: &'static str,
}

impl Made {
    /// Half ask for a circumstance and a defect, a quarter for one of several defects, a quarter look into fields.
    pub(crate) fn new(number: u32) -> Self {
        let mut random = Random::new((number + 1) * 48_271);
        let defect = |random: &mut Random| Part::Holds(DEFECTS[random.below(13) as usize]);
        let circumstance = |random: &mut Random| Part::Holds(CIRCUMSTANCES[random.below(6) as usize]);
        let present = |random: &mut Random| 3 * random.below(FIELDS / 3) + random.below(2);
        let clauses = match random.below(16) {
            0..8 => vec![vec![circumstance(&mut random), defect(&mut random)]],
            8..11 => (0..2 + random.below(2)).map(|_| vec![defect(&mut random)]).collect(),
            11 | 12 => vec![
                vec![Part::Missing(present(&mut random))],
                vec![Part::Missing(present(&mut random))],
                vec![defect(&mut random)],
            ],
            13 => {
                let words = (0..4).map(|_| random.below(200) + 2_000).collect();
                vec![vec![Part::Exists(3 * random.below(FIELDS / 3) + 2)], vec![Part::Contains(words)]]
            }
            14 => {
                let field = present(&mut random);
                let compared = if field % 2 == 0 {
                    Part::Greater(field, 90)
                } else {
                    Part::Equals(field, random.below(400))
                };
                vec![vec![circumstance(&mut random), compared]]
            }
            _ => {
                let one = circumstance(&mut random);
                vec![vec![one.clone(), defect(&mut random)], vec![one, Part::Missing(present(&mut random))]]
            }
        };
        let types = [&["workflow"][..], &["command"], &["workflow", "command"], &["agent", "rule"]];
        let from = random.below(7) as usize;
        Self {
            number,
            types: types[random.below(4) as usize].to_vec(),
            risks: Risk::VARIANTS[random.below(3) as usize..].to_vec(),
            stages: Stage::VARIANTS[from..(from + 2 + random.below(3) as usize).min(9)].to_vec(),
            clauses,
            decision: ["deny", "deny", "deny", "require_review", "warn"][random.below(5) as usize],
        }
    }

    /// The rule as a file.
    pub(crate) fn text(&self) -> String {
        let all = |clause: &Vec<Part>| match clause.as_slice() {
            [one] => one.json(),
            parts => json!({ "all_of": parts.iter().map(Part::json).collect::<Vec<_>>() }),
        };
        let when = match self.clauses.as_slice() {
            [one] => all(one),
            clauses => json!({ "any_of": clauses.iter().map(all).collect::<Vec<_>>() }),
        };
        let rule = json!({
            "id": format!("rule_r{:05}_made_up", self.number),
            "type": "rule",
            "title": "A rule in the shape of real ones",
            "description": "Long enough to weigh what descriptions weigh, and of no further interest to anybody.",
            "version": "0.9.0",
            "status": "active",
            "lineage": { "introduced_in": "v0.9", "derived_from": null, "supersedes": [] },
            "constraints": { "execution": "forbidden" },
            "rule": {
                "severity": "error",
                "scope": { "applies_to_types": self.types, "applies_to_risk": self.risks, "applies_to_phases": self.stages },
                "when": when,
                "then": {
                    "decision": self.decision,
                    "reason": "What is planned lacks something that it needs",
                    "required_changes": ["Add what is lacking", "Or plan something else"],
                },
                "evidence_required": ["risk_assessment", "content_metadata", "command_effects"],
            },
            "metadata": { "tags": ["made", "up"], "author": "nobody" },
        });
        serde_json::to_string_pretty(&rule).unwrap()
    }
}

type Row = Vec<u64>;

/// Clauses by what they need.
pub(crate) struct ByHand {
    risks: Vec<Row>,
    stages: Vec<Row>,
    predicates: Vec<Row>,
    rule_of: Vec<u32>,
    /// For each clause the field questions that it asks.
    asked: Vec<Vec<u32>>,
    questions: Vec<Part>,
    fields: Vec<Vec<String>>,
    /// The text that each question compares with.
    values: Vec<String>,
    words: Words,
    tokens: Vec<Vec<usize>>,
}

impl ByHand {
    pub(crate) fn new(made: &[Made]) -> Self {
        let (mut rule_of, mut parts) = (Vec::new(), Vec::new());
        for rule in made {
            for clause in &rule.clauses {
                rule_of.push(rule.number);
                parts.push(clause.as_slice());
            }
        }
        let row = |holds: &dyn Fn(&Made, &[Part]) -> bool| {
            let mut row = vec![0_u64; rule_of.len().div_ceil(64)];
            for (at, clause) in parts.iter().enumerate() {
                row[at / 64] |= u64::from(holds(&made[rule_of[at] as usize], clause)) << (at % 64);
            }
            row
        };
        let risks = |risk: &Risk| row(&|it, _| it.types.contains(&"command") && it.risks.contains(risk));
        let stages = |stage: &Stage| row(&|it, _| it.stages.contains(stage));
        let predicates = |it: &Predicate| row(&|_, clause| clause.contains(&Part::Holds(*it)));
        let mut known: BTreeMap<Part, u32> = BTreeMap::new();
        let asked: Vec<Vec<u32>> = parts
            .iter()
            .map(|clause| {
                let fields = clause.iter().filter(|part| !matches!(part, Part::Holds(_)));
                fields
                    .map(|part| {
                        let next = u32::try_from(known.len()).unwrap();
                        *known.entry(part.clone()).or_insert(next)
                    })
                    .collect()
            })
            .collect();
        let mut questions: Vec<(u32, Part)> = known.into_iter().map(|(part, at)| (at, part)).collect();
        questions.sort();
        let questions: Vec<Part> = questions.into_iter().map(|(_, part)| part).collect();
        let mut words = Words { table: vec![u16::MAX; 4_096], listed: Vec::new() };
        let tokens = questions.iter().map(|part| {
            let Part::Contains(listed) = part else { return Vec::new() };
            listed.iter().map(|number| words.insert(word(*number))).collect()
        });
        let value =
            |part: &Part| if let Part::Equals(_, value) = part { word(*value) } else { String::new() };
        Self {
            tokens: tokens.collect(),
            risks: Risk::VARIANTS.iter().map(risks).collect(),
            stages: Stage::VARIANTS.iter().map(stages).collect(),
            predicates: Predicate::VARIANTS.iter().map(predicates).collect(),
            asked,
            values: questions.iter().map(value).collect(),
            questions,
            fields: (0..FIELDS).map(|field| dotted(field).split('.').map(str::to_owned).collect()).collect(),
            words,
            rule_of,
        }
    }

    /// The rules that fire.
    pub(crate) fn fired(&self, subject: &Subject<'_>) -> Vec<u32> {
        let mut alive = vec![0_u64; self.risks[0].len()];
        for stage in subject.stages.iter() {
            alive.iter_mut().zip(&self.stages[stage as usize]).for_each(|(word, row)| *word |= row);
        }
        alive.iter_mut().zip(&self.risks[subject.risk as usize]).for_each(|(word, row)| *word &= row);
        for (predicate, row) in Predicate::VARIANTS.iter().zip(&self.predicates) {
            if subject.predicates.get(*predicate) != Tri::True {
                alive.iter_mut().zip(row).for_each(|(word, row)| *word &= !row);
            }
        }
        let mut asking = Asking {
            by_hand: self,
            subject,
            answers: vec![2; self.questions.len()],
            fields: vec![Field::Unasked; self.fields.len()],
            present: Vec::new(),
        };
        let mut fired = Vec::new();
        for (at, word) in alive.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let clause = at * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let rule = self.rule_of[clause];
                if fired.last() != Some(&rule) && self.asked[clause].iter().all(|it| asking.answer(*it)) {
                    fired.push(rule);
                }
            }
        }
        fired
    }
}

#[derive(Clone, Copy)]
enum Field<'a> {
    Unasked,
    Asked(Option<&'a Value>),
}

struct Asking<'a> {
    by_hand: &'a ByHand,
    subject: &'a Subject<'a>,
    answers: Vec<u8>,
    fields: Vec<Field<'a>>,
    present: Vec<bool>,
}

impl<'a> Asking<'a> {
    fn answer(&mut self, question: u32) -> bool {
        let at = question as usize;
        if self.answers[at] == 2 {
            self.answers[at] = u8::from(self.ask(at));
        }
        self.answers[at] == 1
    }

    fn ask(&mut self, at: usize) -> bool {
        match &self.by_hand.questions[at] {
            Part::Holds(_) => false,
            Part::Exists(field) => self.field(*field).is_some(),
            Part::Missing(field) => self.field(*field).is_none(),
            Part::Equals(field, _) => {
                let text = self.field(*field).and_then(Value::as_str);
                text.is_some_and(|text| text == self.by_hand.values[at])
            }
            Part::Greater(field, value) => {
                self.field(*field).and_then(Value::as_f64).is_some_and(|number| number > f64::from(*value))
            }
            Part::Contains(_) => {
                self.look();
                self.by_hand.tokens[at].iter().any(|token| self.present[*token])
            }
        }
    }

    fn field(&mut self, field: u32) -> Option<&'a Value> {
        let at = field as usize;
        if let Field::Asked(found) = self.fields[at] {
            return found;
        }
        let found = match self.by_hand.fields[at].as_slice() {
            [one] => self.subject.fields.field(one),
            [one, two] => self.subject.fields.field(one).and_then(|it| it.get(two)),
            _ => None,
        };
        self.fields[at] = Field::Asked(found);
        found
    }

    fn look(&mut self) {
        if !self.present.is_empty() {
            return;
        }
        self.present = vec![false; self.by_hand.words.listed.len()];
        let text = self.subject.fields.raw().unwrap_or_default();
        let is_word = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
        for word in text.as_bytes().split(|byte| !is_word(byte)).filter(|word| !word.is_empty()) {
            if let Some(token) = self.by_hand.words.get(word) {
                self.present[token] = true;
            }
        }
    }
}

/// A table of few words, with room enough that hardly any two meet.
struct Words {
    table: Vec<u16>,
    listed: Vec<String>,
}

impl Words {
    fn slots(word: &[u8]) -> impl Iterator<Item = usize> {
        let hash =
            word.iter().fold(word.len(), |hash, byte| (hash ^ usize::from(*byte)).wrapping_mul(0x0100_0193));
        (0..).map(move |step| ((hash >> 8) + step) % 4_096)
    }

    fn insert(&mut self, word: String) -> usize {
        if let Some(known) = self.get(word.as_bytes()) {
            return known;
        }
        let slot = Self::slots(word.as_bytes()).find(|slot| self.table[*slot] == u16::MAX).unwrap();
        self.table[slot] = u16::try_from(self.listed.len()).unwrap();
        self.listed.push(word);
        self.listed.len() - 1
    }

    fn get(&self, word: &[u8]) -> Option<usize> {
        for slot in Self::slots(word) {
            let at = usize::from(self.table[slot]);
            if self.listed.get(at)?.as_bytes() == word {
                return Some(at);
            }
        }
        None
    }
}
