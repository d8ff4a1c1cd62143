//! How much hangs on each task and what can run at once, apart because it is counted once, when a plan is frozen.

use std::collections::BTreeMap;

use super::{Plan, TaskId};

/// Up to how many tasks what hangs on each is counted exactly.
pub const EXACT_MAX: usize = 20_000;

/// How many words of 64 tasks are counted in one walk: memory for a walk stays small at any size.
const WORDS: usize = 16;

/// What follows from the edges of a plan, for scheduling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many tasks wait for each task, in the order of the document.
    pub downstream: Vec<u32>,
    /// Whether that counts tasks that wait through others too; false above 20,000 tasks.
    pub is_exact: bool,
    levels: Vec<Vec<usize>>,
}

impl Shape {
    /// Counts for a plan; tasks on a cycle, which no plan that was read has, are on no level.
    pub fn of(plan: &Plan) -> Self {
        Self::counted(plan, EXACT_MAX)
    }

    /// Waves of positions in the plan: each task stands in the first wave after all its blockers.
    pub fn levels(&self) -> &[Vec<usize>] {
        &self.levels
    }

    fn counted(plan: &Plan, exact_max: usize) -> Self {
        let dependents = dependents(plan);
        let levels = levels(plan, &dependents);
        let is_exact = plan.tasks.len() <= exact_max;
        let downstream = if is_exact {
            transitive(&dependents, &levels)
        } else {
            dependents.iter().map(|direct| u32::try_from(direct.len()).unwrap_or(u32::MAX)).collect()
        };
        Self { downstream, is_exact, levels }
    }
}

/// For each task the tasks that name it as a blocker.
fn dependents(plan: &Plan) -> Vec<Vec<usize>> {
    let positions: BTreeMap<&TaskId, usize> =
        plan.tasks.iter().enumerate().map(|(at, task)| (&task.id, at)).collect();
    let mut dependents = vec![Vec::new(); plan.tasks.len()];
    for (at, task) in plan.tasks.iter().enumerate() {
        let blockers = task.blocked_by.iter().filter_map(|id| positions.get(id));
        for blocker in blockers {
            if let Some(list) = dependents.get_mut(*blocker) {
                list.push(at);
            }
        }
    }
    dependents
}

fn levels(plan: &Plan, dependents: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut waiting: Vec<usize> = plan.tasks.iter().map(|task| task.blocked_by.len()).collect();
    let mut levels = Vec::new();
    let mut level: Vec<usize> =
        (0..).zip(&waiting).filter(|(_, count)| **count == 0).map(|it| it.0).collect();
    while !level.is_empty() {
        let mut next = Vec::new();
        for dependent in level.iter().filter_map(|at| dependents.get(*at)).flatten() {
            if let Some(count) = waiting.get_mut(*dependent) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    next.push(*dependent);
                }
            }
        }
        next.sort_unstable();
        levels.push(std::mem::replace(&mut level, next));
    }
    levels
}

/// Counts everything that waits for a task: sets of bits, one range of tasks after the other, last level first.
fn transitive(dependents: &[Vec<usize>], levels: &[Vec<usize>]) -> Vec<u32> {
    let mut counts = vec![0; dependents.len()];
    for from in (0..dependents.len()).step_by(WORDS * 64) {
        let mut sets = vec![[0_u64; WORDS]; dependents.len()];
        for &at in levels.iter().rev().flatten() {
            let mut set = [0_u64; WORDS];
            for &dependent in dependents.get(at).into_iter().flatten() {
                let below = sets.get(dependent).into_iter().flatten();
                set.iter_mut().zip(below).for_each(|(word, below)| *word |= below);
                let bit = dependent.checked_sub(from);
                if let Some((bit, word)) = bit.and_then(|bit| Some((bit, set.get_mut(bit / 64)?))) {
                    *word |= 1 << (bit % 64);
                }
            }
            if let Some((count, kept)) = counts.get_mut(at).zip(sets.get_mut(at)) {
                *count += set.iter().map(|word| word.count_ones()).sum::<u32>();
                *kept = set;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A plan whose tasks are blocked by the earlier ones given.
    fn plan(blockers: &[Vec<usize>]) -> Plan {
        let tasks: Vec<serde_json::Value> = blockers
            .iter()
            .enumerate()
            .map(|(at, blocked_by)| {
                serde_json::json!({
                    "id": format!("t{at}"), "title": "t", "work": "w", "criteria": ["`true` exits 0"],
                    "blocked_by": blocked_by.iter().map(|it| format!("t{it}")).collect::<Vec<_>>(),
                })
            })
            .collect();
        let json = serde_json::json!({ "title": "p", "tasks": tasks }).to_string();
        super::super::read("p.json", json.as_bytes()).unwrap().plan
    }

    #[test]
    fn a_diamond() {
        let shape = Shape::of(&plan(&[vec![], vec![0], vec![0], vec![1, 2], vec![]]));
        assert_eq!(shape.downstream, [3, 1, 1, 0, 0]);
        assert_eq!(shape.levels(), [vec![0, 4], vec![1, 2], vec![3]]);
        assert!(shape.is_exact);
        let direct = Shape::counted(&plan(&[vec![], vec![0], vec![1]]), 2);
        assert_eq!((direct.downstream, direct.is_exact), (vec![1, 1, 0], false));
    }

    #[test]
    fn a_chain_longer_than_one_range() {
        let length = WORDS * 64 + 100;
        let blockers: Vec<Vec<usize>> =
            (0..length).map(|at| at.checked_sub(1).into_iter().collect()).collect();
        let shape = Shape::of(&plan(&blockers));
        let expected: Vec<u32> = (0..u32::try_from(length).unwrap()).rev().collect();
        assert_eq!(shape.downstream, expected);
        assert_eq!(shape.levels().len(), length);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_plain_search(edges in proptest::collection::vec(
            proptest::collection::btree_set(0_usize..40, 0..4), 1..40))
        {
            let blockers: Vec<Vec<usize>> =
                edges.iter().enumerate().map(|(at, set)| set.iter().copied().filter(|it| *it < at).collect()).collect();
            let shape = Shape::of(&plan(&blockers));
            for start in 0..blockers.len() {
                let mut reached = vec![false; blockers.len()];
                reached[start] = true;
                for at in start + 1..blockers.len() {
                    reached[at] = blockers[at].iter().any(|it| reached[*it]);
                }
                let expected = reached.iter().filter(|it| **it).count() - 1;
                prop_assert_eq!(shape.downstream[start] as usize, expected);
            }
        }
    }
}
