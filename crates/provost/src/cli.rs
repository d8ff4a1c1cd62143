//! The command line: one file per command, each with its arguments and what it does. No rules are here; commands
//! hand requests to the runtime and print what comes back.

mod agents;
mod answer;
mod approve;
mod cancel;
mod clean;
mod config;
mod confine;
mod demo;
mod doctor;
mod explain;
mod init;
mod intent;
mod log;
mod machines;
mod mcp;
mod memory;
mod note;
mod plan;
mod rebuild;
mod reply;
mod resume;
mod rules;
mod run;
mod scan;
mod show;
mod status;
mod supervise;
mod scripted_agent;
mod verify;
mod watch;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use provost_core::diagnostic::{self, Diagnostic, Exit};
use provost_runtime::home::Home;

use crate::failure::Failure;
use crate::screen::Screen;

/// Plan and apply for AI coding agents.
///
/// Everything that happens is on a record that cannot be changed unseen; `provost log` prints it and `provost
/// verify` checks it.
#[derive(Debug, Parser)]
#[command(name = "provost", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// The repository to work in, instead of the current folder's.
    #[arg(long, global = true, value_name = "DIR", default_value = ".", hide_default_value = true)]
    project: PathBuf,

    /// Print one JSON document, or JSON lines for streams, instead of text.
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Arguments),
    Doctor(doctor::Arguments),
    Agents(agents::Arguments),
    Demo(demo::Arguments),
    Scan(scan::Arguments),
    Intent(intent::Arguments),
    Memory(memory::Arguments),
    Rules(rules::Arguments),
    Plan(plan::Arguments),
    Answer(answer::Arguments),
    Approve(approve::Arguments),
    Run(run::Arguments),
    Resume(resume::Arguments),
    Status(status::Arguments),
    Why(why::Arguments),
    Show(show::Arguments),
    Questions(reply::Questions),
    Reply(reply::Reply),
    Cancel(cancel::Arguments),
    Clean(clean::Arguments),
    Note(note::Arguments),
    Log(log::Arguments),
    Verify(verify::Arguments),
    Rebuild(rebuild::Arguments),
    Config(config::Arguments),
    Machines(machines::Arguments),
    Mcp(mcp::Arguments),
    Explain(explain::Arguments),
    #[command(hide = true)]
    Supervise(supervise::Arguments),
    #[command(hide = true)]
    Confine(confine::Arguments),
    ScriptedAgent(scripted_agent::Arguments),
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Command::Init(_) => "init",
            Command::Doctor(_) => "doctor",
            Command::Agents(arguments) => arguments.name(),
            Command::Demo(_) => "demo",
            Command::Scan(_) => "scan",
            Command::Intent(arguments) => arguments.name(),
            Command::Memory(arguments) => arguments.name(),
            Command::Rules(arguments) => arguments.name(),
            Command::Plan(_) => "plan",
            Command::Answer(_) => "answer",
            Command::Approve(_) => "approve",
            Command::Run(_) => "run",
            Command::Resume(_) => "resume",
            Command::Status(_) => "status",
            Command::Why(_) => "why",
            Command::Show(_) => "show",
            Command::Questions(_) => "questions",
            Command::Reply(_) => "reply",
            Command::Cancel(_) => "cancel",
            Command::Clean(_) => "clean",
            Command::Note(_) => "note",
            Command::Log(_) => "log",
            Command::Verify(_) => "verify",
            Command::Rebuild(_) => "rebuild",
            Command::Config(_) => "config",
            Command::Machines(_) => "machines",
            Command::Mcp(_) => "mcp",
            Command::Explain(_) => "explain",
            Command::Supervise(_) => "supervise",
            Command::Confine(_) => "confine",
            Command::ScriptedAgent(_) => "scripted-agent",
        }
    }
}

/// Where a command runs and where it prints.
pub(crate) struct Context {
    folder: PathBuf,
    pub(crate) screen: Screen,
}

impl Context {
    /// The project of the folder that was named.
    pub(crate) fn home(&self) -> Result<Home, Failure> {
        Ok(Home::find(&self.folder)?)
    }
}

