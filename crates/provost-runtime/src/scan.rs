//! What a repository is, looked at: tracked files with their digests, its parts, its own commands, its documents.
//! Apart because it only looks: git lists, files are read, nothing of the project is run.
//!
//! The same files give the same facts, on any machine and in any folder.

mod parts;
mod tracked;

use std::collections::BTreeMap;
use std::path::Path;

use provost_core::canonical;
use provost_core::diagnostic::Diagnostic;
use provost_core::digest::Digest;
use provost_core::planning::facts::{
    self, Category, Evidence, FactPack, File, Fingerprint, Governance, Language,
};
use provost_core::time::Timestamp;

use crate::content;
use crate::detect;
use crate::home::Home;
use tracked::Tracked;

/// The most files that are evidence of one kind.
const EVIDENCE_MAX: usize = 100;

/// Files that say what a project is built on, by name.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "CMakeLists.txt",
    "Makefile",
];

/// Files that tell a server what to do, by path.
const CI_FILES: &[&str] = &[
    ".gitlab-ci.yml",
    ".travis.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    ".circleci/config.yml",
    ".ci/run",
];

/// Looks at a repository.
pub fn look(home: &Home, now: Timestamp) -> Result<FactPack, Diagnostic> {
    let tracked = tracked::list(home)?;
    let mut facts = Facts { evidence: Vec::new() };
    let paths = || tracked.files.iter().map(|file| file.path.as_str());
    facts.take(
        paths().filter(|path| MANIFESTS.contains(&name(path))),
        Category::Dependency,
        "what it is built on",
    );
    let is_ci = |path: &&str| {
        CI_FILES.contains(path) || (path.starts_with(".github/workflows/") && ends(path, &["yml", "yaml"]))
    };
    facts.take(paths().filter(is_ci), Category::Config, "what a server does with it");
    // Without a search path: what is installed here says nothing about the repository.
    let found = detect::look(&home.root, None);
    let is_tracked = |path: &str| tracked.has(path);
    let checks: Vec<_> = found.checks.iter().filter(|check| is_tracked(&check.file)).collect();
    for check in &checks {
        facts.push(&check.file, Category::Script, format!("has a command for `{}`", check.name));
    }
    let is_page = |path: &&str| is_document(path);
    facts.take(paths().filter(is_page), Category::Documentation, "what is said of it");
    let rules: Vec<String> = paths()
        .filter(|path| path.starts_with(&format!("{}/rules/", content::REGISTRY)))
        .take(EVIDENCE_MAX)
        .map(str::to_owned)
        .collect();
    if facts.evidence.is_empty() {
        match tracked.files.first() {
            Some(file) => facts.push(&file.path, Category::Code, "the first of its files".to_owned()),
            None => facts.push(".", Category::Constraint, "no file is tracked".to_owned()),
        }
    }
    let (projects, own_name) = parts::projects(&home.root, &tracked);
    let folder = || home.root.file_name().map(|name| name.to_string_lossy().into_owned());
    let project_id =
        own_name.or_else(folder).filter(|it| !it.is_empty()).unwrap_or_else(|| "project".to_owned());
    Ok(FactPack {
        schema_version: facts::VERSION.to_owned(),
        project_id: project_id.chars().take(128).collect(),
        repo_root: ".".to_owned(),
        repo_fingerprint: Some(Fingerprint {
            hash: Some(hash(&tracked.files)),
            git_commit: tracked.commit.clone(),
        }),
        detected_projects: projects,
        languages: languages(&tracked.files),
        commands: checks.iter().map(|check| (check.name.clone(), check.argv.join(" "))).collect(),
        governance: Some(Governance {
            docs_root: paths().any(|path| path.starts_with("docs/")).then(|| "docs".to_owned()),
            gates: checks.iter().map(|check| check.name.clone()).collect(),
            ci_config: paths().find(is_ci).map(str::to_owned),
            rules,
        }),
        constraints: None,
        evidence: facts.evidence,
        files_total: Some(tracked.total),
        truncated: tracked.truncated,
        files: Some(tracked.files),
        scanned_at: Some(now.to_string()),
    })
}

/// Evidence, as it is collected.
struct Facts {
    evidence: Vec<Evidence>,
}

impl Facts {
    fn take<'p>(&mut self, paths: impl Iterator<Item = &'p str>, category: Category, what: &str) {
        // Those beyond are still among the files.
        for path in paths.take(EVIDENCE_MAX) {
            self.push(path, category, what.to_owned());
        }
    }

    fn push(&mut self, path: &str, category: Category, description: String) {
        self.evidence.push(Evidence {
            id: format!("ev{:03}", self.evidence.len() + 1),
            source_file: path.to_owned(),
            category,
            snippet: None,
            line_range: None,
            description: Some(description),
        });
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn ends(path: &str, endings: &[&str]) -> bool {
    ending(path).is_some_and(|ending| endings.contains(&ending))
}

fn ending(path: &str) -> Option<&str> {
    Path::new(path).extension().and_then(|ending| ending.to_str())
}

fn is_document(path: &str) -> bool {
    let top = !path.contains('/') && (ends(path, &["md", "rst", "adoc"]) || name(path).starts_with("README"));
    top || (path.starts_with("docs/") && ends(path, &["md", "rst", "adoc", "txt"]))
}

/// A digest of the list of files.
fn hash(files: &[File]) -> String {
    // Text, digests and lengths alone, so it always has a canonical form.
    canonical::digest(files).unwrap_or(Digest::ZERO).to_string()
}

/// Languages by the endings of files.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("c", &["c", "h"]),
    ("c#", &["cs"]),
    ("c++", &["cc", "cpp", "cxx", "hh", "hpp"]),
    ("css", &["css", "scss"]),
    ("elixir", &["ex", "exs"]),
    ("go", &["go"]),
    ("html", &["html", "htm"]),
    ("java", &["java"]),
    ("javascript", &["cjs", "js", "jsx", "mjs"]),
    ("kotlin", &["kt", "kts"]),
    ("php", &["php"]),
    ("python", &["py", "pyi"]),
    ("ruby", &["rb"]),
    ("rust", &["rs"]),
    ("shell", &["bash", "sh"]),
    ("sql", &["sql"]),
    ("swift", &["swift"]),
    ("typescript", &["ts", "tsx"]),
];

/// How many files there are of each language, most first.
fn languages(files: &[File]) -> Vec<Language> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for ending in files.iter().filter_map(|file| ending(&file.path)) {
        if let Some((language, _)) = LANGUAGES.iter().find(|(_, endings)| endings.contains(&ending)) {
            *counts.entry(language).or_default() += 1;
        }
    }
    let language = |(name, files): (&str, u64)| Language { name: name.to_owned(), files };
    let mut languages: Vec<_> = counts.into_iter().map(language).collect();
    languages.sort_by(|one, other| other.files.cmp(&one.files).then_with(|| one.name.cmp(&other.name)));
    languages
}

impl Tracked {
    fn has(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }
}
