//! The requests that were answered last, so that a client which lost its answer can ask again without acting
//! twice. Rebuilt from the records' causes; an answer is a function of the records that a request led to.

use std::collections::{BTreeMap, VecDeque};

use crate::record::Sequence;

/// How many requests are remembered.
pub const REMEMBERED: usize = 4096;

/// Which records each of the last requests led to.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// The last requests, oldest first.
    recent: VecDeque<Request>,
    /// The same by cause. Made when it is first asked: whoever reads a million records asks about none of them.
    index: Option<BTreeMap<String, (Sequence, Sequence)>>,
}

#[derive(Clone, Debug)]
struct Request {
    cause: String,
    first: Sequence,
    last: Sequence,
}

impl Requests {
    /// Takes note of a record. The records of one request follow one another, because a decision is never split.
    pub fn note(&mut self, cause: &str, sequence: Sequence) {
        let same = self.recent.back_mut().filter(|request| request.cause == cause);
        let first = if let Some(request) = same {
            request.last = sequence;
            request.first
        } else {
            self.push(cause, sequence);
            sequence
        };
        if let Some(index) = &mut self.index {
            index.insert(cause.to_owned(), (first, sequence));
        }
    }

    fn push(&mut self, cause: &str, sequence: Sequence) {
        let full = self.recent.len() == REMEMBERED;
        // The oldest one's place is used again, so that reading a journal does not allocate for every record.
        let mut text = full.then(|| self.recent.pop_front()).flatten().map(|it| it.cause).unwrap_or_default();
        if let Some(index) = &mut self.index {
            index.remove(&text);
        }
        text.clear();
        text.push_str(cause);
        self.recent.push_back(Request { cause: text, first: sequence, last: sequence });
    }

    /// The first and last record of a request that was answered before.
    pub fn answered(&mut self, cause: &str) -> Option<(Sequence, Sequence)> {
        let entry = |request: &Request| (request.cause.clone(), (request.first, request.last));
        let index = self.index.get_or_insert_with(|| self.recent.iter().map(entry).collect());
        index.get(cause).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> Requests {
        let mut requests = Requests::default();
        for sequence in 1..=REMEMBERED as u64 + 1 {
            requests.note(&format!("r{sequence}"), sequence);
        }
        requests
    }

    #[test]
    fn the_oldest_request_is_forgotten_first() {
        let mut asked_late = many();
        assert_eq!(asked_late.answered("r1"), None);
        assert_eq!(asked_late.answered("r2"), Some((2, 2)));
        asked_late.note("new", 5000);
        assert_eq!(asked_late.answered("r2"), None);
        assert_eq!(asked_late.answered("new"), Some((5000, 5000)));
        assert_eq!(asked_late.recent.len(), REMEMBERED);
    }

    #[test]
    fn a_request_spans_the_records_of_its_decision() {
        let mut requests = Requests::default();
        requests.note("a", 7);
        requests.note("a", 8);
        assert_eq!(requests.answered("a"), Some((7, 8)));
        requests.note("b", 9);
        requests.note("b", 10);
        assert_eq!(requests.answered("b"), Some((9, 10)));
    }
}
