//! How many tests a test runner says it ran, read from the closing lines of five runners. Apart because it is
//! the only place that knows what other programs print.
//!
//! It is on the safe side: a line that is not exactly of a known form is no count, and where nobody counts, nothing
//! is said. Tests that were skipped, ignored or filtered out did not run. Known are `cargo test`, `pytest`,
//! `go test`, `node --test` and `jest`.

use std::ops::ControlFlow;

/// The number of tests that ran, summed over all that was said; `None` where no runner said anything.
pub fn tests_run(output: &str) -> Option<u64> {
    let mut total = None;
    for line in output.lines() {
        let line = without_colours(line);
        let line = line.trim_end();
        let counts = [cargo(line), pytest(line), go(line), node(line), jest(line)];
        if let Some(count) = counts.into_iter().flatten().next() {
            total = Some(total.unwrap_or(0) + count);
        }
    }
    total
}

/// `test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn cargo(line: &str) -> Option<u64> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    sum(counts.split("; "), &["passed", "failed", "measured"], &["ignored", "filtered out"])
}

/// `===== 1 failed, 2 passed in 0.12s =====`, `no tests ran in 0.01s`
fn pytest(line: &str) -> Option<u64> {
    let (counts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
    let time = time.split(' ').next()?.strip_suffix('s')?;
    time.parse::<f64>().ok()?;
    if counts == "no tests ran" {
        return Some(0);
    }
    let ran = ["passed", "failed", "xfailed", "xpassed", "error", "errors"];
    let beside = ["skipped", "deselected", "warning", "warnings", "rerun"];
    sum(counts.split(", "), &ran, &beside)
}

/// `ok`, the package and the time, perhaps `[no tests to run]`; `?`, the package and `[no test files]`; `FAIL`;
/// with tabs between.
fn go(line: &str) -> Option<u64> {
    let mut parts = line.split('\t');
    let (status, _name, last) = (parts.next()?.trim_end(), parts.next()?, parts.next()?);
    if parts.next().is_some_and(|more| !more.starts_with("coverage:") && !more.starts_with('[')) {
        return None;
    }
    match status {
        "?" if last == "[no test files]" => Some(0),
        "ok" if line.ends_with("[no tests to run]") => Some(0),
        // It counts packages, not tests; one that passed ran at least one.
        "ok" | "FAIL" => Some(1),
        _ => None,
    }
}

/// `# pass 3`, `ℹ fail 0`: the two of its closing lines that are tests which ran.
fn node(line: &str) -> Option<u64> {
    let counted = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
    counted.strip_prefix("pass ").or_else(|| counted.strip_prefix("fail "))?.parse().ok()
}

/// `Tests:       1 failed, 2 passed, 3 total`, `No tests found, exiting with code 0`
fn jest(line: &str) -> Option<u64> {
    if line == "No tests found, exiting with code 0" {
        return Some(0);
    }
    let counts = line.strip_prefix("Tests:")?.trim_start();
    let (_, _total) = counts.rsplit_once(' ').filter(|(_, word)| *word == "total")?;
    sum(counts.split(", "), &["passed", "failed"], &["skipped", "todo", "total"])
}

/// Adds up `3 passed`, `1 failed`; the words that count as run, and those that are known and do not.
fn sum<'a>(parts: impl Iterator<Item = &'a str>, ran: &[&str], beside: &[&str]) -> Option<u64> {
    let mut total = None;
    let ended = parts.into_iter().try_for_each(|part| {
        let counted =
            part.split_once(' ').and_then(|(number, word)| Some((number.parse::<u64>().ok()?, word)));
        match counted {
            Some((number, word)) if ran.contains(&word) => total = Some(total.unwrap_or(0) + number),
            Some((_, word)) if beside.contains(&word) => total = Some(total.unwrap_or(0)),
            _ if part.starts_with("finished in ") => {}
            _ => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    });
    if ended.is_break() { None } else { total }
}

/// The line without the sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text.push_str(before);
        rest = after.trim_start_matches(|next: char| next.is_ascii_digit() || next == ';');
        rest = rest.strip_prefix(|next: char| next.is_ascii_alphabetic()).unwrap_or(rest);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_runner_is_understood() {
        let samples: &[(&str, Option<u64>)] = &[
            (
                "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some(3),
            ),
            (
                "test result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 9 filtered out; finished in 0.00s",
                Some(0),
            ),
            ("test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", Some(2)),
            ("===== 1 failed, 2 passed, 1 warning in 0.12s =====", Some(3)),
            ("2 passed in 71.20s (0:01:11)", Some(2)),
            ("===== no tests ran in 0.01s =====", Some(0)),
            ("3 skipped in 0.02s", Some(0)),
            ("===== 1 skipped, 4 deselected in 0.02s =====", Some(0)),
            ("ok  \texample.com/a\t0.003s", Some(1)),
            ("ok  \texample.com/a\t(cached)", Some(1)),
            ("ok  \texample.com/a\t0.003s\tcoverage: 80.0% of statements", Some(1)),
            ("ok  \texample.com/a\t0.003s [no tests to run]", Some(0)),
            ("ok  \texample.com/a\t0.003s\tcoverage: 0.0% of statements [no tests to run]", Some(0)),
            ("?   \texample.com/a\t[no test files]", Some(0)),
            ("FAIL\texample.com/a\t0.003s", Some(1)),
            ("# pass 4", Some(4)),
            ("ℹ pass 0", Some(0)),
            ("Tests:       1 failed, 2 passed, 3 total", Some(3)),
            ("Tests:       2 skipped, 2 total", Some(0)),
            ("Tests:       0 total", Some(0)),
            ("No tests found, exiting with code 0", Some(0)),
            ("\u{1b}[32m\u{1b}[1m2 passed\u{1b}[0m\u{1b}[32m in 0.01s\u{1b}[0m", Some(2)),
        ];
        for (line, count) in samples {
            assert_eq!(tests_run(line), *count, "{line}");
        }
    }

    #[test]
    fn what_only_looks_like_a_count_is_none() {
        let samples = [
            "",
            "running 0 tests",
            "the file was copied in 0.01s",
            "0 errors in 3 files",
            "compiled 2 passed things in 1s",
            "Tests: see below",
            "# tests 0",
            "# passing the time",
            "ok",
            "ok 1 - name",
            "FAIL",
            "test result: unknown",
            "Finished in 0 seconds",
        ];
        for line in samples {
            assert_eq!(tests_run(line), None, "{line}");
        }
    }

    #[test]
    fn counts_of_several_parts_are_added() {
        let line = |count| {
            format!("test result: ok. {count} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n")
        };
        assert_eq!(tests_run(&[line(0), line(2), line(0)].concat()), Some(2));
        assert_eq!(tests_run(&[line(0), line(0)].concat()), Some(0));
        assert_eq!(tests_run("# tests 3\n# pass 2\n# fail 1\n# skipped 0\n"), Some(3));
    }
}
