//! Checks: commands whose result Provost measures itself. Only `passed` passes; every other verdict says what kept
//! the check from proving anything.
//!
//! A check runs without a shell, in the worktree, with an environment that names all it contains, under the same
//! supervisor as everything else.

mod counts;
mod environment;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use provost_core::delivery::Verdict;
use provost_core::digest::Digest;
use serde::{Deserialize, Serialize};

use crate::process::{Ended, EndedBy, Job, Limits, Obstacle, Stdin, Stopper, Supervised};
use crate::walls::Walls;

pub use counts::tests_run;
pub use environment::Environment;

/// How much of the beginning and of the end of the output is given with the result.
const EXCERPT_MAX: usize = 4 * 1024;

/// How long a check has to end after it was asked to.
const GRACE_MS: u64 = 5_000;

/// A command to measure, in one environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its name, for people and records.
    pub name: String,
    /// The program and its arguments; no shell reads them.
    pub argv: Vec<String>,
    /// The name of the environment, if it is not the machine itself.
    pub environment: Option<String>,
    /// What leads into the environment and stands before the program: `docker exec ci`.
    pub prefix: Vec<String>,
    /// The exit status of success.
    pub expect_exit: i32,
    /// How long it may take.
    pub limit_s: u64,
    /// Whether work that does not pass it may go on.
    pub required: bool,
}

/// Where and how checks run.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    /// The `provost` that supervises.
    pub exe: &'a Path,
    /// What the program sees.
    pub environment: &'a Environment,
    /// The file for the output; it is there afterwards, small enough for an artifact.
    pub output: &'a Path,
    /// Whose work it is: `<project id>/<effect id>`.
    pub mark: &'a str,
    /// What it can reach; without walls all that this process can.
    pub walls: Option<&'a Walls>,
}

/// A check that was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The check's name.
    pub check: String,
    /// The name of the environment.
    pub environment: Option<String>,
    /// What stands for the environment where evidence is compared.
    pub environment_sha256: Digest,
    /// What was started, with the way into the environment.
    pub argv: Vec<String>,
    /// The exit status of success.
    pub expected_exit: i32,
    /// What it has shown.
    pub verdict: Verdict,
    /// What stood in the way, where something did.
    pub why: Option<String>,
    /// The exit status that was measured.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// From its start to its end.
    pub duration_ms: u64,
    /// The beginning of what it said on standard output and standard error.
    pub output_head: String,
    /// The end of what it said, as far as it is not in the beginning.
    pub output_tail: String,
    /// How much it said.
    pub output_bytes: u64,
    /// How much of that is not in the file.
    pub cut_bytes: u64,
    /// The digest of the file.
    pub output_sha256: Digest,
}

impl Measured {
    /// Whether it proves anything.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }
}

/// Measures a check and waits for the result.
pub fn run_check(check: &Check, worktree: &Path, surroundings: &Surroundings<'_>) -> io::Result<Measured> {
    start_check(check, worktree, surroundings)?.wait()
}

/// Begins to measure a check.
pub fn start_check(check: &Check, worktree: &Path, surroundings: &Surroundings<'_>) -> io::Result<Measuring> {
    let argv = if check.argv.is_empty() { Vec::new() } else { [&*check.prefix, &*check.argv].concat() };
    let job = Job {
        argv,
        cwd: worktree.to_owned(),
        env: surroundings.environment.variables().clone(),
        stdin: Stdin::Null,
        stdout: surroundings.output.to_owned(),
        // As they come: what a test printed stands beside the failure it explains.
        stderr: surroundings.output.to_owned(),
        limits: Limits { wall_ms: check.limit_s.saturating_mul(1_000), idle_ms: None, grace_ms: GRACE_MS },
        mark: surroundings.mark.to_owned(),
        walls: surroundings.walls.cloned(),
    };
    // What an earlier attempt left must not be taken for this one's.
    match fs::remove_file(surroundings.output) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let running = Supervised::start(surroundings.exe, &job)?;
    let environment_sha256 = surroundings.environment.digest(check.environment.as_deref(), &check.prefix);
    let output = surroundings.output.to_owned();
    Ok(Measuring { check: check.clone(), argv: job.argv, environment_sha256, output, running })
}

/// A check that runs. Dropping it ends it.
#[derive(Debug)]
pub struct Measuring {
    check: Check,
    argv: Vec<String>,
    environment_sha256: Digest,
    output: PathBuf,
    running: Supervised,
}

impl Measuring {
    /// A way to end it from elsewhere.
    pub fn stopper(&self) -> Stopper {
        self.running.stopper()
    }

    /// Waits for the result.
    pub fn wait(self) -> io::Result<Measured> {
        let Measuring { check, argv, environment_sha256, output, running } = self;
        let (ended, lost) = match running.wait() {
            Ok(ended) => (ended, None),
            Err(error) => (Ended::without_start(EndedBy::Stopped), Some(error.to_string())),
        };
        let bytes = match fs::read(&output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            found => found.unwrap_or_default(),
        };
        let (verdict, why) = judge(&check, &ended, &bytes);
        let (head, rest) = bytes.split_at(bytes.len().min(EXCERPT_MAX));
        let tail = rest.split_at(rest.len().saturating_sub(EXCERPT_MAX)).1;
        Ok(Measured {
            check: check.name,
            environment: check.environment,
            environment_sha256,
            argv,
            expected_exit: check.expect_exit,
            verdict,
            why: lost.or(why),
            exit: ended.exit,
            signal: ended.signal,
            duration_ms: ended.duration_ms,
            output_head: String::from_utf8_lossy(head).into_owned(),
            output_tail: String::from_utf8_lossy(tail).into_owned(),
            output_bytes: ended.stdout_bytes,
            cut_bytes: ended.cut_bytes,
            output_sha256: Digest::of(&bytes),
        })
    }
}

