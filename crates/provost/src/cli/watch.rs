//! Watching a delivery from its record until it rests: the same whether this process performs it or another does.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use provost_core::decider::Event as _;
use provost_core::delivery::{self, Board, Course, Question, Status};
use provost_core::diagnostic::{self, Diagnostic, Exit, visible};
use provost_core::record::Record;
use provost_core::state::{self, Event, State};
use provost_runtime::acting::Actor;
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::driver::Answer;
use provost_runtime::home::Home;
use provost_runtime::journal::{Follower, fold, walk_along};
use provost_runtime::repository::Repository;
use rustix::termios::{QueueSelector, tcflush};
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::{Context, Done};
use crate::board::Live;
use crate::failure::{self, Failure};
use crate::screen::Screen;
use crate::wording;

/// How often the record is looked at.
const PAUSE: Duration = Duration::from_millis(25);

/// How long agents have to come to an end after the first interrupt.
const GRACE: Duration = Duration::from_secs(10);

/// A delivery to watch.
pub(crate) struct Watched<'a> {
    pub(crate) home: &'a Home,
    pub(crate) delivery: &'a str,
    /// Records up to here were there before.
    pub(crate) since: u64,
}

#[derive(Serialize)]
struct Rested<'a> {
    delivery: &'a str,
    course: &'static str,
    branch: &'a str,
    tasks: usize,
    complete: usize,
    removed: usize,
    questions: Vec<&'a str>,
    /// The command that goes on with a delivery that was paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Where the record ends now.
pub(crate) fn head(home: &Home) -> Result<u64, Failure> {
    Ok(walk_along(&home.reading(), &mut |_| Ok(()))?.chain.head.sequence)
}

/// Interrupts, counted: the first asks, the second insists.
struct Interrupts {
    count: Arc<AtomicUsize>,
    asked: Option<Instant>,
}

impl Interrupts {
    fn listen() -> io::Result<Interrupts> {
        let count = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, Arc::clone(&count), 1)?;
        }
        Ok(Interrupts { count, asked: None })
    }

    /// How many more interrupts came since the last look.
    fn take(&self) -> usize {
        self.count.swap(0, Ordering::Relaxed)
    }
}

/// Gets the commands that begin or resume a delivery decided; where whoever performs is stopping, when it has ended.
pub(crate) fn asked(
    commands: &[state::Command],
    actor: &mut Actor,
    context: &mut Context,
) -> Result<Vec<Answer>, Failure> {
    let ask = |actor: &mut Actor| -> Result<Vec<Answer>, Diagnostic> {
        actor.submit(commands.to_vec()).into_iter().collect()
    };
    match ask(actor) {
        Err(refusal) if refusal.code == diagnostic::PROJECT_STOPPING => {
            if !context.screen.is_json() {
                context.screen.line(format!("{}; this goes on when it has ended", refusal.message))?;
                context.screen.flush()?;
            }
            if actor.outlast() { Ok(ask(actor)?) } else { Err(refusal.into()) }
        }
        answers => Ok(answers?),
    }
}

/// What was seen so far.
struct Watch<'a> {
    watched: &'a Watched<'a>,
    follower: Follower,
    state: State,
    live: Option<Live>,
    interrupts: Interrupts,
    /// The status of the delivery's rest, once that was said.
    concluded: Option<Exit>,
    /// Other deliveries that were said to go on here.
    others: BTreeSet<String>,
    /// What a person types here; nothing where nobody can.
    answers: Option<Receiver<String>>,
    /// The question that is shown because nothing else is left; what is typed answers it and no other.
    shown: Option<String>,
}

