//! `wisp mcp`: the server as a client starts it, confined, over standard streams and HTTP; and what it writes into clients'
//! configurations. The server's own tests are in `library/mcp`.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use wisp_tests::kept::State;

/// A message with which a client begins.
fn hello() -> Value {
    let parameters = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": parameters })
}

/// A client at the server's standard streams.
struct Client {
    server: Child,
    answers: BufReader<std::process::ChildStdout>,
    asked: u64,
}

impl Client {
    fn start(state: &State, options: &[&str]) -> Self {
        let mut command = state.command(&[&["mcp"], options].concat());
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("wisp starts");
        let answers = BufReader::new(server.stdout.take().expect("it was piped"));
        let mut client = Self { server, answers, asked: 0 };
        assert_eq!(client.send(&hello())["result"]["serverInfo"]["name"], "wisp");
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.server.stdin.as_mut().expect("it was piped"), "{message}").expect("a reader");
    }

    /// Sends a request, and returns its answer.
    fn send(&mut self, message: &Value) -> Value {
        self.write(message);
        loop {
            let mut line = String::new();
            assert!(self.answers.read_line(&mut line).expect("text") > 0, "the server is gone");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == message["id"] {
                return answer;
            }
        }
    }

    /// Calls a tool, and returns the text of its result.
    fn call(&mut self, tool: &str, arguments: Value) -> String {
        self.asked += 1;
        let parameters = json!({ "name": tool, "arguments": arguments });
        let answer = self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": parameters }));
        answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Closes the server's standard input, and returns its exit status.
    fn leave(mut self) -> Option<i32> {
        drop(self.server.stdin.take());
        self.server.wait().expect("it ends").code()
    }
}

#[test]
fn a_client_has_a_sandbox_until_it_leaves() {
    let state = State::new(&[]);
    std::fs::create_dir(state.path().join("data")).expect("a folder");
    std::fs::write(state.path().join("data/note"), "of the host\n").expect("a file");
    let mut client = Client::start(&state, &["--mount", "data:/mnt/input", "--receipts", "receipts.jsonl"]);
    assert_eq!(client.call("run_python", json!({ "code": "x = 41\nx + 1" })), "42\n");
    assert_eq!(client.call("run_shell", json!({ "command": "cat /mnt/input/note" })), "of the host\n");
    let denied = client.call("run_shell", json!({ "command": "echo y > /mnt/input/note" }));
    assert!(denied.contains("[denied: file /mnt/input/note: the mount is granted read-only by command line]"), "{denied}");
    assert_eq!(client.leave(), Some(0));
    assert_eq!(std::fs::read_to_string(state.path().join("data/note")).expect("the file"), "of the host\n");
    let receipts = std::fs::read_to_string(state.path().join("receipts.jsonl")).expect("the file");
    let receipts: Vec<Value> = receipts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let decided = |kind: &str| receipts.iter().find(|receipt| receipt["kind"] == kind).map(|receipt| &receipt["verdict"]);
    assert_eq!([decided("file"), decided("spawn")], [Some(&json!("denied")), Some(&json!("allowed"))], "{receipts:?}");
}

#[test]
fn a_session_with_a_name_is_kept_if_that_was_asked_for() {
    let state = State::new(&[]);
    for (options, expected) in [(&["--keep"][..], "kept\n"), (&[][..], "")] {
        let mut client = Client::start(&state, options);
        client.call("run_shell", json!({ "command": "echo kept > note", "session": "work" }));
        assert_eq!(client.leave(), Some(0));
        let mut client = Client::start(&state, options);
        let found = client.call("run_shell", json!({ "command": "cat note", "session": "work" }));
        assert!(found.starts_with(expected) && found.contains("No such file") == expected.is_empty(), "{options:?}: {found}");
        assert_eq!(client.leave(), Some(0));
    }
}

#[test]
fn the_tools_of_a_server_in_the_policy_are_tools_of_this_one() {
    let state = State::new(&[]);
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/library/mcp_server.py");
    let policy =
        format!("extends = \"offline\"\n[[host.mcp]]\nname = \"demo\"\ncommand = [\"python3\", {server:?}]\nallow = [\"add\", \"fail\"]\n");
    std::fs::write(state.path().join("p.toml"), policy).expect("a file");
    let mut client = Client::start(&state, &["--policy", "./p.toml"]);
    let tools = loop {
        let answer = client.send(&json!({ "jsonrpc": "2.0", "id": "list", "method": "tools/list" }));
        // The list does not wait for a server that is slow to start.
        if !answer.to_string().contains("have not answered") {
            break answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        }
    };
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    assert_eq!(names.filter(|name| name.starts_with("demo_")).collect::<Vec<_>>(), ["demo_add", "demo_fail"], "{tools:?}");
    assert_eq!(client.call("demo_add", json!({ "a": 1, "b": 2 })), "{\"sum\": 3}\n");
    assert_eq!(client.call("demo_fail", json!({})), "ToolError: there is no such repository\n");
    assert_eq!(client.leave(), Some(0));
}