/// The exit statuses by which whatever starts a program for us says that it was not found or may not be run.
const NOT_FOUND: i32 = 127;
const NOT_PERMITTED: i32 = 126;

/// What an end shows.
fn judge(check: &Check, ended: &Ended, output: &[u8]) -> (Verdict, Option<String>) {
    let led = !check.prefix.is_empty();
    let said = |why: &str| Some(why.to_owned());
    match (&ended.ended_by, ended.exit) {
        (EndedBy::NotStarted { obstacle: Obstacle::ProgramMissing, why }, _) if !led => {
            (Verdict::Missing, said(why))
        }
        (EndedBy::NotStarted { why, .. }, _) => (Verdict::Blocked, said(why)),
        (EndedBy::Wall | EndedBy::Idle, _) => (Verdict::TimedOut, None),
        (EndedBy::Stopped, _) => (Verdict::Interrupted, None),
        (EndedBy::Exited, Some(exit)) if exit == check.expect_exit => {
            // Where part of the output is missing, what was counted there is not known.
            if exit == 0 && ended.cut_bytes == 0 && tests_run(&String::from_utf8_lossy(output)) == Some(0) {
                return (Verdict::Empty, said("it succeeded without running a test"));
            }
            (Verdict::Passed, None)
        }
        (EndedBy::Exited, Some(NOT_FOUND)) if led => {
            (Verdict::Missing, said("the environment does not have the program"))
        }
        (EndedBy::Exited, Some(NOT_PERMITTED)) if led => {
            (Verdict::Blocked, said("the environment does not let the program run"))
        }
        (EndedBy::Exited, _) => (Verdict::Failed, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(prefix: &[&str], expect_exit: i32) -> Check {
        Check {
            name: "test".to_owned(),
            argv: vec!["cargo".to_owned(), "test".to_owned()],
            environment: None,
            prefix: prefix.iter().map(|&part| part.to_owned()).collect(),
            expect_exit,
            limit_s: 1,
            required: true,
        }
    }

    fn ended(ended_by: EndedBy, exit: Option<i32>) -> Ended {
        Ended { exit, ..Ended::without_start(ended_by) }
    }

    fn not_started(obstacle: Obstacle) -> Ended {
        ended(EndedBy::NotStarted { obstacle, why: "so".to_owned() }, None)
    }

    #[test]
    fn only_the_expected_exit_of_a_program_that_ended_by_itself_passes() {
        let verdict = |check: &Check, ended: &Ended| judge(check, ended, b"").0;
        let plain = check(&[], 0);
        assert_eq!(verdict(&plain, &ended(EndedBy::Exited, Some(0))), Verdict::Passed);
        assert_eq!(verdict(&check(&[], 3), &ended(EndedBy::Exited, Some(3))), Verdict::Passed);
        assert_eq!(verdict(&check(&[], 3), &ended(EndedBy::Exited, Some(0))), Verdict::Failed);
        assert_eq!(verdict(&plain, &ended(EndedBy::Exited, None)), Verdict::Failed);
        // A program that answers the request to end with a zero has not succeeded.
        assert_eq!(verdict(&plain, &ended(EndedBy::Wall, Some(0))), Verdict::TimedOut);
        assert_eq!(verdict(&plain, &ended(EndedBy::Idle, Some(0))), Verdict::TimedOut);
        assert_eq!(verdict(&plain, &ended(EndedBy::Stopped, Some(0))), Verdict::Interrupted);
    }

    #[test]
    fn a_missing_program_is_not_an_environment_out_of_reach() {
        let (plain, led) = (check(&[], 0), check(&["docker", "exec", "ci"], 0));
        let verdict = |check: &Check, ended: &Ended| judge(check, ended, b"").0;
        assert_eq!(verdict(&plain, &not_started(Obstacle::ProgramMissing)), Verdict::Missing);
        assert_eq!(verdict(&plain, &not_started(Obstacle::NotPermitted)), Verdict::Blocked);
        assert_eq!(verdict(&plain, &not_started(Obstacle::FolderMissing)), Verdict::Blocked);
        assert_eq!(verdict(&plain, &ended(EndedBy::Exited, Some(127))), Verdict::Failed);
        assert_eq!(verdict(&led, &not_started(Obstacle::ProgramMissing)), Verdict::Blocked);
        assert_eq!(verdict(&led, &ended(EndedBy::Exited, Some(127))), Verdict::Missing);
        assert_eq!(verdict(&led, &ended(EndedBy::Exited, Some(126))), Verdict::Blocked);
    }

    #[test]
    fn a_success_without_a_test_is_empty_unless_the_count_may_be_in_what_was_cut() {
        let said = b"test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out\n";
        let mut end = ended(EndedBy::Exited, Some(0));
        assert_eq!(judge(&check(&[], 0), &end, said).0, Verdict::Empty);
        end.cut_bytes = 1;
        assert_eq!(judge(&check(&[], 0), &end, said).0, Verdict::Passed);
    }
}