/// Prints what happens until nothing more does, and gives the status that belongs to how it stands then. A process that
/// performs stays until every delivery is at rest; one that only watches takes over from one that ended.
pub(crate) fn until_rest(watched: &Watched<'_>, actor: &mut Actor, context: &mut Context) -> Done {
    let live = Live::for_terminal(&context.screen);
    let answers = answers_from_terminal(live.is_some());
    let mut watch = Watch {
        watched,
        follower: Follower::new(&watched.home.state),
        state: State::default(),
        live,
        interrupts: Interrupts::listen()?,
        concluded: None,
        others: BTreeSet::new(),
        answers,
        shown: None,
    };
    match watch.until_rest(actor, &mut context.screen) {
        Err(failure) if actor.holds() && watch.state.deliveries.under_way().next().is_some() => {
            // Whoever began it sees no more of it. It is not lost: it is paused, and `resume` goes on. Where not even that
            // can be recorded, the next one who opens the record finds out.
            let _ = pause(actor, "what it prints cannot be written");
            if matches!(failure, Failure::NobodyReads) { Ok(Exit::Interrupted) } else { Err(failure) }
        }
        done => done,
    }
}

fn pause(actor: &mut Actor, reason: &str) -> Result<(), Diagnostic> {
    actor.stop_taking_on();
    let reason = reason.to_owned();
    let answers = actor.submit(vec![state::Command::Delivery(delivery::Command::Pause { reason })]);
    answers.into_iter().try_for_each(|answer| answer.map(drop))
}

