//! Damage to a journal in files: found, named by segment, and never mended by throwing records away.

use provost_core::record::{Damage, Record};
use provost_runtime::journal::{Fault, FileJournal, Journal as _, walk};

use crate::disk::{Model, World};
use crate::history::{Process, Shared, Step, lines_of};

/// About forty records in batches of one to five over several segments, closed.
fn journal() -> Model {
    let model = Model::new(World::default());
    let steps = [
        Step::Turn(&["init"]),
        Step::Turn(&["a1", "a2", "a3", "a4", "a5"]),
        Step::Turn(&["b1"]),
        Step::Turn(&["c1", "c2", "c3"]),
        Step::Reopen,
        Step::Turn(&["d1", "d2"]),
        Step::Turn(&["e1", "e2", "e3", "e4"]),
        Step::Turn(&["f1"]),
        Step::Turn(&["g1", "g2", "g3", "g4", "g5"]),
        Step::Reopen,
        Step::Turn(&["h1", "h2", "h3", "h4", "h5"]),
        Step::Turn(&["i1"]),
        Step::Turn(&["j1", "j2", "j3"]),
    ];
    assert!(Process::new(&model, &Shared::default()).play(&steps, 1));
    model
}

fn paths(model: &Model) -> Vec<String> {
    model.world().cached["journal"].keys().map(|name| format!("journal/{name}")).collect()
}

fn bytes(model: &Model, path: &str) -> Vec<u8> {
    let world = model.world();
    world.files[world.file(path).unwrap()].cache.clone()
}

/// Opens for writing, and asserts that this is refused and changes nothing.
fn refused(model: &Model, what: &str) -> (String, Damage) {
    let before = model.world().flat();
    let mut journal = FileJournal::new(model.clone());
    let opened = journal.open(&mut |_| Ok(()));
    drop(journal);
    assert!(model.world().flat() == before, "{what}: the bytes were touched");
    match opened {
        Err(Fault::Damaged { segment, damage }) => (format!("journal/{segment}"), damage),
        other => panic!("{what}: {other:?}"),
    }
}

/// The start and the sequence of the line that a byte belongs to.
fn line_of(bytes: &[u8], at: usize) -> (usize, u64) {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = start + bytes[start..].iter().position(|byte| *byte == b'\n').unwrap();
    (start, Record::parse(&bytes[start..end]).unwrap().sequence)
}

#[test]
fn a_flipped_bit_is_located_and_nothing_is_touched() {
    let sound = journal();
    assert!(paths(&sound).len() >= 3 && lines_of(&sound).unwrap().len() >= 30);
    let world = sound.world().clone();
    let mut flips = 0;
    for path in paths(&sound) {
        let content = bytes(&sound, &path);
        for at in 0..content.len() {
            let bit = at % 8;
            let model = Model::new(world.clone());
            model.tamper(&path, |bytes| bytes[at] ^= 1 << bit);
            let what = format!("{path} byte {at} bit {bit}");
            let (segment, damage) = refused(&model, &what);
            assert_eq!(
                (segment, (damage.offset, damage.sequence)),
                (path.clone(), line_of(&content, at)),
                "{what}"
            );
            flips += 1;
        }
    }
    println!("{flips} flips");
    assert!(flips >= 8 * 1024);
}

#[test]
fn a_dropped_record_is_located_and_nothing_is_touched() {
    let sound = journal();
    let last = paths(&sound).pop().unwrap();
    for path in paths(&sound) {
        let content = bytes(&sound, &path);
        let starts: Vec<usize> = (0..content.len()).filter(|at| line_of(&content, *at).0 == *at).collect();
        for start in &starts {
            let (_, sequence) = line_of(&content, *start);
            if path == last && Some(start) == starts.last() {
                continue;
            }
            let model = Model::new(sound.world().clone());
            let length = content[*start..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
            model.tamper(&path, |bytes| drop(bytes.drain(*start..start + length)));
            let (_, damage) = refused(&model, &format!("record {sequence} dropped"));
            assert_eq!(damage.sequence, sequence);
        }
    }
}

#[test]
fn a_segment_that_is_missing_renamed_or_cut_is_found() {
    let sound = journal();
    let all = paths(&sound);
    for (at, path) in all.iter().enumerate() {
        let (_, first) = line_of(&bytes(&sound, path), 0);
        let (folder, name) = path.split_once('/').unwrap();
        let is_last = at + 1 == all.len();
        let removed = |to: Option<&str>| {
            let mut world = sound.world().clone();
            let names = world.cached.get_mut(folder).unwrap();
            let node = names.remove(name).unwrap();
            if let Some(to) = to {
                names.insert(to.to_owned(), node);
            }
            Model::new(world)
        };
        for to in [None, Some("0000000000000001.jsonl.old")] {
            let model = removed(to);
            if is_last {
                // Nobody who does not know the head can tell.
                let head = walk(&sound, &mut |_| Ok(())).unwrap().chain.head;
                assert_ne!(walk(&model, &mut |_| Ok(())).unwrap().chain.head, head);
            } else {
                assert_eq!(refused(&model, "removed").1.sequence, first);
            }
        }
        let (segment, damage) = refused(&removed(Some("0000000000000999.jsonl")), "renamed");
        assert_eq!((damage.sequence, damage.offset), (first, 0), "{segment}");
        if !is_last {
            let model = Model::new(sound.world().clone());
            model.tamper(path, Vec::clear);
            assert_eq!(refused(&model, "emptied").1.sequence, first);
        }
    }
}

#[test]
fn a_cut_last_batch_is_torn_and_cut_off_and_the_rest_stays() {
    let sound = journal();
    let path = paths(&sound).pop().unwrap();
    let content = bytes(&sound, &path);
    let lines = lines_of(&sound).unwrap();
    let whole = content.len() - lines[lines.len() - 3..].iter().map(|line| line.len() + 1).sum::<usize>();
    for at in whole..content.len() {
        let model = Model::new(sound.world().clone());
        model.tamper(&path, |bytes| bytes.truncate(at));
        let mut journal = FileJournal::new(model.clone());
        let cut = journal.open(&mut |_| Ok(())).unwrap().cut;
        assert_eq!(
            cut.map(|cut| (cut.offset, cut.bytes)),
            (at > whole).then_some((whole as u64, (at - whole) as u64))
        );
        drop(journal);
        assert_eq!(bytes(&model, &path), content[..whole]);
    }
}
