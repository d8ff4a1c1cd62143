//! The closing report: what a delivery made, what shows it, and what is left to a person, as Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::delivery::{Board, CheckSpec, Course, Status, Task, Verdict};
use crate::diagnostic::visible;
use crate::evidence::{Ground, Judgement, Proof, Refused, Shown, Trail, criteria, outcome};
use crate::plan::{self, Plan, shown};
use crate::record::Sequence;

/// How many characters of somebody's words are repeated.
const SAID_MAX: usize = 300;

/// The report of one delivery. Without its plan the criteria are not known, and the report says so.
pub fn markdown(id: &str, board: &Board, plan: Option<&Plan>, trail: &Trail) -> String {
    let mut page = Page { board, plan, trail, text: String::new() };
    page.beginning(id);
    page.left_to_do(id);
    page.attention();
    page.tasks();
    page.text
}

struct Page<'a> {
    board: &'a Board,
    plan: Option<&'a Plan>,
    trail: &'a Trail,
    text: String,
}

impl<'a> Page<'a> {
    fn line(&mut self, text: impl std::fmt::Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{text}");
    }

    /// The tasks in the order of the plan, each with what is planned and what is shown.
    fn each(&self) -> Vec<(&'a str, &'a Task, Option<&'a plan::Task>, Option<&'a Proof>)> {
        let mut tasks: Vec<_> = self.board.tasks.iter().collect();
        tasks.sort_by_key(|(_, task)| task.order);
        let planned = self.plan.iter().flat_map(|plan| &plan.tasks);
        let planned: BTreeMap<&str, &'a plan::Task> = planned.map(|task| (task.id.as_str(), task)).collect();
        let one = |(id, task): (&'a String, &'a Task)| {
            (id.as_str(), task, planned.get(id.as_str()).copied(), self.trail.tasks.get(id))
        };
        tasks.into_iter().map(one).collect()
    }

    /// By what right it was begun, where there is more to say than that somebody typed it.
    fn warrant(&mut self) {
        let warrant = &self.board.warrant;
        if let Some(run) = &warrant.run {
            self.line(format_args!("- delivers the frozen run `{}`, manifest `{}`", run.id, run.manifest));
            for routed in &run.models {
                self.line(format_args!("- model for the {}: `{}`", said(&routed.role), said(&routed.model)));
            }
        }
        let given = [(&warrant.approved, "approved"), (&warrant.drift, "accepted as moved since")];
        for (consent, what) in given.into_iter().filter_map(|(consent, what)| Some((consent.as_ref()?, what)))
        {
            self.line(format_args!("- {what} by {}:", said(&consent.by)));
            for line in &consent.to {
                self.line(format_args!("  - {}", said(line)));
            }
        }
    }

    fn beginning(&mut self, id: &str) {
        let (board, trail) = (self.board, self.trail);
        self.line(format_args!("# {}\n", said(&board.title)));
        let complete = board.count(Status::Complete);
        self.line(format_args!(
            "Delivery {id} of `{}`: {}, {complete} of {} tasks complete.\n",
            visible(&board.name),
            course(&board.course),
            board.tasks.len()
        ));
        self.line(format_args!("- branch `{}`, `{}..{}`", board.branch, board.base, board.tip));
        self.line(format_args!("- records {} to {}", trail.first, trail.last));
        if let Some(words) = board.bill.words() {
            self.line(format_args!("- used by agents: {words}"));
        }
        for (agent, bill) in board.bills.iter().filter(|_| board.bills.len() > 1) {
            if let Some(words) = bill.words() {
                self.line(format_args!("  - {}: {words}", code(agent)));
            }
        }
        self.warrant();
        let mut counts = [0_usize; 3];
        for (_, task, planned, proof) in self.each() {
            let (Some(planned), Some(proof)) = (planned, proof) else { continue };
            for shown in criteria(planned, task, proof) {
                if let Some(count) = counts.get_mut(shown.judgement as usize) {
                    *count += 1;
                }
            }
        }
        let [proven, judged, unproven] = counts;
        self.line(format_args!("- criteria: {proven} proven, {judged} judged, {unproven} unproven"));
        if self.plan.is_none() {
            self.line("- the frozen plan cannot be read, so criteria are not listed");
        }
    }

