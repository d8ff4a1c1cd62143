//! Reads rules from documents, apart because here, and nowhere later, it is decided whether a machine can decide a
//! rule: its red lines, its operators, its limits.

use strum::VariantArray as _;

use crate::diagnostic::{
    Code, Diagnostic, RULES_FORM, RULES_LINEAGE, RULES_NO_EVIDENCE, RULES_NO_SCOPE, RULES_RED_LINE,
    RULES_UNDECIDABLE, RULES_UNKNOWN_EVIDENCE, RULES_UNREAD, Span, nearest, quoted,
};
use crate::document::{Document, Object, Value};
use crate::vocabulary::Decision;

use super::evidence::Evidence;
use super::language;
use super::rule::{Rule, Scope, Severity, Then};
use super::set::{Set, Word};
use crate::registry::{Lineage, Parent, Status};

/// How many findings of one document are described.
const KEPT_MAX: usize = 100;

/// The longest id.
const ID_BYTES_MAX: usize = 120;

/// The most characters of a text that verdicts quote.
const TEXT_MAX: usize = 1_000;

/// The most texts of a list.
const TEXTS_MAX: usize = 100;

/// Keys that no rule may have: a rule says what is allowed and does nothing.
const FORBIDDEN: [&str; 10] = [
    "execute",
    "run",
    "shell",
    "bash",
    "python",
    "powershell",
    "subprocess",
    "command_line",
    "script",
    "exec",
];

const TOP: [&str; 10] =
    ["id", "type", "title", "description", "version", "status", "lineage", "constraints", "rule", "metadata"];

/// Collects what is wrong with one document.
pub(super) struct Findings<'d> {
    document: &'d Document,
    found: &'d mut Vec<Diagnostic>,
    begin: usize,
}

impl<'d> Findings<'d> {
    pub(super) fn new(document: &'d Document, found: &'d mut Vec<Diagnostic>) -> Self {
        let begin = found.len();
        Self { document, found, begin }
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(span, Diagnostic::error(code, message));
    }

    pub(super) fn report(&mut self, span: Span, finding: Diagnostic) {
        if self.found.len() - self.begin < KEPT_MAX {
            self.found.push(finding.at(self.document.place(span)));
        }
    }

    /// Reads a word of a closed list.
    pub(super) fn word<T: Word>(&mut self, value: &Value, what: &str) -> Option<T> {
        let known = || T::VARIANTS.iter().map(|word| (*word).into());
        let Some(text) = value.as_str() else {
            let message = format!("{what} is {}, not a string", value.kind.name());
            self.error(RULES_UNDECIDABLE, value.span, message);
            return None;
        };
        T::from_str(text)
            .inspect_err(|_| {
                let listed: Vec<&'static str> = known().collect();
                let message = format!("{what} has {}, which is none of {}", quoted(text), listed.join(", "));
                let defect = Diagnostic::error(RULES_UNDECIDABLE, message);
                self.report(
                    value.span,
                    match nearest(text, known()) {
                        Some(near) => defect.with_help(format!("did you mean `{near}`?")),
                        None => defect,
                    },
                );
            })
            .ok()
    }

    /// Reports keys of a closed object that it does not have.
    fn closed(&mut self, object: &Object, what: &str, known: &[&str]) {
        for member in object.iter().filter(|member| !known.contains(&&*member.key)) {
            let message = format!("{what} has no key {}", quoted(&member.key));
            let defect = Diagnostic::error(RULES_FORM, message);
            self.report(
                member.key_span,
                match nearest(&member.key, known.iter().copied()) {
                    Some(near) => defect.with_help(format!("did you mean `{near}`?")),
                    None => defect,
                },
            );
        }
    }

