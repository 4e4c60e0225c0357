//! `wisp codex`: the environment as Codex starts it, confined: the project, and what is kept of a session. The server's own tests are in
//! `library/codex`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use wisp_tests::kept::State;

/// Codex at the server's standard streams.
struct Codex {
    server: Child,
    answers: BufReader<ChildStdout>,
    asked: u64,
    session: String,
    /// The project, as the server names it.
    project: String,
}

impl Codex {
    fn start(state: &State, folder: &Path, options: &[&str], resume: Option<&str>) -> Self {
        let mut command = state.command(&[&["codex"], options].concat());
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("wisp starts");
        let answers = BufReader::new(server.stdout.take().expect("it was piped"));
        let mut codex = Self { server, answers, asked: 0, session: String::new(), project: String::new() };
        let begun = codex.call("initialize", json!({ "clientName": "codex-environment", "resumeSessionId": resume }));
        codex.session = begun["sessionId"].as_str().expect("a session").to_owned();
        codex.project = begun["environmentInfo"]["cwd"].as_str().expect("a folder").to_owned();
        codex.write(&json!({ "method": "initialized", "params": {} }));
        codex
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.server.stdin.as_mut().expect("it was piped"), "{message}").expect("a reader");
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.answers.read_line(&mut line).expect("text") > 0, "the server is gone");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Makes a call, which succeeds.
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.write(&json!({ "id": self.asked, "method": method, "params": params }));
        loop {
            let message = self.next();
            if message["id"] == self.asked {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    /// Runs a script in the project. Returns what it wrote to standard output, and whether it was denied something.
    fn run(&mut self, script: &str) -> (String, bool) {
        self.asked += 1;
        let id = format!("p{}", self.asked);
        let params = json!({ "processId": id, "argv": ["/bin/bash", "-lc", script], "cwd": self.project, "env": {}, "tty": false });
        self.write(&json!({ "id": self.asked, "method": "process/start", "params": params }));
        let (mut output, mut denied) = (Vec::new(), false);
        loop {
            let message = self.next();
            assert!(message.get("error").is_none(), "{message}");
            let params = &message["params"];
            match message["method"].as_str() {
                Some("process/output") if params["stream"] == "stdout" => {
                    output.extend(STANDARD.decode(params["chunk"].as_str().expect("a text")).expect("base64"));
                }
                Some("process/exited") => denied = params["sandboxDenied"] == true,
                Some("process/closed") => return (String::from_utf8(output).expect("text"), denied),
                _ => {}
            }
        }
    }

    /// Closes the server's standard input. Returns its exit status, and what it said.
    fn leave(mut self) -> (Option<i32>, String) {
        drop(self.server.stdin.take());
        let mut said = String::new();
        self.server.stderr.take().expect("it was piped").read_to_string(&mut said).expect("text");
        (self.server.wait().expect("it ends").code(), said)
    }
}

/// A project with a file of the host.
fn project(state: &State) -> PathBuf {
    let project = state.path().canonicalize().expect("a folder").join("a project");
    std::fs::create_dir(&project).expect("a folder");
    std::fs::write(project.join("file"), "host\n").expect("a file");
    project
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the file")
}

#[test]
fn the_project_is_as_it_was_until_changes_are_brought_out() {
    let state = State::new(&[]);
    let project = project(&state);
    let mut codex = Codex::start(&state, &project, &[], None);
    assert_eq!(codex.project, format!("file://{}", project.display().to_string().replace(' ', "%20")));
    assert_eq!(codex.run("cat file; echo sandbox > file; echo new > new").0, "host\n");
    let session = codex.session.clone();
    let (code, said) = codex.leave();
    assert!(code == Some(0) && said.contains(&format!("kept the session {session}: ")), "{code:?} {said}");
    assert_eq!(read(&project.join("file")), "host\n");
    assert!(!project.join("new").exists());

    let shown = state.wisp(&["session", "diff", &session]);
    assert!(shown.out.contains("-host\n+sandbox\n") && shown.out.contains("+new\n"), "{}{}", shown.out, shown.err);
    // Codex goes on with it.
    let mut codex = Codex::start(&state, &project, &[], Some(&session));
    assert_eq!(codex.run("cat file new").0, "sandbox\nnew\n");
    assert_eq!(codex.leave().0, Some(0));
    let applied = state.wisp(&["session", "apply", &session]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.out, applied.err);
    assert_eq!((read(&project.join("file")), read(&project.join("new"))), ("sandbox\n".to_owned(), "new\n".to_owned()));
}

#[test]
fn a_project_that_may_be_written_is_written() {
    let state = State::new(&[]);
    let project = project(&state);
    let mut codex = Codex::start(&state, state.path(), &["--project", "a project", "--write"], None);
    assert_eq!(codex.run("cat file; echo changed > file").0, "host\n");
    assert_eq!(read(&project.join("file")), "changed\n");
    let (code, said) = codex.leave();
    // There is nothing else to keep.
    assert!(code == Some(0) && !said.contains("kept the session"), "{said}");
    assert_eq!(state.wisp(&["session", "list", "--json"]).out.trim(), "[]");
}

#[test]
fn a_session_with_a_name_is_kept_and_denials_are_receipts() {
    let state = State::new(&[]);
    let project = project(&state);
    std::fs::create_dir(state.path().join("data")).expect("a folder");
    let data = format!("{}:/mnt/input", state.path().join("data").display());
    let receipts = state.path().join("receipts.jsonl");
    let options = ["--session", "work", "--mount", &data, "--receipts", receipts.to_str().expect("UTF-8")];
    let mut codex = Codex::start(&state, &project, &options, None);
    assert_eq!(codex.session, "work");
    assert!(codex.run("echo x > /mnt/input/x").1 && !codex.run("echo x > ~/x").1);
    assert_eq!(codex.leave().0, Some(0));
    let denied = |line: &Value| line["verdict"] == "denied" && line["subject"].as_str().is_some_and(|file| file.contains("/mnt/input/x"));
    assert!(read(&receipts).lines().any(|line| denied(&serde_json::from_str(line).expect("JSON"))), "{}", read(&receipts));
    let mut codex = Codex::start(&state, &project, &options, None);
    assert_eq!(codex.run("cat ~/x").0, "x\n");
    assert_eq!(codex.leave().0, Some(0));
}

#[test]
fn a_home_is_a_project_only_by_its_name() {
    let state = State::new(&[]);
    let home = state.path().join("home");
    std::fs::create_dir(&home).expect("a folder");
    let ended = |options: &[&str]| {
        let mut command = state.command(&[&["codex"], options].concat());
        command.current_dir(&home).env("HOME", &home).env("XDG_CACHE_HOME", state.path().join("cache"));
        let output = command.output().expect("wisp runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = ended(&[]);
    assert!(code == Some(2) && said.contains("with your home in it"), "{said}");
    assert_eq!(ended(&["--project", "."]).0, Some(0));
    let (code, said) = ended(&["--project", "none"]);
    assert!(code == Some(2) && said.contains("the project none"), "{said}");
    let mut command = state.command(&["codex"]);
    let output = command.current_dir(&home).env("HOME", "").env("XDG_CACHE_HOME", state.path().join("cache")).output().expect("wisp runs");
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("HOME is not set"), "{output:?}");
}

#[test]
fn codex_is_told_why_it_is_not_served() {
    let state = State::new(&[]);
    let mut command = state.command(&["codex", "--project", "none"]);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("wisp starts");
    // It stays open, as Codex leaves it.
    let stdin = server.stdin.as_mut().expect("it was piped");
    writeln!(stdin, "{}", json!({ "id": 1, "method": "initialize", "params": { "clientName": "me" } })).expect("a reader");
    let mut said = String::new();
    server.stdout.take().expect("it was piped").read_to_string(&mut said).expect("text");
    let answer: Value = serde_json::from_str(&said).expect("JSON");
    assert!(answer["id"] == 1 && answer["error"]["message"].as_str().is_some_and(|why| why.contains("the project none")), "{answer}");
    assert_eq!(server.wait().expect("it ends").code(), Some(2));
}

#[test]
fn a_server_that_listens_ends_by_a_signal() {
    let state = State::new(&[]);
    let project = project(&state);
    let mut command = state.command(&["codex", "--listen", "127.0.0.1:0"]);
    let mut server = command.current_dir(&project).stderr(Stdio::piped()).spawn().expect("wisp starts");
    let mut said = BufReader::new(server.stderr.take().expect("it was piped")).lines().map(|line| line.expect("text"));
    let line = said.next().expect("a line");
    let address = line.split_once("ws://").and_then(|(_, rest)| rest.strip_suffix('/')).unwrap_or_else(|| panic!("{line}")).to_owned();
    let line = said.next().expect("a line");
    let token = line.split('"').nth(1).unwrap_or_else(|| panic!("{line}")).to_owned();
    for (authorization, status) in [(format!("Bearer {token}"), "101"), ("Bearer 00000000000000000000000000000000".to_owned(), "401")] {
        let mut stream = TcpStream::connect(&address).expect("a server");
        let request = format!(
            "GET / HTTP/1.1\r\nHost: {address}\r\nAuthorization: {authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut head = String::new();
        BufReader::new(stream).read_line(&mut head).expect("it answers");
        assert_eq!(head.split(' ').nth(1), Some(status), "{head}");
    }
    let sent = Command::new("kill").args(["-TERM", &server.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let rest: String = said.collect();
    assert_eq!(server.wait().expect("it ends").code(), Some(0), "{rest}");
}
