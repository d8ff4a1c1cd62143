//! How much of a signal is kept, apart because a signal goes onto the record as it is and an agent must not decide how
//! long a record gets.

/// Bytes of one text, as JSON spells it.
pub const TEXT_MAX: usize = 4_000;
/// Bytes of one element of a list, as JSON spells it.
pub const ITEM_MAX: usize = 600;
/// Elements of one list.
pub const ITEMS_MAX: usize = 40;
/// Bytes of all texts of one signal, as JSON spells them, with what their elements cost around them.
pub const SIGNAL_MAX: usize = 10_000;

/// What an element costs beside its text: brackets, keys, a number.
const AROUND: usize = 48;

/// Cuts what is too long, counts what is left for the whole signal, and remembers that it did.
#[derive(Debug)]
pub(super) struct Clip {
    left: usize,
    cut: bool,
}

impl Clip {
    pub(super) const fn new() -> Self {
        Self { left: SIGNAL_MAX, cut: false }
    }

    /// Tells whether anything was cut.
    pub(super) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Says that something was left out before it came here.
    pub(super) const fn note(&mut self) {
        self.cut = true;
    }

    /// A text without control characters and blanks around it, cut when long.
    pub(super) fn text(&mut self, raw: &str) -> String {
        self.shorten(&cleaned(raw), TEXT_MAX)
    }

    /// The same for an element of a list.
    pub(super) fn item(&mut self, raw: &str) -> String {
        self.shorten(&cleaned(raw), ITEM_MAX)
    }

    /// Tells whether a list of this length may take one more element.
    pub(super) const fn room(&mut self, length: usize) -> bool {
        if length >= ITEMS_MAX || self.left < AROUND {
            self.cut = true;
            return false;
        }
        self.left -= AROUND;
        true
    }

    fn shorten(&mut self, text: &str, most: usize) -> String {
        let most = most.min(self.left);
        let mut spent = 0;
        for (at, character) in text.char_indices() {
            let cost = cost(character);
            // Three bytes stay free for the sign that something is missing.
            if spent + cost + 3 > most && spent + costs(text.get(at..).unwrap_or_default()) > most {
                self.cut = true;
                self.left = self.left.saturating_sub(spent + 3);
                return format!("{}…", text.get(..at).unwrap_or_default().trim_end());
            }
            spent += cost;
        }
        self.left = self.left.saturating_sub(spent);
        text.to_owned()
    }
}

/// The bytes of the first few characters; more than a handful are never asked for.
fn costs(rest: &str) -> usize {
    rest.chars().take(8).map(cost).sum()
}

/// The bytes of a character in a JSON string.
const fn cost(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\t' => 2,
        other => other.len_utf8(),
    }
}

/// Text without control characters, blanks at the ends of lines, and blank lines around it.
pub(super) fn cleaned(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for line in raw.split('\n') {
        let kept = |character: &char| *character == '\t' || !character.is_control();
        text.extend(line.trim_end().chars().filter(kept));
        text.push('\n');
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_and_what_does_not_says_so() {
        let mut clip = Clip::new();
        assert_eq!(clip.item(&"x".repeat(ITEM_MAX)), "x".repeat(ITEM_MAX));
        assert!(!clip.is_cut());
        assert_eq!(clip.item(&"x".repeat(ITEM_MAX + 1)), format!("{}…", "x".repeat(ITEM_MAX - 3)));
        assert!(clip.is_cut());
    }

    #[test]
    fn all_texts_together_are_bounded() {
        let mut clip = Clip::new();
        let spent: usize =
            (0..100).map(|_| clip.text(&"\"é\n".repeat(5_000)).chars().map(cost).sum::<usize>()).sum();
        assert!(spent <= SIGNAL_MAX + 300, "{spent}");
    }
}
