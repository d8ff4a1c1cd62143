//! Sets of words from closed lists, apart because scopes, effects, predicates and evidence are all asked the same
//! way and one machine word holds any of them.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::VariantArray;

use crate::vocabulary::{Decision, Effect, Risk, Stage};

use super::evidence::Evidence;
use super::predicate::Predicate;
use super::rule::{ContentKind, Severity};
use crate::registry::Status;

/// A closed list of at most 32 words.
pub trait Word: VariantArray + Copy + Into<&'static str> + FromStr {
    /// The position in the list.
    fn position(self) -> u32;
}

macro_rules! words {
    ($($name:ty),+) => {
        $(impl Word for $name {
            fn position(self) -> u32 {
                self as u32
            }
        })+
    };
}

words!(Effect, Stage, Risk, Decision, ContentKind, Severity, Status, Predicate, Evidence);

/// Some of the words of a list.
pub struct Set<T>(u32, PhantomData<T>);

impl<T: Word> Set<T> {
    /// None of them.
    pub const EMPTY: Self = Self(0, PhantomData);

    /// All of them.
    pub fn all() -> Self {
        T::VARIANTS.iter().copied().collect()
    }

    /// Puts a word in.
    pub fn insert(&mut self, word: T) {
        self.0 |= 1 << word.position();
    }

    /// The set with a word more.
    #[must_use]
    pub fn with(mut self, word: T) -> Self {
        self.insert(word);
        self
    }

    /// Takes a word out.
    pub fn remove(&mut self, word: T) {
        self.0 &= !(1 << word.position());
    }

    /// Tells whether a word is in it.
    pub fn contains(self, word: T) -> bool {
        self.0 & (1 << word.position()) != 0
    }

    /// Tells whether there is no word in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The words that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0, PhantomData)
    }

    /// The words that are in this one and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0, PhantomData)
    }

    /// The words in the order of their list.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::VARIANTS.iter().copied().filter(move |word| self.contains(*word))
    }
}

impl<T> Clone for Set<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Set<T> {}

impl<T> PartialEq for Set<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Set<T> {}

impl<T> PartialOrd for Set<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Set<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(0, PhantomData)
    }
}

impl<T: Word> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(words: I) -> Self {
        words.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<T: Word> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Into::<&'static str>::into)).finish()
    }
}

/// The words, separated by commas.
impl<T: Word> fmt::Display for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&'static str> = self.iter().map(Into::into).collect();
        f.write_str(&words.join(", "))
    }
}

impl<T: Word> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Into::<&'static str>::into))
    }
}

impl<'de, T: Word> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        let word = |word: &String| {
            T::from_str(word).map_err(|_| serde::de::Error::custom(format!("`{word}` is not of the list")))
        };
        words.iter().map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_fits() {
        fn fits<T: Word + PartialEq + fmt::Debug>() {
            assert!(T::VARIANTS.len() <= 32);
            for (position, word) in (0..).zip(T::VARIANTS) {
                assert_eq!(word.position(), position);
                let alone = Set::EMPTY.with(*word);
                let text = serde_json::to_string(&alone).unwrap();
                assert_eq!(serde_json::from_str::<Set<T>>(&text).unwrap(), alone);
                assert_eq!(alone.iter().collect::<Vec<T>>(), [*word]);
                assert_eq!(Set::all().without(alone).with(*word), Set::<T>::all());
            }
            assert!(serde_json::from_str::<Set<T>>("[\"nothing\"]").is_err());
        }
        fits::<Effect>();
        fits::<Stage>();
        fits::<Risk>();
        fits::<Decision>();
        fits::<ContentKind>();
        fits::<Severity>();
        fits::<Status>();
        fits::<Predicate>();
        fits::<Evidence>();
    }
}
