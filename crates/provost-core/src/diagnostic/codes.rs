//! Every code there is, in one list, so that a code cannot exist without a page nor a page without a code.

mod planning;
mod work;

use super::Code;

pub use planning::*;
pub use work::*;

/// Declares the codes of a part and the list of all of them from one table.
macro_rules! codes {
    ($($(#[$doc:meta])+ $constant:ident = $name:literal, $exit:ident, $help:literal;)+) => {
        $($(#[$doc])+ pub const $constant: Code = Code { name: $name, exit: Exit::$exit, help: $help };)+

        /// Every code of this part, by area.
        pub(super) const PART: &[Code] = &[$($constant),+];
    };
}
pub(super) use codes;

const COUNT: usize = work::PART.len() + planning::PART.len();

/// Every code, by area.
#[expect(
    clippy::indexing_slicing,
    reason = "worked out when it is compiled; an index that is wrong does not compile"
)]
pub const CODES: &[Code] = &{
    let mut all = [PROVOST_BUG; COUNT];
    let mut at = 0;
    while at < COUNT {
        let part =
            if at < work::PART.len() { (work::PART, at) } else { (planning::PART, at - work::PART.len()) };
        all[at] = part.0[part.1];
        at += 1;
    }
    all
};
