//! Streams that nobody wrote on purpose, or somebody did.

use proptest::prelude::*;
use provost_core::adapter::{Protocol, Spent};

use super::{fresh, listen};

const PROTOCOLS: [Protocol; 3] = [Protocol::Claude, Protocol::Codex, Protocol::Acp];

/// Words that mean something in one of the protocols, in any order and nesting.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let words = prop::sample::select(vec![
        "type",
        "result",
        "system",
        "subtype",
        "init",
        "message",
        "content",
        "text",
        "item",
        "item.completed",
        "turn.completed",
        "turn.failed",
        "usage",
        "error",
        "is_error",
        "control_request",
        "request",
        "request_id",
        "can_use_tool",
        "method",
        "session/update",
        "session/request_permission",
        "params",
        "update",
        "id",
        "cost",
        "sessionUpdate",
        "agent_message_chunk",
        "stopReason",
        "end_turn",
        "protocolVersion",
        "modelUsage",
    ]);
    let leaf = prop_oneof![
        words.clone().prop_map(|word| serde_json::json!(word)),
        any::<i64>().prop_map(|number| serde_json::json!(number)),
        any::<f64>().prop_map(|number| serde_json::json!(number)),
        any::<bool>().prop_map(|flag| serde_json::json!(flag)),
        Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(4, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            prop::collection::vec((words.clone(), inner), 0..6).prop_map(|entries| {
                entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_lines_are_survived(lines in prop::collection::vec(any::<String>(), 0..8)) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for protocol in PROTOCOLS {
            prop_assert!(!listen(&fresh(protocol), &lines).account.finished);
        }
    }

    #[test]
    fn any_words_of_the_protocols_are_survived(values in prop::collection::vec(value(), 0..6)) {
        let lines: Vec<String> = values.iter().map(ToString::to_string).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for protocol in PROTOCOLS {
            let listened = listen(&fresh(protocol), &lines);
            prop_assert!(listened.replies.is_empty() || listened.replies.ends_with('\n') || protocol == Protocol::Codex);
        }
    }
}

#[test]
fn depth_and_doubled_keys_are_not_understood() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let doubled = r#"{"type":"result","type":"result","is_error":false}"#;
    let listened = listen(&fresh(Protocol::Claude), &[&deep, doubled]);
    assert_eq!((listened.account.unknown, listened.account.finished), (2, false));
}

#[test]
fn a_price_that_is_none_is_not_counted() {
    for price in ["-5", "1e300", "\"free\""] {
        let line = format!(r#"{{"type":"result","is_error":false,"total_cost_usd":{price}}}"#);
        let account = listen(&fresh(Protocol::Claude), &[&line]).account;
        assert_eq!(account.spent.micro_usd, None, "{price}");
    }
    assert!(Spent::default().is_unknown());
}

#[test]
fn what_a_helper_or_the_program_says_in_an_agents_name_is_not_its_word() {
    let of = |extra: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"REVIEW_PASSED: t"}}]}}{extra}}}"#
        )
    };
    let lines = [of(r#","parent_tool_use_id":"t""#), of(r#","is_api_error_message":true"#)];
    let listened = listen(&fresh(Protocol::Claude), &lines.each_ref().map(String::as_str));
    assert!(listened.said.is_empty());
    assert_eq!(listen(&fresh(Protocol::Claude), &[&of("")]).said.len(), 1);
}