/// Runs the command that was typed and gives its exit status.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let screen = Screen::new(cli.command.name(), cli.json);
    let mut context = Context { folder: cli.project, screen };
    let done = match cli.command {
        Command::Init(arguments) => init::run(&arguments, &mut context),
        Command::Doctor(arguments) => doctor::run(&arguments, &mut context),
        Command::Agents(arguments) => agents::run(&arguments, &mut context),
        Command::Demo(arguments) => demo::run(&arguments, &mut context),
        Command::Scan(arguments) => scan::run(&arguments, &mut context),
        Command::Intent(arguments) => intent::run(&arguments, &mut context),
        Command::Memory(arguments) => memory::run(&arguments, &mut context),
        Command::Rules(arguments) => rules::run(&arguments, &mut context),
        Command::Plan(arguments) => plan::run(&arguments, &mut context),
        Command::Answer(arguments) => answer::run(&arguments, &mut context),
        Command::Approve(arguments) => approve::run(&arguments, &mut context),
        Command::Run(arguments) => run::run(&arguments, &mut context),
        Command::Resume(arguments) => resume::run(&arguments, &mut context),
        Command::Status(arguments) => status::run(&arguments, &mut context),
        Command::Why(arguments) => why::run(&arguments, &mut context),
        Command::Show(arguments) => show::run(&arguments, &mut context),
        Command::Questions(arguments) => reply::questions(&arguments, &mut context),
        Command::Reply(arguments) => reply::reply(&arguments, &mut context),
        Command::Cancel(arguments) => cancel::run(&arguments, &mut context),
        Command::Clean(arguments) => clean::run(&arguments, &mut context),
        Command::Note(arguments) => note::run(&arguments, &mut context),
        Command::Log(arguments) => log::run(&arguments, &mut context),
        Command::Verify(arguments) => verify::run(&arguments, &mut context),
        Command::Rebuild(arguments) => rebuild::run(&arguments, &mut context),
        Command::Config(arguments) => config::run(&arguments, &mut context),
        Command::Machines(arguments) => machines::run(&arguments, &mut context),
        Command::Mcp(arguments) => mcp::run(&arguments, &mut context),
        Command::Explain(arguments) => explain::run(&arguments, &mut context),
        Command::Supervise(arguments) => supervise::run(&arguments, &mut context),
        Command::Confine(arguments) => confine::run(&arguments, &mut context),
        Command::ScriptedAgent(arguments) => scripted_agent::run(&arguments, &mut context),
    };
    // What is printed last is printed here, so that a full disk behind standard output is noticed for every command.
    let done = done.and_then(|exit| match context.screen.flush().map_err(Failure::from) {
        // How it ended is the same, whether anybody reads of it or not.
        Ok(()) | Err(Failure::NobodyReads) => Ok(exit),
        Err(failure) => Err(failure),
    });
    let exit = match done {
        Ok(exit) => exit,
        Err(failure) => failure.report(&mut context.screen),
    };
    ExitCode::from(exit.number())
}

/// Says what was wrong with the arguments, or prints the help that was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|argument| argument == "--json");
    if !error.use_stderr() || !wants_json {
        error.exit();
    }
    let failure = Failure::from(misused(&error.to_string()));
    ExitCode::from(failure.report(&mut Screen::new("error", true)).number())
}

/// What the first paragraph says, on one line, and the tip where there is one; the usage behind it is for people.
fn misused(text: &str) -> Diagnostic {
    let mut paragraphs = text.split("\n\n");
    let mut lines = paragraphs.next().unwrap_or_default().trim_start_matches("error: ").lines();
    let first = lines.next().unwrap_or_default();
    let named: Vec<&str> = lines.map(str::trim).collect();
    let message = if named.is_empty() { first.to_owned() } else { format!("{first} {}", named.join(", ")) };
    let misused = Diagnostic::error(diagnostic::CLI_USAGE, message);
    match paragraphs.find_map(|it| it.trim().strip_prefix("tip: ")) {
        Some(tip) => misused.with_help(tip.lines().next().unwrap_or_default()),
        None => misused,
    }
}

/// What a command gives back.
pub(crate) type Done = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        super::Cli::command().debug_assert();
    }
}