impl Watch<'_> {
    fn until_rest(&mut self, actor: &mut Actor, screen: &mut Screen) -> Done {
        loop {
            self.read_on(screen)?;
            self.withdraw();
            if let Some(exit) = self.rest(actor, screen)? {
                return Ok(if self.interrupts.asked.is_some() { Exit::Interrupted } else { exit });
            }
            self.take_answer(actor, screen)?;
            if self.interrupted(actor, screen)? {
                return Ok(Exit::Interrupted);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Reads what is new on the record and shows it.
    fn read_on(&mut self, screen: &mut Screen) -> Result<(), Failure> {
        let Watch { watched, follower, state, live, .. } = self;
        follower.poll(&mut |record| {
            let event = fold(state, record)?;
            if let (Some(live), Event::Delivery(event)) = (live.as_mut(), &event)
                && let (Some(task), true) = (&event.task, event.delivery == watched.delivery)
                && event.what.trigger().is_some()
            {
                live.since.insert(task.clone(), record.timestamp);
            }
            Ok(print(record, watched, live.as_mut(), screen)?)
        })?;
        Ok(())
    }

    /// The status to end with, if there is nothing left to stay for.
    fn rest(&mut self, actor: &mut Actor, screen: &mut Screen) -> Result<Option<Exit>, Failure> {
        let Some(board) = self.state.deliveries.boards.get(self.watched.delivery) else { return Ok(None) };
        if !board.rests() {
            self.concluded = None;
            if let Some(live) = &mut self.live {
                live.draw(board, SystemClock.now(), screen)?;
            }
            screen.flush()?;
            let resume = format!("`provost resume {}` goes on with the delivery", self.watched.delivery);
            actor.take_over().map_err(|why| why.with_help(resume))?;
            return Ok(None);
        }
        if let Some(live) = &mut self.live {
            live.lift(screen)?;
        }
        let goes_on = matches!(board.course, Course::Preparing | Course::Resting { .. });
        if let (Some(_), None, true) = (&self.answers, self.interrupts.asked, goes_on)
            && let Some(first) = board.questions.keys().next()
        {
            if self.shown.as_ref() != Some(first) {
                self.shown = Some(first.clone());
                // Whatever was typed before it could be read is no answer to it.
                self.forget_typed();
                self.prompt(screen)?;
            }
            return Ok(None);
        }
        let others: BTreeSet<String> = self.state.deliveries.under_way().cloned().collect();
        let stays = actor.holds() && !others.is_empty();
        // A program gets one document, at the end.
        if self.concluded.is_none() && !(stays && screen.is_json()) {
            self.concluded = Some(conclude(self.watched, board, screen)?);
        }
        if stays && !screen.is_json() && self.interrupts.asked.is_none() {
            for other in others.difference(&self.others) {
                screen.line(format!("still performing {other} for another terminal; Ctrl-C stops it"))?;
            }
        }
        self.others.extend(others);
        screen.flush()?;
        Ok(self.concluded.filter(|_| !stays))
    }

    /// Shows the question that is to be answered here.
    fn prompt(&self, screen: &mut Screen) -> io::Result<()> {
        let board = self.state.deliveries.boards.get(self.watched.delivery);
        let shown = self.shown.as_ref().and_then(|id| board?.questions.get(id));
        let Some((question, task)) = shown else { return Ok(()) };
        show(question, task.as_deref(), screen)?;
        screen.line("  type the answer here, or leave it open with Ctrl-C")?;
        screen.flush()
    }

    /// Takes a question back that was answered elsewhere, with what was being typed.
    fn withdraw(&mut self) {
        let board = self.state.deliveries.boards.get(self.watched.delivery);
        let is_open = |id: &String| board.is_some_and(|board| board.questions.contains_key(id));
        if self.shown.as_ref().is_some_and(|id| !is_open(id)) {
            self.shown = None;
            self.forget_typed();
        }
    }

    /// Forgets what was typed, finished or not: the terminal would hand it on to whoever reads next, be it the shell.
    fn forget_typed(&self) {
        if let Some(answers) = &self.answers {
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
            while answers.try_recv().is_ok() {}
        }
    }

    /// Takes what was typed as the answer to the question that is shown.
    fn take_answer(&mut self, actor: &mut Actor, screen: &mut Screen) -> Result<(), Failure> {
        let answer = match self.answers.as_ref().map(Receiver::try_recv) {
            Some(Ok(line)) => line.trim().to_owned(),
            Some(Err(TryRecvError::Disconnected)) => {
                self.answers = None;
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let Some(live) = &mut self.live {
            live.lift(screen)?;
        }
        let Some(question) = self.shown.clone() else {
            return Ok(screen.line("nothing is asked here now; `provost questions` shows what is open")?);
        };
        if answer.is_empty() {
            return Ok(self.prompt(screen)?);
        }
        let command = state::Command::Delivery(delivery::Command::Reply { question, answer });
        for answered in actor.submit(vec![command]) {
            match answered {
                // Read before the next look, so that a question that has its answer is not shown again.
                Ok(_) => self.read_on(screen)?,
                Err(refusal) => {
                    screen.flush()?;
                    failure::print(&refusal, None);
                    self.prompt(screen)?;
                }
            }
        }
        Ok(())
    }

    /// Acts on interrupts and says whether to end now.
    fn interrupted(&mut self, actor: &mut Actor, screen: &mut Screen) -> Result<bool, Failure> {
        let more = self.interrupts.take();
        if more == 0 {
            return Ok(self.interrupts.asked.is_some_and(|asked| asked.elapsed() > GRACE));
        }
        if let Some(live) = &mut self.live {
            live.lift(screen)?;
        }
        if !actor.holds() {
            self.say_who_goes_on(actor, screen)?;
            return Ok(true);
        }
        if self.interrupts.asked.is_some() || more > 1 {
            return Ok(true);
        }
        if self.state.deliveries.under_way().next().is_none() {
            // Nothing is done that would have to be stopped; the question stays.
            if let Some(board) = self.state.deliveries.boards.get(self.watched.delivery) {
                conclude(self.watched, board, screen)?;
            }
            return Ok(true);
        }
        self.interrupts.asked = Some(Instant::now());
        pause(actor, "interrupted")?;
        let resume = format!("provost resume {}", self.watched.delivery);
        screen.line(format!(
            "stopping: agents have 10 seconds, another Ctrl-C ends them now; `{resume}` goes on"
        ))?;
        screen.flush()?;
        Ok(false)
    }

    /// Whoever only watches can leave without stopping anything, and should know that.
    fn say_who_goes_on(&self, actor: &Actor, screen: &mut Screen) -> io::Result<()> {
        let Some(holder) = actor.holder().filter(|_| !screen.is_json()) else { return Ok(()) };
        let delivery = self.watched.delivery;
        let (pid, command) = (holder.pid, visible(&holder.command).to_string());
        screen.line(format!(
            "{delivery} goes on in process {pid} (`{command}`); `provost resume {delivery}` watches it again"
        ))?;
        screen.flush()
    }
}

/// What a person types while the delivery goes on; nothing where nobody can.
fn answers_from_terminal(watched: bool) -> Option<Receiver<String>> {
    if !watched || !io::stdin().is_terminal() {
        return None;
    }
    let (sender, receiver) = channel();
    // It ends with the process: nothing can be done about a read that waits.
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Some(receiver)
}

fn print(
    record: &Record<'_>,
    watched: &Watched<'_>,
    live: Option<&mut Live>,
    screen: &mut Screen,
) -> io::Result<()> {
    if record.sequence <= watched.since || screen.is_json() {
        return Ok(());
    }
    let Ok(Event::Delivery(event)) = Event::read(record) else { return Ok(()) };
    let Some(text) = wording::progress(&event).filter(|_| event.delivery == watched.delivery) else {
        return Ok(());
    };
    if let Some(live) = live {
        live.lift(screen)?;
    }
    screen.line(format!("{:>6}  {text}", record.sequence))
}

fn conclude(watched: &Watched<'_>, board: &Board, screen: &mut Screen) -> Done {
    let exit = match board.course {
        Course::Complete => Exit::Done,
        _ if !board.questions.is_empty() => Exit::Waiting,
        _ => Exit::Incomplete,
    };
    let course = wording::course(&board.course);
    let next = (board.course == Course::Paused).then(|| format!("provost resume {}", watched.delivery));
    if screen.is_json() {
        screen.document(&Rested {
            delivery: watched.delivery,
            course,
            branch: &board.branch,
            tasks: board.tasks.len(),
            complete: board.count(Status::Complete),
            removed: board.count(Status::Removed),
            questions: board.questions.keys().map(String::as_str).collect(),
            next,
        })?;
        return Ok(exit);
    }
    let (complete, removed) = (board.count(Status::Complete), board.count(Status::Removed));
    let removed = if removed > 0 { format!(", {removed} removed") } else { String::new() };
    let (delivery, tasks) = (watched.delivery, board.tasks.len());
    screen.line(format!("\n{delivery} {course}: {complete} of {tasks} tasks complete{removed}"))?;
    for (question, task) in board.questions.values() {
        show(question, task.as_deref(), screen)?;
        let example = question.options.first().map_or("\"ANSWER\"", String::as_str);
        let then = format!("provost resume {}", watched.delivery);
        screen.line(format!("  answer:  provost reply {} {example}, then {then}", question.id))?;
    }
    if board.tasks.values().any(|task| task.landed.is_some()) {
        let branch = &board.branch;
        screen.line(format!(
            "\nverified work is on the branch {branch}; to take it over: git merge {branch}"
        ))?;
    }
    if let Some(next) = next {
        screen.line(format!("it goes on with: {next}"))?;
    }
    for path in left_behind(watched, board) {
        screen.line(format!("the worktree {} is still there; `provost clean` says why", path.display()))?;
    }
    screen.line(format!("what shows it, criterion by criterion: provost show {}", watched.delivery))?;
    Ok(exit)
}

fn show(question: &Question, task: Option<&str>, screen: &mut Screen) -> io::Result<()> {
    let about = task.map(|task| format!(" (task {task})")).unwrap_or_default();
    screen.line(format!("\n{}{about}: {}", question.id, wording::question(&question.text)))?;
    if !question.options.is_empty() {
        screen.line(format!("  options: {}", question.options.join(", ")))?;
    }
    Ok(())
}

/// Worktrees of a delivery that is complete: each would be gone if nothing in it were worth keeping.
fn left_behind(watched: &Watched<'_>, board: &Board) -> Vec<PathBuf> {
    let repository = Some(board).filter(|board| board.course == Course::Complete);
    let repository = repository.and_then(|_| Repository::open(watched.home).ok());
    let worktrees = repository.map(|it| it.list()).unwrap_or_default().into_iter();
    worktrees.filter(|it| it.label.delivery() == watched.delivery).map(|it| it.path).collect()
}
