//! Reads a condition from a document, apart because everything that makes a rule undecidable is found here, before
//! any subject is looked at.

use std::str::FromStr as _;

use strum::VariantArray as _;

use crate::diagnostic::{
    Diagnostic, RULES_TOO_COMPLEX, RULES_UNDECIDABLE, RULES_UNKNOWN_OPERATOR, Span, nearest, quoted,
};
use crate::document::{Kind, Member, Value};
use crate::rules::predicate::Predicate;
use crate::rules::reading::Findings;
use crate::vocabulary::{Effect, Risk};

use super::{Comparison, Condition, DEPTH_MAX, NODES_MAX, Node, Operator, Real, Scalar};

/// Reads what stands under `when`; nothing where it cannot be decided.
pub(in crate::rules) fn read(value: &Value, findings: &mut Findings<'_>) -> Option<Node> {
    let mut reader = Reader { findings, nodes: 0 };
    let node = reader.node(value, "`when`", 1);
    let nodes = reader.nodes;
    if nodes > NODES_MAX {
        let message = format!("the condition has more than {NODES_MAX} parts");
        findings.error(RULES_TOO_COMPLEX, value.span, message);
        return None;
    }
    node
}

struct Reader<'f, 'd> {
    findings: &'f mut Findings<'d>,
    nodes: u32,
}

impl Reader<'_, '_> {
    /// An object: one condition, or several that all hold.
    fn node(&mut self, value: &Value, what: &str, depth: u32) -> Option<Node> {
        if depth > DEPTH_MAX {
            let message = format!("conditions are nested more than {DEPTH_MAX} deep");
            self.findings.error(RULES_TOO_COMPLEX, value.span, message);
            return None;
        }
        let Some(object) = value.as_object() else {
            let message = format!("{what} is {}, not an object of conditions", value.kind.name());
            return self.undecidable(value.span, message);
        };
        if object.is_empty() {
            return self.undecidable(value.span, format!("{what} is empty and decides nothing"));
        }
        if object.len() == 1 {
            return object.iter().next().and_then(|only| self.entry(only, depth));
        }
        self.count();
        // In the order of keys, which is the same however the document orders them.
        let all: Vec<Option<Node>> = object.iter_by_key().map(|entry| self.entry(entry, depth + 1)).collect();
        Some(Node::All(all.into_iter().collect::<Option<_>>()?))
    }

    fn entry(&mut self, Member { key, key_span, value }: &Member, depth: u32) -> Option<Node> {
        self.count();
        if self.nodes > NODES_MAX {
            return None;
        }
        if let Ok(predicate) = Predicate::from_str(key) {
            if value.as_bool() == Some(true) {
                return Some(Node::Is(Condition::Predicate(predicate)));
            }
            let message = format!("`{predicate}` is a fact and can only be `true` here");
            let defect = Diagnostic::error(RULES_UNDECIDABLE, message);
            self.findings.report(value.span, defect.with_help(format!("write `not: {{{predicate}: true}}`")));
            return None;
        }
        let Ok(operator) = Operator::from_str(key) else { return self.unknown(key, *key_span) };
        match operator {
            Operator::AllOf => Some(Node::All(self.list(value, operator, depth)?)),
            Operator::AnyOf => Some(Node::Any(self.list(value, operator, depth)?)),
            Operator::Not => Some(Node::Not(Box::new(self.node(value, "`not`", depth + 1)?))),
            Operator::FieldMissing => Some(Node::Not(Box::new(Node::Is(self.exists(value, operator)?)))),
            _ => self.condition(operator, value).map(Node::Is),
        }
    }

    fn list(&mut self, value: &Value, operator: Operator, depth: u32) -> Option<Vec<Node>> {
        let elements = self.elements(value, &format!("`{operator}`"))?;
        let what = format!("an element of `{operator}`");
        let nodes: Vec<_> = elements.iter().map(|element| self.node(element, &what, depth + 1)).collect();
        nodes.into_iter().collect()
    }

