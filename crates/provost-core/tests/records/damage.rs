//! Damage over the pure reading of a segment: every bit, every cut, every record dropped, doubled, moved or
//! exchanged.

use provost_core::record::{Damage, Tail};

use crate::sample::{Line, Segment, journal};

/// Asserts that damage is reported at a place.
fn located(segment: &Segment, bytes: &[u8], offset: usize, sequence: u64, what: &str) {
    let scan = segment.scan(bytes);
    match scan.tail {
        Tail::Damaged(Damage { offset: at, sequence: of, .. }) => {
            assert_eq!((at, of), (offset, sequence), "{what}: {scan:?}");
        }
        tail => panic!("{what}: {tail:?}, expected damage at {offset}"),
    }
}

#[test]
fn an_undamaged_journal_is_clean() {
    let segments = journal("s1");
    let total: usize = segments.iter().map(|segment| segment.bytes.len()).sum();
    assert!(total >= 8 * 1024, "{total}");
    for pair in segments.windows(2) {
        assert_eq!(pair[0].scan(&pair[0].bytes).chain, pair[1].chain);
    }
    for segment in &segments {
        let scan = segment.scan(&segment.bytes);
        assert_eq!((scan.tail, scan.whole), (Tail::Clean, segment.bytes.len()));
        assert_eq!(scan.last, segment.whole_before(segment.bytes.len() - 1));
        let mut padded = segment.bytes.clone();
        padded.resize(padded.len() + 700, 0);
        assert_eq!(segment.scan(&padded), scan);
    }
}