/// Sends a request over HTTP, and returns the status and the body.
fn post(address: &str, headers: &[(&str, &str)], body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("a server");
    let body = body.to_string();
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Connection: close\r\nContent-Length: {}\r\n{more}\r\n{body}",
        body.len()
    )
    .expect("a reader");
    let mut answer = String::new();
    // Until the first event, or the end.
    let mut reader = BufReader::new(stream);
    while !answer.contains("serverInfo") && reader.read_line(&mut answer).expect("text") > 0 {}
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    (status, answer)
}

#[test]
fn over_http_a_token_is_needed_and_pages_are_refused() {
    let state = State::new(&[]);
    let mut server = state.command(&["mcp", "--http", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().expect("wisp starts");
    let mut said = BufReader::new(server.stderr.take().expect("it was piped")).lines().map(|line| line.expect("text"));
    let between = |line: &str, start: &str, end: &str| {
        let rest = line.split_once(start).unwrap_or_else(|| panic!("{line}")).1;
        rest.split_once(end).unwrap_or_else(|| panic!("{line}")).0.to_owned()
    };
    let address = between(&said.next().expect("a line"), "http://", "/mcp");
    let token = format!("Bearer {}", between(&said.next().expect("a line"), "Bearer ", "`"));
    let (status, body) = post(&address, &[("Authorization", &token)], &hello());
    assert!(status == 200 && body.contains("\"name\":\"wisp\""), "{body}");
    for (refused, headers) in [
        (401, &[][..]),
        (401, &[("Authorization", "Bearer 00000000000000000000000000000000")][..]),
        (403, &[("Authorization", &*token), ("Origin", "https://evil.example")][..]),
    ] {
        let (status, body) = post(&address, headers, &hello());
        assert_eq!(status, refused, "{headers:?}: {body}");
    }
    let sent = Command::new("kill").args(["-TERM", &server.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let mut rest = String::new();
    for line in said {
        rest.push_str(&line);
    }
    assert_eq!(server.wait().expect("it ends").code(), Some(0), "{rest}");
}

#[test]
fn a_short_token_is_refused() {
    let state = State::new(&[]);
    let output = state.command(&["mcp", "--http", "127.0.0.1:0"]).env("WISP_MCP_TOKEN", "short").output().expect("wisp runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("the token must have at least 16 characters"), "{said}");
}

#[test]
fn a_client_is_told_and_told_no_more() {
    let state = State::new(&[]);
    let cache = std::env::var("XDG_CACHE_HOME").unwrap_or_else(|_| format!("{}/.cache", std::env::var("HOME").expect("a home")));
    let wisp = |args: &[&str]| {
        let output = state.command(args).env("HOME", state.path()).env("XDG_CACHE_HOME", &cache).output().expect("wisp runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let file = state.path().join(".claude.json");
    std::fs::write(&file, "{\n  \"theme\": \"dark\"\n}\n").expect("a file");
    let before = std::fs::read_to_string(&file).expect("the file");
    let (code, said) = wisp(&["mcp", "install", "claude", "--mount", ".:/mnt/project:overlay"]);
    assert!(code == Some(0) && said.contains("copy    /mnt/project = ") && said.contains("its shell and its editor still work"), "{said}");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("the file")).expect("JSON");
    assert_eq!((&written["theme"], &written["mcpServers"]["wisp"]["args"][0]), (&json!("dark"), &json!("mcp")));
    let (code, said) = wisp(&["mcp", "status"]);
    assert!(code == Some(0) && said.contains("claude     connected (") && said.contains("codex      not connected"), "{said}");
    assert_eq!(wisp(&["mcp", "uninstall", "claude"]).0, Some(0));
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), before);
    // Another server of that name stays, unless it is to be replaced.
    std::fs::write(&file, "{ \"mcpServers\": { \"wisp\": { \"command\": \"/usr/bin/other\" } } }\n").expect("a file");
    let (code, said) = wisp(&["mcp", "install", "claude"]);
    assert!(code == Some(1) && said.contains("--force replaces it"), "{said}");
    assert_eq!(wisp(&["mcp", "uninstall", "claude", "--force"]).0, Some(0));
    assert!(!file.exists(), "nothing else was in it");
}
