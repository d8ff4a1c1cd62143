//! What is true of one subject, apart because each question is asked of it at most once and only if the answer can
//! still matter.

use crate::document::{Kind, Value};

use super::book::{Atom, AtomId, RuleBook};
use super::clauses::{Literal, Tree};
use super::language::{Condition, RAW, Real, Scalar};
use super::predicate::{Predicate, Tri};
use super::subject::Subject;
use super::words::{Present, is_present, put};

/// The answers so far.
pub(super) struct Facts<'f> {
    book: &'f RuleBook,
    subject: &'f Subject<'f>,
    values: Vec<Option<Tri>>,
    fields: Vec<Option<Field<'f>>>,
    /// Which tokens occur in the fields where somebody looked for one.
    present: Vec<Option<Present>>,
    /// A fact that is taken as false to see what rests on it.
    denied: Option<Predicate>,
}

/// What stands in a field.
#[derive(Clone, Copy)]
enum Field<'f> {
    Absent,
    Raw(&'f str),
    Value(&'f Value),
}

impl<'f> Facts<'f> {
    pub(super) fn new(book: &'f RuleBook, subject: &'f Subject<'f>) -> Self {
        Self {
            book,
            subject,
            values: vec![None; book.atoms.len()],
            fields: vec![None; book.paths.len()],
            present: Vec::new(),
            denied: None,
        }
    }

    /// The value of a literal.
    pub(super) fn literal(&mut self, literal: Literal) -> Tri {
        let value = self.atom(literal.atom());
        if literal.negated() { !value } else { value }
    }

    /// The value of an atom.
    pub(super) fn atom(&mut self, id: AtomId) -> Tri {
        if let Some(Some(value)) = self.values.get(id.index()) {
            return *value;
        }
        let book = self.book;
        let Some(atom) = book.atoms.get(id.index()) else { return Tri::Unknown };
        let value = self.ask(atom);
        // Predicates are as quickly asked again, and may be taken as false in between.
        if !matches!(atom.condition, Condition::Predicate(_))
            && let Some(slot) = self.values.get_mut(id.index())
        {
            *slot = Some(value);
        }
        value
    }

    /// The value of a rule as it is written.
    pub(super) fn tree(&mut self, tree: &Tree) -> Tri {
        match tree {
            Tree::Is(literal) => self.literal(*literal),
            Tree::All(trees) => {
                let mut value = Tri::True;
                for tree in trees {
                    value = value.and(self.tree(tree));
                    if value == Tri::False {
                        break;
                    }
                }
                value
            }
            Tree::Any(trees) => {
                let mut value = Tri::False;
                for tree in trees {
                    value = value.or(self.tree(tree));
                    if value == Tri::True {
                        break;
                    }
                }
                value
            }
        }
    }

    /// Takes a fact as false from now on, or none.
    pub(super) fn deny(&mut self, predicate: Option<Predicate>) {
        self.denied = predicate;
    }

    fn ask(&mut self, atom: &'f Atom) -> Tri {
        match &atom.condition {
            Condition::Predicate(predicate) if self.denied == Some(*predicate) => Tri::False,
            Condition::Predicate(predicate) => self.subject.predicates.get(*predicate),
            Condition::EffectAny(effects) => (!self.subject.effects.and(*effects).is_empty()).into(),
            Condition::RiskAtLeast(risk) => (self.subject.risk >= *risk).into(),
            Condition::FieldExists(_) => (!matches!(self.field(atom.path), Field::Absent)).into(),
            Condition::FieldContainsAny(..) => self.contains(atom),
            Condition::FieldEquals(_, wanted) => self.equals(atom.path, std::slice::from_ref(wanted)),
            Condition::FieldIn(_, wanted) => self.equals(atom.path, wanted),
            Condition::FieldCompares(_, comparison, wanted) => match self.field(atom.path) {
                Field::Value(value) => match value.as_f64() {
                    Some(number) => comparison.holds(number, wanted.get()).into(),
                    None => Tri::Unknown,
                },
                Field::Raw(_) | Field::Absent => Tri::Unknown,
            },
        }
    }

    fn field(&mut self, path: usize) -> Field<'f> {
        if let Some(Some(field)) = self.fields.get(path) {
            return *field;
        }
        let Some(dotted) = self.book.paths.get(path).map(|path| &*path.dotted) else { return Field::Absent };
        let found = if dotted == RAW {
            self.subject.fields.raw().map(Field::Raw)
        } else {
            self.subject.fields.field(dotted).map(Field::Value)
        };
        let field = found.unwrap_or(Field::Absent);
        if let Some(slot) = self.fields.get_mut(path) {
            *slot = Some(field);
        }
        field
    }

    fn equals(&mut self, path: usize, wanted: &[Scalar]) -> Tri {
        match self.field(path) {
            Field::Absent => Tri::Unknown,
            Field::Raw(text) => {
                wanted.iter().any(|it| matches!(it, Scalar::Text(it) if **it == *text)).into()
            }
            Field::Value(value) => wanted.iter().any(|it| is(value, it)).into(),
        }
    }

    fn contains(&mut self, atom: &Atom) -> Tri {
        let field = self.field(atom.path);
        if matches!(field, Field::Absent) {
            return Tri::Unknown;
        }
        if self.present.is_empty() {
            self.present = vec![None; self.book.paths.len()];
        }
        let Some(tokens) = self.book.paths.get(atom.path).map(|path| &path.tokens) else {
            return Tri::Unknown;
        };
        let Some(slot) = self.present.get_mut(atom.path) else { return Tri::Unknown };
        let present = slot.get_or_insert_with(|| match field {
            Field::Absent => tokens.none(),
            Field::Raw(text) => tokens.find(text),
            Field::Value(value) => match &value.kind {
                Kind::String(text) => tokens.find(text),
                Kind::Array(elements) => {
                    let mut present = tokens.none();
                    let texts = elements.iter().filter_map(Value::as_str);
                    texts.filter_map(|text| tokens.position(text)).for_each(|it| put(&mut present, it));
                    present
                }
                Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Object(_) => tokens.none(),
            },
        });
        atom.tokens.iter().any(|token| is_present(present, *token)).into()
    }
}

/// Tells whether a field has a value.
fn is(value: &Value, wanted: &Scalar) -> bool {
    match (&value.kind, wanted) {
        (Kind::Null, Scalar::Null) => true,
        (Kind::Bool(value), Scalar::Bool(wanted)) => value == wanted,
        (Kind::String(value), Scalar::Text(wanted)) => value == wanted,
        (Kind::Number(value), Scalar::Number(wanted)) => Real::new(value.as_f64()) == *wanted,
        _ => false,
    }
}
