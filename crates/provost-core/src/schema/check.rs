//! A shape against a value: every defect with its place and the way to it, capped like those of the reader.

use crate::diagnostic::{
    SCHEMA_MISSING, SCHEMA_NOT_ALLOWED, SCHEMA_OUT_OF_RANGE, SCHEMA_UNKNOWN_KEY, SCHEMA_WRONG_TYPE, Span,
    nearest, quoted,
};
use crate::document::{Defects, Document, Kind, Limits, Object, Path, Step, Unreadable, Value};

use super::{Field, Pattern, Shape, Text, UNBOUNDED};

/// Checks a value of a document.
pub(super) fn check(shape: &Shape, document: &Document, value: &Value) -> Result<(), Unreadable> {
    let mut check =
        Check { way: document.path(value.span).steps().to_vec(), defects: Defects::new(&Limits::default()) };
    check.value(shape, value);
    if check.defects.is_empty() {
        return Ok(());
    }
    Err(check.defects.into_unreadable(&document.name, &document.lines))
}

/// What is being checked: how it was reached, and what is wrong so far.
struct Check<'d> {
    way: Vec<Step<'d>>,
    defects: Defects,
}

impl<'d> Check<'d> {
    /// Recursion goes no deeper than the document does, which its reader has bounded.
    fn value(&mut self, shape: &Shape, value: &'d Value) {
        match (shape, &value.kind) {
            (Shape::Anything, _)
            | (Shape::Flag, Kind::Bool(_))
            | (Shape::True, Kind::Bool(true))
            | (Shape::Nullable(_), Kind::Null) => {}
            (Shape::Nullable(of), kind) if takes(of, kind) => self.value(of, value),
            (Shape::Either(shapes), _) => self.either(shape, shapes, value),
            (Shape::Text(text), Kind::String(found)) => self.text(text, found, value.span),
            (Shape::Choice(words), Kind::String(found)) => self.choice(words, found, value.span),
            (Shape::Exactly(word), Kind::String(found)) => self.choice(&[*word], found, value.span),
            (Shape::True, Kind::Bool(false)) => {
                let way = &self.way;
                self.defects.report(SCHEMA_NOT_ALLOWED, value.span, || {
                    format!("{} is false, and only true is accepted", at(way))
                });
            }
            (Shape::Integer { min, max }, Kind::Number(found)) => match found.as_i64() {
                Some(whole) if (*min..=*max).contains(&whole) => {}
                Some(_) => self.beyond(value, min, max),
                None => self.wrong(shape, value),
            },
            (Shape::Number { min, max }, Kind::Number(found)) => {
                if !(*min..=*max).contains(&found.as_f64()) {
                    self.beyond(value, min, max);
                }
            }
            (Shape::List { of, min, max }, Kind::Array(elements)) => {
                self.count(elements.len(), *min, *max, "entries", value.span);
                for (index, element) in elements.iter().enumerate() {
                    self.inside(Step::Index(index), of, element);
                }
            }
            (Shape::Object(fields), Kind::Object(object)) => {
                self.unknown(fields, object);
                self.fields(fields, object, value.span);
            }
            (Shape::Open(fields), Kind::Object(object)) => self.fields(fields, object, value.span),
            (Shape::Map { of, max }, Kind::Object(object)) => {
                self.count(object.len(), 0, *max, "keys", value.span);
                for member in object {
                    self.inside(Step::Key(&member.key), of, &member.value);
                }
            }
            _ => self.wrong(shape, value),
        }
    }

    fn inside(&mut self, step: Step<'d>, shape: &Shape, value: &'d Value) {
        self.way.push(step);
        self.value(shape, value);
        self.way.pop();
    }

    /// Reports keys that are not known.
    fn unknown(&mut self, fields: &[Field], object: &'d Object) {
        for member in object.iter().filter(|member| fields.iter().all(|field| *field.name != *member.key)) {
            let way = &self.way;
            self.defects.report_with_help(SCHEMA_UNKNOWN_KEY, member.key_span, || {
                let near = nearest(&member.key, fields.iter().map(|field| field.name));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                (format!("{} has no key {}", at(way), quoted(&member.key)), help)
            });
        }
    }

    fn fields(&mut self, fields: &[Field], object: &'d Object, span: Span) {
        for field in fields {
            match object.member(field.name) {
                Some(member) => self.inside(Step::Key(&member.key), &field.shape, &member.value),
                None if field.required => {
                    let way = &self.way;
                    self.defects.report_with_help(SCHEMA_MISSING, beginning(span), || {
                        let help = format!("add `{}`: {}", field.name, field.doc);
                        (format!("the key `{}` is missing in {}", field.name, at(way)), Some(help))
                    });
                }
                None => {}
            }
        }
    }

    fn text(&mut self, text: &Text, found: &str, span: Span) {
        self.count(found.chars().count(), text.min, text.max, "characters", span);
        if let Some(pattern) = text.pattern.filter(|pattern| !pattern.matches(found)) {
            let way = &self.way;
            self.defects.report_with_help(SCHEMA_NOT_ALLOWED, span, || {
                let (wanted, help) = wanted_text(&pattern);
                (format!("{} is {}, which is not {wanted}", at(way), quoted(found)), Some(help))
            });
        }
    }