    fn left_to_do(&mut self, id: &str) {
        let board = self.board;
        self.line("\n## What is left to you\n");
        for (question, _) in board.questions.values() {
            let answer = question.options.first().map_or("\"ANSWER\"", String::as_str);
            self.line(format_args!("- answer {}: `provost reply {} {answer}`", question.id, question.id));
        }
        if !board.has_ended() {
            self.line(format_args!("- let it go on: `provost resume {id}`"));
        }
        if board.tip == board.base {
            self.line("- nothing has landed, so there is nothing to take over");
        } else {
            self.line(format_args!("- read it: `git log -p {}..{}`", short(&board.base), board.branch));
            self.line(format_args!("- take it over: `git merge {}`", board.branch));
            self.line("- clear away what is left behind: `provost clean`");
        }
    }

    /// What somebody who trusts the result should have seen.
    fn attention(&mut self) {
        let (board, trail) = (self.board, self.trail);
        let mut lines = Vec::new();
        for (id, task, _, proof) in self.each() {
            if let Some(proof) = proof
                && proof.lacks_review(task)
            {
                let record = proof.bypassed.unwrap_or_default();
                lines.push(format!("- {id} was not reviewed: its critics ran out of time (record {record})"));
            }
        }
        for (id, _, _, proof) in self.each() {
            for (record, paths) in proof.iter().flat_map(|proof| &proof.allowed) {
                let paths: Vec<String> = paths.iter().map(|path| code(path)).collect();
                let paths = paths.join(", ");
                lines.push(format!(
                    "- {id} may write more than its files, as a person allowed: {paths} (record {record})"
                ));
            }
        }
        lines.extend(self.changed_again());
        let baseline = trail.baseline.unwrap_or_default();
        for name in &board.ignored {
            let result = board.baseline.iter().flatten().find(|result| result.check == *name);
            let gave =
                result.map_or_else(|| visible(name).to_string(), |it| visible(&outcome(it)).to_string());
            lines.push(format!(
                "- a check is ignored, because it failed before any work: {gave} (record {baseline})"
            ));
        }
        if !board.checks.iter().any(|check| check.required) {
            let alone = "- the project has no required check: only the checks of each task itself were run";
            lines.push(alone.to_owned());
        }
        for asked in trail.questions.iter().filter(|asked| board.questions.contains_key(&asked.question.id)) {
            let (question, record) = (&asked.question, asked.sequence);
            lines.push(format!("- {} is open: {} (record {record})", question.id, code(&question.text)));
        }
        if !lines.is_empty() {
            self.line("\n## Before you trust it\n");
            for line in lines {
                self.line(line);
            }
        }
    }

    /// Tasks whose files were changed again by one that landed later and did not build on them: what shows their criteria
    /// was measured before that.
    fn changed_again(&self) -> Vec<String> {
        let landed = |(id, proof): (&'a String, &'a Proof)| {
            let files = proof.measured.as_ref().map(|it| it.files.as_slice()).unwrap_or_default();
            Some((proof.landed.as_ref()?.sequence, id, files))
        };
        let mut landed: Vec<_> = self.trail.tasks.iter().filter_map(landed).collect();
        landed.sort_unstable();
        let mut later: BTreeMap<&str, Vec<(&String, Sequence)>> = BTreeMap::new();
        let mut lines = Vec::new();
        for (sequence, id, files) in landed.into_iter().rev() {
            // Most tasks share no file with a later one, and need not be followed through the plan.
            let shares = files.iter().any(|file| later.contains_key(file.as_str()));
            let built = if shares { building_on(self.board, id) } else { BTreeSet::new() };
            let again = files.iter().find_map(|file| {
                let mut others = later.get(file.as_str())?.iter();
                Some((file, others.find(|(other, _)| !built.contains(other.as_str()))?))
            });
            if let Some((file, (other, record))) = again {
                let file = code(file);
                lines
                    .push(format!("- {id} was measured before {other} changed {file} too (record {record})"));
            }
            for file in files {
                later.entry(file).or_default().push((id, sequence));
            }
        }
        lines.reverse();
        lines
    }

