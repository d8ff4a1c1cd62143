//! Bytes that call themselves an intent: whatever they are, reading them ends, and the same twice is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use provost_core::document::{self, Limits};
use provost_core::intent;

fuzz_target!(|bytes: &[u8]| {
    let Ok(read) = document::read_any("intent.json", bytes, &Limits::default()) else { return };
    let Ok(examined) = intent::read(&read) else { return };
    if examined.intent.is_some() {
        // What satisfies its schema can be sealed, and what was sealed is accepted.
        let sealed = intent::seal(&read.root).expect("an intent with the right shape has a place for its seal");
        let again = document::read("intent.json", &sealed, &Limits::default()).expect("what we wrote is JSON");
        let again = intent::read(&again).expect("a sealed intent is an intent");
        assert!(again.sealed.is_some(), "a sealed intent has the right checksum");
    }
});
