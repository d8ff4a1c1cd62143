//! Artifacts: durable before `put` returns, never readable as anything but what was put.

use std::sync::Barrier;

use provost_core::digest::Digest;
use provost_runtime::artifacts::{ARTIFACT_MAX, Artifacts as _, FileArtifacts};
use provost_runtime::storage::Disk;

use crate::cuts::Dice;
use crate::disk::{Kind, Model, Plan, World};

const BYTES: &[u8] = &[b'x'; 1500];

fn at(model: &Model) -> FileArtifacts<Model> {
    FileArtifacts::new(model.clone(), "one")
}

#[test]
fn what_was_put_can_be_got_and_survives_a_power_cut() {
    let model = Model::new(World::default());
    let digest = at(&model).put(BYTES).unwrap();
    assert_eq!(digest, Digest::of(BYTES));
    assert_eq!(at(&model).get(digest).unwrap(), BYTES);
    let left = Model::new(model.world().least());
    assert_eq!(at(&left).get(digest).unwrap(), BYTES);
    assert!(at(&model).get(Digest::of(b"another")).is_err());
}

#[test]
fn a_crash_leaves_the_artifact_or_nothing() {
    let digest = Digest::of(BYTES);
    let mut states = 0;
    for call in 1.. {
        let model = Model::new(World::default());
        model.plan(Plan::Stop { at: call, part: 700 });
        let put = at(&model).put(BYTES);
        for world in model.world().cuts(&mut Dice(call)) {
            states += 1;
            let left = Model::new(world);
            match at(&left).get(digest) {
                Ok(bytes) => assert_eq!(bytes, BYTES),
                Err(_) => assert!(put.is_err(), "call {call}"),
            }
            // Whatever is left, putting it again mends it.
            at(&left).put(BYTES).unwrap();
            assert_eq!(at(&Model::new(left.world().least())).get(digest).unwrap(), BYTES);
        }
        if !model.has_stopped() {
            break;
        }
    }
    println!("artifact: {states} states");
    assert!(states > 30, "{states}");
}

/// Whoever puts often has every folder first; each state that a crash leaves of that is one to go on from.
#[test]
fn a_crash_while_all_folders_are_made_leaves_the_artifact_or_nothing() {
    let digest = Digest::of(BYTES);
    // Past the folders, which are alike, to the calls after the last of them.
    for call in (1..8).chain(255..) {
        let model = Model::new(World::default());
        model.plan(Plan::Stop { at: call, part: 700 });
        let put = at(&model).with_folders().put(BYTES);
        for world in model.world().cuts(&mut Dice(call)) {
            let left = Model::new(world);
            match at(&left).get(digest) {
                Ok(bytes) => assert_eq!(bytes, BYTES),
                Err(_) => assert!(put.is_err(), "call {call}"),
            }
            at(&left).with_folders().put(BYTES).unwrap();
            assert_eq!(at(&Model::new(left.world().least())).get(digest).unwrap(), BYTES);
        }
        if !model.has_stopped() {
            break;
        }
    }
}

#[test]
fn with_all_folders_made_an_artifact_costs_the_flush_of_its_bytes_and_of_its_name() {
    let model = Model::new(World::default());
    let artifacts = at(&model).with_folders();
    let flushes = || model.log().iter().filter(|call| call.kind == Kind::Sync).count();
    let before = flushes();
    assert!(before <= 3, "{before} for 256 folders");
    artifacts.put(BYTES).unwrap();
    assert_eq!(flushes(), before + 2);
}

#[test]
fn changed_bytes_are_refused_and_mended_by_putting_again() {
    let model = Model::new(World::default());
    let digest = at(&model).put(BYTES).unwrap();
    let name = digest.to_string();
    model.tamper(&format!("artifacts/{}/{name}", &name[..2]), |bytes| bytes[3] ^= 1);
    assert!(at(&model).get(digest).is_err());
    at(&model).put(BYTES).unwrap();
    assert_eq!(at(&model).get(digest).unwrap(), BYTES);
}

#[test]
fn an_artifact_has_a_limit() {
    let model = Model::new(World::default());
    assert!(at(&model).put(&vec![0; ARTIFACT_MAX + 1]).is_err());
    assert!(model.log().is_empty());
    let digest = at(&model).put(&vec![0; ARTIFACT_MAX]).unwrap();
    assert_eq!(at(&model).get(digest).unwrap().len(), ARTIFACT_MAX);
}

/// Effects run beside one another, and what they store may fall into the same folder.
#[test]
fn threads_of_one_process_do_not_write_into_each_others_drafts() {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("artifacts-of-threads");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).unwrap();
    let artifacts = FileArtifacts::new(Disk::reading(&root), "one");
    // All in the same folder: contents whose digests begin with the same two characters.
    let contents: Vec<Vec<u8>> = (0_u32..)
        .map(|number| number.to_le_bytes().repeat(20_000))
        .filter(|bytes| Digest::of(bytes).to_string().starts_with("a7"))
        .take(4)
        .collect();
    let together = Barrier::new(contents.len());
    std::thread::scope(|scope| {
        for bytes in &contents {
            scope.spawn(|| {
                together.wait();
                let digest = artifacts.put(bytes).unwrap();
                assert_eq!(artifacts.get(digest).unwrap(), *bytes);
            });
        }
    });
    for bytes in &contents {
        assert_eq!(artifacts.get(Digest::of(bytes)).unwrap(), *bytes);
    }
}
