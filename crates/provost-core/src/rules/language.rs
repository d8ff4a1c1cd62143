//! The language of conditions: a closed list of operators, joined by all, any and not. Apart because it is what
//! people write; what is evaluated is made from it.

mod read;

use std::cmp::Ordering;
use std::fmt;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::visible;
use crate::vocabulary::{Effect, Risk};

use super::predicate::Predicate;
use super::set::Set;

pub(super) use read::read;

/// How deeply conditions may be nested.
pub const DEPTH_MAX: u32 = 8;

/// How many conditions and joints a rule may have.
pub const NODES_MAX: u32 = 64;

/// The field that is the whole text of the subject's own document.
pub const RAW: &str = "raw";

/// A condition, or several joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// All of them hold.
    All(Vec<Node>),
    /// One of them holds.
    Any(Vec<Node>),
    /// It does not hold.
    Not(Box<Node>),
    /// A single condition.
    Is(Condition),
}

/// What can be asked of a subject; equal ones are asked once, however many rules ask.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// A named fact.
    Predicate(Predicate),
    /// The subject does one of these things.
    EffectAny(Set<Effect>),
    /// The subject's risk is this one or a higher.
    RiskAtLeast(Risk),
    /// The field is there, `null` or not.
    FieldExists(Box<str>),
    /// The field has this value.
    FieldEquals(Box<str>, Scalar),
    /// The field has one of these values.
    FieldIn(Box<str>, Box<[Scalar]>),
    /// One of these is a whole word of the field's text, or a whole element of its list.
    FieldContainsAny(Box<str>, Box<[Box<str>]>),
    /// The field's number is so, compared with this one.
    FieldCompares(Box<str>, Comparison, Real),
}

impl Condition {
    /// The field that it looks at, if it does.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Predicate(_) | Self::EffectAny(_) | Self::RiskAtLeast(_) => None,
            Self::FieldExists(field)
            | Self::FieldEquals(field, _)
            | Self::FieldIn(field, _)
            | Self::FieldContainsAny(field, _)
            | Self::FieldCompares(field, ..) => Some(field),
        }
    }
}

/// How two numbers stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, IntoStaticStr)]
pub enum Comparison {
    /// Greater.
    #[strum(serialize = "field_gt")]
    Greater,
    /// Greater, or the same.
    #[strum(serialize = "field_gte")]
    GreaterOrEqual,
    /// Less.
    #[strum(serialize = "field_lt")]
    Less,
    /// Less, or the same.
    #[strum(serialize = "field_lte")]
    LessOrEqual,
}

impl Comparison {
    /// Compares.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
        }
    }
}

/// What may stand as a key inside of a condition, predicates aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Operator {
    /// A list of conditions that all hold.
    AllOf,
    /// A list of conditions of which one holds.
    AnyOf,
    /// A condition that does not hold.
    Not,
    /// The path of a field that is there.
    FieldExists,
    /// The path of a field that is not there.
    FieldMissing,
    /// A field and its value.
    FieldEquals,
    /// A field and the values that it may have.
    FieldIn,
    /// A field and what one looks for in it.
    FieldContainsAny,
    /// A field and a number that it is above.
    FieldGt,
    /// A field and a number that it is not below.
    FieldGte,
    /// A field and a number that it is below.
    FieldLt,
    /// A field and a number that it is not above.
    FieldLte,
    /// A list of effects of which the subject has one.
    EffectAny,
    /// The least risk.
    RiskAtLeast,
}

/// A number that can be ordered and looked up.
#[derive(Clone, Copy, Debug)]
pub struct Real(f64);

impl Real {
    /// Takes a number; the two zeros are one.
    pub fn new(number: f64) -> Self {
        Self(number + 0.0)
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A value that a field is compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, however spelled.
    Number(Real),
    /// A string.
    Text(Box<str>),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{}", number.get()),
            Self::Text(text) => write!(f, "\"{}\"", visible(text)),
        }
    }
}

/// As it would be asked for in a rule, on one line.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Predicate(predicate) => write!(f, "{predicate}"),
            Self::EffectAny(effects) => write!(f, "effect_any [{effects}]"),
            Self::RiskAtLeast(risk) => write!(f, "risk_at_least {risk}"),
            Self::FieldExists(field) => write!(f, "field_exists {}", visible(field)),
            Self::FieldEquals(field, value) => write!(f, "field_equals {} {value}", visible(field)),
            Self::FieldIn(field, values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "field_in {} [{}]", visible(field), values.join(", "))
            }
            Self::FieldContainsAny(field, tokens) => {
                let tokens: Vec<String> = tokens.iter().map(|it| format!("\"{}\"", visible(it))).collect();
                write!(f, "field_contains_any {} [{}]", visible(field), tokens.join(", "))
            }
            Self::FieldCompares(field, comparison, number) => {
                write!(f, "{comparison} {} {}", visible(field), number.get())
            }
        }
    }
}
