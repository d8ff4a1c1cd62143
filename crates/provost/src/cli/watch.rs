//! Watching a delivery from its record until it rests: the same whether this process performs it or another does.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use provost_core::decider::Event as _;
use provost_core::delivery::{self, Board, Course};
use provost_core::diagnostic::Exit;
use provost_core::record::Record;
use provost_core::state::{self, Event, State};
use provost_runtime::acting::Actor;
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::home::Home;
use provost_runtime::journal::{Follower, fold, walk_along};
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
    questions: Vec<&'a str>,
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

/// Prints what happens until nothing more does, and gives the status that belongs to how it stands then.
pub(crate) fn until_rest(watched: &Watched<'_>, actor: &mut Actor, context: &mut Context) -> Done {
    let mut follower = Follower::new(&watched.home.state);
    let mut state = State::default();
    let mut live = Live::for_terminal(&context.screen);
    let mut interrupts = Interrupts::listen()?;
    let answers = answers_from_terminal(live.is_some());
    loop {
        let screen = &mut context.screen;
        follower.poll(&mut |record| {
            let event = fold(&mut state, record)?;
            if let (Some(live), Event::Delivery(event)) = (&mut live, &event)
                && let (Some(task), true) = (&event.task, event.delivery == watched.delivery)
                && event.what.trigger().is_some()
            {
                live.since.insert(task.clone(), record.timestamp);
            }
            Ok(print(record, watched, live.as_mut(), screen)?)
        })?;
        if let Some(board) = state.deliveries.boards.get(watched.delivery) {
            if let Some(live) = &mut live {
                live.draw(board, SystemClock.now(), screen)?;
            }
            screen.flush()?;
            if board.rests() {
                if let Some(live) = &mut live {
                    live.lift(screen)?;
                }
                let exit = if interrupts.asked.is_some() { Some(Exit::Interrupted) } else { None };
                return conclude(watched, board, screen).map(|rested| exit.unwrap_or(rested));
            }
            if let Some(answer) = answers.as_ref().and_then(|answers| answers.try_recv().ok()) {
                reply(board, answer.trim(), live.as_mut(), actor, screen)?;
            }
        }
        if interrupted(&mut interrupts, watched, live.as_mut(), actor, screen)? {
            return Ok(Exit::Interrupted);
        }
        thread::sleep(PAUSE);
    }
}

/// Acts on interrupts and says whether to end now.
fn interrupted(
    interrupts: &mut Interrupts,
    watched: &Watched<'_>,
    live: Option<&mut Live>,
    actor: &mut Actor,
    screen: &mut Screen,
) -> Result<bool, Failure> {
    let more = interrupts.take();
    if more == 0 {
        return Ok(interrupts.asked.is_some_and(|asked| asked.elapsed() > GRACE));
    }
    if interrupts.asked.is_some() || more > 1 || !actor.holds() {
        return Ok(true);
    }
    interrupts.asked = Some(Instant::now());
    let reason = "interrupted".to_owned();
    for answer in actor.submit(vec![state::Command::Delivery(delivery::Command::Pause { reason })]) {
        answer?;
    }
    if let Some(live) = live {
        live.lift(screen)?;
    }
    let resume = format!("provost resume {}", watched.delivery);
    screen.line(format!(
        "stopping: agents have 10 seconds, another Ctrl-C ends them now; `{resume}` goes on"
    ))?;
    screen.flush()?;
    Ok(false)
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

/// Takes what was typed as the answer to the oldest question.
fn reply(
    board: &Board,
    answer: &str,
    live: Option<&mut Live>,
    actor: &mut Actor,
    screen: &mut Screen,
) -> Result<(), Failure> {
    if let Some(live) = live {
        live.lift(screen)?;
    }
    let Some(question) = board.questions.keys().next().cloned().filter(|_| !answer.is_empty()) else {
        return Ok(screen.line("nothing waits for an answer")?);
    };
    let answer = answer.to_owned();
    let command = state::Command::Delivery(delivery::Command::Reply { question, answer });
    for answered in actor.submit(vec![command]) {
        if let Err(refusal) = answered {
            screen.flush()?;
            failure::print(&refusal, None);
        }
    }
    Ok(())
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
    let complete = board.tasks.values().filter(|task| task.has_ended()).count();
    let exit = match board.course {
        Course::Complete => Exit::Done,
        _ if !board.questions.is_empty() => Exit::Waiting,
        _ => Exit::Incomplete,
    };
    let course = wording::course(&board.course);
    if screen.is_json() {
        screen.document(&Rested {
            delivery: watched.delivery,
            course,
            branch: &board.branch,
            tasks: board.tasks.len(),
            complete,
            questions: board.questions.keys().map(String::as_str).collect(),
        })?;
        return Ok(exit);
    }
    screen.line(format!(
        "\n{} {course}: {complete} of {} tasks complete",
        watched.delivery,
        board.tasks.len()
    ))?;
    for (question, task) in board.questions.values() {
        let about = task.as_ref().map(|task| format!(" (task {task})")).unwrap_or_default();
        screen.line(format!("\n{}{about}: {}", question.id, wording::question(&question.text)))?;
        if !question.options.is_empty() {
            screen.line(format!("  options: {}", question.options.join(", ")))?;
        }
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
    screen.line(format!("what shows it, criterion by criterion: provost show {}", watched.delivery))?;
    Ok(exit)
}