#[test]
fn every_flipped_bit_is_found_and_located() {
    for segment in journal("s1") {
        let mut bytes = segment.bytes.clone();
        for at in 0..bytes.len() {
            let line = segment.line_at(at);
            for bit in 0..8 {
                bytes[at] ^= 1 << bit;
                located(&segment, &bytes, line.start, line.sequence, &format!("byte {at} bit {bit}"));
                bytes[at] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn a_cut_at_every_byte_is_torn_damaged_or_between_batches() {
    for segment in journal("s1") {
        let full = segment.scan(&segment.bytes).chain.head;
        for at in 0..segment.bytes.len() {
            let bytes = &segment.bytes[..at];
            let scan = segment.scan(bytes);
            let whole = segment.whole_before(at);
            assert_eq!(scan.whole, whole, "cut at {at}");
            assert_ne!(scan.chain.head, full, "cut at {at}");
            if at == whole {
                // Nothing in this file speaks against it: only somebody who knows the head can tell.
                assert_eq!(scan.tail, Tail::Clean, "cut at {at}");
            } else if segment.is_last {
                assert_eq!(scan.tail, Tail::Torn { bytes: at - whole }, "cut at {at}");
            } else {
                let line = segment.line_at(at);
                located(&segment, bytes, line.start, line.sequence, &format!("cut at {at}"));
            }
        }
    }
}

/// Whether a line is the last of its segment.
fn is_end(segment: &Segment, line: Line) -> bool {
    line.end == segment.bytes.len()
}

#[test]
fn every_dropped_record_is_found_and_located() {
    for segment in journal("s1") {
        for line in &segment.lines {
            let bytes = segment.with(line.start..line.end, b"");
            let what = format!("record {} dropped", line.sequence);
            if is_end(&segment, *line) && segment.is_last {
                let torn = line.start - segment.whole_before(line.start);
                assert!(torn > 0, "the last batch has several records");
                assert_eq!(segment.scan(&bytes).tail, Tail::Torn { bytes: torn }, "{what}");
            } else {
                located(&segment, &bytes, line.start, line.sequence, &what);
            }
        }
    }
}

#[test]
fn every_doubled_record_is_found_and_located() {
    for segment in journal("s1") {
        for line in &segment.lines {
            let bytes = segment.with(line.end..line.end, &segment.bytes[line.start..line.end]);
            located(
                &segment,
                &bytes,
                line.end,
                line.sequence + 1,
                &format!("record {} doubled", line.sequence),
            );
        }
    }
}

#[test]
fn every_two_records_exchanged_are_found_and_located() {
    for segment in journal("s1") {
        for (at, line) in segment.lines.iter().enumerate() {
            for other in &segment.lines[at + 1..] {
                let bytes = [
                    &segment.bytes[..line.start],
                    &segment.bytes[other.start..other.end],
                    &segment.bytes[line.end..other.start],
                    &segment.bytes[line.start..line.end],
                    &segment.bytes[other.end..],
                ];
                let what = format!("records {} and {} exchanged", line.sequence, other.sequence);
                located(&segment, &bytes.concat(), line.start, line.sequence, &what);
            }
        }
    }
}

#[test]
fn every_record_of_another_journal_is_found_and_located() {
    for (segment, foreign) in journal("s1").into_iter().zip(journal("s2")) {
        for line in &segment.lines {
            for other in &foreign.lines {
                let bytes = segment.with(line.start..line.end, &foreign.bytes[other.start..other.end]);
                let what = format!("record {} for {}", other.sequence, line.sequence);
                if (line.sequence, other.sequence) == (1, 1) {
                    // The first record of any journal continues nothing; the second one does not continue it.
                    located(&segment, &bytes, line.end, 2, &what);
                } else {
                    located(&segment, &bytes, line.start, line.sequence, &what);
                }
            }
            // The same behind everything that is there.
            let appended = [&segment.bytes, &foreign.bytes[line.start..line.end]].concat();
            let end = segment.lines.last().unwrap();
            located(&segment, &appended, end.end, end.sequence + 1, "a foreign record at the end");
        }
    }
}

#[test]
fn junk_anywhere_is_found_and_located() {
    for segment in journal("s1") {
        for line in &segment.lines {
            for junk in [&b"junk\n"[..], b"junk", b"{}\n", b"{\"v\":1", b"\xff\xfe", b"\x01\n"] {
                let bytes = segment.with(line.start..line.start, junk);
                located(&segment, &bytes, line.start, line.sequence, "junk before a line");
                let middle = line.start + (line.end - line.start) / 2;
                let bytes = segment.with(middle..middle, junk);
                located(&segment, &bytes, line.start, line.sequence, "junk in a line");
            }
            let middle = line.start + 7;
            let bytes = segment.with(middle..middle, &[0; 3]);
            located(&segment, &bytes, line.start, line.sequence, "zeros in a line");
        }
        let end = segment.lines.last().unwrap();
        for junk in [&b"junk\n"[..], b"junk", b"{}\n", b"\xff\xfe", b"{\"v\":1,\"sequence\":3,"] {
            let bytes = [&segment.bytes, junk].concat();
            located(&segment, &bytes, end.end, end.sequence + 1, "junk at the end");
        }
    }
}

/// A sector of an acknowledged batch that was overwritten is damage, whatever is in it, unless it is zeros.
#[test]
fn an_overwritten_last_batch_is_damage() {
    let segment = journal("s1").pop().unwrap();
    let whole = segment.whole_before(segment.bytes.len() - 1);
    let line = segment.line_at(whole);
    for filler in [b'x', 0xff, b' ', 7] {
        let bytes = segment.with(whole..segment.bytes.len(), &vec![filler; segment.bytes.len() - whole]);
        located(&segment, &bytes, line.start, line.sequence, &format!("filled with {filler}"));
    }
    // From the middle of a line on: what no record can contain shows that these bytes were never written.
    let middle = whole + 100;
    let bytes = segment.with(middle..segment.bytes.len(), &vec![7; segment.bytes.len() - middle]);
    located(&segment, &bytes, line.start, line.sequence, "control characters");
}

/// No record of a whole batch behind damage is ever given up: such a journal is never merely torn.
#[test]
fn zeros_over_a_batch_with_another_behind_it_are_damage() {
    let segment = journal("s1").pop().unwrap();
    for start in (0..segment.bytes.len()).step_by(512) {
        for length in [512, 1024, 2048] {
            let end = (start + length).min(segment.bytes.len());
            let bytes = segment.with(start..end, &vec![0; end - start]);
            let last_batch = segment.lines.last().unwrap().batch.0;
            if segment.line_at(start).batch.0 < last_batch
                && end < segment.line_at(segment.bytes.len() - 1).start
            {
                assert!(matches!(segment.scan(&bytes).tail, Tail::Damaged(_)), "{start}..{end}");
            }
        }
    }
}
