//! Who acts: a command that changes something is decided by the one process that holds the project, whether that
//! is this one or another. Which of the two it was makes no difference to whoever typed it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use provost_core::decider::Decider;
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::effects::EffectId;
use provost_core::record::{Cut, Sequence, is_word};
use provost_core::state::{Command, State};
use uuid::Uuid;

use crate::clock::SystemClock;
use crate::driver::{
    Answer, Cause, Driver, Handle, Identity, Perform, Performing, Reporter, Running, Start, Submission, run,
};
use crate::home::Home;
use crate::journal::{FileJournal, fold, walk_along};
use crate::lock::{Holder, Lock};
use crate::perform::{Performer, Tools};
use crate::process;
use crate::socket::{self, Client, Host, Reply, Request};
use crate::storage::{Disk, Storage as _};
use crate::views;

/// How long to look for a holder that answers, or for the lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// How long to wait for a process that said it is stopping; its agents have a third of that.
const STOPPING: Duration = Duration::from_secs(30);

/// How long a process that ends takes at most to remove its socket, once it has answered for the last time.
const CLOSING: Duration = Duration::from_millis(100);

/// A new id that nobody else has.
pub fn new_id() -> String {
    Uuid::new_v4().to_string()
}

/// The person at the keyboard, as it stands on the record.
pub fn person() -> String {
    let name = ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
    let name = name.unwrap_or_else(|| rustix::process::geteuid().as_raw().to_string());
    let plain: String =
        name.chars().map(|it| if it.is_ascii_graphic() { it } else { '_' }).take(64).collect();
    let actor = format!("person:{plain}");
    if is_word(&actor) { actor } else { "person".to_owned() }
}

/// A way to get commands decided, for as long as it is kept.
pub struct Actor {
    home: Home,
    /// Who acts, as it stands on the record.
    name: String,
    /// What this process is doing, for people who meet its lock.
    doing: String,
    /// What this process performs with, if it does.
    tools: Option<Tools>,
    way: Option<Way>,
}

/// How commands are decided.
enum Way {
    /// By this process.
    Own(Box<Own>),
    /// By the process that holds the project.
    Other { client: Client, socket: PathBuf },
}

/// The project as held by this process.
struct Own {
    handle: Handle<Command>,
    cut: Option<Cut>,
    /// The last record that was there before.
    found: Sequence,
    /// Not started before the first commands wait, so that they share one flush.
    idle: Option<Running<State, FileJournal<Disk>>>,
    performer: Option<Performer>,
    thread: Option<JoinHandle<Driver<State, FileJournal<Disk>>>>,
    socket: Option<PathBuf>,
    is_stopping: Arc<AtomicBool>,
}

impl Actor {
    /// Prepares to act in a project; nothing is touched yet.
    pub fn new(home: Home, name: impl Into<String>, doing: impl Into<String>) -> Actor {
        Actor { home, name: name.into(), doing: doing.into(), tools: None, way: None }
    }

    /// The same, for a process that also does what is due as long as it holds the project.
    #[must_use]
    pub fn performing(self, tools: Tools) -> Actor {
        Actor { tools: Some(tools), ..self }
    }

    /// Gets commands decided, in order, and gives each one's answer.
    ///
    /// Where the holder changes in the middle, a command is sent again under the id it had, so that it is decided
    /// once.
    pub fn submit(&mut self, commands: Vec<Command>) -> Vec<Result<Answer, Diagnostic>> {
        let requests: Vec<Request> = commands
            .into_iter()
            .map(|command| Request { id: new_id(), actor: self.name.clone(), command })
            .collect();
        let mut answers = Vec::new();
        let mut deadline = Instant::now() + PATIENCE;
        while answers.len() < requests.len() {
            let rest = requests.get(answers.len()..).unwrap_or_default();
            match self.try_submit(rest, deadline) {
                Ok(more) if !more.is_empty() => {
                    answers.extend(more);
                    deadline = Instant::now() + PATIENCE;
                }
                Ok(_) if Instant::now() < deadline => thread::sleep(PAUSE),
                // What comes after a command that was not decided is not asked for.
                Ok(_) => answers.extend(rest.iter().map(|_| Err(self.held()))),
                Err(diagnostic) => answers.extend(rest.iter().map(|_| Err(diagnostic.clone()))),
            }
        }
        answers
    }

    /// Whether this process holds the project.
    pub fn holds(&self) -> bool {
        matches!(self.way, Some(Way::Own(_)))
    }