    fn choice(&mut self, words: &[&str], found: &str, span: Span) {
        if words.contains(&found) {
            return;
        }
        let way = &self.way;
        self.defects.report_with_help(SCHEMA_NOT_ALLOWED, span, || {
            let (wanted, write) = match words {
                [only] => (format!("not `{only}`"), format!("write `{only}`")),
                _ => (format!("none of {}", words.join(", ")), format!("write one of {}", words.join(", "))),
            };
            let near = nearest(found, words.iter().copied());
            let help = near.map_or(write, |near| format!("did you mean `{near}`?"));
            (format!("{} is {}, which is {wanted}", at(way), quoted(found)), Some(help))
        });
    }

    /// Of several shapes the first that takes this kind of value speaks, unless another takes the value.
    fn either(&mut self, shape: &Shape, shapes: &[Shape], value: &'d Value) {
        let mut first = None;
        for alternative in shapes.iter().filter(|alternative| takes(alternative, &value.kind)) {
            let mut attempt = Check { way: self.way.clone(), defects: self.defects.empty() };
            attempt.value(alternative, value);
            if attempt.defects.is_empty() {
                return;
            }
            first.get_or_insert(attempt.defects);
        }
        match first {
            Some(defects) => self.defects.append(defects),
            None => self.wrong(shape, value),
        }
    }

    fn wrong(&mut self, shape: &Shape, value: &Value) {
        let way = &self.way;
        self.defects.report(SCHEMA_WRONG_TYPE, value.span, || {
            let found = match &value.kind {
                Kind::Number(number) => quoted(&number.spelling()).to_string(),
                other => other.name().to_owned(),
            };
            format!("{} is {found}, not {}", at(way), wanted(shape))
        });
    }

    fn beyond<T: std::fmt::Display>(&mut self, value: &Value, min: &T, max: &T) {
        let way = &self.way;
        self.defects.report(SCHEMA_OUT_OF_RANGE, value.span, || {
            let found = value.as_number().map(|number| quoted(&number.spelling()).to_string());
            format!("{} is {}, and {min} to {max} is accepted", at(way), found.unwrap_or_default())
        });
    }

    fn count(&mut self, found: usize, min: u32, max: u32, what: &str, span: Span) {
        let counted = u32::try_from(found).unwrap_or(u32::MAX);
        if (min..=max).contains(&counted) {
            return;
        }
        let way = &self.way;
        self.defects.report(SCHEMA_OUT_OF_RANGE, span, || {
            let accepted = match (min, max) {
                (min, UNBOUNDED) => format!("at least {min}"),
                (0, max) => format!("at most {max}"),
                (min, max) if min == max => format!("exactly {min}"),
                (min, max) => format!("{min} to {max}"),
            };
            format!("{} has {found} {what}, and {accepted} are accepted", at(way))
        });
    }
}

/// The way to a value, for a message.
fn at<'d>(way: &[Step<'d>]) -> Path<'d> {
    Path::of(way)
}

/// Where a key that is missing would stand.
const fn beginning(span: Span) -> Span {
    Span { start: span.start, end: if span.end > span.start { span.start + 1 } else { span.start } }
}

fn wanted_text(pattern: &Pattern) -> (String, String) {
    let (wanted, example) = match pattern {
        Pattern::Parts(_) => {
            let regex = pattern.regex();
            return (format!("of the form `{regex}`"), "write it in that form".to_owned());
        }
        Pattern::Semver => ("a version of three numbers", "0.9.1"),
        Pattern::Timestamp => ("a time of RFC 3339", "2026-11-15T19:51:03Z"),
        Pattern::Sha256 => {
            return ("a SHA-256 digest".to_owned(), "write 64 lower-case hexadecimal characters".to_owned());
        }
    };
    (wanted.to_owned(), format!("write it like `{example}`"))
}

/// Tells whether a shape has anything to say about a kind of value.
fn takes(shape: &Shape, kind: &Kind) -> bool {
    match shape {
        Shape::Text(_) | Shape::Choice(_) | Shape::Exactly(_) => matches!(kind, Kind::String(_)),
        Shape::True | Shape::Flag => matches!(kind, Kind::Bool(_)),
        Shape::Integer { .. } | Shape::Number { .. } => matches!(kind, Kind::Number(_)),
        Shape::List { .. } => matches!(kind, Kind::Array(_)),
        Shape::Object(_) | Shape::Open(_) | Shape::Map { .. } => matches!(kind, Kind::Object(_)),
        Shape::Nullable(of) => matches!(kind, Kind::Null) || takes(of, kind),
        Shape::Either(shapes) => shapes.iter().any(|shape| takes(shape, kind)),
        Shape::Anything => true,
    }
}

/// The words for a shape.
fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Text(_) | Shape::Choice(_) | Shape::Exactly(_) => "a string".to_owned(),
        Shape::True | Shape::Flag => "a boolean".to_owned(),
        Shape::Integer { .. } => "a whole number".to_owned(),
        Shape::Number { .. } => "a number".to_owned(),
        Shape::List { .. } => "a list".to_owned(),
        Shape::Object(_) | Shape::Open(_) | Shape::Map { .. } => "an object".to_owned(),
        Shape::Nullable(of) => format!("{} or null", wanted(of)),
        Shape::Either(shapes) => {
            let mut words: Vec<String> = shapes.iter().map(wanted).collect();
            words.dedup();
            words.join(" or ")
        }
        Shape::Anything => "a value".to_owned(),
    }
}
