//! What runs, by effect: how to stop it, and which effects have reported and are still putting away what they made.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use provost_core::effects::EffectId;
use provost_core::time::Timestamp;

use crate::clock::{Clock as _, SystemClock};
use crate::process::Stopper;

/// How long a wait for a time lasts before the clock is asked again.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// How every effect that has begun stands; shared by the performer and the threads of the effects.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    effects: Mutex<BTreeMap<EffectId, Standing>>,
    /// Rung when an effect is over, or asked to stop.
    over: Condvar,
}

#[derive(Debug)]
enum Standing {
    /// Nothing that could be stopped runs yet, or any more.
    Idle,
    /// A program runs.
    Program(Stopper),
    /// It is to stop.
    Asked,
    /// It has reported; there is nothing to stop any more.
    PuttingAway,
}

/// An effect that has reported; dropping this says that all is put away.
pub(super) struct PuttingAway<'a> {
    stops: &'a Stops,
    id: EffectId,
}

impl Drop for PuttingAway<'_> {
    fn drop(&mut self) {
        self.stops.lock().remove(&self.id);
        self.stops.shared.over.notify_all();
    }
}

impl Stops {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<EffectId, Standing>> {
        self.shared.effects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of an effect that begins.
    pub(super) fn begin(&self, id: EffectId) {
        self.lock().insert(id, Standing::Idle);
    }

    /// Asks an effect to stop; one that has reported, or is over, has nothing to be asked.
    pub(super) fn ask(&self, id: EffectId) {
        let mut effects = self.lock();
        match effects.get_mut(&id) {
            None | Some(Standing::PuttingAway) => {}
            Some(standing) => {
                if let Standing::Program(stopper) = std::mem::replace(standing, Standing::Asked) {
                    stopper.stop();
                }
                self.shared.over.notify_all();
            }
        }
    }

    /// Takes note of a program that can be stopped; one that was to stop before it began is stopped now.
    pub(super) fn running(&self, id: EffectId, stopper: Stopper) {
        let mut effects = self.lock();
        if matches!(effects.get(&id), Some(Standing::Asked)) {
            stopper.stop();
            return;
        }
        effects.insert(id, Standing::Program(stopper));
    }

    /// Waits until a time comes; false when the effect is to stop before it does.
    pub(super) fn wait_until(&self, id: EffectId, time: Timestamp) -> bool {
        let mut effects = self.lock();
        loop {
            if matches!(effects.get(&id), Some(Standing::Asked)) {
                return false;
            }
            // Looked at again now and then: the machine may sleep, and its clock may be set.
            let left = Duration::from_millis(time.since_ms(SystemClock.now())).min(LOOK_AGAIN);
            if left.is_zero() {
                return true;
            }
            let waited = self.shared.over.wait_timeout(effects, left);
            effects = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether an effect is to stop.
    pub(super) fn is_asked(&self, id: EffectId) -> bool {
        matches!(self.lock().get(&id), Some(Standing::Asked))
    }

    /// Takes note that an effect is about to report.
    pub(super) fn put_away(&self, id: EffectId) -> PuttingAway<'_> {
        self.lock().insert(id, Standing::PuttingAway);
        PuttingAway { stops: self, id }
    }

    /// Whether everything that has reported, or was asked to stop, has put away what it made. What runs and was not asked
    /// does not count: its supervisor ends it when this process is gone.
    pub(super) fn is_settled(&self) -> bool {
        !is_left(&self.lock())
    }

    /// Waits until it is so.
    pub(super) fn wait(&self) {
        let waited = self.shared.over.wait_while(self.lock(), |effects| is_left(effects));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

fn is_left(effects: &BTreeMap<EffectId, Standing>) -> bool {
    effects.values().any(|standing| matches!(standing, Standing::PuttingAway | Standing::Asked))
}
