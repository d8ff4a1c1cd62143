//! A client of the protocol, as plain as can be: lines of JSON-RPC over the pipes of a child.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};

use provost_core::adapter::{Act, Grant};
use provost_core::role::Role;
use provost_core::signal::{Calls, Expected, Heard, Outcome};
use provost_runtime::dispatch::Dispatch;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What the agent of a turn was told.
pub(crate) const PAGE: &str = "# Your task\n\nWrite the file.\n";

/// A turn that goes on, in a folder of its own.
pub(crate) struct Scene {
    pub(crate) place: TempDir,
    pub(crate) dispatch: Dispatch,
}

impl Scene {
    /// A turn for task `t-1` in which only reading is allowed.
    pub(crate) fn new(role: Role) -> Scene {
        Scene::permitting(role, |act: &Act| match act.tool.as_str() {
            "Read" => Grant::Allow,
            tool => Grant::Deny { why: format!("no rule allows {tool}") },
        })
    }

    pub(crate) fn permitting(role: Role, permit: impl Fn(&Act) -> Grant + Send + Sync + 'static) -> Scene {
        let place = tempfile::tempdir().unwrap();
        let expected = Expected { role, task_id: "t-1" };
        let dispatch = Dispatch::open(place.path(), &expected, PAGE.to_owned(), Arc::new(permit)).unwrap();
        Scene { place, dispatch }
    }

    /// A turn in which every decision about a tool waits until it is let go, and then allows it.
    pub(crate) fn held(role: Role) -> (Scene, Held) {
        let (entered, inside) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let scene = Scene::permitting(role, move |_| {
            entered.send(()).unwrap();
            let _ = released.lock().unwrap().recv();
            Grant::Allow
        });
        (scene, Held { inside, release })
    }

    /// A tool server for it, with a client.
    pub(crate) fn client(&self) -> Client {
        Client::start(&mut server(&self.dispatch.file()))
    }

    /// Ends the turn and says in one word what came of it, where nothing was printed.
    pub(crate) fn word(self) -> String {
        match heard(self.dispatch.close()).outcome {
            Outcome::Signal(signal) => signal.name().to_string(),
            Outcome::Rejected(rejection) => rejection.reason.to_string(),
            Outcome::Silent => "silent".to_owned(),
        }
    }
}

/// A decision that waits; dropping this lets it go.
pub(crate) struct Held {
    inside: Receiver<()>,
    release: Sender<()>,
}

impl Held {
    /// A client that has asked for a decision and waits for it.
    pub(crate) fn asked(&self, scene: &Scene) -> Client {
        let mut client = scene.client();
        let call = json!({ "name": "permission", "arguments": { "tool_name": "Write", "input": {} } });
        client.begin("tools/call", &call);
        self.inside.recv().unwrap();
        client
    }

    pub(crate) fn let_go(self) {
        self.release.send(()).unwrap();
    }
}

/// What calls come to where nothing was printed.
pub(crate) fn heard(calls: Calls) -> Heard {
    calls.with(Heard { checkpoints: Vec::new(), outcome: Outcome::Silent })
}

/// The command that agents are started with.
pub(crate) fn server(file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provost"));
    command.args(["mcp", "--dispatch"]).arg(file);
    command
}

/// A client and its server.
pub(crate) struct Client {
    pub(crate) child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    id: u64,
    /// What the server said first.
    pub(crate) hello: Value,
}

impl Client {
    pub(crate) fn start(command: &mut Command) -> Client {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, to, from, id: 0, hello: Value::Null };
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        client.hello = client.request("initialize", &params);
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.to.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    }

    /// Sends a request without waiting for its answer.
    pub(crate) fn begin(&mut self, method: &str, params: &Value) {
        self.id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params }));
    }

    pub(crate) fn answer(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).unwrap() > 0, "the server has gone");
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["id"], self.id, "{line}");
        assert!(message["error"].is_null(), "an error of the protocol: {line}");
        message["result"].clone()
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.begin(method, params);
        self.answer()
    }

    pub(crate) fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", &json!({}))["tools"].as_array().unwrap().clone()
    }

    pub(crate) fn names(&mut self) -> Vec<String> {
        self.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Calls a tool: what it says, or what it says when it refuses.
    pub(crate) fn call(&mut self, name: &str, arguments: &Value) -> Result<String, String> {
        let result = self.request("tools/call", &json!({ "name": name, "arguments": arguments }));
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        if result["isError"] == json!(true) { Err(text) } else { Ok(text) }
    }

    /// Ends the connection and gives the server's exit status.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
