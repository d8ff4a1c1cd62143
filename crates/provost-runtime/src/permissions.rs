//! What agents of a project may do, from its registry; apart because a project without rules for it has those that
//! `init` writes, and one with broken rules has none.

use std::path::Path;

use provost_core::diagnostic::quoted;
use provost_core::document::{self, Limits};
use provost_core::permission::Permissions;
use provost_core::registry::{Kind, Registry, Source};

use crate::content;
use crate::init;

/// Where rules for acts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The project's registry.
    Registry,
    /// Provost itself, because the registry has none.
    BuiltIn,
    /// Nowhere: the registry cannot be trusted, and nothing is allowed.
    Broken,
}

/// The permissions of a project; `shown` is what messages call its registry.
pub fn of(folder: &Path, shown: &str) -> (Permissions, Origin) {
    if folder.symlink_metadata().is_err() {
        return (built_in(), Origin::BuiltIn);
    }
    match content::registry(folder, shown) {
        Ok(registry) => of_registry(&registry),
        Err(defect) => (closed(&defect.message), Origin::Broken),
    }
}

/// The permissions that a registry gives.
pub fn of_registry(registry: &Registry) -> (Permissions, Origin) {
    match Permissions::of(registry) {
        Ok(Some(permissions)) => (permissions, Origin::Registry),
        Ok(None) => (built_in(), Origin::BuiltIn),
        Err(defects) => {
            let first = defects.first().map_or("", |it| it.message.as_str());
            (closed(first), Origin::Broken)
        }
    }
}

/// The rules that `init` writes.
pub fn built_in() -> Permissions {
    let files = init::FILES.iter().filter(|(path, _)| path.starts_with("rules/"));
    let source = |(path, text): &(&str, &str)| {
        let read = document::read_yaml(path, text.as_bytes(), &Limits::default());
        Source { kind: Kind::Rule, path: (*path).to_owned(), read }
    };
    let read = Permissions::of(&Registry::new(files.map(source)));
    // A test reads them; should one be broken all the same, nothing is allowed.
    read.ok().flatten().unwrap_or_else(|| closed("the built-in rules cannot be read"))
}

fn closed(why: &str) -> Permissions {
    let hint = "`provost rules check` says what is wrong";
    Permissions::closed(format!(
        "no rule can be trusted while the registry is broken: {}; {hint}",
        quoted(why)
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_project_without_rules_for_acts_has_the_built_in_ones() {
        let folder = tempfile::tempdir().unwrap();
        let rules = folder.path().join("registry/rules");
        let of = || {
            let (permissions, origin) = of(&folder.path().join("registry"), "registry");
            (permissions.rules().len(), origin)
        };
        assert_eq!(of(), (9, Origin::BuiltIn));
        fs::create_dir_all(&rules).unwrap();
        assert_eq!(of(), (9, Origin::BuiltIn));
        let file = |name: &str| init::FILES.iter().find(|(path, _)| path.ends_with(name)).unwrap().1;
        fs::write(rules.join("a.yaml"), file("rule_r01_nothing_runs.yaml")).unwrap();
        assert_eq!(of(), (9, Origin::BuiltIn));
        fs::write(rules.join("b.yaml"), file("rule_r13_reading_inside.yaml")).unwrap();
        assert_eq!(of(), (1, Origin::Registry));
        fs::write(rules.join("c.yaml"), "id: rule_r30_broken\n").unwrap();
        assert_eq!(of(), (0, Origin::Broken));
    }
}