    /// A string that has to be there and is not empty.
    fn text(&mut self, value: &Value, what: &str, key: &str, code: Code) -> Option<String> {
        match value.get(key) {
            Some(found) => match found.as_str() {
                Some(text) if text.chars().nth(TEXT_MAX).is_some() => {
                    self.error(
                        code,
                        found.span,
                        format!("`{key}` of {what} has more than {TEXT_MAX} characters"),
                    );
                }
                Some(text) if !text.trim().is_empty() => return Some(text.to_owned()),
                _ => self.error(code, found.span, format!("`{key}` of {what} is not a text")),
            },
            None => self.error(code, value.span, format!("{what} has no `{key}`")),
        }
        None
    }

    /// A list of strings; one that is absent is empty.
    fn texts(&mut self, list: Option<&Value>, what: &str, code: Code) -> Option<Vec<String>> {
        let Some(list) = list else { return Some(Vec::new()) };
        let Some(elements) = list.as_array() else {
            self.error(code, list.span, format!("{what} is {}, not a list", list.kind.name()));
            return None;
        };
        if elements.len() > TEXTS_MAX {
            self.error(code, list.span, format!("{what} has more than {TEXTS_MAX} entries"));
            return None;
        }
        let mut texts = Some(Vec::with_capacity(elements.len()));
        for element in elements {
            if element.as_str().is_some_and(|text| text.chars().nth(TEXT_MAX).is_some()) {
                let message = format!("an element of {what} has more than {TEXT_MAX} characters");
                self.error(code, element.span, message);
                texts = None;
                continue;
            }
            match (element.as_str(), &mut texts) {
                (Some(text), Some(texts)) => texts.push(text.to_owned()),
                (Some(_), None) => {}
                (None, _) => {
                    let message = format!("an element of {what} is {}, not a string", element.kind.name());
                    self.error(code, element.span, message);
                    texts = None;
                }
            }
        }
        texts
    }
}

/// The status that a document claims, for leaving out what is not in use before anything else is read; one that is
/// not a status counts as active, so that it is read and found.
pub fn status(document: &Document) -> Status {
    let text = document.root.get("status").and_then(Value::as_str);
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// Reads one rule; nothing where anything is wrong with it.
pub(super) fn rule(document: &Document, found: &mut Vec<Diagnostic>) -> Option<Rule> {
    let mut findings = Findings::new(document, found);
    let root = &document.root;
    let Some(top) = root.as_object() else {
        let message = format!("a rule is an object, and this is {}", root.kind.name());
        findings.error(RULES_FORM, root.span, message);
        return None;
    };
    red_lines(root, top, &mut findings);
    let id = id(root, &mut findings);
    let version = findings.text(root, "the rule", "version", RULES_FORM);
    let title = findings.text(root, "the rule", "title", RULES_FORM);
    if let Some(kind) = root.get("type").filter(|kind| kind.as_str() != Some("rule")) {
        findings.error(RULES_FORM, kind.span, "`type` is not `rule`");
    }
    let status = root.get("status").map_or(Some(Status::default()), |it| findings.word(it, "`status`"));
    let lineage = lineage(root, &mut findings);
    let Some(body) = root.get("rule").and_then(Value::as_object) else {
        findings.error(RULES_FORM, root.get("rule").unwrap_or(root).span, "the rule has no object `rule`");
        return None;
    };
    let known = ["severity", "scope", "when", "then", "evidence_required"];
    findings.closed(body, "`rule`", &known);
    let span = root.get("rule").unwrap_or(root).span;
    let severity = required(body, span, "severity", RULES_UNDECIDABLE, &mut findings)
        .and_then(|it| findings.word::<Severity>(it, "`severity`"));
    let scope = scope(body, span, &mut findings);
    let when = required(body, span, "when", RULES_UNDECIDABLE, &mut findings)
        .and_then(|it| language::read(it, &mut findings));
    let then = required(body, span, "then", RULES_UNDECIDABLE, &mut findings)
        .and_then(|it| consequence(it, &mut findings));
    let (evidence_required, evidence_unknown) = evidence(body, span, &mut findings)?;
    let place = document.place(root.get("id").unwrap_or(root).span);
    Some(Rule {
        id: id?,
        version: version?,
        title: title?,
        status: status?,
        severity: severity?,
        scope: scope?,
        when: when?,
        then: then?,
        evidence_required,
        evidence_unknown,
        lineage: lineage?,
        place,
    })
}

fn required<'v>(
    object: &'v Object,
    span: Span,
    key: &str,
    code: Code,
    findings: &mut Findings<'_>,
) -> Option<&'v Value> {
    let found = object.get(key);
    if found.is_none() {
        findings.error(code, span, format!("the rule has no `{key}`"));
    }
    found
}

