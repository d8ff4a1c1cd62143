//! The pages of the error codes, inside the binary, so that an explanation is at hand wherever the error is.

use provost_core::diagnostic::Code;

macro_rules! pages {
    ($($name:literal),+ $(,)?) => {
        /// Every page by its name.
        const PAGES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../docs/errors/", $name, ".md")))),+];
    };
}

pages! {
    "document-too_large",
    "document-too_deep",
    "document-encoding",
    "document-syntax",
    "document-trailing_comma",
    "document-comment",
    "document-duplicate_key",
    "document-number",
    "document-control_character",
    "document-escape",
    "document-surrogate",
    "plan-character",
    "plan-open_block",
    "plan-title",
    "plan-heading",
    "plan-task_id",
    "plan-duplicate_id",
    "plan-duplicate_phase",
    "plan-duplicate_label",
    "plan-unknown_label",
    "plan-unread",
    "plan-key",
    "plan-value",
    "plan-path",
    "plan-command",
    "plan-no_work",
    "plan-no_criterion",
    "plan-vague",
    "plan-unclear",
    "plan-unknown_blocker",
    "plan-blocks_itself",
    "plan-cycle",
    "plan-no_task",
    "plan-no_start",
    "plan-too_many",
    "project-no_repository",
    "project-missing",
    "project-held",
    "project-lost",
    "project-folder",
    "actor-agent",
    "git-missing",
    "git-failed",
    "git-branch_taken",
    "worktree-occupied",
    "worktree-copy",
    "config-unreadable",
    "config-syntax",
    "config-unknown_key",
    "config-value",
    "config-role",
    "plan-unreadable",
    "run-unborn",
    "delivery-unknown",
    "delivery-ended",
    "delivery-begun",
    "task-unknown",
    "task-nothing",
    "task-not_halted",
    "question-unknown",
    "question-answer",
    "note-empty",
    "note-too_long",
    "note-attachment",
    "note-encoding",
    "record-too_large",
    "journal-damaged",
    "journal-cut",
    "verify-head",
    "journal-head",
    "journal-artifact",
    "journal-newer",
    "journal-impossible",
    "journal-moved",
    "journal-disk",
    "journal-unreadable",
    "disk-full",
    "driver-ended",
    "socket-request",
    "cli-usage",
    "input-failed",
    "scripted-script",
    "scripted-step",
    "scripted-turn",
    "machines-unknown",
    "demo-failed",
    "explain-unknown",
    "output-failed",
    "provost-bug",
}

/// The page of a code.
pub(crate) fn page(code: &Code) -> Option<&'static str> {
    let name = code.page();
    PAGES.iter().find(|(page, _)| *page == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use provost_core::diagnostic::CODES;

    use super::*;

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let codes: Vec<String> = CODES.iter().map(Code::page).collect();
        let pages: Vec<String> = PAGES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(pages, codes);
        for (code, (_, text)) in CODES.iter().zip(PAGES) {
            assert!(text.starts_with(&format!("# {code}\n")), "the page of {code} begins with another title");
        }
    }
}
