//! Rows of bits, apart because judging is and-not over them and nothing else may decide how that is done.

use super::ranges::Ranges;

/// One bit for each of a fixed number of things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn none(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    pub(super) fn set(&mut self, position: u32) {
        if let Some(word) = usize::try_from(position / 64).ok().and_then(|at| self.0.get_mut(at)) {
            *word |= 1 << (position % 64);
        }
    }

    pub(super) fn unset(&mut self, position: u32) {
        if let Some(word) = usize::try_from(position / 64).ok().and_then(|at| self.0.get_mut(at)) {
            *word &= !(1 << (position % 64));
        }
    }

    pub(super) fn has(&self, position: u32) -> bool {
        let word = usize::try_from(position / 64).ok().and_then(|at| self.0.get(at));
        word.is_some_and(|word| word & (1 << (position % 64)) != 0)
    }

    /// Keeps what is in the other, too.
    pub(super) fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// Removes what is in the other.
    pub(super) fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Adds what is in the other.
    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// The first that is set, from a position on.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let mut at = usize::try_from(from / 64).ok()?;
        let mut word = self.0.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *self.0.get(at)?;
        }
        u32::try_from(at * 64).ok().map(|base| base + word.trailing_zeros())
    }

    /// The first that is not set, from a position on; there is one behind the last word at the latest.
    fn next_unset(&self, from: u32) -> u32 {
        let mut base = from - from % 64;
        let mut mask = u64::MAX << (from % 64);
        let at = usize::try_from(from / 64).unwrap_or(usize::MAX);
        for word in self.0.get(at..).unwrap_or_default() {
            let unset = !word & mask;
            if unset != 0 {
                return base + unset.trailing_zeros();
            }
            mask = u64::MAX;
            base += 64;
        }
        base
    }

    /// The ones that are set.
    pub(super) fn ranges(&self) -> Ranges {
        let mut ranges = Ranges::default();
        let mut from = 0;
        while let Some(first) = self.next(from) {
            let end = self.next_unset(first);
            ranges.push_run(first, end - 1);
            from = end;
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cross_words() {
        let mut bits = Bits::none(200);
        let wanted: Vec<u32> = (0..3).chain(60..130).chain([199]).collect();
        for position in &wanted {
            bits.set(*position);
        }
        assert_eq!(bits.ranges().to_string(), "0-2,60-129,199");
        assert_eq!(bits.ranges().iter().collect::<Vec<u32>>(), wanted);
        assert_eq!((bits.next(3), bits.next(130), bits.next(200)), (Some(60), Some(199), None));
        assert_eq!(Bits::none(0).ranges(), Ranges::default());
        let mut full = Bits::none(128);
        for position in 0..128 {
            full.set(position);
        }
        assert_eq!(full.ranges().to_string(), "0-127");
    }
}
