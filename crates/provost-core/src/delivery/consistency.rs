//! Whether what is counted and indexed agrees with a plain look at every task: the slow truth beside the fast one, for
//! tests that visit every state.

use std::collections::BTreeSet;

use super::board::Board;
use super::effect::Effect;
use super::task::Task;
use super::{Deliveries, Status};
use crate::effects::{EffectId, Effects};

impl Deliveries {
    /// Says what disagrees, if anything does.
    #[doc(hidden)]
    pub fn check_indexes(&self, effects: &Effects<Effect>) -> Result<(), String> {
        let mut wanted = BTreeSet::new();
        for board in self.boards.values() {
            board.check_indexes()?;
            wanted.extend(board.background.iter().copied());
            wanted.extend(board.tasks.values().filter_map(|task| task.effect));
        }
        let open: BTreeSet<EffectId> = effects.iter().map(|(id, _)| id).collect();
        same("effects", &open, &wanted)?;
        same("slots of all", &self.slots, &self.boards.values().map(|board| board.slots).sum())?;
        let going = self.boards.iter().filter(|(_, board)| !board.has_ended());
        same("open", &self.open, &going.map(|(id, _)| id.clone()).collect())
    }
}

impl Board {
    fn check_indexes(&self) -> Result<(), String> {
        let count = |counts: fn(&Task) -> bool| self.tasks.values().filter(|task| counts(task)).count();
        same("unfinished", &self.unfinished, &count(|task| !task.has_ended()))?;
        same("slots", &(self.slots as usize), &count(|task| task.slot))?;
        same("working", &(self.working as usize), &count(|task| task.effect.is_some()))?;
        let named = |counts: fn(&Task) -> bool| -> BTreeSet<String> {
            let chosen = self.tasks.iter().filter(|(_, task)| counts(task));
            chosen.map(|(id, _)| id.clone()).collect()
        };
        same("unblockable", &self.unblockable, &named(Task::is_unblockable))?;
        same("ailing", &self.ailing, &named(|task| task.status == Status::AwaitingInfrastructure))?;
        let ready = self.ready.iter().map(|rank| rank.task.clone()).collect();
        same("ready", &ready, &named(Task::is_new))?;
        let idle = self.idle.iter().map(|(_, id)| id.clone()).collect();
        same("idle", &idle, &named(|task| task.waits_in_its_slot(true)))?;
        let returning = self.returning.iter().map(|(_, id)| id.clone()).collect();
        same("returning", &returning, &named(|task| task.waits_in_its_slot(false)))?;
        if self.has_ended() {
            return Ok(());
        }
        let landing = named(|task| task.status == Status::Landing && task.effect.is_some());
        same("landing", &self.landing.iter().cloned().collect(), &landing)
    }
}

fn same<T: PartialEq + std::fmt::Debug>(name: &str, kept: &T, counted: &T) -> Result<(), String> {
    if kept == counted { Ok(()) } else { Err(format!("{name}: kept {kept:?}, counted {counted:?}")) }
}
