//! How each tool shows that a project uses it, and the commands that go with it.

use std::path::Path;

use serde_json::Value;

use super::{Found, text};

/// Names that a Makefile may have.
const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];

/// What `npm init` writes where there are no tests.
const NO_TESTS: &str = "no test specified";

/// Rust.
pub(super) fn cargo(root: &Path, is_there: &dyn Fn(&str) -> bool, found: &mut Found) {
    let Some(manifest) = text(root, "Cargo.toml") else { return };
    let is_workspace = manifest.lines().any(|line| line.trim().starts_with("[workspace"));
    let all: &[&str] = if is_workspace { &["--workspace"] } else { &[] };
    found.check("test", "cargo", &[&["cargo", "test"], all].concat(), "Cargo.toml");
    if is_there("cargo-clippy") {
        let lint = [&["cargo", "clippy"], all, &["--all-targets", "--", "-D", "warnings"]].concat();
        found.check("lint", "cargo", &lint, "Cargo.toml");
    }
}

/// JavaScript and TypeScript.
pub(super) fn node(root: &Path, found: &mut Found) {
    let Some(manifest) = text(root, "package.json") else { return };
    let Ok(manifest) = serde_json::from_str::<Value>(&manifest) else { return };
    let is_file = |name: &str| root.join(name).is_file();
    let (tool, install): (_, &[&str]) = if is_file("pnpm-lock.yaml") {
        ("pnpm", &["install", "--frozen-lockfile"])
    } else if is_file("yarn.lock") && is_file(".yarnrc.yml") {
        ("yarn", &["install", "--immutable"])
    } else if is_file("yarn.lock") {
        ("yarn", &["install", "--frozen-lockfile"])
    } else if is_file("package-lock.json") {
        ("npm", &["ci"])
    } else {
        ("npm", &["install"])
    };
    let needs = ["dependencies", "devDependencies"].iter();
    if needs.filter_map(|key| manifest.get(key)?.as_object()).any(|them| !them.is_empty()) {
        found.prepare(&[&[tool], install].concat());
    }
    for kind in ["test", "lint", "typecheck", "build"] {
        let script = manifest.get("scripts").and_then(|scripts| scripts.get(kind)).and_then(Value::as_str);
        if script.is_some_and(|script| !script.contains(NO_TESTS)) {
            found.check(kind, tool, &[tool, "run", kind], "package.json");
        }
    }
}

/// Python.
pub(super) fn python(root: &Path, found: &mut Found) {
    let manifests = ["pyproject.toml", "setup.cfg", "tox.ini", "setup.py", "requirements.txt"];
    let more = ["requirements-dev.txt", "dev-requirements.txt", "pytest.ini", "conftest.py"];
    let texts: Vec<(&str, String)> =
        manifests.iter().chain(&more).filter_map(|name| Some((*name, text(root, name)?))).collect();
    let Some((first, _)) = texts.first() else { return };
    let runner: &[&str] = match (root.join("uv.lock").is_file(), root.join("poetry.lock").is_file()) {
        (true, _) => &["uv", "run"],
        (_, true) => &["poetry", "run"],
        _ => &[],
    };
    let names_pytest = |(name, text): &&(&str, String)| {
        ["pytest.ini", "conftest.py"].contains(name) || text.contains("pytest")
    };
    let has_tests = || ["tests", "test"].iter().any(|folder| root.join(folder).is_dir());
    if let Some((file, _)) = texts.iter().find(names_pytest) {
        found.check("test", "python", &[runner, &["python3", "-m", "pytest"]].concat(), file);
    } else if root.join("tests/conftest.py").is_file() {
        let argv = [runner, &["python3", "-m", "pytest"]].concat();
        found.check("test", "python", &argv, "tests/conftest.py");
    } else if has_tests() {
        found.check("test", "python", &[runner, &["python3", "-m", "unittest", "discover"]].concat(), first);
    }
    let in_manifest = texts.iter().find(|(_, text)| text.contains("[tool.ruff")).map(|(name, _)| *name);
    let own = ["ruff.toml", ".ruff.toml"].into_iter().find(|name| root.join(name).is_file());
    if let Some(file) = own.or(in_manifest) {
        found.check("lint", "python", &[runner, &["ruff", "check", "."]].concat(), file);
    }
}

