//! The checks of the file: commands whose exit status is evidence.

use provost_core::delivery::CheckSpec;
use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::limits::Limit;
use serde_json::json;

use super::Origin;
use super::reading::{Reading, Value};

/// The longest name of a check, in bytes.
const NAME_MAX: usize = 64;

impl Reading<'_> {
    pub(super) fn checks(&mut self, value: &Value<'_>) {
        let checks = self.array("checks", "a list of tables: write `[[checks]]`", value);
        let mut seen: Vec<String> = Vec::new();
        for check in checks.into_iter().flatten() {
            let spec = self.check(check, &mut seen);
            self.config.checks.extend(spec);
        }
    }

    fn check(&mut self, whole: &Value<'_>, seen: &mut Vec<String>) -> Option<CheckSpec> {
        let keys = self.table("checks", whole)?;
        self.only(
            keys,
            &["name", "argv", "expect_exit", "limit_s", "required", "network", "writable", "nests"],
        );
        let name = keys.get("name").and_then(|value| self.check_name(value));
        if let Some(name) = &name {
            if seen.contains(name) {
                let message = format!("two checks are called {}", quoted(name));
                let defect = Diagnostic::error(diagnostic::CONFIG_VALUE, message);
                self.complain(defect.with_help("give one of them another name"), whole.span());
            }
            seen.push(name.clone());
        }
        let argv = keys.get("argv").and_then(|value| self.argv("checks.argv", value));
        for (key, what) in [("name", "what it is called"), ("argv", "the program to start")] {
            if !keys.contains_key(key) {
                self.wrong(format!("a check has no `{key}`, {what}"), whole.span());
            }
        }
        let expect_exit = match keys.get("expect_exit") {
            Some(value) => self.number("checks.expect_exit", 0, 255, value),
            None => Some(0),
        };
        let (from, to) = Limit::CheckS.range().into_inner();
        let limit_s = match keys.get("limit_s") {
            Some(value) => self.number("checks.limit_s", from, to, value),
            None => Some(self.config.settings.limit(Limit::CheckS)),
        };
        let required = match keys.get("required") {
            Some(value) => self.boolean("checks.required", value),
            None => Some(true),
        };
        // Only now, so that everything that is wrong has been said.
        let (name, argv, expect_exit) = (name?, argv?, expect_exit?);
        let (limit_s, required) = (limit_s?, required?);
        let shown = [
            ("argv", json!(argv)),
            ("expect_exit", json!(expect_exit)),
            ("limit_s", json!(limit_s)),
            ("required", json!(required)),
        ];
        for (key, value) in shown {
            let origin = match (key, keys.get(key)) {
                ("limit_s", None) => Origin::Setting("limits.check_s"),
                (_, value) => self.origin(value),
            };
            self.show(format!("checks.{name}.{key}"), value, origin);
        }
        self.check_reach(&name, keys);
        let expect_exit = i32::try_from(expect_exit).unwrap_or_default();
        Some(CheckSpec { name, argv, expect_exit, limit_s, required })
    }

    fn check_name(&mut self, value: &Value<'_>) -> Option<String> {
        let name = self.string("checks.name", value)?;
        if name.len() > NAME_MAX || name.contains(char::is_control) {
            self.wrong_kind("checks.name", &format!("one line of at most {NAME_MAX} bytes"), value);
            return None;
        }
        Some(name)
    }
}
