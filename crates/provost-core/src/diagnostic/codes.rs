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
    /// A document is not JSON.
    DOCUMENT_SYNTAX = "document::syntax", Usage,
        "mend the JSON at this place";
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
    /// There is no machine of that name.
    MACHINES_UNKNOWN = "machines::unknown", Usage,
        "name one of the machines that `provost machines` lists";
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
