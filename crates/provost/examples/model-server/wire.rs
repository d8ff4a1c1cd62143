//! The protocols in which agents ask a model: each reads a request and words a reply, whole or as a stream.

mod chat;
mod gemini;
mod messages;
mod responses;

use serde_json::{Value, json};

use crate::offer;
use crate::talk::{Reply, Talk};

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Anthropic's messages.
    Messages,
    /// `OpenAI`'s responses.
    Responses,
    /// `OpenAI`'s chat completions.
    Chat,
    /// Gemini's content, where the path says whether it streams.
    Gemini { streams: bool },
}

/// One event of a stream.
#[derive(Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) name: Option<&'static str>,
    pub(crate) data: String,
}

impl Event {
    /// An event whose name is also in its data.
    fn named(name: &'static str, mut data: Value) -> Event {
        if let Some(fields) = data.as_object_mut() {
            fields.insert("type".to_owned(), json!(name));
        }
        Event { name: Some(name), data: data.to_string() }
    }

    fn plain(data: &Value) -> Event {
        Event { name: None, data: data.to_string() }
    }
}

impl Wire {
    /// The protocol of a path, if it is one.
    pub(crate) fn of(path: &str) -> Option<Wire> {
        let ends = |end: &str| path.ends_with(end);
        if ends("/messages") {
            Some(Wire::Messages)
        } else if ends("/responses") {
            Some(Wire::Responses)
        } else if ends("/chat/completions") {
            Some(Wire::Chat)
        } else if ends(":generateContent") {
            Some(Wire::Gemini { streams: false })
        } else if ends(":streamGenerateContent") {
            Some(Wire::Gemini { streams: true })
        } else {
            None
        }
    }

    /// The request, as far as a script needs it.
    pub(crate) fn read(self, body: &Value) -> Talk {
        let (said, tools) = match self {
            Wire::Messages => messages::read(body),
            Wire::Responses => responses::read(body),
            Wire::Chat => chat::read(body),
            Wire::Gemini { .. } => gemini::read(body),
        };
        let streams = match self {
            Wire::Gemini { streams } => streams,
            _ => body.get("stream").and_then(Value::as_bool).unwrap_or_default(),
        };
        let model = body.get("model").and_then(Value::as_str).unwrap_or("scripted").to_owned();
        Talk { model, streams, said, tools, folder: offer::folder(&body.to_string()) }
    }

    /// The reply as one document.
    pub(crate) fn whole(self, talk: &Talk, reply: &Reply) -> Value {
        match self {
            Wire::Messages => messages::whole(talk, reply),
            Wire::Responses => responses::whole(talk, reply),
            Wire::Chat => chat::whole(talk, reply),
            Wire::Gemini { .. } => gemini::whole(talk, reply),
        }
    }

    /// The reply as events; those that end it are the last ones.
    pub(crate) fn events(self, talk: &Talk, reply: &Reply) -> Vec<Event> {
        match self {
            Wire::Messages => messages::events(talk, reply),
            Wire::Responses => responses::events(talk, reply),
            Wire::Chat => chat::events(talk, reply),
            Wire::Gemini { .. } => gemini::events(talk, reply),
        }
    }

    /// How many of the last events end a reply: without them it was cut.
    pub(crate) const fn ending(self) -> usize {
        match self {
            Wire::Messages => 2,
            Wire::Responses | Wire::Gemini { .. } => 1,
            Wire::Chat => 3,
        }
    }

    /// What a provider says with a status that is an error.
    pub(crate) fn error(self, status: u16) -> Value {
        let (kind, code, message) = match status {
            401 => ("authentication_error", "invalid_api_key", "the key is not valid"),
            403 => ("permission_error", "forbidden", "the key may not do this"),
            429 => ("rate_limit_error", "rate_limit_exceeded", "too many requests"),
            529 => ("overloaded_error", "overloaded", "overloaded"),
            _ => ("api_error", "server_error", "the scripted model failed"),
        };
        match self {
            Wire::Messages => json!({ "type": "error", "error": { "type": kind, "message": message } }),
            Wire::Responses | Wire::Chat => {
                json!({ "error": { "type": kind, "code": code, "message": message, "param": null } })
            }
            Wire::Gemini { .. } => {
                json!({ "error": { "code": status, "message": message, "status": code.to_uppercase() } })
            }
        }
    }
}

/// A text in two pieces, as it would come.
fn pieces(text: &str) -> [&str; 2] {
    let middle = (text.len() / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let (first, second) = text.split_at(middle);
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offer::Tool;

    const ALL: [Wire; 4] = [Wire::Messages, Wire::Responses, Wire::Chat, Wire::Gemini { streams: true }];

    #[test]
    fn a_path_says_the_protocol() {
        assert_eq!(Wire::of("/v1/messages"), Some(Wire::Messages));
        assert_eq!(Wire::of("/v1/responses"), Some(Wire::Responses));
        assert_eq!(Wire::of("/v1/chat/completions"), Some(Wire::Chat));
        let gemini = Wire::of("/v1beta/models/x:streamGenerateContent");
        assert_eq!(gemini, Some(Wire::Gemini { streams: true }));
        assert_eq!(Wire::of("/v1/messages/count_tokens"), None);
    }

    #[test]
    fn every_stream_is_json_and_holds_the_reply_before_its_end() {
        let call = Reply::Call { tool: Tool::new("Write", json!({})), input: json!({ "path": "é\n" }) };
        for wire in ALL {
            for reply in [Reply::Say("grüße, alle".into()), call.clone()] {
                let events = wire.events(&Talk::default(), &reply);
                let ended = events.len().saturating_sub(wire.ending());
                assert!(events.len() >= wire.ending());
                for event in &events {
                    assert!(event.data == "[DONE]" || serde_json::from_str::<Value>(&event.data).is_ok());
                }
                assert_ne!(&events[..ended], &events[..]);
            }
        }
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(pieces("aéb").concat(), "aéb");
        assert_eq!(pieces("").concat(), "");
    }

    #[test]
    fn a_whole_reply_and_an_error_have_the_protocols_own_form() {
        let talk = Talk { model: "m".into(), ..Talk::default() };
        let say = Reply::Say("hi".into());
        let at = |wire: Wire, pointer: &str| wire.whole(&talk, &say).pointer(pointer).cloned();
        assert_eq!(at(Wire::Messages, "/content/0/text"), Some(json!("hi")));
        assert_eq!(at(Wire::Messages, "/stop_reason"), Some(json!("end_turn")));
        assert_eq!(at(Wire::Responses, "/output/0/content/0/text"), Some(json!("hi")));
        assert_eq!(at(Wire::Chat, "/choices/0/message/content"), Some(json!("hi")));
        assert_eq!(at(Wire::Chat, "/choices/0/finish_reason"), Some(json!("stop")));
        assert_eq!(at(ALL[3], "/candidates/0/content/parts/0/text"), Some(json!("hi")));
        assert_eq!(Wire::Messages.error(401).pointer("/error/type"), Some(&json!("authentication_error")));
        assert_eq!(Wire::Chat.error(429).pointer("/error/code"), Some(&json!("rate_limit_exceeded")));
    }
}
