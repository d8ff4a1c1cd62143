//! Paths as agents name them, held against a worktree without looking at the disk. Where links lead is the walls'
//! business: nothing here could know it a moment later.

use crate::diagnostic::is_hidden;
use crate::protected;

/// A path without `.` and `..`: from the worktree where it is inside of it, from the root of the file system otherwise.
pub(super) fn resolved(path: &str, worktree: &str) -> String {
    let top = parts(worktree);
    let below = format!("{worktree}/{path}");
    let full = parts(if path.starts_with('/') { path } else { &below });
    match full.strip_prefix(top.as_slice()) {
        Some([]) => ".".to_owned(),
        Some(inner) => inner.join("/"),
        None => format!("/{}", full.join("/")),
    }
}

/// Whether a path that was resolved is inside the worktree. Characters that nobody sees may mean something to a file
/// system, and a `~` to whoever opens the path.
pub(super) fn is_inside(resolved: &str) -> bool {
    !resolved.starts_with(['/', '~']) && !resolved.chars().any(is_hidden)
}

/// Whether programs outside the walls obey what is there, and the plan does not give it to the task.
pub(super) fn is_protected(resolved: &str, files: &[String]) -> bool {
    !protected::touched([resolved], files).is_empty()
}

/// Everything in a word of a command that may be a path: the word, what stands behind the letters of an option, and
/// what stands behind `=`, `:`, `,` or `@`.
pub(super) fn in_word(word: &str) -> impl Iterator<Item = &str> {
    let attached = word.strip_prefix('-').and_then(|rest| rest.get(rest.find(['/', '.', '~'])?..));
    let texts = [word].into_iter().chain(attached);
    texts.flat_map(|text| text.split(['=', ':', ',', '@'])).filter(|it| !it.is_empty())
}

fn parts(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_without_the_disk() {
        let cases = [
            ("src/a.rs", "src/a.rs"),
            ("./src//./a.rs", "src/a.rs"),
            ("src/../b", "b"),
            ("/w/tree/src/a.rs", "src/a.rs"),
            ("/w/tree/", "."),
            ("", "."),
            ("..", "/w"),
            ("./x/../../etc", "/w/etc"),
            ("/w/tree2/a", "/w/tree2/a"),
            ("/w/tree/../../etc/passwd", "/etc/passwd"),
            ("../../../../../..", "/"),
        ];
        for (path, wanted) in cases {
            assert_eq!(resolved(path, "/w/tree"), wanted, "{path}");
        }
        assert!(is_inside("a") && !is_inside("/a") && !is_inside("~/a") && !is_inside("a\u{200c}b"));
    }

    #[test]
    fn words_are_searched_for_paths() {
        let found = |word| in_word(word).collect::<Vec<_>>();
        assert_eq!(found("-C/tmp"), ["-C/tmp", "/tmp"]);
        assert_eq!(found("-rf../x"), ["-rf../x", "../x"]);
        assert_eq!(found("OUT=/a:b"), ["OUT", "/a", "b"]);
        assert_eq!(found("HEAD:../x"), ["HEAD", "../x"]);
        assert_eq!(found("@/etc/x"), ["/etc/x"]);
    }
}