/// A rule holds nothing that could be executed, and says so.
fn red_lines(root: &Value, top: &Object, findings: &mut Findings<'_>) {
    for member in top {
        let plain = member.key.to_ascii_lowercase().replace('-', "_");
        if FORBIDDEN.contains(&plain.as_str()) {
            let message = format!("a rule must not have the key {}", quoted(&member.key));
            findings.error(RULES_RED_LINE, member.key_span, message);
        } else if !TOP.contains(&&*member.key) {
            let message = format!("nothing reads the key {} of a rule", quoted(&member.key));
            findings.report(member.key_span, Diagnostic::warning(RULES_UNREAD, message));
        }
    }
    let constraints = root.get("constraints");
    if constraints.and_then(|it| it.get("execution")).and_then(Value::as_str) != Some("forbidden") {
        let message = "the rule does not say `execution: forbidden` under `constraints`";
        findings.error(RULES_RED_LINE, constraints.unwrap_or(root).span, message);
    }
}

fn id(root: &Value, findings: &mut Findings<'_>) -> Option<String> {
    let id = findings.text(root, "the rule", "id", RULES_FORM)?;
    let plain = |byte: u8| byte == b'_' || byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if id.len() > ID_BYTES_MAX
        || !id.bytes().all(plain)
        || !id.starts_with(|it: char| it.is_ascii_lowercase())
    {
        let message = format!("the id {} is not of small letters, digits and `_`", quoted(&id));
        findings.error(RULES_FORM, root.get("id").unwrap_or(root).span, message);
        return None;
    }
    Some(id)
}

fn lineage(root: &Value, findings: &mut Findings<'_>) -> Option<Lineage> {
    let Some(lineage) = root.get("lineage").filter(|it| it.as_object().is_some()) else {
        findings.error(RULES_LINEAGE, root.get("lineage").unwrap_or(root).span, "the rule has no lineage");
        return None;
    };
    let introduced_in = findings.text(lineage, "the lineage", "introduced_in", RULES_LINEAGE);
    if let Some(text) = introduced_in.as_deref().filter(|text| !text.starts_with('v')) {
        let message = format!("`introduced_in` is {} and not a version such as `v0.9`", quoted(text));
        findings.error(RULES_LINEAGE, lineage.span, message);
        return None;
    }
    let parent = match lineage.get("derived_from") {
        Some(parent) if parent.is_null() => Some(Parent::Nothing),
        Some(_) => findings.text(lineage, "the lineage", "derived_from", RULES_LINEAGE).map(Parent::Content),
        None => {
            findings.error(RULES_LINEAGE, lineage.span, "the lineage has no `derived_from`; `null` is one");
            None
        }
    };
    if lineage.get("supersedes").is_none() {
        findings.error(RULES_LINEAGE, lineage.span, "the lineage has no `supersedes`; an empty list is one");
    }
    let supersedes = lineage.get("supersedes").map(Some);
    let supersedes = supersedes.and_then(|list| findings.texts(list, "`supersedes`", RULES_LINEAGE));
    let (introduced_in, supersedes) = (Some(introduced_in?), Some(supersedes?));
    Some(Lineage { introduced_in, parent: parent?, supersedes, change_reason: None })
}

