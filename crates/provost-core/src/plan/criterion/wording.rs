//! Words and code in a sentence, apart because the rules beside it should read as the table that they are.

/// A sentence in prose and back-quoted code.
pub(in crate::plan) enum Piece<'t> {
    Prose(&'t str),
    Code(&'t str),
}

/// A command and the exit status that it is said to have.
pub(super) struct Statement<'t> {
    pub(super) command: &'t str,
    /// None where the number is no exit status.
    pub(super) exit: Option<i32>,
    /// Whether the sentence says nothing else.
    pub(super) is_alone: bool,
}

/// The longest sentence that is searched for code: the search for partners is not linear in hostile ones.
const SENTENCE_MAX: usize = 4_096;

/// Splits a sentence; back-quotes without a partner are prose.
pub(in crate::plan) fn pieces(text: &str) -> Vec<Piece<'_>> {
    if text.len() > SENTENCE_MAX {
        return vec![Piece::Prose(text)];
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut searched = 0;
    while let Some(at) = rest.get(searched..).and_then(|text| text.find('`')).map(|at| at + searched) {
        let ticks = run(rest, at);
        let from = at + ticks;
        let Some(to) = closing(rest, from, ticks) else {
            searched = from;
            continue;
        };
        pieces.extend(rest.get(..at).filter(|prose| !prose.is_empty()).map(Piece::Prose));
        pieces.extend(rest.get(from..to).map(|code| Piece::Code(code.trim())));
        rest = rest.get(to + ticks..).unwrap_or_default();
        searched = 0;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Prose(rest));
    }
    pieces
}

/// How many back-quotes stand at a byte.
fn run(text: &str, at: usize) -> usize {
    text.bytes().skip(at).take_while(|byte| *byte == b'`').count()
}

/// Where exactly as many back-quotes close the code that begins at a byte.
fn closing(text: &str, from: usize, ticks: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..)?.find('`')?;
        let found = run(text, at);
        if found == ticks {
            return Some(at);
        }
        at += found;
    }
}

/// Reads `exits N`, also `exits with code N`, from the beginning of a text; gives the number and what follows.
pub(in crate::plan) fn exit_phrase(text: &str) -> Option<(Option<i32>, &str)> {
    let mut rest = word(text.trim_start(), "exits")?;
    for optional in ["with", "exit", "code", "status"] {
        rest = word(rest, optional).unwrap_or(rest);
    }
    let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (number, rest) = rest.split_at_checked(digits)?;
    if number.is_empty() || rest.starts_with(|next: char| next.is_alphanumeric()) {
        return None;
    }
    Some((number.parse().ok().filter(|exit| (0..=255).contains(exit)), rest))
}

/// What follows a word and its blanks.
fn word<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    let (found, rest) = text.split_at_checked(wanted.len())?;
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (found.eq_ignore_ascii_case(wanted) && is_whole).then(|| rest.trim_start())
}

/// Every command with its exit status that a sentence states.
pub(super) fn commands(text: &str) -> Vec<Statement<'_>> {
    let pieces = pieces(text);
    let mut statements = Vec::new();
    for (at, pair) in pieces.array_windows().enumerate() {
        let [Piece::Code(command), Piece::Prose(after)] = *pair else { continue };
        let Some((exit, rest)) = exit_phrase(after) else { continue };
        let before = pieces.get(..at).unwrap_or_default();
        let is_alone = is_lead_in(before) && at + 2 == pieces.len() && is_aside(rest);
        statements.push(Statement { command, exit, is_alone });
    }
    statements
}

/// Tells whether what stands before a command claims nothing.
fn is_lead_in(before: &[Piece<'_>]) -> bool {
    match before {
        [] => true,
        [Piece::Prose(prose)] => ["", "run", "running", "command", "the command"]
            .contains(&&*prose.trim().trim_end_matches(':').to_lowercase()),
        _ => false,
    }
}

/// Tells whether what stands behind a statement claims nothing: a period, or a remark in parentheses.
fn is_aside(rest: &str) -> bool {
    let rest = rest.trim().trim_end_matches('.').trim_end();
    rest.is_empty() || (rest.starts_with('(') && rest.ends_with(')'))
}

/// Tells whether a sentence has one of the forms that somebody can measure.
pub(super) fn measurable(text: &str) -> bool {
    let pieces = pieces(text);
    let mut has_code = false;
    let mut gives = false;
    for piece in &pieces {
        match piece {
            Piece::Code(_) if gives => return true,
            Piece::Code(_) => has_code = true,
            Piece::Prose(prose) => {
                let words = words(prose);
                let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&&**word));
                if has(&["contains", "contain"]) || (has_code && has(&["exists", "exist"])) {
                    return true;
                }
                gives |= has(&["returns", "return", "raises", "raise", "throws", "throw"]);
            }
        }
    }
    let all = words(text);
    is_timed(&all) || is_http(&all)
}

fn is_timed(words: &[String]) -> bool {
    const UNITS: &[&str] = &[
        "ns",
        "us",
        "µs",
        "ms",
        "s",
        "sec",
        "secs",
        "second",
        "seconds",
        "millisecond",
        "milliseconds",
        "min",
        "mins",
        "minute",
        "minutes",
        "h",
        "hour",
        "hours",
        "day",
        "days",
    ];
    let is_number = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
    };
    let joined = |word: &String| {
        let unit = word.trim_start_matches(|digit: char| digit.is_ascii_digit() || digit == '.');
        unit.len() < word.len() && UNITS.contains(&unit)
    };
    let apart = |[number, unit]: &[String; 2]| is_number(number) && UNITS.contains(&&**unit);
    words.iter().any(joined) || words.array_windows().any(apart)
}

fn is_http(words: &[String]) -> bool {
    let is_code = |word: &String| word.parse().is_ok_and(|code: u16| (100..=599).contains(&code));
    words.iter().any(|word| word == "http" || word == "https") && words.iter().any(is_code)
}

/// The first wording of a sentence that everyone reads in another way.
pub(super) fn vague_word(text: &str) -> Option<&'static str> {
    const VAGUE: &[&str] = &[
        "clean",
        "cleanly",
        "appropriate",
        "appropriately",
        "proper",
        "properly",
        "best practice",
        "best practices",
        "good error handling",
        "should be fast",
        "should be secure",
    ];
    let mut all = Vec::new();
    for piece in pieces(text) {
        match piece {
            Piece::Prose(prose) => all.extend(words(prose)),
            // Keeps words on both sides of code from being read as neighbours.
            Piece::Code(_) => all.push(String::new()),
        }
    }
    let found = VAGUE.iter().find(|vague| {
        let wanted: Vec<&str> = vague.split(' ').collect();
        all.windows(wanted.len()).any(|window| window.iter().eq(wanted.iter()))
    });
    let implement = all.iter().position(|word| word.starts_with("implement"));
    let feature = all.iter().rposition(|word| word == "feature" || word == "features");
    let is_feature = matches!((implement, feature), (Some(one), Some(other)) if one < other);
    found.copied().or(is_feature.then_some("implement … feature"))
}

/// The words of a text in lower case, without the punctuation around them.
fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}
