//! Sets of rules as ranges of their positions, apart because most rules do not fire for most subjects and a record
//! has to say so for each of them in few bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Positions in ascending order, written like `0-3,7,9-11`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    // INVARIANT: first and last of each run, ascending, at least one position missing between two runs.
    runs: Vec<(u32, u32)>,
}

/// The text is not one of ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("positions are written like `0-3,7,9-11`, ascending and as short as possible")]
pub struct NotRanges;

impl Ranges {
    /// Adds a position that is greater than all before; any other is left out.
    pub(super) fn push(&mut self, position: u32) {
        self.push_run(position, position);
    }

    /// Adds a run that begins behind all before; any other is left out.
    pub(super) fn push_run(&mut self, first: u32, last: u32) {
        match self.runs.last_mut() {
            Some((_, end)) if *end >= first => {}
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => self.runs.push((first, last)),
        }
    }

    /// Tells whether a position is in it.
    pub fn contains(&self, position: u32) -> bool {
        let behind = self.runs.partition_point(|(first, _)| *first <= position);
        let run = behind.checked_sub(1).and_then(|at| self.runs.get(at));
        run.is_some_and(|(_, last)| position <= *last)
    }

    /// Tells whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many positions there are.
    pub fn len(&self) -> u64 {
        self.runs.iter().map(|(first, last)| u64::from(last - first) + 1).sum()
    }

    /// The positions.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(|(first, last)| *first..=*last)
    }
}

impl FromIterator<u32> for Ranges {
    fn from_iter<I: IntoIterator<Item = u32>>(positions: I) -> Self {
        let mut ranges = Self::default();
        positions.into_iter().for_each(|position| ranges.push(position));
        ranges
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (first, last)) in self.runs.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            write!(f, "{first}")?;
            if first != last {
                write!(f, "-{last}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Ranges {
    type Err = NotRanges;

    fn from_str(text: &str) -> Result<Self, NotRanges> {
        let mut ranges = Self::default();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.parse::<u32>().map_err(|_| NotRanges);
            let (first, last) = (number(first)?, number(last)?);
            if first > last || last == u32::MAX {
                return Err(NotRanges);
            }
            ranges.push_run(first, last);
        }
        // There is one spelling of each set; what is written otherwise was not written here.
        if ranges.to_string() == text { Ok(ranges) } else { Err(NotRanges) }
    }
}

impl Serialize for Ranges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ranges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_back() {
        let ranges: Ranges = [0, 1, 2, 3, 7, 9, 10, 11].into_iter().collect();
        assert_eq!(ranges.to_string(), "0-3,7,9-11");
        assert_eq!("0-3,7,9-11".parse(), Ok(ranges.clone()));
        assert_eq!(serde_json::from_str::<Ranges>("\"0-3,7,9-11\"").unwrap(), ranges);
        assert_eq!("".parse(), Ok(Ranges::default()));
        assert_eq!(ranges.len(), 8);
        assert_eq!(
            (0..13).filter(|at| ranges.contains(*at)).collect::<Vec<u32>>(),
            ranges.iter().collect::<Vec<u32>>()
        );
    }

    #[test]
    fn there_is_one_spelling() {
        for text in [
            "1,0",
            "0-1,1",
            "0,1",
            "0-0",
            "01",
            "+1",
            " 1",
            "1,",
            ",",
            "-",
            "1-",
            "3-2",
            "a",
            "4294967295",
            "0-4294967295",
            "4294967296",
        ] {
            assert_eq!(text.parse::<Ranges>(), Err(NotRanges), "{text}");
        }
    }
}
