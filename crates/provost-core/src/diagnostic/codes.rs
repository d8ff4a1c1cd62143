//! Every code there is, in one list, so that a code cannot exist without a page nor a page without a code.

use super::{Code, Exit};

/// Declares the codes and the list of all of them from one table.
macro_rules! codes {
    ($($(#[$doc:meta])+ $constant:ident = $name:literal, $exit:ident, $help:literal;)+) => {
        $($(#[$doc])+ pub const $constant: Code = Code { name: $name, exit: Exit::$exit, help: $help };)+

        /// Every code, by area.
        pub const CODES: &[Code] = &[$($constant),+];
    };
}

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
    /// A document handed in as an intent is not an object with an id.
    INTENT_NOT_AN_INTENT = "intent::not_an_intent", Usage,
        "hand in the JSON or YAML of an intent; `provost intent new \"GOAL\"` writes one";
    /// An intent does not have the form that its schema asks for.
    INTENT_SCHEMA = "intent::schema", Blocked,
        "mend the value as the message says";
    /// The checksum of an intent is not that of its content.
    INTENT_CHECKSUM = "intent::checksum", Blocked,
        "see that nobody changed the intent, then seal it again with `provost intent seal FILE`";
    /// An intent carries something to be run.
    INTENT_RED_LINE_I1 = "intent::red_line_i1", Aborted,
        "remove it; an intent says what shall be, never what to run";
    /// An intent that asks nobody has questions.
    INTENT_RED_LINE_I2 = "intent::red_line_i2", Blocked,
        "set question_budget to 0 and question_policy to `never`, or choose another mode";
    /// An intent of high risk asks nobody.
    INTENT_RED_LINE_I3 = "intent::red_line_i3", Blocked,
        "choose `semi_auto` or `interactive`";
    /// A planned command names no evidence.
    INTENT_RED_LINE_I4 = "intent::red_line_i4", Blocked,
        "add at least one reference to what the command rests on";
    /// An intent does not forbid what is made up.
    INTENT_RED_LINE_I5 = "intent::red_line_i5", Blocked,
        "set no_fabrication and registry_only to true";
    /// An intent changes something and nobody has to look at it.
    INTENT_REVIEW_MISSING = "intent::review_missing", Blocked,
        "name in risk.requires_review what somebody has to look at";
    /// An intent was rejected or superseded.
    INTENT_STATUS = "intent::status", Blocked,
        "plan the intent that took its place, or propose this one again";
    /// An intent is still a draft.
    INTENT_DRAFT = "intent::draft", Done,
        "set status to `proposed` when it is ready";
    /// A reference to evidence cannot be one.
    INTENT_REFERENCE = "intent::reference", Blocked,
        "write it as `scheme://path`, such as `scan://file/src/lib.rs`";
    /// A path of an intent is not below the top of the repository.
    INTENT_PATH = "intent::path", Blocked,
        "write the path from the top of the repository, without `..`";
    /// A goal is to be planned with a workflow that the registry does not have.
    INTENT_WORKFLOW = "intent::workflow", Usage,
        "name a workflow of the registry, the file name of one in .provost/registry/workflows";
    /// The registry has nothing that a goal could be planned with.
    INTENT_NO_COMMAND = "intent::no_command", Usage,
        "add a command that writes, and an agent, to .provost/registry; `provost rules check` says what is broken";
    /// An intent cannot be written to its file.
    INTENT_OUTPUT = "intent::output", Usage,
        "name another file with `--out FILE`";
    /// Answers belong to another pack, run or intent.
    ANSWERS_PACK = "answers::pack", Usage,
        "answer the pack that `provost questions` shows";
    /// An answer is for no question of the pack, or for one that is answered already.
    ANSWERS_QUESTION = "answers::question", Usage,
        "answer each question of the pack once";
    /// An answer is not of the kind that it says.
    ANSWERS_VALUE = "answers::value", Usage,
        "choose one of the suggested answers, or answer with text";
    /// A critical question has no answer by a person.
    ANSWERS_CRITICAL = "answers::critical", Usage,
        "answer the question; a default counts only where the policy has auto_fallback";
    /// An answer tries to replace a command, a workflow or an agent.
    ANSWERS_OVERRIDE = "answers::override", Usage,
        "answer the question; what is planned is changed in the intent";
    /// A reference or a path in an answer cannot be one.
    ANSWERS_REFERENCE = "answers::reference", Usage,
        "write a reference as `scheme://path` and a path from the top of the repository";
    /// The checksum of answers is not that of their content.
    ANSWERS_CHECKSUM = "answers::checksum", Usage,
        "have the answers written by `provost answer`, which seals them";
    /// Answers carry something to be run.
    ANSWERS_RED_LINE = "answers::red_line", Aborted,
        "remove it; an answer says what is wanted, never what to run";
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
    /// Two files of a registry, or two pins, claim one id.
    REGISTRY_RIVALS = "registry::rivals", Usage,
        "keep one of them, or give the others the status `draft` or `deprecated` and a version of their own";
    /// A registry, or a file of it, cannot be read.
    REGISTRY_UNREADABLE = "registry::unreadable", Usage,
        "see that it exists, is a folder or a regular file, and can be read; `provost init` writes a first registry";
    /// A registry has more files than Provost reads.
    REGISTRY_TOO_MANY = "registry::too_many", Usage,
        "split the registry, or move what is not used out of it";
    /// A command names a workflow or a phase that does not exist.
    REGISTRY_LINK = "registry::link", Done,
        "name a workflow of this registry and one of its phases, or leave the link as a remark";
    /// Content does not say where it came from.
    REGISTRY_LINEAGE = "registry::lineage", Done,
        "add `lineage` with `introduced_in` and `derived_from`; null says that it has no parent";
    /// A file or folder of memory cannot be read.
    MEMORY_UNREADABLE = "memory::unreadable", Usage,
        "see that it exists, is a folder or a regular file, and can be read; `provost init` makes the folder";
    /// Two items of memory have one id.
    MEMORY_RIVALS = "memory::rivals", Usage,
        "remove one of them, or give it another id";
    /// Something that is to be remembered is remembered already.
    MEMORY_KNOWN = "memory::known", Refused,
        "change the file that was named instead";
    /// The result of a scan cannot be written.
    SCAN_OUTPUT = "scan::output", Fault,
        "name a file in a folder that exists and that you may write";
    /// A file in `rules/` is not a rule.
    RULES_FORM = "rules::form", Aborted,
        "give the rule the keys that docs/rules.md shows";
    /// A rule holds something that could be executed, or does not forbid it.
    RULES_RED_LINE = "rules::red_line", Aborted,
        "remove the key and write `constraints: {execution: forbidden}`; a rule says what is allowed and does nothing";
    /// A rule demands no evidence.
    RULES_NO_EVIDENCE = "rules::no_evidence", Aborted,
        "name under `evidence_required` what an evaluation of the rule has to record";
    /// A machine cannot decide a rule.
    RULES_UNDECIDABLE = "rules::undecidable", Aborted,
        "write it with the words and values that docs/rules.md lists";
    /// A condition uses an operator that does not exist.
    RULES_UNKNOWN_OPERATOR = "rules::unknown_operator", Aborted,
        "use one of the operators and predicates that docs/rules.md lists";
    /// A condition is too large.
    RULES_TOO_COMPLEX = "rules::too_complex", Aborted,
        "split the rule into several; each may have 64 conditions, 8 levels deep";
    /// A rule does not say what it applies to.
    RULES_NO_SCOPE = "rules::no_scope", Aborted,
        "name a type, a risk or a phase under `scope`";
    /// A rule does not say where it comes from.
    RULES_LINEAGE = "rules::lineage", Aborted,
        "write `introduced_in`, `derived_from` and `supersedes` under `lineage`";
    /// Two rules have one id.
    RULES_DUPLICATE = "rules::duplicate", Aborted,
        "keep one of them, or give the newer another id and name the older under `supersedes`";
    /// Rules supersede each other in a circle.
    RULES_CYCLE = "rules::cycle", Aborted,
        "remove one of them from the `supersedes` of another";
    /// A rule demands evidence that nothing records.
    RULES_UNKNOWN_EVIDENCE = "rules::unknown_evidence", Done,
        "use one of the names that docs/rules.md lists; until then it is recorded as absent";
    /// A rule has a key that nothing reads.
    RULES_UNREAD = "rules::unread", Done,
        "remove the key, or move it under `metadata`";
    /// The registry has nothing usable of a name.
    REGISTRY_MISSING = "registry::missing", Blocked,
        "name content that is in the registry and active; `provost rules check` lists what is wrong with it";
    /// A pinned version is not the one that is there.
    REGISTRY_DRIFT = "registry::drift", Blocked,
        "pin the version that is there, or restore the one that is pinned";
    /// The policy wants versions pinned and some are not.
    REGISTRY_UNPINNED = "registry::unpinned", Blocked,
        "hand in a lock file with `--lock`, or plan with `pins: optional`";
    /// There is no memory pack, or too small a one.
    CONTEXT_MEMORY = "context::memory", Blocked,
        "make `.provost/memory/` (`provost init` does), or hand in a pack with `--memory`";
    /// There are no facts about the project.
    CONTEXT_FACTS = "context::facts", Blocked,
        "let `provost plan` scan the project, or hand in a pack with `--facts`";
    /// A file of the rules cannot be used.
    RULES_BROKEN = "rules::broken", Aborted,
        "mend or remove the file; nobody can tell what it would have forbidden";
    /// A rule lacks a fact about this input.
    RULES_UNDECIDED = "rules::undecided", Blocked,
        "provide the fact that the rule asks for, or change the rule so that it can do without";
    /// A rule denies something planned.
    RULES_DENY = "rules::deny", Blocked,
        "change what the rule names; `provost rules explain RUN COMMAND` shows why it fired";
    /// A blocking rule denies, or a critical command is denied.
    RULES_HARD_DENY = "rules::hard_deny", Aborted,
        "rethink what is planned; editing data is not enough";
    /// Rules ask for a model and there is no catalogue.
    ROUTING_NO_CATALOGUE = "routing::no_catalogue", Blocked,
        "write a model into `.provost/registry/models/`; `provost init` does for the agents that it finds";
    /// A rule demands a model that the policy forbids.
    ROUTING_CONTRADICTION = "routing::contradiction", Aborted,
        "change the policy or the rule; both cannot be satisfied";
    /// Every model is too dear.
    ROUTING_BUDGET = "routing::budget", Blocked,
        "raise the budget, or add a cheaper model";
    /// No model of the catalogue may be used.
    ROUTING_NO_MODEL = "routing::no_model", Blocked,
        "add a model that may see this work, or change the policy";
    /// The policy forbids something planned.
    POLICY_FORBIDS = "policy::forbids", Blocked,
        "take it out of the intent, or plan with another policy";
    /// The graph of the plan is not sound.
    GRAPH_INVALID = "graph::invalid", Blocked,
        "split the intent, or mend what the message names";
    /// The graph of the plan is not complete.
    GRAPH_INCOMPLETE = "graph::incomplete", Blocked,
        "answer so that something is left to do, or write another intent";
    /// Something open may neither be asked nor settled.
    PLANNING_UNSETTLED = "planning::unsettled", Blocked,
        "settle it in the intent, or plan with a mode and a budget that let it be asked";
    /// A question lacks the evidence that the policy wants.
    PLANNING_QUESTION_EVIDENCE = "planning::question_evidence", Blocked,
        "lower `question_rules.min_evidence_count`, or name more evidence in the intent";
    /// Nobody answered and no default may stand in.
    PLANNING_UNANSWERED = "planning::unanswered", Blocked,
        "plan again and answer, or settle it in the intent";
    /// Answers contradict verdicts again and again.
    PLANNING_CONFLICT = "planning::conflict", Blocked,
        "write another intent, or change the rule that the answers contradict";
    /// A document of Provost is not what it should be.
    PLANNING_ARTIFACT = "planning::artifact", Aborted,
        "report it; this is a defect of Provost";
    /// The change is larger than its budget.
    REVIEW_BUDGET = "review::budget", Blocked,
        "raise the budget, or split the intent";
    /// A required review has no gate.
    REVIEW_UNCOVERED = "review::uncovered", Blocked,
        "name the review's category in the intent";
    /// What is frozen does not hold together.
    FREEZE_FAILED = "freeze::failed", Blocked,
        "name only content that is in the registry";
    /// There is no such run.
    PLANNING_UNKNOWN_RUN = "planning::unknown_run", Usage,
        "`provost status` lists the runs; the beginning of an id is enough";
    /// The run is not frozen.
    PLANNING_NOT_FROZEN = "planning::not_frozen", Refused,
        "answer its questions or mend what stopped it; `provost show RUN` says which";
    /// The plan has no such gate.
    PLANNING_NO_GATE = "planning::no_gate", Refused,
        "name one of the gates that the message lists, or none to approve all";
    /// An approval lacks something.
    PLANNING_APPROVAL = "planning::approval", Usage,
        "say who approves and why";
    /// The run does not wait for answers.
    PLANNING_NOT_WAITING = "planning::not_waiting", Refused,
        "`provost show RUN` says where it is; `provost plan --again RUN` makes a successor";
    /// A frozen plan changes nothing.
    PLANNING_NOTHING_TO_DELIVER = "planning::nothing_to_deliver", Refused,
        "plan a command that writes; a plan that only looks is complete when it is frozen";
    /// A file that a plan should be made from cannot be read.
    PLANNING_INPUT = "planning::input", Usage,
        "name a regular file that you may read";
    /// The folder for a plan holds something else.
    PLANNING_OUT_TAKEN = "planning::out_taken", Refused,
        "name a folder that does not exist";
    /// The folder for a plan cannot be written.
    PLANNING_OUT_FAILED = "planning::out_failed", Fault,
        "name a folder in one that exists and that you may write";
    /// A frozen plan is not what was frozen.
    PLANNING_UNVERIFIED = "planning::unverified", Unverified,
        "take the plan from where it was not changed, or plan again";
    /// Nothing of that name was judged by rules.
    PLANNING_UNKNOWN_COMMAND = "planning::unknown_command", Usage,
        "name a command or a workflow of the plan; `provost show RUN` lists them";
    /// The folder is in no git repository, or in one without a work tree.
    PROJECT_NO_REPOSITORY = "project::no_repository", Usage,
        "go into a repository, make one with `git init`, or name one with `--project DIR`";
    /// The repository has no project yet.
    PROJECT_MISSING = "project::missing", Refused,
        "record something first, for example with `provost note \"begin\"`";
    /// Another process holds the project and does not answer.
    PROJECT_HELD = "project::held", Held,
        "wait for that process or end it, then see with `provost log` whether it recorded the command after all";
    /// Another process took the project over.
    PROJECT_LOST = "project::lost", Fault,
        "see who removed or replaced the lock file, then repeat the command; this process has written nothing more";
    /// Provost's folder cannot be made or used.
    PROJECT_FOLDER = "project::folder", Fault,
        "see that the folder exists, belongs to you, and is on a disk that can be written";
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
        "remove the key; `provost config` lists every key there is";
    /// A value in provost.toml is of the wrong kind or out of range.
    CONFIG_VALUE = "config::value", Usage,
        "give a value of the right kind; `provost config` shows the values in force";
    /// No agent is configured for a role.
    CONFIG_ROLE = "config::role", Usage,
        "name an agent under `[roles]` in .provost/provost.toml; `provost init` writes one for the agents it finds";
    /// The file of a plan cannot be read.
    PLAN_UNREADABLE = "plan::unreadable", Usage,
        "see that the file exists and can be read";
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
    /// There is no task of that name.
    TASK_UNKNOWN = "task::unknown", Usage,
        "name one of the tasks that `provost status` lists, as TASK or DELIVERY/TASK";
    /// There is nothing of that kind to show for the task.
    TASK_NOTHING = "task::nothing", Refused,
        "see with `provost why TASK` how far the task is";
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
