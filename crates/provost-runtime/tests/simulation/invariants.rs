//! What must hold at the end of every run, whatever happened in it: one rule a file. What holds of every step is the
//! explorer's, and looked at while the record grows.
//!
//! | file | rule |
//! |---|---|
//! | `acknowledged` | what was acknowledged is on the record, unchanged |
//! | `durable_first` | nothing was started before the record that asked for it was durable |
//! | `once` | an effect that leaves a trace leaves one; none ran twice at the same time |
//! | `replay` | the record, read again, gives the state that was live |
//! | `heals` | once faults are past, everything that was asked comes to an end |

mod acknowledged;
mod durable_first;
mod heals;
mod once;
mod replay;

use crate::world::World;

/// Checks all of them.
pub(crate) fn check(world: &World) {
    let run = format!("{:?}", world.plan);
    acknowledged::check(world, &run);
    durable_first::check(world, &run);
    once::check(world, &run);
    replay::check(world, &run);
    heals::check(world, &run);
}
