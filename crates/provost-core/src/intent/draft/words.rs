//! Whether a goal speaks of something, apart because it is a guess: it decides a default that is said aloud, nothing else.

/// Words that stand in every goal and mean nothing for the choice.
const COMMON: &[&str] = &[
    "a",
    "add",
    "all",
    "an",
    "and",
    "as",
    "at",
    "be",
    "by",
    "can",
    "change",
    "cmd",
    "do",
    "for",
    "from",
    "has",
    "have",
    "in",
    "into",
    "is",
    "it",
    "make",
    "new",
    "no",
    "not",
    "of",
    "on",
    "or",
    "so",
    "some",
    "somebody",
    "something",
    "that",
    "the",
    "then",
    "there",
    "they",
    "this",
    "to",
    "use",
    "what",
    "when",
    "where",
    "with",
    "without",
    "write",
];

/// The words of a text that say something.
pub(super) fn of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|it: char| !it.is_alphanumeric()).filter(|word| word.len() > 1);
    words.filter(|word| !COMMON.contains(word)).map(str::to_owned).collect()
}

/// How many of the words stand in the other list, in whatever form.
pub(super) fn shared(words: &[String], among: &[String]) -> usize {
    let mut found: Vec<&String> =
        among.iter().filter(|other| words.iter().any(|word| alike(word, other))).collect();
    found.sort();
    found.dedup();
    found.len()
}

/// Whether two words differ at most in their ending: `test` and `tests`, `migrate` and `migration`.
fn alike(one: &str, other: &str) -> bool {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (short, long) = {
        let (a, b) = (one.chars().count(), other.chars().count());
        (a.min(b), a.max(b))
    };
    one == other || (short >= 4 && same + 1 >= short && same >= 4 && long - same <= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_do_not_part_words() {
        for (one, other, expected) in [
            ("test", "tests", true),
            ("migrate", "migration", true),
            ("refactor", "refactoring", true),
            ("bug", "bugs", false),
            ("bug", "bug", true),
            ("port", "portmanteau", false),
            ("cat", "dog", false),
        ] {
            assert_eq!(alike(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn words_that_say_nothing_are_passed_over() {
        assert_eq!(of("Add a flag to the parser"), ["flag", "parser"]);
    }
}
