//! What was acknowledged is on the record, unchanged.

use std::collections::BTreeSet;

use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    let bytes = world.medium.bytes();
    let lines: BTreeSet<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    for (request, answer) in &world.acknowledged {
        for record in &answer.records {
            assert!(lines.contains(record.as_bytes()), "{run}: a record of {request} is gone");
        }
    }
}
