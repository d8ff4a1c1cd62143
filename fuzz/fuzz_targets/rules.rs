//! Bytes that call themselves a rule, in YAML or JSON: reading and compiling them ends, and the book can be asked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use provost_core::document::{self, Limits};
use provost_core::rules::{self, Documents, Predicates, RuleBook, Set, Subject, SubjectKind};
use provost_core::vocabulary::Risk;

fuzz_target!(|bytes: &[u8]| {
    for name in ["rule.json", "rule.yaml"] {
        let Ok(document) = document::read_any(name, bytes, &Limits::default()) else { continue };
        let Ok(read) = rules::read([&document]) else { continue };
        let book = RuleBook::compile(read.rules);
        let fields = Documents { own: &document.root, beyond: None, raw: Some("raw text of the rule") };
        let subject = Subject {
            kind: SubjectKind::Command,
            id: "cmd_fuzz",
            risk: Risk::High,
            stages: Set::default(),
            effects: Set::default(),
            predicates: Predicates::default(),
            evidence: Set::default(),
            fields: &fields,
        };
        assert_eq!(book.judge(&subject).decision(), book.judge_all(&subject).decision());
    }
});