    fn condition(&mut self, operator: Operator, value: &Value) -> Option<Condition> {
        let compares = match operator {
            Operator::FieldExists => return self.exists(value, operator),
            Operator::EffectAny => {
                let what = format!("`{operator}`");
                let effects = self.elements(value, &what)?.iter();
                let effects: Vec<Option<Effect>> = effects.map(|it| self.findings.word(it, &what)).collect();
                return Some(Condition::EffectAny(effects.into_iter().collect::<Option<_>>()?));
            }
            Operator::RiskAtLeast => {
                return self.findings.word::<Risk>(value, "`risk_at_least`").map(Condition::RiskAtLeast);
            }
            Operator::FieldEquals => {
                let (field, value) = self.arguments(value, operator, "value")?;
                return Some(Condition::FieldEquals(field, self.scalar(value, operator)?));
            }
            Operator::FieldIn => {
                let (field, values) = self.arguments(value, operator, "values")?;
                let values = self.elements(values, "`values`")?.iter();
                let values: Vec<Option<Scalar>> = values.map(|it| self.scalar(it, operator)).collect();
                return Some(Condition::FieldIn(field, values.into_iter().collect::<Option<_>>()?));
            }
            Operator::FieldContainsAny => {
                let (field, tokens) = self.arguments(value, operator, "tokens")?;
                let tokens = self.elements(tokens, "`tokens`")?.iter();
                let tokens: Vec<_> = tokens.map(|it| self.text(it, "an element of `tokens`")).collect();
                return Some(Condition::FieldContainsAny(field, tokens.into_iter().collect::<Option<_>>()?));
            }
            Operator::FieldGt => Comparison::Greater,
            Operator::FieldGte => Comparison::GreaterOrEqual,
            Operator::FieldLt => Comparison::Less,
            Operator::FieldLte => Comparison::LessOrEqual,
            Operator::AllOf | Operator::AnyOf | Operator::Not | Operator::FieldMissing => return None,
        };
        let (field, number) = self.arguments(value, operator, "value")?;
        let Some(real) = number.as_f64() else {
            let message = format!("`{operator}` compares with a number, not with {}", number.kind.name());
            return self.undecidable(number.span, message);
        };
        Some(Condition::FieldCompares(field, compares, Real::new(real)))
    }

    fn exists(&mut self, value: &Value, operator: Operator) -> Option<Condition> {
        self.path(value, &format!("`{operator}`")).map(Condition::FieldExists)
    }

    /// The two arguments of an operator that looks into a field.
    fn arguments<'v>(
        &mut self,
        value: &'v Value,
        operator: Operator,
        second: &str,
    ) -> Option<(Box<str>, &'v Value)> {
        let wanted = ["field", second];
        let object = value.as_object().filter(|object| {
            object.len() == wanted.len() && wanted.iter().all(|key| object.get(key).is_some())
        });
        let (Some(field), Some(argument)) = (value.get("field"), object.and_then(|it| it.get(second))) else {
            let message = format!("`{operator}` takes an object with exactly `field` and `{second}`");
            return self.undecidable(value.span, message);
        };
        Some((self.path(field, "`field`")?, argument))
    }

    fn path(&mut self, value: &Value, what: &str) -> Option<Box<str>> {
        let text = self.text(value, what)?;
        if text.split('.').any(str::is_empty) {
            let message =
                format!("{} is not the path of a field, with single points between keys", quoted(&text));
            return self.undecidable(value.span, message);
        }
        Some(text)
    }

    fn text(&mut self, value: &Value, what: &str) -> Option<Box<str>> {
        match value.as_str() {
            Some(text) if !text.is_empty() => Some(text.into()),
            Some(_) => self.undecidable(value.span, format!("{what} is empty")),
            None => self.undecidable(value.span, format!("{what} is {}, not a string", value.kind.name())),
        }
    }

    fn scalar(&mut self, value: &Value, operator: Operator) -> Option<Scalar> {
        match &value.kind {
            Kind::Null => Some(Scalar::Null),
            Kind::Bool(value) => Some(Scalar::Bool(*value)),
            Kind::Number(number) => Some(Scalar::Number(Real::new(number.as_f64()))),
            Kind::String(text) => Some(Scalar::Text(text.clone())),
            Kind::Array(_) | Kind::Object(_) => {
                let message =
                    format!("`{operator}` compares with single values, not with {}", value.kind.name());
                self.undecidable(value.span, message)
            }
        }
    }

    fn elements<'v>(&mut self, value: &'v Value, what: &str) -> Option<&'v [Value]> {
        match value.as_array() {
            Some([]) => self.undecidable(value.span, format!("{what} is empty and decides nothing")),
            Some(elements) => Some(elements),
            None => self.undecidable(value.span, format!("{what} is {}, not a list", value.kind.name())),
        }
    }

    fn unknown(&mut self, key: &str, span: Span) -> Option<Node> {
        let known = Operator::VARIANTS.iter().map(Into::<&'static str>::into);
        let known = known.chain(Predicate::VARIANTS.iter().map(Into::<&'static str>::into));
        let defect =
            Diagnostic::error(RULES_UNKNOWN_OPERATOR, format!("there is no operator {}", quoted(key)));
        self.findings.report(
            span,
            match nearest(key, known) {
                Some(near) => defect.with_help(format!("did you mean `{near}`?")),
                None => defect,
            },
        );
        None
    }

    fn undecidable<T>(&mut self, span: Span, message: String) -> Option<T> {
        self.findings.error(RULES_UNDECIDABLE, span, message);
        None
    }

    fn count(&mut self) {
        self.nodes = self.nodes.saturating_add(1);
    }
}
