//! What is wrong with a table. Every machine's first test asserts that this finds nothing.

use strum::VariantArray;

use super::{Direction, Machine, Source, Symbol, Target, leaving, reachable, targets, terminal};

/// Lists the defects of a machine's table, each as one sentence.
pub fn defects<M: Machine>() -> Vec<String> {
    let mut found = Vec::new();
    let from_start = reachable::<M>(M::START);
    for &state in M::State::VARIANTS {
        found.extend(ambiguous::<M>(state));
        if !from_start.contains(&state) {
            found.push(format!("`{}` cannot be reached", name(state)));
        }
        let rests = |state| M::RESTING.contains(&state);
        if !reachable::<M>(state).iter().any(|&it| terminal::<M>(it) || rests(it)) {
            found.push(format!("`{}` can never end", name(state)));
        }
        if terminal::<M>(state) && rests(state) {
            found.push(format!("`{}` rests although it has ended", name(state)));
        }
        if M::label(state).is_empty() {
            found.push(format!("`{}` has no label", name(state)));
        }
    }
    for &trigger in M::Trigger::VARIANTS {
        if M::TABLE.iter().all(|row| row.on != trigger) {
            found.push(format!("`{}` is never used", name(trigger)));
        }
    }
    found.extend(wrong_way::<M>());
    found
}

fn name(symbol: impl Into<&'static str>) -> &'static str {
    symbol.into()
}

fn ambiguous<M: Machine>(state: M::State) -> Vec<String> {
    let rows = |trigger| leaving::<M>(state).filter(|row| row.on == trigger).count();
    M::Trigger::VARIANTS
        .iter()
        .filter(|&&trigger| rows(trigger) > 1)
        .map(|&trigger| format!("`{}` on `{}` has {} rows", name(state), name(trigger), rows(trigger)))
        .collect()
}

fn wrong_way<M: Machine>() -> Vec<String> {
    let mut found = Vec::new();
    for row in M::TABLE {
        let on = name(row.on);
        let Source::At(from) = row.from else {
            if row.reopen {
                found.push(format!("`{on}` reopens from anywhere"));
            }
            continue;
        };
        if row.reopen && !terminal::<M>(from) {
            found.push(format!("`{on}` reopens `{}`, which has not ended", name(from)));
        }
        if row.to == Target::Remembered && targets::<M>(row, from).is_empty() {
            found.push(format!("`{on}` returns from `{}`, which nothing enters", name(from)));
        }
        if let Target::To(to) = row.to
            && !row.reopen
            && !direction_holds(row.direction, from, to)
        {
            let way = name(row.direction);
            found.push(format!("`{on}` from `{}` to `{}` does not run {way}", name(from), name(to)));
        }
    }
    found
}

fn direction_holds<S: Symbol>(direction: Direction, from: S, to: S) -> bool {
    match direction {
        Direction::Forward => to > from,
        Direction::Back => to < from,
        Direction::Stay => to == from,
        Direction::Aside => to != from,
    }
}

#[cfg(test)]
mod tests {
    use strum::{IntoStaticStr, VariantArray};

    use super::*;
    use crate::machine::{Row, back, go};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
    enum State {
        First,
        Second,
        Island,
        Trap,
        End,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
    enum Trigger {
        Step,
        Fall,
        Idle,
    }

    struct Broken;

    impl Machine for Broken {
        type State = State;
        type Trigger = Trigger;
        const NAME: &'static str = "broken";
        const WHAT: &'static str = "a table with one defect of each kind";
        const START: State = State::First;
        const TABLE: &'static [Row<State, Trigger>] = &[
            go(State::First, Trigger::Step, State::Second),
            back(State::First, Trigger::Step, State::Trap),
            go(State::Trap, Trigger::Fall, State::Second),
            back(State::Second, Trigger::Fall, State::Trap),
            go(State::Island, Trigger::Step, State::End).reopens(),
        ];
        const RESTING: &'static [State] = &[State::End];

        fn label(state: State) -> &'static str {
            if state == State::Trap { "" } else { state.into() }
        }
    }

    #[test]
    fn each_kind_of_defect_is_found() {
        assert_eq!(
            defects::<Broken>(),
            [
                "`First` on `Step` has 2 rows",
                "`First` can never end",
                "`Second` can never end",
                "`Island` cannot be reached",
                "`Trap` can never end",
                "`Trap` has no label",
                "`End` cannot be reached",
                "`End` rests although it has ended",
                "`Idle` is never used",
                "`Step` from `First` to `Trap` does not run back",
                "`Fall` from `Trap` to `Second` does not run forward",
                "`Fall` from `Second` to `Trap` does not run back",
            ]
        );
    }
}
