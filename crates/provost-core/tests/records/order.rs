//! Records that are sound one by one and do not belong one behind the other.

use std::convert::Infallible;

use provost_core::record::{Batch, Broken, Chain, Damage, Draft, Head, Record, Tail, Why, Writer, scan};
use provost_core::time::Timestamp;

use crate::sample::draft;

fn seal(after: Head, epoch: u64, drafts: &[Draft]) -> Batch {
    let writer = Writer { epoch, session_id: "s1".to_owned() };
    Batch::seal(after, &writer, drafts).unwrap()
}

/// What is wrong with the second of two parts.
fn why(first: &[u8], second: &[u8]) -> Vec<Option<Why>> {
    let bytes = [first, second].concat();
    let judged = |last| {
        let Ok(scan) = scan(&bytes, Chain::GENESIS, last, |_| Ok::<(), Infallible>(()));
        match scan.tail {
            Tail::Damaged(Damage { why, offset, .. }) => {
                assert_eq!(offset, first.len());
                Some(why)
            }
            _ => None,
        }
    };
    vec![judged(true), judged(false)]
}

#[test]
fn an_older_writer_behind_a_newer_one_is_damage() {
    let first = seal(Head::GENESIS, 3, &[draft(1)]);
    let second = |epoch| seal(first.head, epoch, &[draft(2)]).bytes;
    assert_eq!(why(&first.bytes, &second(2)), [Some(Why::Broken(Broken::Epoch)); 2]);
    assert_eq!(why(&first.bytes, &second(3)), [None; 2]);
    assert_eq!(why(&first.bytes, &second(9)), [None; 2]);
}

#[test]
fn time_that_runs_backwards_is_damage() {
    let at = |ms| Draft { timestamp: Timestamp::from_ms(ms), ..draft(1) };
    let first = seal(Head::GENESIS, 1, &[at(1000)]);
    let second = |ms| seal(first.head, 1, &[at(ms)]).bytes;
    assert_eq!(why(&first.bytes, &second(999)), [Some(Why::Broken(Broken::Time)); 2]);
    assert_eq!(why(&first.bytes, &second(1000)), [None; 2]);
}

#[test]
fn a_batch_that_begins_within_another_is_damage() {
    let pair = seal(Head::GENESIS, 1, &[draft(1), draft(2)]);
    let half = &pair.bytes[..pair.ends[0]];
    let record = Record::parse(&half[..half.len() - 1]).unwrap();
    let inner = seal(Head { sequence: 1, hash: record.hash }, 1, &[draft(2)]);
    assert_eq!(why(half, &inner.bytes), [Some(Why::Broken(Broken::Batch)); 2]);
    assert_eq!(why(half, &pair.bytes[pair.ends[0]..]), [None; 2]);
}
