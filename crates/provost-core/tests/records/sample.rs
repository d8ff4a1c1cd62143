//! A journal of forty records in batches of one to five over three segments, and where its lines are.

use std::convert::Infallible;

use provost_core::record::{Batch, Chain, Draft, Record, Scan, Sequence, Writer, scan};
use provost_core::time::Timestamp;

/// Part of a journal, as it would stand in one file.
pub(crate) struct Segment {
    pub(crate) bytes: Vec<u8>,
    /// The journal before it.
    pub(crate) chain: Chain,
    pub(crate) lines: Vec<Line>,
    pub(crate) is_last: bool,
}

/// One record's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    /// Behind its newline.
    pub(crate) end: usize,
    pub(crate) sequence: Sequence,
    pub(crate) batch: (Sequence, Sequence),
}

/// Characters that one flipped bit turns into a newline or a zero are among the text.
const TEXT: &str = "{\"text\":\"J*J @ by one bit these become a newline or a zero  @@ **\"}";

pub(crate) fn draft(sequence: Sequence) -> Draft {
    Draft {
        timestamp: Timestamp::from_ms(1_800_000_000_000 + i64::try_from(sequence).unwrap()),
        stream: "project",
        event_type: "project.noted",
        actor: "person".to_owned(),
        cause: Some(format!("r{sequence}")),
        agent_id: None,
        task_id: None,
        details: TEXT.to_owned(),
    }
}

/// The journal of one writer.
pub(crate) fn journal(session_id: &str) -> Vec<Segment> {
    let mut chain = Chain::GENESIS;
    let mut segments = Vec::new();
    for (index, batches) in [&[1, 5, 3, 2, 3][..], &[4, 1, 5, 2], &[2, 1, 5, 1, 2, 3]].into_iter().enumerate()
    {
        let writer = Writer { epoch: index as u64 + 1, session_id: session_id.to_owned() };
        let mut segment = Segment { bytes: Vec::new(), chain, lines: Vec::new(), is_last: index == 2 };
        for size in batches {
            let first = chain.head.sequence + 1;
            let last = chain.head.sequence + size;
            let drafts: Vec<Draft> = (first..=last).map(draft).collect();
            let batch = Batch::seal(chain.head, &writer, &drafts).unwrap();
            let mut start = segment.bytes.len();
            for (sequence, end) in (first..).zip(&batch.ends) {
                let end = segment.bytes.len() + end;
                segment.lines.push(Line { start, end, sequence, batch: (first, last) });
                start = end;
            }
            segment.bytes.extend(&batch.bytes);
            chain = Chain::after(&batch, writer.epoch, drafts.last().unwrap().timestamp);
        }
        segments.push(segment);
    }
    segments
}

impl Segment {
    /// Reads bytes in this segment's place.
    pub(crate) fn scan(&self, bytes: &[u8]) -> Scan {
        let Ok(scan) = scan(bytes, self.chain, self.is_last, |_: &Record<'_>| Ok::<(), Infallible>(()));
        scan
    }

    /// The line that a byte belongs to.
    pub(crate) fn line_at(&self, offset: usize) -> Line {
        self.lines[self.lines.partition_point(|line| line.end <= offset)]
    }

    /// Where the last whole batch before an offset ends.
    pub(crate) fn whole_before(&self, offset: usize) -> usize {
        let ends = self.lines.iter().filter(|line| line.sequence == line.batch.1 && line.end <= offset);
        ends.map(|line| line.end).next_back().unwrap_or(0)
    }

    /// The bytes with one range replaced.
    pub(crate) fn with(&self, range: std::ops::Range<usize>, by: &[u8]) -> Vec<u8> {
        [&self.bytes[..range.start], by, &self.bytes[range.end..]].concat()
    }
}