    fn tasks(&mut self) {
        for (id, task, planned, proof) in self.each() {
            self.line(format_args!("\n## {id}: {}\n", said(&task.title)));
            let Some(proof) = proof else { continue };
            self.line(standing(self.board, task, proof));
            if let Some(planned) = planned {
                self.line("\nCriteria:\n");
                for shown in criteria(planned, task, proof) {
                    self.line(criterion(&shown));
                }
                if planned.criteria.is_empty() {
                    self.line("- none");
                }
            }
            self.written(task, proof);
            self.checks(task, proof);
            self.verdicts(task, proof);
            if let Some(words) = task.bill.words() {
                self.line(format_args!("\nUsed by agents: {words}."));
            }
            self.history(id, proof);
            self.refused(task, proof);
        }
    }

    /// What it may write and what it changed, where the plan says the first.
    fn written(&mut self, task: &Task, proof: &Proof) {
        if task.files.is_empty() {
            return;
        }
        let all = |paths: &[String]| paths.iter().map(|path| code(path)).collect::<Vec<_>>().join(", ");
        self.line(format_args!("\nFiles that it may write: {}.", all(&task.files)));
        if let Some(measured) = proof.measured.as_ref().filter(|measured| !measured.is_void) {
            let more = match measured.files_more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            self.line(format_args!(
                "It changes {}{more} (record {}).",
                all(&measured.files),
                measured.sequence
            ));
        }
    }

    fn checks(&mut self, task: &Task, proof: &Proof) {
        let (results, commit, record) = proof.latest();
        if results.is_empty() {
            return;
        }
        self.line(format_args!("\nChecks on `{}` (record {record}):\n", commit.map_or("nothing", short)));
        for result in results {
            let named = |check: &&CheckSpec| check.name == result.check;
            let spec = task.checks.iter().find(named).or_else(|| self.board.checks.iter().find(named));
            let command = spec.map_or_else(String::new, |spec| format!(" {}", code(&shown(&spec.argv))));
            let weight = if result.required { "" } else { ", not required" };
            self.line(format_args!("- {}{weight}:{command}", visible(&outcome(result))));
        }
    }

    fn verdicts(&mut self, task: &Task, proof: &Proof) {
        let words = [("critic", &proof.review), ("auditor", &proof.audit)];
        let words = words.into_iter().filter_map(|(role, word)| Some((role, word.as_ref()?)));
        let words: Vec<_> = words.collect();
        if words.is_empty() && !proof.lacks_review(task) {
            return;
        }
        self.line("\nVerdicts:\n");
        if proof.lacks_review(task) {
            let record = proof.bypassed.unwrap_or_default();
            self.line(format_args!("- not reviewed: critics ran out of time (record {record})"));
        }
        for (role, word) in words {
            let (agent, summary) = (visible(&word.agent), code(&word.summary));
            self.line(format_args!("- {role} {agent} approves (record {}): {summary}", word.sequence));
        }
    }

    /// How often its agents were refused something, and what.
    fn refused(&mut self, task: &Task, proof: &Proof) {
        let denied = task.permissions.denied;
        if denied == 0 {
            return;
        }
        self.line(format_args!(
            "\nRefused to its agents, {denied} of {} requests:\n",
            task.permissions.asked()
        ));
        for one in &proof.refused {
            self.line(format_args!("- {}", refused(one)));
        }
        let kept = u32::try_from(proof.refused.len()).unwrap_or(u32::MAX);
        if denied > kept {
            self.line(format_args!("- and {} more", denied - kept));
        }
    }

