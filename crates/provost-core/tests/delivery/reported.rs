//! What the closing report says that no single task shows.

use provost_core::evidence::{Landed, Measured, Proof, Trail};
use provost_core::report;

use crate::table::Table;

/// A task that landed with a record and files.
fn landed(sequence: u64, files: &[&str]) -> Proof {
    let (commit, files) = ("c".repeat(40), files.iter().map(|&file| file.to_owned()).collect());
    let (results, files_more, is_void) = (Vec::new(), 0, false);
    let measured = Measured { sequence, commit, files, files_more, results, is_void };
    let landed = Landed { sequence, commit: None, results: Vec::new() };
    Proof { measured: Some(measured), landed: Some(landed), ..Proof::default() }
}

#[test]
fn a_task_whose_file_was_changed_again_by_one_that_did_not_build_on_it_is_named() {
    let table = Table::new(&[("a", &[]), ("b", &[]), ("c", &["a"]), ("d", &["c"]), ("e", &[])]);
    let proofs = [
        ("a", landed(10, &["one", "two"])),
        ("c", landed(20, &["one"])),
        ("b", landed(30, &["two", "three"])),
        ("d", landed(40, &["one", "two"])),
        ("e", landed(50, &["four"])),
    ];
    let tasks = proofs.into_iter().map(|(id, proof)| (id.to_owned(), proof)).collect();
    let trail = Trail { tasks, ..Trail::default() };
    let page = report::markdown("d-1", table.board(), None, &trail);
    let named: Vec<&str> = page.lines().filter(|line| line.contains("was measured before")).collect();
    assert_eq!(
        named,
        [
            "- a was measured before b changed `two` too (record 30)",
            "- b was measured before d changed `two` too (record 40)",
        ]
    );
}
