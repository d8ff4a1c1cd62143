//! What a check sees of the machine: a short list of variables, and a digest that stands for it where evidence is
//! compared.

use std::collections::BTreeMap;
use std::ffi::OsString;

use provost_core::canonical;
use provost_core::digest::Digest;
use serde::Serialize;

/// Variables that a check sees when they are set: where programs and their own files are, and the language.
const ALLOWED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME"];

/// Variables that begin like this are seen too.
const ALLOWED_PREFIX: &str = "LC_";

/// Variables that change without changing what a check proves.
const IRRELEVANT: &[&str] = &["TMPDIR"];

/// The variables of a check and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Fingerprint<'a> {
    name: Option<&'a str>,
    prefix: &'a [String],
    system: &'a str,
    machine: &'a str,
    variables: BTreeMap<&'a str, &'a str>,
}

impl Environment {
    /// Takes from all variables the ones that are allowed and the ones that are named; values that are not UTF-8
    /// are left out.
    pub fn scrubbed(all: impl IntoIterator<Item = (OsString, OsString)>, named: &[String]) -> Environment {
        let wanted = |name: &str| {
            ALLOWED.contains(&name) || name.starts_with(ALLOWED_PREFIX) || named.iter().any(|it| it == name)
        };
        let readable = all.into_iter().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?)).filter(|(name, _)| wanted(name))
        });
        let mut variables: BTreeMap<String, String> = readable.collect();
        // Nobody looks at a screen.
        variables.insert("TERM".to_owned(), "dumb".to_owned());
        Environment { variables }
    }

    /// What this process's environment leaves of itself.
    pub fn of_this_process(named: &[String]) -> Environment {
        Environment::scrubbed(std::env::vars_os(), named)
    }

    /// The variables.
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// What stands for this environment, entered by that prefix, where evidence is compared.
    pub fn digest(&self, name: Option<&str>, prefix: &[String]) -> Digest {
        let relevant = self.variables.iter().filter(|(name, _)| !IRRELEVANT.contains(&name.as_str()));
        let variables = relevant.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
        let fingerprint = Fingerprint { name, prefix, system, machine, variables };
        // Text alone always has canonical bytes; if it had none, evidence would match nothing but itself.
        canonical::digest(&fingerprint).unwrap_or(Digest::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)], named: &[&str]) -> Environment {
        let all = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        Environment::scrubbed(all, &named.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_what_is_allowed_or_named_is_seen() {
        let all = [
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("TOKEN", "secret"),
            ("DATABASE_URL", "db"),
            ("TERM", "xterm"),
        ];
        let seen = environment(&all, &["DATABASE_URL", "NOT_SET"]);
        let names: Vec<_> = seen.variables().iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(names, ["DATABASE_URL=db", "LC_ALL=C", "PATH=/bin", "TERM=dumb"]);
    }

    #[test]
    fn the_digest_changes_with_what_matters() {
        let digest = |variables: &[(&str, &str)]| environment(variables, &["URL"]).digest(None, &[]);
        let base = digest(&[("PATH", "/bin"), ("TMPDIR", "/a"), ("URL", "x")]);
        assert_eq!(base, digest(&[("URL", "x"), ("TMPDIR", "/b"), ("PATH", "/bin"), ("OTHER", "y")]));
        assert_ne!(base, digest(&[("PATH", "/usr/bin"), ("URL", "x")]));
        assert_ne!(base, digest(&[("PATH", "/bin"), ("URL", "z")]));
        let same = environment(&[("PATH", "/bin")], &[]);
        assert_ne!(same.digest(None, &[]), same.digest(Some("ci"), &[]));
        assert_ne!(same.digest(Some("ci"), &[]), same.digest(Some("ci"), &["env".to_owned()]));
    }
}
