//! How far agents and checks reach beyond their worktree, as the file says it. Apart because both say it, in part with
//! different words.

use std::path::Path;

use provost_core::diagnostic::quoted;
use serde_json::json;
use strum::{EnumString, IntoStaticStr, VariantArray};
use toml::de::DeTable;

use super::Origin;
use super::agents::Way;
use super::reading::{Reading, Value};
use crate::walls::{Network, Reach};

/// What an agent may reach of the network.
#[derive(Clone, Copy, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
enum Reached {
    Open,
    None,
}

impl Reading<'_> {
    /// What an agent reaches: the network, unless that is closed, and what its way of driving needs to write.
    pub(super) fn agent_reach(&mut self, full: &str, keys: &DeTable<'_>, way: Way) -> Reach {
        let value = keys.get("network");
        let network = value.and_then(|value| self.choice::<Reached>(&format!("{full}.network"), value));
        let network = network.unwrap_or(Reached::Open);
        let (origin, named) = (self.origin(value), <&str>::from(network));
        self.show(format!("{full}.network"), named, origin);
        let writable = self.writable(full, keys, way.writable());
        let nests = self.nests(full, keys);
        let network = match network {
            Reached::Open => Network::Open,
            Reached::None => Network::None,
        };
        Reach { network: Some(network), writable, nests }
    }

    /// What a check reaches: nothing, unless the file says so.
    pub(super) fn check_reach(&mut self, name: &str, keys: &DeTable<'_>) {
        let full = format!("checks.{name}");
        let value = keys.get("network");
        let open = value.and_then(|value| self.boolean("checks.network", value)).unwrap_or_default();
        let origin = self.origin(value);
        self.show(format!("{full}.network"), open, origin);
        let writable = self.writable(&full, keys, &[]);
        let network = Some(if open { Network::Open } else { Network::Loopback });
        let reach = Reach { network, writable, nests: self.nests(&full, keys) };
        self.config.check_reach.insert(name.to_owned(), reach);
    }

    fn nests(&mut self, full: &str, keys: &DeTable<'_>) -> bool {
        let (name, value) = (format!("{full}.nests"), keys.get("nests"));
        let nests = value.and_then(|value| self.boolean(&name, value)).unwrap_or_default();
        let origin = self.origin(value);
        self.show(name, nests, origin);
        nests
    }

    pub(super) fn writable(&mut self, full: &str, keys: &DeTable<'_>, default: &[&str]) -> Vec<String> {
        let name = format!("{full}.writable");
        let value = keys.get("writable");
        let own = value.and_then(|value| {
            let paths = self.strings(&name, "a list of paths, such as [\"~/.cache/tool\"]", value)?;
            self.absolute(&name, &paths, value).then_some(paths)
        });
        let origin = if value.is_none() && !default.is_empty() {
            Origin::Setting("how it is driven")
        } else {
            self.origin(value)
        };
        let writable = own.unwrap_or_else(|| default.iter().map(|&path| path.to_owned()).collect());
        self.show(name, json!(writable), origin);
        writable
    }

    /// Whether all paths lead from the root or from the person's home; what they mean must not depend on the folder.
    fn absolute(&mut self, name: &str, paths: &[String], value: &Value<'_>) -> bool {
        let is_whole = |path: &&String| path.starts_with("~/") || Path::new(path.as_str()).is_absolute();
        let odd = paths.iter().find(|path| !is_whole(path));
        if let Some(path) = odd {
            let message =
                format!("`{name}` names {}, which begins neither with `/` nor with `~/`", quoted(path));
            self.wrong(message, value.span());
        }
        odd.is_none()
    }
}