    /// Whether the process that answered for this one goes on; one that was ending as it answered does what follows
    /// no more.
    pub fn is_carried_on(&self) -> bool {
        let Some(Way::Other { socket, .. }) = &self.way else { return false };
        let deadline = Instant::now() + CLOSING;
        while socket.exists() {
            if Instant::now() >= deadline {
                return true;
            }
            thread::sleep(PAUSE);
        }
        false
    }

    /// Takes on nothing more from other processes that somebody would have to perform: this one is about to end.
    pub fn stop_taking_on(&self) {
        if let Some(Way::Own(own)) = &self.way {
            own.is_stopping.store(true, Ordering::Release);
        }
    }

    /// Takes the project if nobody holds it any more, and goes on with what is due; says whether it is held here now.
    pub fn take_over(&mut self) -> Result<bool, Diagnostic> {
        if !self.holds()
            && let Some(mut own) = self.find_own()?
        {
            own.start();
            self.way = Some(Way::Own(Box::new(own)));
        }
        Ok(self.holds())
    }

    /// Waits until the process that holds the project lets go of it, whoever has it then; says whether it did.
    pub fn outlast(&mut self) -> bool {
        let stopping = self.holder();
        let deadline = Instant::now() + STOPPING;
        while self.holder() == stopping && Lock::is_held(&self.home.lock()) {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(PAUSE);
        }
        self.way = None;
        true
    }

    /// The process that holds the project, as far as it can be told.
    pub fn holder(&self) -> Option<Holder> {
        Lock::holder(&self.home.lock())
    }

    /// What was cut off the end of the journal when this process opened it, to be told once.
    pub fn take_cut(&mut self) -> Option<Cut> {
        match &mut self.way {
            Some(Way::Own(own)) => own.cut.take(),
            _ => None,
        }
    }

    /// Answers as many requests as can be answered now, from the first on.
    fn try_submit(
        &mut self,
        requests: &[Request],
        deadline: Instant,
    ) -> Result<Vec<Result<Answer, Diagnostic>>, Diagnostic> {
        if self.way.is_none() {
            self.way = self.find_way()?;
        }
        let (client, request) = match (&mut self.way, requests.first()) {
            (Some(Way::Own(own)), _) => return Ok(own.submit(requests)),
            (Some(Way::Other { client, .. }), Some(request)) => (client, request),
            _ => return Ok(Vec::new()),
        };
        match client.ask(request, deadline.saturating_duration_since(Instant::now())) {
            Ok(Reply::Records(records)) => return Ok(vec![Ok(Answer { records })]),
            Ok(Reply::Refused(refusal)) if refusal.code != diagnostic::DRIVER_ENDED => {
                return Ok(vec![Err(refusal)]);
            }
            // The holder went away, perhaps after it decided: look for the next one and ask that.
            Ok(Reply::Refused(_)) | Err(_) => self.way = None,
        }
        Ok(Vec::new())
    }

    fn find_way(&mut self) -> Result<Option<Way>, Diagnostic> {
        if let Some(own) = self.find_own()? {
            return Ok(Some(Way::Own(Box::new(own))));
        }
        let socket = self.holder().and_then(|holder| holder.socket);
        let other = |socket: PathBuf| Some(Way::Other { client: Client::connect(&socket).ok()?, socket });
        Ok(socket.and_then(other))
    }

    /// The project as held by this process, if nobody else holds it.
    fn find_own(&self) -> Result<Option<Own>, Diagnostic> {
        self.home.make().map_err(|error| folder_trouble(&error))?;
        let socket = socket::path_for(&self.home.state);
        let holder = Holder::this_process(&self.doing, socket.clone());
        let before = self.holder().and_then(|holder| holder.socket);
        let lock = Lock::acquire(&self.home.lock(), &holder).map_err(|error| folder_trouble(&error))?;
        let Some(lock) = lock else { return Ok(None) };
        only_people(&self.home)?;
        remove_socket(before.as_deref(), socket.as_deref());
        Own::open(&self.home, lock, &holder, socket, self.tools.clone()).map(Some)
    }

    fn held(&self) -> Diagnostic {
        let message = match self.holder() {
            Some(holder) => format!(
                "process {} (`{}`) holds this project and does not answer",
                holder.pid, holder.command
            ),
            None => "another process holds this project and does not answer".to_owned(),
        };
        Diagnostic::error(diagnostic::PROJECT_HELD, message)
    }
}