    fn history(&mut self, id: &str, proof: &Proof) {
        let trail = self.trail;
        if !proof.setbacks.is_empty() {
            self.line("\nSent back:\n");
            for setback in &proof.setbacks {
                let (record, from) = (setback.sequence, setback.from);
                self.line(format_args!("- {from} (record {record}): {}", code(&setback.text)));
            }
        }
        let mut asked = trail.questions_of(id).peekable();
        if asked.peek().is_some() {
            self.line("\nQuestions:\n");
        }
        for asked in asked {
            let answer = match &asked.answer {
                Some((record, answer)) => format!("answered {} (record {record})", code(answer)),
                None => "not answered".to_owned(),
            };
            let (question, record) = (&asked.question, asked.sequence);
            self.line(format_args!("- {} {} (record {record}): {answer}", question.id, code(&question.text)));
        }
    }
}

/// What was refused to an agent, for people.
pub fn refused(refused: &Refused) -> String {
    let what = refused.act.about().map_or_else(String::new, |it| format!(" {}", code(it)));
    let (role, tool, record) = (refused.role, code(&refused.act.tool), refused.sequence);
    format!("{role}, {tool}{what} (record {record}): {}", said(&refused.why))
}

/// Where a task is, in a sentence.
fn standing(board: &Board, task: &Task, proof: &Proof) -> String {
    match &proof.landed {
        Some(landed) if task.status == Status::Complete => match &landed.commit {
            Some(commit) => format!("Complete: landed as `{commit}` (record {}).", landed.sequence),
            None => format!("Complete, with nothing to land (record {}).", landed.sequence),
        },
        _ => format!("Not complete: {} (record {}).", board.label_of(task), task.since),
    }
}

/// One criterion with what it rests on, as an entry of a list.
fn criterion(shown: &Shown<'_>) -> String {
    format!("- **{}**: {}: {}", shown.judgement.name(), said(shown.text), ground(shown))
}

/// What a criterion rests on, in words.
pub fn ground(shown: &Shown<'_>) -> String {
    match &shown.ground {
        Ground::Measured { command, result, commit, sequence } => {
            let exit = match result.exit {
                Some(exit) if result.verdict == Verdict::Passed => format!("exit {exit}"),
                Some(exit) => format!("exit {exit}, expected {}", result.expected),
                None => "no exit status".to_owned(),
            };
            let commit = commit.map_or("nothing", short);
            format!("{}: {exit} on `{commit}` (record {sequence})", code(command))
        }
        Ground::Unmeasured { command } => {
            format!("{} has not been run on work that was accepted", code(command))
        }
        Ground::Word(word) => {
            format!("the auditor {} says so (record {})", visible(&word.agent), word.sequence)
        }
        Ground::Nothing if shown.judgement == Judgement::Unproven => "nobody has said so".to_owned(),
        Ground::Nothing => String::new(),
    }
}

const fn course(course: &Course) -> &'static str {
    match course {
        Course::Preparing => "preparing",
        Course::Running => "under way",
        Course::Paused => "paused",
        Course::Resting { .. } => "waiting for you",
        Course::Complete => "complete",
        Course::Cancelled => "cancelled",
    }
}

/// The beginning of a commit's name, as people copy it.
pub fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// Somebody's words on one line, cut when they are long.
fn said(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept: String = flat.chars().take(SAID_MAX).collect();
    let more = if kept.len() < flat.len() { "…" } else { "" };
    format!("{}{more}", visible(&kept))
}

/// The same as code, so that Markdown in it means nothing: the fence is longer than any run of backticks inside.
fn code(text: &str) -> String {
    let text = said(text);
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if text.is_empty() {
        "(nothing)".to_owned()
    } else if longest > 0 {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// The tasks that wait for one, directly or not: they began with its work before them.
fn building_on<'a>(board: &'a Board, task: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let of = |id: &str| board.tasks.get(id).into_iter().flat_map(|task| &task.dependents);
    let mut next: Vec<&String> = of(task).collect();
    while let Some(id) = next.pop() {
        if found.insert(id.as_str()) {
            next.extend(of(id));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_agents_cannot_become_markdown() {
        assert_eq!(code("all\n# good"), "`all # good`");
        assert_eq!(code("a `b` ``c``"), "``` a `b` ``c`` ```");
        assert_eq!(code(" \n"), "(nothing)");
        assert_eq!(code("\u{1b}[31m"), "`\\u{1b}[31m`");
    }
}
