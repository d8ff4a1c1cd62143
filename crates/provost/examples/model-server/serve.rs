//! One connection: what was asked is logged, the script says what follows, and the protocol words it.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::{self, Request};
use crate::script::Fault;
use crate::talk::{Outcome, Reply, Spent};
use crate::wire::Wire;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Server {
    log: Option<Mutex<File>>,
    spent: Spent,
}

impl Server {
    pub(crate) fn new(log: Option<File>) -> Server {
        Server { log: log.map(Mutex::new), spent: Spent::default() }
    }

    /// Answers one request.
    pub(crate) fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let Some(request) = Request::read(&mut stream)? else { return Ok(()) };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        match Wire::of(&request.path).filter(|_| request.method == "POST") {
            Some(wire) if body.is_object() => self.turn(wire, &request, &body, &mut stream),
            Some(_) => {
                self.note(&request, &body, &json!("unreadable"))?;
                http::document(
                    &mut stream,
                    400,
                    &json!({ "error": { "message": "the body is no JSON object" } }),
                )
            }
            None => {
                self.note(&request, &body, &json!("beside"))?;
                let (status, answer) = beside(&request.path);
                http::document(&mut stream, status, &answer)
            }
        }
    }

    fn turn(&self, wire: Wire, request: &Request, body: &Value, stream: &mut TcpStream) -> io::Result<()> {
        let talk = wire.read(body);
        let outcome = talk.next(&self.spent);
        self.note(request, body, &noted(&outcome))?;
        match outcome {
            Outcome::Reply(reply) if talk.streams => http::events(stream, &wire.events(&talk, &reply)),
            Outcome::Reply(reply) => http::document(stream, 200, &wire.whole(&talk, &reply)),
            Outcome::Truncated(reply) if talk.streams => {
                let events = wire.events(&talk, &reply);
                let begun = events.len().saturating_sub(wire.ending());
                http::events(stream, events.split_at(begun).0)
            }
            Outcome::Truncated(reply) => http::half_document(stream, &wire.whole(&talk, &reply)),
            Outcome::Fault(Fault::Status(status)) => http::document(stream, status, &wire.error(status)),
            // Until the client closes.
            Outcome::Fault(Fault::Hang) => stream.read(&mut [0]).map(|_| ()),
            Outcome::Fault(Fault::Reset | Fault::Truncate) => {
                Ok(rustix::net::sockopt::set_socket_linger(&*stream, Some(Duration::ZERO))?)
            }
            Outcome::Unreadable(why) => http::document(stream, 400, &json!({ "error": { "message": why } })),
        }
    }

    /// Keeps what was asked and what is done about it, before it is done.
    fn note(&self, request: &Request, body: &Value, does: &Value) -> io::Result<()> {
        let Some(Ok(mut log)) = self.log.as_ref().map(Mutex::lock) else { return Ok(()) };
        let line = json!({ "method": request.method, "path": request.path, "does": does, "body": body });
        log.write_all(format!("{line}\n").as_bytes())
    }
}

/// What is done, in a few words.
fn noted(outcome: &Outcome) -> Value {
    let reply = |reply: &Reply| match reply {
        Reply::Say(text) => json!({ "say": text }),
        Reply::Call { tool, input } => json!({ "call": tool.name, "input": input }),
    };
    match outcome {
        Outcome::Reply(said) => reply(said),
        Outcome::Truncated(said) => json!({ "truncate": reply(said) }),
        Outcome::Fault(Fault::Status(status)) => json!({ "fault": status }),
        Outcome::Fault(Fault::Hang) => json!({ "fault": "hang" }),
        Outcome::Fault(Fault::Reset | Fault::Truncate) => json!({ "fault": "reset" }),
        Outcome::Unreadable(why) => json!({ "unreadable": why }),
    }
}

/// What agents ask beside their turns.
fn beside(path: &str) -> (u16, Value) {
    let model = json!({
        "id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "created": 1,
        "created_at": "2020-01-01T00:00:00Z", "owned_by": "loopback",
    });
    if path.ends_with("/models") {
        (200, json!({ "object": "list", "data": [model], "has_more": false, "models": [] }))
    } else if path.ends_with("/count_tokens") {
        (200, json!({ "input_tokens": 42 }))
    } else if path.ends_with(":countTokens") {
        (200, json!({ "totalTokens": 42 }))
    } else {
        (404, json!({ "error": { "type": "not_found_error", "message": "nothing is here" } }))
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// What a client gets for a body, through a real socket.
    fn asked(server: &Server, path: &str, body: &Value) -> io::Result<String> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        thread::scope(|threads| {
            threads.spawn(|| server.serve(listener.accept().unwrap().0).unwrap());
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let body = body.to_string();
            write!(client, "POST {path} HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).map(|_| answer)
        })
    }

    fn chat(script: &str, stream: bool) -> Value {
        json!({ "stream": stream, "messages": [{ "role": "user", "content": script }] })
    }

    #[test]
    fn faults_are_seen_by_the_client_and_a_fault_once_only_once() {
        let server = Server::new(None);
        let ask = |script: &str, stream| asked(&server, "/v1/chat/completions", &chat(script, stream));
        assert!(ask("[[fault: 529 once]][[say: hello]]", false).unwrap().starts_with("HTTP/1.1 529"));
        assert!(ask("[[fault: 529 once]][[say: hello]]", false).unwrap().contains("hello"));
        assert!(ask("[[fault: reset]]", false).is_err());
        let cut = ask("[[fault: truncate]][[say: hello]]", true).unwrap();
        assert!(cut.contains("llo") && !cut.contains("[DONE]"), "{cut}");
        assert!(ask("[[say: hello]]", true).unwrap().ends_with("data: [DONE]\n\n"));
        assert!(ask("[[fault: maybe]]", false).unwrap().starts_with("HTTP/1.1 400"));
    }

    #[test]
    fn what_is_asked_beside_is_answered() {
        let server = Server::new(None);
        let ask = |path| asked(&server, path, &json!({})).unwrap();
        assert!(ask("/v1/models").contains("scripted"));
        assert!(ask("/v1/messages/count_tokens").contains("42"));
        assert!(ask("/elsewhere").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn every_request_is_logged_with_what_was_done() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let server = Server::new(Some(file.reopen().unwrap()));
        asked(&server, "/v1/chat/completions", &chat("[[say: hello]]", false)).unwrap();
        let line: Value = serde_json::from_str(&std::fs::read_to_string(file.path()).unwrap()).unwrap();
        assert_eq!(line.get("does"), Some(&json!({ "say": "hello" })));
        assert_eq!(line.pointer("/body/messages/0/role"), Some(&json!("user")));
    }
}
