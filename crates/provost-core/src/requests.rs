//! The requests that were answered last, so that a client which lost its answer can ask again without acting
//! twice. Rebuilt from the records' causes; an answer is a function of the records that a request led to.

use std::collections::{BTreeMap, VecDeque};

use crate::record::Sequence;

/// How many requests are remembered.
pub const REMEMBERED: usize = 4096;

/// Which records each of the last requests led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    records: BTreeMap<String, (Sequence, Sequence)>,
    order: VecDeque<String>,
}

impl Requests {
    /// Takes note of a record. The records of one request follow one another, because a decision is never split.
    pub fn note(&mut self, cause: &str, sequence: Sequence) {
        if let Some((_, last)) = self.records.get_mut(cause) {
            *last = sequence;
            return;
        }
        self.records.insert(cause.to_owned(), (sequence, sequence));
        self.order.push_back(cause.to_owned());
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.records.remove(&oldest);
        }
    }

    /// The first and last record of a request that was answered before.
    pub fn answered(&self, cause: &str) -> Option<(Sequence, Sequence)> {
        self.records.get(cause).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_request_is_forgotten_first() {
        let mut requests = Requests::default();
        for sequence in 1..=REMEMBERED as u64 + 1 {
            requests.note(&format!("r{sequence}"), sequence);
        }
        assert_eq!(requests.answered("r1"), None);
        assert_eq!(requests.answered("r2"), Some((2, 2)));
        assert_eq!(requests.order.len(), REMEMBERED);
    }

    #[test]
    fn a_request_spans_the_records_of_its_decision() {
        let mut requests = Requests::default();
        requests.note("a", 7);
        requests.note("a", 8);
        assert_eq!(requests.answered("a"), Some((7, 8)));
    }
}