/// Go.
pub(super) fn go(root: &Path, found: &mut Found) {
    if root.join("go.mod").is_file() {
        found.check("test", "go", &["go", "test", "./..."], "go.mod");
        found.check("lint", "go", &["go", "vet", "./..."], "go.mod");
    }
}

/// Make, for what nothing else was found for.
pub(super) fn make(root: &Path, found: &mut Found) {
    let makefile = MAKEFILES.iter().find_map(|name| Some((*name, text(root, name)?)));
    let Some((file, makefile)) = makefile else { return };
    let is_target = |target: &str| makefile.lines().any(|line| names_target(line, target));
    for kind in ["test", "lint", "check"] {
        // `check` is the other usual name for tests.
        let known = found.has(kind) || (kind == "check" && found.has("test"));
        if !known && is_target(kind) {
            found.check(kind, "make", &["make", kind], file);
        }
    }
}

/// Tells whether a line of a Makefile is the rule of a target, and not a variable that is set with `:=`.
fn names_target(line: &str, target: &str) -> bool {
    line.split_once(':').is_some_and(|(targets, rest)| {
        !line.starts_with(['\t', '#', '.'])
            && !rest.starts_with('=')
            && targets.split_whitespace().any(|name| name == target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_everything_else() {
        assert!(names_target("test: build", "test"));
        assert!(names_target("lint test::", "test"));
        for line in ["test := x", "\ttest: x", "# test: x", ".PHONY: test", "tests: x", "test"] {
            assert!(!names_target(line, "test"), "{line}");
        }
    }

    #[test]
    fn each_tool_gives_its_commands() {
        let cases: &[(&[(&str, &str)], &str)] = &[
            (&[("Cargo.toml", "[package]")], "test=cargo test"),
            (&[("Cargo.toml", "[workspace]\n")], "test=cargo test --workspace"),
            (
                &[("package.json", r#"{"scripts":{"test":"jest","build":"tsc"},"dependencies":{"a":"1"}}"#)],
                "npm install; test=npm run test build=npm run build",
            ),
            (
                &[
                    ("package.json", r#"{"scripts":{"lint":"eslint"},"devDependencies":{"a":"1"}}"#),
                    ("pnpm-lock.yaml", ""),
                ],
                "pnpm install --frozen-lockfile; lint=pnpm run lint",
            ),
            (
                &[("package.json", r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#)],
                "",
            ),
            (&[("package.json", "not json")], ""),
            (
                &[("pyproject.toml", "[tool.pytest.ini_options]\n[tool.ruff]\n")],
                "test=python3 -m pytest lint=ruff check .",
            ),
            (
                &[("pyproject.toml", "[project]"), ("tests/test_x.py", ""), ("uv.lock", "")],
                "test=uv run python3 -m unittest discover",
            ),
            (&[("go.mod", "module x")], "test=go test ./... lint=go vet ./..."),
            (&[("Makefile", "check:\n\tx\nlint:\n")], "lint=make lint check=make check"),
            (&[("Makefile", "test:\ncheck:\n"), ("go.mod", "")], "test=go test ./... lint=go vet ./..."),
            (
                &[("Cargo.toml", ""), ("go.mod", "")],
                "test=cargo test go-test=go test ./... lint=go vet ./...",
            ),
        ];
        for (files, expected) in cases {
            let folder = tempfile::tempdir().unwrap();
            for (name, content) in *files {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, content).unwrap();
            }
            let found = super::super::look(folder.path(), None);
            let setup = found.setup.iter().map(|argv| format!("{};", argv.join(" ")));
            let checks = found.checks.iter().map(|it| format!("{}={}", it.name, it.argv.join(" ")));
            assert_eq!(setup.chain(checks).collect::<Vec<_>>().join(" "), *expected, "{files:?}");
        }
    }
}
