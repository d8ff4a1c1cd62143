//! Which paths a pattern means, apart because plans, intents and what has moved since must agree on it.

/// Whether a path is what a pattern means: the path itself, something in the folder that it names, or a match of its
/// wildcards. `*` and `?` stay inside a folder, `**` does not.
pub fn matches(pattern: &str, path: &str) -> bool {
    let folder = pattern.trim_end_matches('/');
    if path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return true;
    }
    let tokens = tokens(pattern);
    // Which tokens can come next, for all ways at once: no pattern makes this slower than its length times the path's.
    let mut open = vec![false; tokens.len() + 1];
    mark(&tokens, &mut open, 0);
    for letter in path.chars() {
        let mut next = vec![false; tokens.len() + 1];
        for (at, token) in tokens.iter().enumerate().filter(|(at, _)| open.get(*at) == Some(&true)) {
            match token {
                Token::Letter(own) if *own == letter => mark(&tokens, &mut next, at + 1),
                Token::One if letter != '/' => mark(&tokens, &mut next, at + 1),
                Token::Some if letter != '/' => mark(&tokens, &mut next, at),
                Token::Any => mark(&tokens, &mut next, at),
                // Folders end with a slash, so what follows stands at the beginning of a name.
                Token::Folders => {
                    if let Some(slot) = next.get_mut(at) {
                        *slot = true;
                    }
                    if letter == '/' {
                        mark(&tokens, &mut next, at + 1);
                    }
                }
                _ => {}
            }
        }
        open = next;
    }
    open.last() == Some(&true)
}

/// Whether a pattern has wildcards, and so does not name one file.
pub fn is_wild(pattern: &str) -> bool {
    pattern.contains(['*', '?']) || pattern.ends_with('/')
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// This letter.
    Letter(char),
    /// One letter of a name.
    One,
    /// Any letters of a name, or none.
    Some,
    /// Anything.
    Any,
    /// Any folders, or none.
    Folders,
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let (token, length) = if rest.starts_with("**/") {
            (Token::Folders, 3)
        } else if rest.starts_with("**") {
            (Token::Any, 2)
        } else {
            let token = match first {
                '*' => Token::Some,
                '?' => Token::One,
                letter => Token::Letter(letter),
            };
            (token, first.len_utf8())
        };
        tokens.push(token);
        rest = rest.get(length..).unwrap_or_default();
    }
    tokens
}

/// Opens a token, and those behind it that need no letter.
fn mark(tokens: &[Token], open: &mut [bool], from: usize) {
    for at in from..open.len() {
        if let Some(slot) = open.get_mut(at) {
            *slot = true;
        }
        if !matches!(tokens.get(at), Some(Token::Some | Token::Any | Token::Folders)) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_what_people_expect() {
        for (pattern, path, meant) in [
            ("src/lib.rs", "src/lib.rs", true),
            ("src/lib.rs", "src/lib.rs.bak", false),
            ("src", "src/a/b.rs", true),
            ("src/", "src/a/b.rs", true),
            ("src/", "source.rs", false),
            ("*.rs", "lib.rs", true),
            ("*.rs", "src/lib.rs", false),
            ("**/*.rs", "lib.rs", true),
            ("**/*.rs", "src/deep/lib.rs", true),
            ("src/**", "src/a/b", true),
            ("src/**/b?.rs", "src/x/y/b1.rs", true),
            ("src/**/b.rs", "src/ab.rs", false),
            ("**", "anything/at/all", true),
            ("docs/*.md", "docs/a/b.md", false),
            ("größe.*", "größe.txt", true),
        ] {
            assert_eq!(matches(pattern, path), meant, "{pattern} {path}");
        }
        assert!(!matches(&"*a".repeat(200), &"a".repeat(5_000).replace('a', "b")));
    }
}
