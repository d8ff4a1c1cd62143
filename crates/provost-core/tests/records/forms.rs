//! The one form of a record: what is written is read back, and nothing that is read makes the reader fail.

use std::convert::Infallible;

use proptest::prelude::*;
use provost_core::record::{Batch, Chain, Draft, Head, Record, Writer, scan};
use provost_core::time::Timestamp;

use crate::sample::journal;

fn word() -> impl Strategy<Value = String> {
    let plain: Vec<char> = ('!'..='~').filter(|character| !['"', '\\'].contains(character)).collect();
    proptest::collection::vec(proptest::sample::select(plain), 1..=128).prop_map(String::from_iter)
}

fn details() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| serde_json::json!({ "text": text }).to_string())
}

prop_compose! {
    fn drafts()(
        words in (word(), proptest::option::of(word()), proptest::option::of(word()), proptest::option::of(word())),
        details in details(),
        ms in 0..=Timestamp::MAX.as_ms(),
    ) -> Draft {
        let (actor, cause, agent_id, task_id) = words;
        let timestamp = Timestamp::from_ms(ms);
        Draft { timestamp, stream: "project", event_type: "project.noted", actor, cause, agent_id, task_id, details }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(
        drafts in proptest::collection::vec(drafts(), 1..6),
        session_id in word(),
        epoch in 1..u64::MAX,
    ) {
        let writer = Writer { epoch, session_id };
        let batch = Batch::seal(Head::GENESIS, &writer, &drafts).unwrap();
        let lines: Vec<&str> = batch.lines_between(1, u64::MAX).collect();
        prop_assert_eq!(lines.len(), drafts.len());
        let mut prev = Head::GENESIS.hash;
        for ((line, draft), sequence) in lines.iter().zip(&drafts).zip(1..) {
            let record = Record::parse(line.as_bytes()).unwrap();
            prop_assert_eq!(record.sequence, sequence);
            prop_assert_eq!((record.timestamp, record.epoch), (draft.timestamp, epoch));
            prop_assert_eq!(record.session_id, &writer.session_id);
            prop_assert_eq!((record.stream, record.event_type), (draft.stream, draft.event_type));
            prop_assert_eq!(record.actor, &draft.actor);
            prop_assert_eq!(record.cause, draft.cause.as_deref());
            prop_assert_eq!(record.agent_id, draft.agent_id.as_deref());
            prop_assert_eq!(record.task_id, draft.task_id.as_deref());
            prop_assert_eq!(record.details, &draft.details);
            prop_assert_eq!(record.batch, (1, drafts.len() as u64));
            prop_assert_eq!(record.prev, prev);
            prop_assert_eq!(record.line, *line);
            let json: serde_json::Value = serde_json::from_str(line).unwrap();
            prop_assert_eq!(&json["hash"], &serde_json::json!(record.hash.to_string()));
            prev = record.hash;
        }
        prop_assert_eq!(prev, batch.head.hash);
    }

    #[test]
    fn random_bytes_are_read_without_failing(bytes in proptest::collection::vec(any::<u8>(), 0..2048)) {
        let _ = Record::parse(&bytes);
        for last in [false, true] {
            let Ok(scan) = scan(&bytes, Chain::GENESIS, last, |_| Ok::<(), Infallible>(()));
            prop_assert_eq!(scan.chain, Chain::GENESIS);
        }
    }

    #[test]
    fn a_changed_journal_is_read_without_failing(
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>(), 0_usize..600), 1..5),
    ) {
        let segment = journal("s1").pop().unwrap();
        let mut bytes = segment.bytes.clone();
        for (at, byte, length) in edits {
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, std::iter::repeat_n(byte, length / 2));
            if bytes.is_empty() {
                break;
            }
        }
        let scan = segment.scan(&bytes);
        prop_assert!(scan.whole <= bytes.len() && scan.last <= scan.whole);
        // Whatever is taken for whole is so again.
        prop_assert_eq!(segment.scan(&bytes[..scan.whole]).chain, scan.chain);
    }
}
