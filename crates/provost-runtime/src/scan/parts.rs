//! The parts of a repository that are built by themselves, from what their manifests say.

use std::path::Path;

use provost_core::planning::facts::{Project, ProjectKind};
use serde_json::Value;

use super::tracked::Tracked;
use crate::regular;

/// The most parts that are described.
const PARTS_MAX: usize = 100;

/// The most bytes of a manifest that are read.
const MANIFEST_MAX: u64 = 1 << 20;

/// What shows people something, and what answers them, by the names of packages.
const FRONTENDS: &[&str] =
    &["react", "vue", "svelte", "@angular/core", "solid-js", "preact", "yew", "leptos", "dioxus"];
const BACKENDS: &[&str] = &[
    "express",
    "fastify",
    "koa",
    "@nestjs/core",
    "hono",
    "axum",
    "actix-web",
    "rocket",
    "warp",
    "tonic",
    "django",
    "flask",
    "fastapi",
    "starlette",
    "aiohttp",
];
const BOTH: &[&str] = &["next", "nuxt", "@remix-run/react", "@sveltejs/kit"];

/// What a manifest says.
struct Manifest {
    name: Option<String>,
    language: &'static str,
    /// The packages that it needs.
    needs: Vec<String>,
    /// Whether it makes a program.
    makes_program: bool,
    /// What it is built with where nothing better is known.
    tool: &'static str,
}

/// The parts, by folder, and what the one at the top calls itself.
pub(super) fn projects(root: &Path, tracked: &Tracked) -> (Vec<Project>, Option<String>) {
    let mut projects = Vec::new();
    let mut own_name = None;
    for file in &tracked.files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or((".", &file.path));
        let parse = match name {
            "Cargo.toml" => cargo,
            "package.json" => node,
            "pyproject.toml" => python,
            "go.mod" => go,
            _ => continue,
        };
        let Ok(Some(bytes)) = regular::whole(&root.join(&file.path), MANIFEST_MAX) else { continue };
        let is_there = |inner: &str| {
            tracked.has(&if folder == "." { inner.to_owned() } else { format!("{folder}/{inner}") })
        };
        let Some(manifest) = parse(&String::from_utf8_lossy(&bytes), &is_there) else { continue };
        if folder == "." && own_name.is_none() {
            own_name.clone_from(&manifest.name);
        }
        if projects.len() < PARTS_MAX {
            projects.push(project(folder, &manifest));
        }
    }
    projects.sort();
    (projects, own_name)
}

fn project(folder: &str, manifest: &Manifest) -> Project {
    let first = |known: &[&'static str]| {
        known.iter().copied().find(|it| manifest.needs.iter().any(|need| need == it))
    };
    let (front, back, both) = (first(FRONTENDS), first(BACKENDS), first(BOTH));
    let kind = match (both, front, back) {
        (Some(_), ..) | (None, Some(_), Some(_)) => ProjectKind::Fullstack,
        (None, Some(_), None) => ProjectKind::Frontend,
        (None, None, Some(_)) => ProjectKind::Backend,
        (None, None, None) if manifest.makes_program => ProjectKind::Cli,
        (None, None, None) => ProjectKind::Library,
    };
    Project {
        root_path: folder.to_owned(),
        kind,
        framework: both.or(back).or(front).unwrap_or(manifest.tool).to_owned(),
        language: Some(manifest.language.to_owned()),
        version: None,
    }
}

fn cargo(text: &str, is_there: &dyn Fn(&str) -> bool) -> Option<Manifest> {
    let manifest: Value = toml::from_str(text).ok()?;
    // A workspace alone is no part; its members are.
    let package = manifest.get("package")?;
    Some(Manifest {
        name: word(package.get("name")),
        language: "rust",
        needs: keys(manifest.get("dependencies")),
        makes_program: is_there("src/main.rs") || manifest.get("bin").is_some(),
        tool: "cargo",
    })
}

fn node(text: &str, is_there: &dyn Fn(&str) -> bool) -> Option<Manifest> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    let needs = ["dependencies", "devDependencies"].iter().flat_map(|key| keys(manifest.get(key)));
    let typed = is_there("tsconfig.json");
    Some(Manifest {
        name: word(manifest.get("name")),
        language: if typed { "typescript" } else { "javascript" },
        needs: needs.collect(),
        makes_program: manifest.get("bin").is_some(),
        tool: "node",
    })
}

fn python(text: &str, _: &dyn Fn(&str) -> bool) -> Option<Manifest> {
    let manifest: Value = toml::from_str(text).ok()?;
    let project = manifest.get("project");
    let part = |key: &str| project.and_then(|project| project.get(key));
    let listed =
        part("dependencies").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    // `Django>=4,<5` begins with the package's name.
    let bare = |need: &str| {
        let end = need
            .find(|it: char| !it.is_alphanumeric() && !matches!(it, '-' | '_' | '.'))
            .unwrap_or(need.len());
        need.get(..end).unwrap_or_default().to_lowercase()
    };
    Some(Manifest {
        name: word(part("name")),
        language: "python",
        needs: listed.map(bare).collect(),
        makes_program: part("scripts").is_some(),
        tool: "python",
    })
}

fn go(text: &str, is_there: &dyn Fn(&str) -> bool) -> Option<Manifest> {
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?.trim();
    Some(Manifest {
        name: module.rsplit('/').next().map(str::to_owned),
        language: "go",
        needs: Vec::new(),
        makes_program: is_there("main.go"),
        tool: "go",
    })
}

fn word(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).filter(|it| !it.is_empty()).map(str::to_owned)
}

fn keys(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_object).map_or_else(Vec::new, |map| map.keys().cloned().collect())
}
