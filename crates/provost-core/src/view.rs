//! The state as others read it: field names that are a promise, derived from the state and never read back.

use serde::Serialize;
use strum::VariantArray as _;

use crate::digest::Digest;
use crate::limits::Limit;
use crate::record::{Chain, Sequence};
use crate::state::State;
use crate::time::Timestamp;

/// What `state.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateView<'a> {
    /// The name and version of this form.
    pub schema: &'static str,
    /// The last record that it shows.
    pub sequence: Sequence,
    /// That record's hash.
    pub head: Digest,
    /// The project's id.
    pub project_id: Option<&'a str>,
    /// The opening of the journal that wrote last.
    pub session_id: Option<&'a str>,
    /// When it wrote its first record.
    pub session_started_at: Option<Timestamp>,
    /// The opening before that.
    pub previous_session_id: Option<&'a str>,
    /// How many times the journal was opened again after the first.
    pub session_resume_count: u64,
    /// How many remarks there are.
    pub notes: u64,
    /// The limits in force that differ from their defaults.
    pub limits: Vec<LimitView>,
}

/// A limit that was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LimitView {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: u32,
}

/// Shows the state as of the last record.
pub fn state<'a>(state: &'a State, chain: &Chain) -> StateView<'a> {
    let project = &state.project;
    let session = project.sessions.current.as_ref();
    let set = |limit: &&Limit| project.settings.limit(**limit) != limit.default_value();
    let shown = |limit: &Limit| LimitView { name: (*limit).into(), value: project.settings.limit(*limit) };
    StateView {
        schema: "provost/state/1",
        sequence: chain.head.sequence,
        head: chain.head.hash,
        project_id: project.id.as_deref(),
        session_id: session.map(|session| session.id.as_str()),
        session_started_at: session.map(|session| session.started_at),
        previous_session_id: project.sessions.previous_id.as_deref(),
        session_resume_count: project.sessions.count.saturating_sub(1),
        notes: project.notes,
        limits: Limit::VARIANTS.iter().filter(set).map(shown).collect(),
    }
}
