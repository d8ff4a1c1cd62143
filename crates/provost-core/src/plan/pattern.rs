//! Which paths a pattern means, apart because plans, intents, what tasks change and what has moved since must agree on it.

/// Whether a path is what a pattern means: the path itself, something in the folder that it names, or a match of its
/// wildcards. `*` and `?` stay inside a folder, `**` does not; `{a,b}` is one or the other.
pub fn matches(pattern: &str, path: &str) -> bool {
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
    /// What comes next, or what stands at that place.
    Or(usize),
    /// On at that place.
    To(usize),
}

/// Braces that have been opened: where the last way begins, and what leads behind the closing one.
struct Group {
    way: usize,
    ends: Vec<usize>,
}

fn tokens(pattern: &str) -> Vec<Token> {
    let braces = braces(pattern);
    let mut tokens = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    while let Some(rest) = pattern.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let mut length = first.len_utf8();
        match (braces.get(at), first) {
            (Some(true), '{') => {
                groups.push(Group { way: tokens.len(), ends: Vec::new() });
                tokens.push(Token::Or(tokens.len() + 1));
            }
            (Some(true), ',') => {
                let Some(group) = groups.last_mut() else { break };
                group.ends.push(tokens.len());
                tokens.push(Token::To(0));
                // If it is not the way that was begun last, it is this one.
                let here = tokens.len();
                set(&mut tokens, group.way, Token::Or(here));
                group.way = here;
                tokens.push(Token::Or(here + 1));
            }
            (Some(true), _) => {
                let here = tokens.len();
                for end in groups.pop().into_iter().flat_map(|group| group.ends) {
                    set(&mut tokens, end, Token::To(here));
                }
            }
            _ if rest.starts_with("**/") => {
                tokens.push(Token::Folders);
                length = 3;
            }
            _ if rest.starts_with("**") => {
                tokens.push(Token::Any);
                length = 2;
            }
            (_, '*') => tokens.push(Token::Some),
            (_, '?') => tokens.push(Token::One),
            (_, letter) => tokens.push(Token::Letter(letter)),
        }
        at += length;
    }
    below(pattern, &mut tokens);
    tokens
}

/// A folder means all that is in it; whatever has no wildcards may be one.
fn below(pattern: &str, tokens: &mut Vec<Token>) {
    if pattern.ends_with('/') {
        tokens.push(Token::Any);
    } else if !pattern.contains(['*', '?']) {
        let end = tokens.len() + 3;
        tokens.extend([Token::Or(end), Token::Letter('/'), Token::Any]);
    }
}

fn set(tokens: &mut [Token], at: usize, token: Token) {
    if let Some(slot) = tokens.get_mut(at) {
        *slot = token;
    }
}

/// For each byte, whether it is a brace or comma of a choice: braces that are closed, and have a comma between them.
/// Others are letters, because files are called so.
fn braces(pattern: &str) -> Vec<bool> {
    let mut special = vec![false; pattern.len()];
    let mut open: Vec<Vec<usize>> = Vec::new();
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            b'{' => open.push(vec![at]),
            b',' => open.last_mut().into_iter().for_each(|group| group.push(at)),
            b'}' => {
                let group = open.pop().filter(|group| group.len() > 1);
                for place in group.into_iter().flat_map(|group| group.into_iter().chain([at])) {
                    if let Some(slot) = special.get_mut(place) {
                        *slot = true;
                    }
                }
            }
            _ => {}
        }
    }
    special
}

/// Opens a token, and those that can be reached from it without a letter.
fn mark(tokens: &[Token], open: &mut [bool], from: usize) {
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        match open.get_mut(at) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        match tokens.get(at) {
            Some(Token::Some | Token::Any | Token::Folders) => next.push(at + 1),
            Some(Token::Or(other)) => next.extend([at + 1, *other]),
            Some(Token::To(other)) => next.push(*other),
            _ => {}
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
            ("src/{token,expiry}.rs", "src/token.rs", true),
            ("src/{token,expiry}.rs", "src/expiry.rs", true),
            ("src/{token,expiry}.rs", "src/other.rs", false),
            ("src/{token,expiry}.rs", "src/token,expiry.rs", false),
            ("{src,tests}/**", "tests/a/b.rs", true),
            ("{src/{a,b},tests}", "src/b/c.rs", true),
            ("{src/{a,b},tests}", "src/c/c.rs", false),
            ("a{,.bak}", "a", true),
            ("a{,.bak}", "a.bak", true),
            ("pages/{id}.tsx", "pages/{id}.tsx", true),
            ("pages/[id].tsx", "pages/[id].tsx", true),
            ("a{b,c", "a{b,c", true),
            ("a}b", "a}b", true),
            ("a,b", "a,b", true),
            ("{**/x,y}.rs", "deep/x.rs", true),
            ("src", "src", true),
            ("src/*/", "src/a/b.rs", true),
        ] {
            assert_eq!(matches(pattern, path), meant, "{pattern} {path}");
        }
        assert!(!matches(&"*a".repeat(200), &"a".repeat(5_000).replace('a', "b")));
        assert!(!matches(&"{a,b}".repeat(300), &"a".repeat(299)));
        assert!(matches(&"{a,".repeat(300), &"{a,".repeat(300)));
        assert!(matches(&format!("{}b{}", "{a,".repeat(5_000), "}".repeat(5_000)), "b"));
    }
}
