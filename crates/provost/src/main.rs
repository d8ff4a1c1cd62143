//! The command `provost`.

fn main() {}
