//! The only place that asks what time it is.

use std::time::{SystemTime, UNIX_EPOCH};

use provost_core::time::Timestamp;

/// Something that knows the time.
pub trait Clock {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The system's wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