/// Refuses to let a process take the project that works for it: what an agent has to say, it says with a signal.
pub fn only_people(home: &Home) -> Result<(), Diagnostic> {
    let projects = process::works_for(rustix::process::getpid()).unwrap_or_default();
    if projects.is_empty() {
        return Ok(());
    }
    let mut state = State::default();
    // A record that cannot be read is for the command to complain about.
    let _ = walk_along(&home.reading(), &mut |record| fold(&mut state, record).map(drop));
    let works_here = state.project.id.is_some_and(|id| projects.contains(&id));
    if works_here { Err(socket::not_a_person()) } else { Ok(()) }
}

/// Trouble with Provost's own folders, in words that fit it.
pub fn folder_trouble(error: &io::Error) -> Diagnostic {
    let full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    let code = if full { diagnostic::DISK_FULL } else { diagnostic::PROJECT_FOLDER };
    Diagnostic::error(code, error.to_string())
}

/// Removes what a holder left behind that was killed. Only in our own folder: the lock file is only text.
fn remove_socket(dead: Option<&Path>, own: Option<&Path>) {
    if let (Some(dead), Some(own)) = (dead, own)
        && dead.parent() == own.parent()
        && dead != own
    {
        let _ = std::fs::remove_file(dead);
    }
}

impl Own {
    fn open(
        home: &Home,
        lock: Lock,
        holder: &Holder,
        socket: Option<PathBuf>,
        tools: Option<Tools>,
    ) -> Result<Own, Diagnostic> {
        let journal = FileJournal::new(home.owned(lock));
        let identity =
            Identity { session_id: new_id(), holder: format!("process {}: {}", holder.pid, holder.command) };
        let performing = if tools.is_some() { Performing::Yes } else { Performing::No };
        if let Some(tools) = &tools {
            // Whatever an earlier process started and did not end would work beside what is started now.
            let _ = process::end_marked(&tools.project_id);
        }
        let driver: Driver<State, _> =
            Driver::open(journal, identity, performing).map_err(|fault| fault.diagnostic())?;
        let cut = driver.cut().cloned();
        let found = driver.chain().head.sequence;
        // A project that is made only now gets the id that its agents will carry.
        let known = driver.state().project.id.clone();
        let project_id = known.or_else(|| tools.as_ref().map(|tools| tools.project_id.clone()));
        let running = Running::new(driver);
        let handle = running.handle();
        let is_stopping = Arc::new(AtomicBool::new(false));
        // Without a socket this process still acts; others then wait for it to end.
        if let Some(socket) = &socket {
            let stopping = format!("process {} (`{}`) is stopping", holder.pid, holder.command);
            let host = Host { project_id, stopping, is_stopping: Arc::clone(&is_stopping) };
            let _ = socket::serve(socket, &handle, host);
        }
        Ok(Own {
            handle,
            cut,
            found,
            idle: Some(running),
            performer: tools.map(Performer::new),
            thread: None,
            socket,
            is_stopping,
        })
    }

    fn submit(&mut self, requests: &[Request]) -> Vec<Result<Answer, Diagnostic>> {
        let begin = |request: &Request| {
            let cause = Cause::Request(request.id.clone());
            let (actor, command) = (request.actor.clone(), request.command.clone());
            self.handle.begin(Submission { cause, actor, command })
        };
        let pending: Vec<_> = requests.iter().map(begin).collect();
        self.start();
        pending.into_iter().map(crate::driver::Pending::wait).collect()
    }

    /// Begins to decide and to perform, unless that has begun.
    fn start(&mut self) {
        if let Some(running) = self.idle.take() {
            let performer = self.performer.take();
            self.thread = Some(thread::spawn(move || match performer {
                Some(mut performer) => run(running, &mut performer, &SystemClock),
                None => run(running, &mut Nothing, &SystemClock),
            }));
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.handle.close();
        // Gone before the lock is: whoever finds it gone tries the lock.
        if let Some(socket) = &self.socket {
            let _ = std::fs::remove_file(socket);
        }
        if let Some(driver) = self.thread.take().and_then(|thread| thread.join().ok()) {
            let storage = driver.journal().storage();
            // A view that cannot be written is made again by the next process, or by `provost rebuild`.
            if storage.fence().is_ok() {
                let (state, chain) = (driver.state(), driver.chain());
                let _ = views::write(storage.root(), state, chain);
                let _ = views::report_changes(storage, storage.root(), (state, chain), self.found);
            }
        }
    }
}

/// Performs nothing: for processes that only record.
struct Nothing;

impl<D: Decider> Perform<D> for Nothing {
    fn start(&mut self, _: Start<D::Effect>, _: Reporter<D::Command>) {}
    fn stop(&mut self, _: EffectId) {}
}
