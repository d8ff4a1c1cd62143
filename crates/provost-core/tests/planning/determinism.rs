//! What may not change a byte does not, and one changed byte is named.

use crate::kit::{Case, Ticking};
use provost_core::planning::again;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Phase, plan};

#[test]
fn a_frozen_plan_is_made_again_byte_for_byte() {
    for case in [Case::low(), Case::high(), Case::full_auto()] {
        let run = case.plan();
        let (broken, unmade) = again::verify(&run.files);
        assert_eq!((broken, unmade), (Vec::new(), None), "{:?}", run.state);
    }
}

#[test]
fn one_changed_byte_in_any_file_is_named() {
    let run = Case::low().plan();
    assert_eq!(run.state, Phase::Done);
    for at in 0..run.files.len() {
        let mut files = run.files.clone();
        let middle = files[at].bytes.len() / 2;
        files[at].bytes[middle] ^= 1;
        let (broken, _) = again::verify(&files);
        assert!(broken.iter().any(|it| it.file == files[at].name), "{}: {broken:?}", files[at].name);
    }
}

#[test]
fn only_tape_and_audit_know_the_time() {
    let inputs = Case::high().inputs();
    let [one, other] = [1_000, 86_400_000].map(|start| plan(&inputs, &mut Ticking(start), &Strict).unwrap());
    for (one, other) in one.files.iter().zip(&other.files) {
        let timed = ["tape.json", "audit.jsonl", "manifest.json"].contains(&one.name.as_str());
        assert_eq!(one.bytes == other.bytes, !timed, "{}", one.name);
    }
    assert_eq!(one.manifest.content_digest().unwrap(), other.manifest.content_digest().unwrap());
}

#[test]
fn the_order_of_keys_and_files_changes_nothing() {
    let run = Case::high().plan();
    let turned = Case::high().with(|case| {
        case.registry.reverse();
        case.backwards = true;
    });
    assert_eq!(turned.plan().files, run.files);
}
