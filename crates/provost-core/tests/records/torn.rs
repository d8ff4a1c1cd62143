//! What a power cut leaves of a batch that was not flushed: whatever sectors are missing and however lines and
//! sectors meet, it is an incomplete batch and never damage.

use std::convert::Infallible;

use provost_core::record::{Batch, Chain, Draft, Head, Tail, Writer, scan};

use crate::sample::draft;

const SECTOR: usize = 512;

fn batch(after: Head, sizes: &[usize]) -> Batch {
    let writer = Writer { epoch: 1, session_id: "s1".to_owned() };
    let with_text =
        |size: &usize| Draft { details: format!("{{\"text\":\"{}\"}}", "x".repeat(*size)), ..draft(1) };
    Batch::seal(after, &writer, &sizes.iter().map(with_text).collect::<Vec<_>>()).unwrap()
}

/// Visits every subset of the sectors of `torn`, with the file as long as before, as needed, and longer.
fn visit(flushed: &Batch, torn: &Batch) -> usize {
    let whole = flushed.bytes.len();
    let full = [&flushed.bytes[..], &torn.bytes].concat();
    let sectors: Vec<usize> = (whole / SECTOR..full.len().div_ceil(SECTOR)).collect();
    let chain = Chain::after(flushed, 1, draft(1).timestamp);
    let mut states = 0;
    for subset in 0..1_usize << sectors.len() {
        let mut bytes = full.clone();
        for (bit, sector) in sectors.iter().enumerate() {
            if subset >> bit & 1 == 0 {
                let end = ((sector + 1) * SECTOR).min(bytes.len());
                bytes[(sector * SECTOR).max(whole)..end].fill(0);
            }
        }
        let used = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        for length in [used, full.len(), full.len().next_multiple_of(SECTOR), full.len() + 4096] {
            bytes.resize(length, 0);
            let Ok(scan) = scan(&bytes, Chain::GENESIS, true, |_| Ok::<(), Infallible>(()));
            let expected = match subset {
                0 => (whole, chain.head, Tail::Clean),
                _ if used == full.len() && bytes[..used] == full => (full.len(), torn.head, Tail::Clean),
                _ => (whole, chain.head, Tail::Torn { bytes: used - whole }),
            };
            assert_eq!(
                (scan.whole, scan.chain.head, scan.tail),
                expected,
                "whole {whole}, subset {subset:b}"
            );
            states += 1;
        }
    }
    states
}

#[test]
fn every_alignment_of_lines_and_sectors() {
    let mut states = 0;
    for filler in 0..SECTOR {
        let flushed = batch(Head::GENESIS, &[filler]);
        states += visit(&flushed, &batch(flushed.head, &[0, 120, 40]));
        states += visit(&flushed, &batch(flushed.head, &[0]));
        states += visit(&flushed, &batch(flushed.head, &[filler, filler]));
    }
    assert!(states > 50_000, "{states}");
}

#[test]
fn records_as_long_as_sectors() {
    let line = batch(Head::GENESIS, &[0]).bytes.len();
    let exact = SECTOR - line;
    let flushed = batch(Head::GENESIS, &[exact]);
    assert_eq!(flushed.bytes.len(), SECTOR);
    for sizes in
        [[exact; 5], [exact, exact + SECTOR, exact, exact, exact], [exact - 1, exact + 1, exact, 0, 9]]
    {
        visit(&flushed, &batch(flushed.head, &sizes));
    }
}

/// Behind a hole lines are still in their order, and each is there once.
#[test]
fn what_stands_behind_a_hole_in_the_wrong_order_is_damage() {
    let exact = SECTOR - batch(Head::GENESIS, &[0]).bytes.len();
    let torn = batch(Head::GENESIS, &[exact; 4]);
    let sector = |number: usize| &torn.bytes[number * SECTOR..(number + 1) * SECTOR];
    let hole = [0; SECTOR];
    let judged = |sectors: [&[u8]; 4]| {
        let Ok(scan) = scan(&sectors.concat(), Chain::GENESIS, true, |_| Ok::<(), Infallible>(()));
        scan.tail
    };
    assert_eq!(judged([&hole, sector(1), sector(2), sector(3)]), Tail::Torn { bytes: 4 * SECTOR });
    assert_eq!(judged([sector(0), &hole, &hole, sector(3)]), Tail::Torn { bytes: 4 * SECTOR });
    for sectors in [
        [&hole, sector(2), sector(1), sector(3)],
        [&hole, sector(2), sector(2), sector(3)],
        [sector(0), &hole, sector(0), sector(3)],
    ] {
        assert!(matches!(judged(sectors), Tail::Damaged(_)));
    }
}
