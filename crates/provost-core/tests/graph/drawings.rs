//! What people see of a graph, and that no text from outside becomes part of a drawing's language.

use insta::assert_snapshot;
use provost_core::graph::{Command, Placeholder, dot, mermaid, tree};
use provost_core::vocabulary::Decision;
use provost_core::vocabulary::Effect::{Deploy, Write};
use provost_core::vocabulary::Stage::{Implementation, Release};

use crate::sample::{agent, built, everything, finished, judged, outline, workflow};

#[test]
fn a_draft_as_a_tree() {
    assert_snapshot!(tree(&built(&everything())), @"
    graph_sample, draft 1, 6 actions for intent_sample
    asked q_0002: which of the two? · engineer
    feature
    ├─ analysis · tech_writer
    │  ├─ read_docs · read · low · tech_writer · parallel
    │  └─ read_code · read · low · tech_writer · parallel
    ├─ implementation · engineer
    │  ├─ asked q_0003: which of the two? · engineer
    │  ├─ asked q_0001: which of the two? · engineer
    │  ├─ decide: approve write_code · rule_r05 · engineer
    │  ├─ write_code · write+data · high · engineer
    │  ├─ gate: data review · engineer
    │  ├─ decide: note write_notes · rule_r05 · engineer
    │  └─ write_notes · write · low · engineer
    ├─ review · tech_writer
    │  └─ gate: release review · engineer
    ├─ release · engineer
    │  └─ ship · deploy · medium · engineer
    └─ postmortem · engineer
    notes
    └─ analysis · engineer
       └─ look_again · read · low · engineer
    denied: drop_tables, it writes
    idle: idler
    ");
}

#[test]
fn a_final_graph_as_mermaid() {
    assert_snapshot!(mermaid(&finished(&everything())), @r#"
    flowchart TD
        subgraph l1["engineer (builder)"]
            n4(["feature: implementation"])
            n5{"approve write_code"}
            n6["write_code (high)"]
            n7{{"data review"}}
            n8{"note write_notes"}
            n9["write_notes (low)"]
            n11{{"release review"}}
            n12(["feature: release"])
            n13["ship (medium)"]
            n14(["feature: postmortem"])
            n15(["notes: analysis"])
            n16["look_again (low)"]
        end
        subgraph l2["tech_writer (writer)"]
            n1(["feature: analysis"])
            n2["read_docs (low)"]
            n3["read_code (low)"]
            n10(["feature: review"])
        end
        subgraph l3["idler (none)"]
        end
        n1 ==> n2
        n1 ==> n3
        n2 --> n4
        n3 --> n4
        n4 --> n5
        n5 -->|"approved"| n6
        n6 --> n7
        n5 -.->|"declined"| n7
        n7 -->|"passed"| n8
        n8 -->|"noted"| n9
        n9 --> n10
        n10 --> n11
        n11 -->|"passed"| n12
        n12 --> n13
        n13 --> n14
        n7 -.->|"not passed"| n14
        n11 -.->|"not passed"| n14
        n15 --> n16
    "#);
}

#[test]
fn a_final_graph_as_dot() {
    assert_snapshot!(dot(&finished(&everything())), @r#"
    digraph "graph_sample" {
        rankdir=TB;
        subgraph cluster_1 {
            label="engineer (builder)";
            n4 [shape=ellipse, label="feature: implementation"];
            n5 [shape=diamond, label="approve write_code"];
            n6 [shape=box, label="write_code (high)"];
            n7 [shape=hexagon, label="data review"];
            n8 [shape=diamond, label="note write_notes"];
            n9 [shape=box, label="write_notes (low)"];
            n11 [shape=hexagon, label="release review"];
            n12 [shape=ellipse, label="feature: release"];
            n13 [shape=box, label="ship (medium)"];
            n14 [shape=ellipse, label="feature: postmortem"];
            n15 [shape=ellipse, label="notes: analysis"];
            n16 [shape=box, label="look_again (low)"];
        }
        subgraph cluster_2 {
            label="tech_writer (writer)";
            n1 [shape=ellipse, label="feature: analysis"];
            n2 [shape=box, label="read_docs (low)"];
            n3 [shape=box, label="read_code (low)"];
            n10 [shape=ellipse, label="feature: review"];
        }
        subgraph cluster_3 {
            label="idler (none)";
        }
        n1 -> n2 [style=bold];
        n1 -> n3 [style=bold];
        n2 -> n4 [style=solid];
        n3 -> n4 [style=solid];
        n4 -> n5 [style=solid];
        n5 -> n6 [style=solid, label="approved"];
        n6 -> n7 [style=solid];
        n5 -> n7 [style=dashed, label="declined"];
        n7 -> n8 [style=solid, label="passed"];
        n8 -> n9 [style=solid, label="noted"];
        n9 -> n10 [style=solid];
        n10 -> n11 [style=solid];
        n11 -> n12 [style=solid, label="passed"];
        n12 -> n13 [style=solid];
        n13 -> n14 [style=solid];
        n7 -> n14 [style=dashed, label="not passed"];
        n11 -> n14 [style=dashed, label="not passed"];
        n15 -> n16 [style=solid];
    }
    "#);
}

/// Texts that would say something in one of the three languages.
const HOSTILE: &[&str] = &[
    "\"] --> x[\"",
    "a\" ; click n1 \"javascript:alert(1)\"",
    "`**bold**`\n    n1 --> n2",
    "end\nsubgraph evil",
    "<script>alert(1)</script>",
    "%%{init: {\"theme\": \"dark\"}}%%",
    "#quot;#34;&quot;",
    "\\\" ]; evil [label=\"",
    "\\N \\G \\l\\",
    "\u{1b}[31mred\u{1b}[0m\r\u{202e}txt",
    "} digraph evil {",
    "---\ntitle: x\n---",
    "- item",
    "1. item",
];

#[test]
fn no_text_leaves_its_label() {
    for text in HOSTILE {
        let with = |text: &'static str| {
            let it =
                Command { reason: text, intent: text, ..judged(text, &[Write], Decision::RequireReview) };
            let no = Command { reason: text, ..judged(text, &[Deploy], Decision::Deny) };
            let mut plan = outline(vec![workflow(text, &[Implementation, Release])], vec![it, no]);
            plan.graph_id = text;
            plan.agents = vec![agent(text, text, &[]), agent(text, text, &[])];
            plan.questions = vec![Placeholder { id: text, about: Some(0), text }];
            built(&plan)
        };
        let (harmless, hostile) = (with("harmless"), with(text));
        for drawing in [mermaid, dot, tree] {
            let (plain, drawn) = (drawing(&harmless), drawing(&hostile));
            assert_eq!(drawn.lines().count(), plain.lines().count(), "{drawn}");
            assert!(drawn.chars().all(|character| character == '\n' || !character.is_control()), "{drawn:?}");
            assert!(!drawn.contains('\u{202e}'));
        }
        assert_eq!(outside_quotes(&mermaid(&hostile)), outside_quotes(&mermaid(&harmless)), "{text}");
        assert_eq!(outside_quotes(&dot(&hostile)), outside_quotes(&dot(&harmless)), "{text}");
        let drawn = mermaid(&hostile);
        let labels: Vec<&str> = drawn.split('"').skip(1).step_by(2).collect();
        assert!(
            labels.iter().all(|label| label.starts_with(|first: char| first == '#' || first.is_alphabetic()))
        );
        let labels = labels.concat();
        assert!(!labels.contains(['<', '>', '`', '[', ']', '{', '}', '%', '\\', '&', '|']), "{labels}");
    }
}

/// A drawing without what its strings say; a backslash takes the next character with it, as it does in DOT.
fn outside_quotes(drawing: &str) -> String {
    let mut out = String::new();
    let (mut inside, mut escaped) = (false, false);
    for character in drawing.chars() {
        match character {
            '"' if !escaped => inside = !inside,
            _ if !inside => out.push(character),
            _ => {}
        }
        escaped = inside && character == '\\' && !escaped;
    }
    assert!(!inside, "a string does not end: {drawing}");
    out
}
