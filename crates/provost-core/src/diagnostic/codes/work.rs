//! The codes of documents, plans, projects and deliveries.

use super::super::{Code, Exit};
use super::codes;

codes! {
    /// A document is larger than its reader accepts.
    DOCUMENT_TOO_LARGE = "document::too_large", Usage,
        "split the document or leave out what Provost does not need";
    /// Lists and objects are nested more deeply than its reader accepts.
    DOCUMENT_TOO_DEEP = "document::too_deep", Usage,
        "flatten the document; 128 levels of lists and objects are accepted";
    /// A document is not UTF-8, or begins with a byte order mark.
    DOCUMENT_ENCODING = "document::encoding", Usage,
        "save the document as UTF-8 without a byte order mark";
    /// A document is not JSON, or not YAML where its name says so.
    DOCUMENT_SYNTAX = "document::syntax", Usage,
        "mend the document at this place";
    /// A comma stands before the end of a list or an object.
    DOCUMENT_TRAILING_COMMA = "document::trailing_comma", Usage,
        "remove the comma";
    /// A document holds a comment.
    DOCUMENT_COMMENT = "document::comment", Usage,
        "remove the comment; JSON has none";
    /// A key occurs twice in one object.
    DOCUMENT_DUPLICATE_KEY = "document::duplicate_key", Usage,
        "keep one of the entries and remove the other";
    /// A number is misspelled, or is not the same after it was read.
    DOCUMENT_NUMBER = "document::number", Usage,
        "write a number that a double holds, or write it as a string";
    /// A string holds a raw control character.
    DOCUMENT_CONTROL_CHARACTER = "document::control_character", Usage,
        "write the character as an escape, such as \\n or \\u0000";
    /// A backslash in a string begins no escape of JSON.
    DOCUMENT_ESCAPE = "document::escape", Usage,
        "use one of the escapes of JSON, or write two backslashes for one";
    /// A string holds one half of a surrogate pair.
    DOCUMENT_SURROGATE = "document::surrogate", Usage,
        "write the character itself, or both halves of the pair";
    /// A document in YAML has an anchor or an alias.
    DOCUMENT_ANCHOR = "document::anchor", Usage,
        "write out what is meant at each place";
    /// A document in YAML has a tag.
    DOCUMENT_TAG = "document::tag", Usage,
        "remove the tag; for text that looks like a number use quotes";
    /// A document in YAML has a merge key.
    DOCUMENT_MERGE_KEY = "document::merge_key", Usage,
        "write the entries out, or put the key into quotes if it is text";
    /// A key of a document in YAML is not text.
    DOCUMENT_KEY = "document::key", Usage,
        "put the key into quotes";
    /// A file in YAML holds several documents.
    DOCUMENT_SEVERAL = "document::several", Usage,
        "put each document into a file of its own";
    /// A document has a key that its kind does not have.
    SCHEMA_UNKNOWN_KEY = "schema::unknown_key", Usage,
        "remove the key; its object has closed keys";
    /// A document lacks a key that its kind always has.
    SCHEMA_MISSING = "schema::missing", Usage,
        "add the key";
    /// A value is of another type than its place asks for.
    SCHEMA_WRONG_TYPE = "schema::wrong_type", Usage,
        "give a value of the right type";
    /// A text, a list or a number is too short, too long, too small or too large.
    SCHEMA_OUT_OF_RANGE = "schema::out_of_range", Usage,
        "stay within the bounds that the message names";
    /// A value is of the right type and not one that is accepted.
    SCHEMA_NOT_ALLOWED = "schema::not_allowed", Usage,
        "give a value that is accepted here";
    /// A plan holds a character that hides text or acts on a terminal.
    PLAN_CHARACTER = "plan::character", Usage,
        "remove the character; a plan is text, line ends and tabs";
    /// A code block or a comment is never closed.
    PLAN_OPEN_BLOCK = "plan::open_block", Usage,
        "close it with the marks that it began with; until then everything behind it is part of it";
    /// A plan has no title.
    PLAN_TITLE = "plan::title", Usage,
        "begin the plan with a line such as `# Passwords can be reset`";
    /// A heading looks like that of a task or a phase and is not.
    PLAN_HEADING = "plan::heading", Usage,
        "write `### Phase 1: name` for a phase, `#### Task 1-1: title` for a task, and five `#` or more inside a task";
    /// The id of a task does not follow its grammar.
    PLAN_TASK_ID = "plan::task_id", Usage,
        "use letters and digits, joined by single hyphens, such as `1-auth-2`";
    /// Two tasks have one id.
    PLAN_DUPLICATE_ID = "plan::duplicate_id", Usage,
        "give one of the tasks another id";
    /// Two phases have one number.
    PLAN_DUPLICATE_PHASE = "plan::duplicate_phase", Usage,
        "give one of the phases another number, or put their tasks together";
    /// A label stands twice in one task.
    PLAN_DUPLICATE_LABEL = "plan::duplicate_label", Usage,
        "put what stands under both into one";
    /// A label is not one that plans have.
    PLAN_UNKNOWN_LABEL = "plan::unknown_label", Done,
        "use one of Work, Acceptance Criteria, Blocked By, Required Reading, Environment, Priority, Files, Verify, Mode, Risk";
    /// Text in a plan reaches nobody.
    PLAN_UNREAD = "plan::unread", Done,
        "move it to the overview above the first phase, or into the work of a task";
    /// A plan in JSON has a key too many or too few.
    PLAN_KEY = "plan::key", Usage,
        "see the page on plans for the keys of the JSON form";
    /// A field of a plan has a value that it cannot have.
    PLAN_VALUE = "plan::value", Usage,
        "give a value of the right kind; the page on plans lists them";
    /// A path that a task may write leads out of the repository.
    PLAN_PATH = "plan::path", Usage,
        "name paths from the top of the repository, such as `src/parser/**`";
    /// A command cannot be started as it is written.
    PLAN_COMMAND = "plan::command", Usage,
        "write a program and its arguments, in quotation marks where they hold blanks; for a shell write `sh -c '…'`";
    /// A task does not say what to do.
    PLAN_NO_WORK = "plan::no_work", Usage,
        "say under **Work** what to create or change";
    /// A task has no acceptance criterion.
    PLAN_NO_CRITERION = "plan::no_criterion", Done,
        "add one under **Acceptance Criteria**, such as ``- [ ] `cargo test` exits 0``";
    /// A criterion uses wording that means something else to everyone.
    PLAN_VAGUE = "plan::vague", Done,
        "say what can be observed: a command and its exit status, a file that exists, a value that is returned, a time";
    /// A criterion does not say how it could be verified.
    PLAN_UNCLEAR = "plan::unclear", Done,
        "name a command in back-quotes with `exits 0`, or say what exists, contains, returns, or how long it takes";
    /// A task is blocked by one that does not exist.
    PLAN_UNKNOWN_BLOCKER = "plan::unknown_blocker", Usage,
        "name the id of a task of this plan, or `none`";
    /// A task is blocked by itself.
    PLAN_BLOCKS_ITSELF = "plan::blocks_itself", Usage,
        "remove the task from its own blockers";
    /// Tasks wait for each other in a circle.
    PLAN_CYCLE = "plan::cycle", Usage,
        "remove one of the blockers on the path";
    /// A plan has no task.
    PLAN_NO_TASK = "plan::no_task", Usage,
        "add a task with a heading such as `#### Task 1-1: title`";
    /// No task of a plan can start.
    PLAN_NO_START = "plan::no_start", Usage,
        "write `none` under **Blocked By** of the task that comes first";
    /// A plan has more tasks, or a task more entries, than are accepted.
    PLAN_TOO_MANY = "plan::too_many", Usage,
        "split it";
    /// The folder is in no git repository, or in one without a work tree.
    PROJECT_NO_REPOSITORY = "project::no_repository", Usage,
        "go into a repository, make one with `git init`, or name one with `--project DIR`";
    /// The repository has no project yet.
    PROJECT_MISSING = "project::missing", Refused,
        "record something first, for example with `provost note \"begin\"`";
    /// Another process holds the project and does not answer.
    PROJECT_HELD = "project::held", Held,
        "wait for that process or end it, then see with `provost log` whether it recorded the command after all";
    /// The process that performs is stopping and begins nothing more.
    PROJECT_STOPPING = "project::stopping", Held,
        "repeat the command when that process has ended";
    /// The repository is a copy of one whose project is still there.
    PROJECT_COPIED = "project::copied", Refused,
        "work in the original, or remove `provost` from this repository's git folder";
    /// Another process took the project over.
    PROJECT_LOST = "project::lost", Fault,
        "see who removed or replaced the lock file, then repeat the command; this process has written nothing more";
    /// Provost's folder cannot be made or used.
    PROJECT_FOLDER = "project::folder", Fault,
        "see that the folder exists, belongs to you, and is on a disk that can be written";
    /// An agent or a check acts as if it were a person.
    ACTOR_AGENT = "actor::agent", Refused,
        "ask with the signal SEEKING_DIVINE_CLARIFICATION, or let a person type the command";
    /// No agent of that name is configured.
    AGENT_UNKNOWN = "agent::unknown", Usage,
        "`provost agents` lists those that are";
    /// An agent cannot be tried, for a reason that is not the agent's.
    AGENT_TRIAL = "agent::trial", Fault,
        "see that git is installed and that the folder for temporary files can be written";
    /// The command `git` is not installed.
    GIT_MISSING = "git::missing", Fault,
        "install git 2.38 or later and see that it is on the PATH";
    /// The command `git` could not do what it was asked.
    GIT_FAILED = "git::failed", Fault,
        "run the same git command by hand to see what is wrong";
    /// A branch that Provost needs exists already and is elsewhere.
    GIT_BRANCH_TAKEN = "git::branch_taken", Refused,
        "rename or delete that branch, then repeat the command";
    /// Something is in the way of a worktree and is left alone.
    WORKTREE_OCCUPIED = "worktree::occupied", Fault,
        "look into the folder, move what you want to keep, remove the folder and repeat the command";
    /// A file of `[worktree] copy` cannot be copied into worktrees.
    WORKTREE_COPY = "worktree::copy", Usage,
        "name regular files of the checkout, by their path from its top";
    /// provost.toml cannot be read.
    CONFIG_UNREADABLE = "config::unreadable", Usage,
        "see that the file can be read and is UTF-8";
    /// provost.toml is not TOML.
    CONFIG_SYNTAX = "config::syntax", Usage,
        "mend the TOML at this place";
    /// provost.toml has a key that Provost does not know.
    CONFIG_UNKNOWN_KEY = "config::unknown_key", Usage,
        "remove the key; the page on settings, docs/config.md, lists every key there is";
    /// A value in provost.toml is of the wrong kind or out of range.
    CONFIG_VALUE = "config::value", Usage,
        "give a value of the right kind, or remove the key to have its default";
    /// No agent is configured for a role.
    CONFIG_ROLE = "config::role", Usage,
        "name an agent under `[roles]` in .provost/provost.toml; `provost init` writes one for the agents it finds";
    /// Programs are to run within walls that cannot be built here.
    SANDBOX_MISSING = "sandbox::missing", Refused,
        "install bubblewrap and see that user namespaces are allowed, or set `sandbox = \"prefer\"` in `[policy]`";
    /// The file of a plan cannot be read.
    PLAN_UNREADABLE = "plan::unreadable", Usage,
        "see that it is a file and can be read";
    /// The repository has no commit.
    RUN_UNBORN = "run::unborn", Usage,
        "commit something first: `git commit --allow-empty -m begin`";
    /// Nobody has approved what a person has to approve before it is delivered.
    RUN_NOT_APPROVED = "run::not_approved", Waiting,
        "look at the plan, then approve it";
    /// What a frozen plan rests on is no longer what it was.
    RUN_DRIFTED = "run::drifted", Waiting,
        "plan again, or go on with `--accept-drift`, which is recorded with your name";
    /// There is no delivery of that name.
    DELIVERY_UNKNOWN = "delivery::unknown", Usage,
        "name one of the deliveries that `provost status` lists";
    /// The delivery has ended.
    DELIVERY_ENDED = "delivery::ended", Refused,
        "begin another one with `provost run PLAN.md`";
    /// The same plan is being delivered already.
    DELIVERY_BEGUN = "delivery::begun", Refused,
        "go on with `provost resume`, or end it with `provost cancel`";
    /// The same plan was delivered already.
    DELIVERY_DONE = "delivery::done", Refused,
        "deliver it once more with `provost run PLAN.md --again`";
    /// There is no task of that name.
    TASK_UNKNOWN = "task::unknown", Usage,
        "name one of the tasks that `provost status` lists, as TASK or DELIVERY/TASK";
    /// There is nothing of that kind to show for the task.
    TASK_NOTHING = "task::nothing", Refused,
        "see with `provost why TASK` how far the task is";
    /// The task is not halted.
    TASK_NOT_HALTED = "task::not_halted", Refused,
        "see with `provost why TASK` what the task waits for";
    /// No such question is open.
    QUESTION_UNKNOWN = "question::unknown", Usage,
        "name one of the questions that `provost questions` lists";
    /// The answer does not fit the question.
    QUESTION_ANSWER = "question::answer", Usage,
        "answer with one of the options that `provost questions` lists";
    /// A note has no text.
    NOTE_EMPTY = "note::empty", Usage,
        "say something: `provost note \"TEXT\"`";
    /// A note is longer than a record may be.
    NOTE_TOO_LONG = "note::too_long", Usage,
        "shorten the note, or put the text into a file and attach it with `--attach FILE`";
    /// A file to attach cannot be kept.
    NOTE_ATTACHMENT = "note::attachment", Usage,
        "attach a readable file of at most 4 MiB";
    /// A line of standard input is not text.
    NOTE_ENCODING = "note::encoding", Usage,
        "give the remark as UTF-8";
    /// A command needs a record that is larger than records may be.
    RECORD_TOO_LARGE = "record::too_large", Refused,
        "ask for less at once";
    /// The journal's bytes are not those that were written.
    JOURNAL_DAMAGED = "journal::damaged", Unverified,
        "restore the named segment from a backup; nothing was changed and reading up to this record still works";
    /// An incomplete batch was cut off the end of the journal.
    JOURNAL_CUT = "journal::cut", Done,
        "nothing that was acknowledged is lost; a power cut or a kill in the middle of a write leaves such a batch";
    /// A head to compare with cannot be read.
    VERIFY_HEAD = "verify::head", Usage,
        "give it as `provost log --head` printed it: SEQUENCE:HASH, or the 64 characters of HASH";
    /// The journal does not hold the head that it is compared with.
    JOURNAL_HEAD = "journal::head", Unverified,
        "compare with the place where the head was noted: records were cut off or history was rewritten";
    /// An artifact that a record names is missing or changed.
    JOURNAL_ARTIFACT = "journal::artifact", Unverified,
        "restore the artifact from a backup; it is named by its SHA-256";
    /// The journal was written by a newer Provost.
    JOURNAL_NEWER = "journal::newer", Refused,
        "use the newer Provost; this one reads up to that record and writes nothing";
    /// A record contradicts those before it.
    JOURNAL_IMPOSSIBLE = "journal::impossible", Bug,
        "keep the journal as it is and report this; the line `provost verify --json` prints belongs in the report";
    /// The journal ends elsewhere than this process left it.
    JOURNAL_MOVED = "journal::moved", Bug,
        "keep the journal as it is and report this: two processes have written at once";
    /// The disk refused to read or write the journal.
    JOURNAL_DISK = "journal::disk", Fault,
        "mend the disk or its permissions and repeat the command; it is not clear whether it was recorded";
    /// The journal cannot be read.
    JOURNAL_UNREADABLE = "journal::unreadable", Fault,
        "mend the disk or its permissions; nothing was changed";
    /// The disk is full.
    DISK_FULL = "disk::full", Fault,
        "make room and repeat the command; reading goes on and nothing that was acknowledged is lost";
    /// The process that held the project ended before it answered.
    DRIVER_ENDED = "driver::ended", Fault,
        "repeat the command";
    /// A request over the socket was not understood.
    SOCKET_REQUEST = "socket::request", Refused,
        "use the same version of Provost as the process that holds the project, or wait until it has ended";
    /// A tool server cannot speak for the turn that it was started for.
    MCP_DISPATCH = "mcp::dispatch", Usage,
        "name the file that Provost wrote for a turn that goes on, or leave out --dispatch to read the record";
    /// A tool server could not be served.
    MCP_FAILED = "mcp::failed", Fault,
        "see that a client is at the other end of standard input and output, and start it again";
    /// The arguments were not understood.
    CLI_USAGE = "cli::usage", Usage,
        "see `provost --help`, or `provost COMMAND --help`";
    /// Standard input could not be read.
    INPUT_FAILED = "input::failed", Fault,
        "see where the input comes from";
    /// A script of the scripted agent cannot be used.
    SCRIPTED_SCRIPT = "scripted::script", Usage,
        "mend the script; docs/scripted-agent.md has every word of it";
    /// A step of a script could not be done.
    SCRIPTED_STEP = "scripted::step", Fault,
        "see that the worktree is what the script expects";
    /// The environment does not say which turn it is.
    SCRIPTED_TURN = "scripted::turn", Usage,
        "set PROVOST_ROLE, PROVOST_TASK and PROVOST_ATTEMPT as Provost does for every agent";
    /// There is no machine of that name.
    MACHINES_UNKNOWN = "machines::unknown", Usage,
        "name one of the machines that `provost machines` lists";
    /// Something that the demo shows did not happen.
    DEMO_FAILED = "demo::failed", Fault,
        "run it again with `--keep DIR` and look at `provost log` there; if it fails again, report it";
    /// There is no error code of that name.
    EXPLAIN_UNKNOWN = "explain::unknown", Usage,
        "copy the code as it was printed; `provost explain` lists all of them";
    /// Output could not be written.
    OUTPUT_FAILED = "output::failed", Fault,
        "see that standard output can be written";
    /// Provost contradicted itself.
    PROVOST_BUG = "provost::bug", Bug,
        "report this with the message above; nothing was recorded";
}
