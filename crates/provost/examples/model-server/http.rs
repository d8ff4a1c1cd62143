//! As much of HTTP as agents use to ask a model: one request a connection, bodies whole or in chunks.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::wire::Event;

/// The most bytes of a body that are read.
const BODY_MAX: u64 = 64 << 20;
/// The most bytes of the lines before it.
const HEAD_MAX: u64 = 256 << 10;

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without what follows a question mark.
    pub(crate) path: String,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())
    }

    /// Reads one; none where the client closed before it asked.
    pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Option<Request>> {
        let mut answers = stream.try_clone()?;
        Request::read_from(&mut BufReader::new(stream), &mut answers)
    }

    fn read_from(from: &mut impl BufRead, answers: &mut impl Write) -> io::Result<Option<Request>> {
        let mut head = from.by_ref().take(HEAD_MAX);
        let mut first = String::new();
        if head.read_line(&mut first)? == 0 {
            return Ok(None);
        }
        let mut words = first.split_whitespace();
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Err(bad("no request line"));
        };
        let path = target.split('?').next().unwrap_or_default().to_owned();
        let mut request = Request { method: method.to_owned(), path, headers: Vec::new(), body: Vec::new() };
        loop {
            let mut line = String::new();
            if head.read_line(&mut line)? == 0 {
                return Err(bad("the head does not end"));
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or_else(|| bad("a header without a colon"))?;
            request.headers.push((name.trim().to_lowercase(), value.trim().to_owned()));
        }
        if request.header("expect").is_some() {
            answers.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        request.body = if request.header("transfer-encoding").is_some_and(|it| it.contains("chunked")) {
            chunks(from)?
        } else {
            let length = request.header("content-length").map_or(Ok(0), str::parse);
            exactly(from, length.map_err(|_| bad("a length that is no number"))?)?
        };
        Ok(Some(request))
    }
}

fn bad(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn exactly(from: &mut impl BufRead, length: u64) -> io::Result<Vec<u8>> {
    if length > BODY_MAX {
        return Err(bad("a body that is too long"));
    }
    let mut body = Vec::new();
    if from.by_ref().take(length).read_to_end(&mut body)? as u64 != length {
        return Err(bad("the body ends early"));
    }
    Ok(body)
}

fn chunks(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        from.by_ref().take(HEAD_MAX).read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| bad("a chunk without a size"))?;
        if body.len() as u64 + size > BODY_MAX {
            return Err(bad("a body that is too long"));
        }
        body.extend(exactly(from, size)?);
        from.by_ref().take(HEAD_MAX).read_line(&mut String::new())?;
        if size == 0 {
            return Ok(body);
        }
    }
}

/// Answers with a document. A client that is told to come back is told when.
pub(crate) fn document(to: &mut impl Write, status: u16, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    head(to, status, "application/json", Some(body.len()))?;
    to.write_all(body.as_bytes())?;
    to.flush()
}

/// Answers with half of a document.
pub(crate) fn half_document(to: &mut impl Write, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    head(to, 200, "application/json", Some(body.len()))?;
    to.write_all(body.as_bytes().split_at(body.len() / 2).0)?;
    to.flush()
}

/// Answers with a stream of events, which ends with the connection.
pub(crate) fn events(to: &mut impl Write, events: &[Event]) -> io::Result<()> {
    head(to, 200, "text/event-stream", None)?;
    for event in events {
        if let Some(name) = event.name {
            writeln!(to, "event: {name}")?;
        }
        write!(to, "data: {}\n\n", event.data)?;
        to.flush()?;
    }
    Ok(())
}

fn head(to: &mut impl Write, status: u16, kind: &str, length: Option<usize>) -> io::Result<()> {
    let again = if status == 429 { "retry-after: 1\r\n" } else { "" };
    let length = length.map(|length| format!("content-length: {length}\r\n")).unwrap_or_default();
    write!(
        to,
        "HTTP/1.1 {status} Scripted\r\ncontent-type: {kind}\r\n{length}{again}connection: close\r\n\r\n"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> io::Result<Option<Request>> {
        Request::read_from(&mut text.as_bytes(), &mut Vec::new())
    }

    #[test]
    fn bodies_come_whole_or_in_chunks() {
        let whole =
            read("POST /v1/messages?beta=true HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc").unwrap().unwrap();
        assert_eq!(
            (whole.method.as_str(), whole.path.as_str(), whole.body.as_slice()),
            ("POST", "/v1/messages", &b"abc"[..])
        );
        let chunked =
            read("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n");
        assert_eq!(chunked.unwrap().unwrap().body, b"abc");
        assert!(read("").unwrap().is_none());
    }

    #[test]
    fn what_is_no_request_is_an_error() {
        for text in [
            "x\r\n\r\n",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nbroken\r\n\r\n",
            "POST / H\r\nContent-Length: 9\r\n\r\na",
            "POST / H\r\nContent-Length: 99999999999\r\n\r\n",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn who_expects_to_be_told_to_go_on_is_told() {
        let mut answers = Vec::new();
        let text = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na";
        Request::read_from(&mut text.as_bytes(), &mut answers).unwrap();
        assert!(answers.starts_with(b"HTTP/1.1 100"));
    }

    #[test]
    fn answers_say_their_length_and_when_to_come_back() {
        let mut answer = Vec::new();
        document(&mut answer, 429, &json!({})).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        assert!(
            answer.contains("content-length: 2\r\n") && answer.contains("retry-after: 1\r\n"),
            "{answer}"
        );
        let mut stream = Vec::new();
        events(&mut stream, &[Event { name: Some("a"), data: "{}".into() }]).unwrap();
        assert!(String::from_utf8(stream).unwrap().ends_with("\r\n\r\nevent: a\ndata: {}\n\n"));
    }
}
