//! What those who write content should know about it, apart because planning asks only for what it uses.

use super::content::{Kind, Lineage, Workflow};
use super::snapshot::{Item, Registry, Spec};
use crate::diagnostic::{self, Diagnostic, Severity, Span, nearest, quoted};
use crate::document::{Document, Value};
use crate::permission;
use crate::rules;

/// Everything that is to be said about a registry.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Whether no plan can be made: nobody can decide one of the rules.
    pub stops: bool,
    /// What cannot be used, and why, in the order of kinds and files.
    pub errors: Vec<Diagnostic>,
    /// What can be used and is odd.
    pub warnings: Vec<Diagnostic>,
}

impl Registry {
    /// Looks at all content, rules included.
    pub fn findings(&self) -> Findings {
        let documents = self.usable(Kind::Rule).map(|item| &item.document);
        let (rules, decided): (Vec<_>, _) = match rules::read(documents) {
            Ok(read) => {
                let odd = permission::odd_fields(&read.rules);
                (read.warnings.into_iter().chain(odd).collect(), true)
            }
            Err(found) => (found, false),
        };
        let (errors, mut warnings): (Vec<_>, Vec<_>) =
            rules.into_iter().partition(|it| it.severity == Severity::Error);
        let broken = self.broken().iter().flat_map(|it| it.defects.clone());
        warnings.extend(self.warnings());
        Findings {
            stops: !decided || self.broken_rules().next().is_some(),
            errors: broken.chain(errors).collect(),
            warnings,
        }
    }

    /// Links that lead nowhere and origins that are not said, in the order of the content.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for item in self.items() {
            self.links(item, &mut found);
            found.extend(origin(item));
        }
        found
    }

    fn links(&self, item: &Item, found: &mut Vec<Diagnostic>) {
        let links = item.document.root.get("workflow_links").and_then(Value::as_array).unwrap_or_default();
        for link in links {
            let Some(named) = link.get("workflow") else { continue };
            let name = named.as_str().unwrap_or_default();
            let Some(workflow) = self.workflow(name) else {
                let known = self.usable(Kind::Workflow).map(|item| &*item.id);
                let message = format!("there is no workflow {}", quoted(name));
                found.push(warning(&item.document, named.span, message, nearest(name, known)));
                continue;
            };
            for phase in link.get("phases").and_then(Value::as_array).unwrap_or_default() {
                let wanted = phase.as_str().unwrap_or_default();
                let known = || workflow.phases.iter().map(|phase| &*phase.id);
                if !known().any(|known| known == wanted) {
                    let message = format!("the workflow {} has no phase {}", quoted(name), quoted(wanted));
                    found.push(warning(&item.document, phase.span, message, nearest(wanted, known())));
                }
            }
        }
    }

    fn workflow(&self, id: &str) -> Option<&Workflow> {
        let item = self.usable(Kind::Workflow).find(|item| item.id == id)?;
        if let Spec::Workflow(workflow) = &item.spec { Some(workflow) } else { None }
    }
}

fn warning(document: &Document, span: Span, message: String, near: Option<&str>) -> Diagnostic {
    let warning = Diagnostic::warning(diagnostic::REGISTRY_LINK, message).at(document.place(span));
    match near {
        Some(near) => warning.with_help(format!("did you mean `{near}`?")),
        None => warning,
    }
}

/// What is missing of where content came from; models and experts are local and need no origin.
fn origin(item: &Item) -> Option<Diagnostic> {
    if matches!(item.kind, Kind::Model | Kind::Expert) {
        return None;
    }
    let missing = Lineage::missing(&item.lineage)?;
    let root = &item.document.root;
    let span = root.get("lineage").or_else(|| root.get("id")).map_or(root.span, |value| value.span);
    let message = format!("the {} {} does not say its `lineage.{missing}`", item.kind, quoted(&item.id));
    Some(Diagnostic::warning(diagnostic::REGISTRY_LINEAGE, message).at(item.document.place(span)))
}
