//! The first registry of a project: content for ordinary software work, as files inside the binary, and a catalogue
//! of models from the agents that were found.

use std::fs;
use std::io;
use std::path::Path;

use crate::detect::Found;

macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        /// Every file by its path in a registry.
        pub(crate) const FILES: &[(&str, &str)] = &[$(($path, include_str!(concat!("registry/", $path)))),+];
    };
}

files! {
    "agents/code_reviewer.yaml",
    "agents/database_engineer.yaml",
    "agents/docs_writer.yaml",
    "agents/release_engineer.yaml",
    "agents/security_reviewer.yaml",
    "agents/software_architect.yaml",
    "agents/software_engineer.yaml",
    "agents/test_engineer.yaml",
    "commands/cmd_audit_dependencies.yaml",
    "commands/cmd_design_change.yaml",
    "commands/cmd_draft_release_notes.yaml",
    "commands/cmd_prepare_release.yaml",
    "commands/cmd_read_code.yaml",
    "commands/cmd_refactor_code.yaml",
    "commands/cmd_reproduce_bug.yaml",
    "commands/cmd_review_change.yaml",
    "commands/cmd_review_security.yaml",
    "commands/cmd_rollback_change.yaml",
    "commands/cmd_update_dependency.yaml",
    "commands/cmd_verify_change.yaml",
    "commands/cmd_write_code.yaml",
    "commands/cmd_write_docs.yaml",
    "commands/cmd_write_migration.yaml",
    "commands/cmd_write_tests.yaml",
    "rules/rule_r01_nothing_runs.yaml",
    "rules/rule_r02_known_origin.yaml",
    "rules/rule_r03_registered_only.yaml",
    "rules/rule_r04_no_made_up_evidence.yaml",
    "rules/rule_r05_strong_model_for_high_risk.yaml",
    "rules/rule_r06_unattended_asks_nothing.yaml",
    "rules/rule_r07_bounded_change.yaml",
    "rules/rule_r08_writing_is_reviewed.yaml",
    "rules/rule_r09_decisions_rest_on_evidence.yaml",
    "rules/rule_r10_writes_stay_in_scope.yaml",
    "rules/rule_r11_judging_is_recorded.yaml",
    "rules/rule_r12_high_risk_has_a_way_back.yaml",
    "rules/rule_r13_reading_inside.yaml",
    "rules/rule_r14_developers_write_inside.yaml",
    "rules/rule_r15_own_tools.yaml",
    "rules/rule_r16_looking.yaml",
    "rules/rule_r17_git_looks.yaml",
    "rules/rule_r18_build_and_test.yaml",
    "rules/rule_r19_developers_format.yaml",
    "rules/rule_r20_judges_never_write.yaml",
    "rules/rule_r21_options_that_start_others.yaml",
    "workflows/fix_bug.yaml",
    "workflows/implement_feature.yaml",
    "workflows/migrate.yaml",
    "workflows/refactor.yaml",
    "workflows/release.yaml",
    "workflows/write_docs.yaml",
    "workflows/write_tests.yaml",
}

/// Writes the registry, whole or not at all, unless something of its name is there. Tells whether it did.
pub(super) fn write(at: &Path, found: &Found) -> io::Result<bool> {
    if at.symlink_metadata().is_ok() {
        return Ok(false);
    }
    // Beside its place first: what is there is never completed later, because people take things out of it.
    let beside = at.with_file_name(".registry.new");
    match fs::remove_dir_all(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for folder in ["workflows", "agents", "commands", "rules", "experts", "models"] {
        fs::create_dir_all(beside.join(folder))?;
    }
    for (path, content) in FILES {
        fs::write(beside.join(path), content)?;
    }
    for agent in found.agents.iter().filter(|agent| agent.driven) {
        fs::write(beside.join("models").join(format!("{}.yaml", agent.name)), model(agent.name))?;
    }
    fs::rename(&beside, at)?;
    Ok(true)
}

/// The model that an agent takes by itself.
fn model(agent: &str) -> String {
    format!(
        "# The model that the agent `{agent}` takes by itself. Say what a thousand tokens cost to have money counted.\n\
         id: {agent}\n\
         type: model\n\
         version: 1.0.0\n\
         status: active\n\
         description: What {agent} is started with\n\
         location: cloud\n\
         max_sensitivity: internal\n\
         # cost_per_1k_tokens_usd: 0.01\n\
         agents: [{agent}]\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content;
    use crate::detect::AgentFound;
    use provost_core::registry::Kind;

    #[test]
    fn every_file_of_the_folder_is_in_the_binary() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/init/registry");
        let mut there = Vec::new();
        for kind in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let files = fs::read_dir(&kind).unwrap().map(|entry| entry.unwrap().path());
            there.extend(files.map(|file| file.strip_prefix(&folder).unwrap().display().to_string()));
        }
        there.sort();
        let mut listed: Vec<_> = FILES.iter().map(|(path, _)| (*path).to_owned()).collect();
        listed.sort();
        assert_eq!(listed, there);
    }

    #[test]
    fn the_first_registry_is_whole_and_has_no_warning() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("registry");
        let found = Found { agents: vec![AgentFound { name: "claude", driven: true }], ..Found::default() };
        assert!(write(&at, &found).unwrap());
        assert!(!write(&at, &found).unwrap());
        let registry = content::registry(&at, "registry").unwrap();
        let findings = registry.findings();
        assert_eq!((findings.stops, findings.errors, findings.warnings), (false, vec![], vec![]));
        let count = |kind| registry.usable(kind).count();
        assert_eq!([count(Kind::Workflow), count(Kind::Agent), count(Kind::Model)], [7, 8, 1]);
        assert_eq!([count(Kind::Command), count(Kind::Rule)], [16, 21]);
        for item in registry.items() {
            let file = Path::new(&item.path).file_stem().unwrap().to_str();
            assert_eq!(file, Some(item.id.as_str()), "a file is named after what it holds");
        }
    }

    #[test]
    fn what_was_left_half_made_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".registry.new/rules")).unwrap();
        fs::write(folder.path().join(".registry.new/rules/torn.yaml"), "id: rule").unwrap();
        let at = folder.path().join("registry");
        assert!(write(&at, &Found::default()).unwrap());
        assert!(!at.join("rules/torn.yaml").exists() && !folder.path().join(".registry.new").exists());
    }
}