fn scope(body: &Object, span: Span, findings: &mut Findings<'_>) -> Option<Scope> {
    const KEYS: [&str; 3] = ["applies_to_types", "applies_to_risk", "applies_to_phases"];
    let value = required(body, span, "scope", RULES_NO_SCOPE, findings)?;
    let Some(object) = value.as_object() else {
        findings.error(
            RULES_NO_SCOPE,
            value.span,
            format!("`scope` is {}, not an object", value.kind.name()),
        );
        return None;
    };
    findings.closed(object, "`scope`", &KEYS);
    let [types, risks, stages] = KEYS;
    let (types, risks, stages) =
        (words(object, types, findings), words(object, risks, findings), words(object, stages, findings));
    let scope = Scope { types: types?, risks: risks?, stages: stages? };
    if scope == Scope::default() {
        findings.error(RULES_NO_SCOPE, value.span, "the scope names no type, no risk and no phase");
        return None;
    }
    Some(scope)
}

/// A set of words; a list that is absent is empty.
fn words<T: Word>(object: &Object, key: &str, findings: &mut Findings<'_>) -> Option<Set<T>> {
    let Some(value) = object.get(key) else { return Some(Set::EMPTY) };
    let what = format!("`{key}`");
    let Some(elements) = value.as_array() else {
        let message = format!("{what} is {}, not a list", value.kind.name());
        findings.error(RULES_UNDECIDABLE, value.span, message);
        return None;
    };
    let words: Vec<Option<T>> = elements.iter().map(|element| findings.word(element, &what)).collect();
    words.into_iter().collect()
}

fn consequence(value: &Value, findings: &mut Findings<'_>) -> Option<Then> {
    let Some(object) = value.as_object() else {
        let message = format!("`then` is {}, not an object", value.kind.name());
        findings.error(RULES_UNDECIDABLE, value.span, message);
        return None;
    };
    let decision = required(object, value.span, "decision", RULES_UNDECIDABLE, findings)
        .and_then(|it| findings.word::<Decision>(it, "`decision`"));
    let mut reason = Some(String::new());
    if object.get("reason").is_some() {
        reason = findings.text(value, "`then`", "reason", RULES_UNDECIDABLE);
    } else if decision.is_some_and(|it| it >= Decision::RequireReview) {
        findings.error(RULES_UNDECIDABLE, value.span, "the rule stops something and gives no `reason`");
        reason = None;
    }
    let changes = findings.texts(object.get("required_changes"), "`required_changes`", RULES_UNDECIDABLE);
    Some(Then { decision: decision?, reason: reason?, required_changes: changes? })
}

/// The names that can be recorded, and those that nothing knows.
fn evidence(body: &Object, span: Span, findings: &mut Findings<'_>) -> Option<(Set<Evidence>, Vec<String>)> {
    let value = required(body, span, "evidence_required", RULES_NO_EVIDENCE, findings)?;
    let Some(elements) = value.as_array().filter(|elements| !elements.is_empty()) else {
        findings.error(RULES_NO_EVIDENCE, value.span, "`evidence_required` is not a list with a name in it");
        return None;
    };
    let (mut known, mut unknown) = (Set::EMPTY, Vec::new());
    findings.texts(Some(value), "`evidence_required`", RULES_NO_EVIDENCE)?;
    for element in elements {
        let Some(name) = element.as_str() else { continue };
        if let Ok(evidence) = name.parse() {
            known.insert(evidence);
            continue;
        }
        unknown.push(name.to_owned());
        let message = format!("no evaluation records {}", quoted(name));
        let names = Evidence::VARIANTS.iter().map(Into::<&'static str>::into);
        let warning = Diagnostic::warning(RULES_UNKNOWN_EVIDENCE, message);
        findings.report(
            element.span,
            match nearest(name, names) {
                Some(near) => warning.with_help(format!("did you mean `{near}`?")),
                None => warning,
            },
        );
    }
    Some((known, unknown))
}
