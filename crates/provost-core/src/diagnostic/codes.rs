//! Codes.
use super::Code;
/// x
pub const PROJECT_MISSING: Code = Code { name: "project::missing", help: "" };
/// x
pub const NOTE_EMPTY: Code = Code { name: "note::empty", help: "" };
/// x
pub const NOTE_TOO_LONG: Code = Code { name: "note::too_long", help: "" };
