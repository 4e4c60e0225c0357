//! Servers of every kind at the other end of a stream, and programs that are servers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use wisp::policy::{McpServer, NoFiles};
use wisp::{HostFailure, HostValue, Policy};

use crate::call::{object, outcome};
use crate::connector::{Connector, Seat, call_at, functions_of, greet};
use crate::error::ConnectError;
use crate::server::Server;
use crate::wire::MESSAGE;

/// A policy whose server has this command and these tools.
fn policy(command: &[&str], from_env: &[&str], tools: &[&str]) -> Policy {
    let text = format!("[[host.mcp]]\nname = \"demo\"\ncommand = {command:?}\nfrom_env = {from_env:?}\nallow = {tools:?}\n");
    Policy::parse(&NoFiles, "p.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The server of a policy.
fn named(tools: &[&str]) -> McpServer {
    policy(&["demo-server"], &[], tools).host().expect("it has functions").mcp[0].clone()
}

/// What a server does with a message: the lines that it writes, or nothing any more.
type Does = Option<Vec<String>>;

/// The other end of this server. Dropping what it returns closes it.
fn fake(mut does: impl FnMut(&Value) -> Does + Send + 'static) -> Server {
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(async move {
        let (from, mut to) = tokio::io::split(theirs);
        let mut lines = BufReader::new(from).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
            let Some(answers) = does(&message) else { return };
            for answer in answers {
                if to.write_all(format!("{answer}\n").as_bytes()).await.is_err() {
                    return;
                }
            }
        }
    });
    Server::over(read, write, tokio::io::empty())
}

/// The answer to a message.
fn result(to: &Value, result: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": to["id"], "result": result }).to_string()
}

/// A server that greets, lists these tools, and does `calls` with calls.
fn server(tools: Value, mut calls: impl FnMut(&Value) -> Does + Send + 'static) -> Server {
    fake(move |message| match message["method"].as_str() {
        Some("initialize") => Some(vec![result(message, json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} } }))]),
        Some("tools/list") => Some(vec![result(message, json!({ "tools": tools }))]),
        Some("tools/call") => calls(message),
        _ => Some(Vec::new()),
    })
}

async fn greeted(server: Server) -> Arc<Server> {
    greet(server, &named(&["t"])).await.unwrap_or_else(|error| panic!("{error}"))
}

/// Calls a tool of a server that runs.
async fn call(running: &Server, tool: &str, arguments: HostValue) -> Result<HostValue, HostFailure> {
    outcome(running.call(tool, &object(arguments)?).await)
}

fn arguments(value: Value) -> HostValue {
    HostValue::from(value)
}

fn failed(name: &str, message: &str) -> Result<HostValue, HostFailure> {
    Err(HostFailure::new(name, message))
}

#[tokio::test]
async fn a_tool_is_called_with_its_name_and_its_arguments() {
    let running = server(json!([]), |message| {
        assert_eq!(message["params"]["_meta"], Value::Null);
        Some(vec![result(message, json!({ "structuredContent": message["params"] }))])
    });
    let running = greeted(running).await;
    let found = call(&running, "show.file", HostValue::Json("{\"a\":\n[1]}".to_owned())).await;
    assert_eq!(found.expect("it answers").read::<Value>(), Ok(json!({ "name": "show.file", "arguments": { "a": [1] } })));
}

#[tokio::test]
async fn the_handshake_is_the_protocols() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let running = fake(move |message| {
        log.lock().push(message.clone());
        Some(message.get("id").map(|_| result(message, json!({ "tools": [{ "name": "t" }] }))).into_iter().collect())
    });
    let running = greeted(running).await;
    running.tools(&named(&["t"])).await.expect("it has it");
    let seen = seen.lock();
    assert_eq!(seen[0]["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(seen[0]["params"]["clientInfo"]["name"], "wisp");
    // Nothing that a server could ask of a person or a model.
    assert_eq!(seen[0]["params"]["capabilities"], json!({}));
    assert_eq!((seen[1]["method"].as_str(), seen[1].get("id")), (Some("notifications/initialized"), None));
    assert_eq!(seen[2]["method"], "tools/list");
}

#[tokio::test]
async fn a_server_without_a_handshake_is_told_with_each_request() {
    let running = fake(|message| {
        let meta = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let error = json!({ "jsonrpc": "2.0", "id": message["id"], "error": { "code": -32601, "message": "no such method" } }).to_string();
        Some(vec![match message["method"].as_str() {
            Some("server/discover") if meta == "2026-07-28" => result(message, json!({ "supportedVersions": ["2026-07-28"] })),
            Some("tools/call") if meta == "2026-07-28" => result(message, json!({ "resultType": "complete", "structuredContent": 7 })),
            _ => error,
        }])
    });
    let running = greeted(running).await;
    assert_eq!(call(&running, "t", arguments(json!({}))).await, Ok(HostValue::Json("7".to_owned())));
}

#[tokio::test]
async fn tools_are_found_on_every_page_and_no_more_pages_are_asked_for() {
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    // A list without an end, of a thousand tools a page, some of them broken.
    let running = fake(move |message| {
        if message["method"] == "initialize" {
            return Some(vec![result(message, json!({}))]);
        }
        if message["method"] == "tools/list" {
            *count.lock() += 1;
        }
        let page: u64 = message["params"]["cursor"].as_str().unwrap_or("0").parse().expect("a page");
        let mut tools: Vec<Value> =
            (0..1000).map(|n| json!({ "name": format!("t{}", page * 1000 + n), "inputSchema": { "type": "object" } })).collect();
        tools.extend([json!(3), json!({ "name": 5 }), json!({ "title": "no name" }), json!({ "name": "broken", "description": {} })]);
        Some(vec![result(message, json!({ "tools": tools, "nextCursor": (page + 1).to_string() }))])
    });
    let running = greeted(running).await;
    let found = running.tools(&named(&["t5", "t2999"])).await.expect("they are there");
    assert_eq!((found.keys().map(String::as_str).collect::<Vec<_>>(), *asked.lock()), (vec!["t2999", "t5"], 3));
    // Looking for what is not there ends as well, and says what is.
    for missing in ["none", "broken"] {
        let error = running.tools(&named(&["t5", missing])).await.expect_err("it is not there").to_string();
        assert!(error.starts_with(&format!("the server `demo` has no tool `{missing}` (p.toml:5); it has `t0`, `t1`, ")), "{error}");
        assert!(error.ends_with(" more") && error.len() < 1000, "{error}");
    }
}

#[tokio::test]
async fn a_function_is_described_by_its_tool() {
    let tools = json!([
        { "name": "delete", "inputSchema": { "type": "object" } },
        {
            "name": "show.file",
            "description": format!("Shows a file.\u{1b}[2J{}", "x".repeat(100_000)),
            "inputSchema": { "type": "object", "properties": { "import": { "type": "string" }, "__class__": {}, "p": { "type": 3 } } },
        },
    ]);
    let server = named(&["show.file"]);
    let running = greeted(self::server(tools, |_| None)).await;
    let functions = functions_of(&running, &Seat::default(), &server).await.expect("it has it");
    // `delete` is not allowed, so it is not there.
    assert_eq!(functions.iter().map(wisp::HostFunction::name).collect::<Vec<_>>(), ["demo_show_file"]);
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order() {
    let mut first: Option<Value> = None;
    let running = server(json!([]), move |message| match first.take() {
        None => {
            first = Some(message.clone());
            // Answers that nobody waits for, numbers that are none.
            Some(vec![
                json!({ "jsonrpc": "2.0", "id": 999, "result": {} }).to_string(),
                json!({ "jsonrpc": "2.0", "id": "1", "result": {} }).to_string(),
                json!({ "jsonrpc": "2.0", "id": -1, "result": {} }).to_string(),
                json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": {} }).to_string(),
                "Server is listening".to_owned(),
            ])
        }
        Some(first) => Some([message, &first].map(|to| result(to, json!({ "structuredContent": to["params"]["arguments"] }))).into()),
    });
    let running = greeted(running).await;
    let (one, two) = tokio::join!(call(&running, "t", arguments(json!({ "n": 1 }))), call(&running, "t", arguments(json!({ "n": 2 }))));
    assert_eq!((one, two), (Ok(HostValue::Json("{\"n\":1}".to_owned())), Ok(HostValue::Json("{\"n\":2}".to_owned()))));
}

#[tokio::test]
async fn an_error_of_the_protocol_is_a_failure() {
    let running = server(json!([]), |message| {
        Some(vec![
            json!({ "jsonrpc": "2.0", "id": message["id"], "error": { "code": -32602, "message": "`query` is missing" } }).to_string(),
        ])
    });
    assert_eq!(call(&*greeted(running).await, "t", arguments(json!({}))).await, failed("Refused", "`query` is missing"));
}

#[tokio::test]
async fn a_call_that_is_given_up_is_cancelled() {
    let (sender, mut told) = tokio::sync::mpsc::unbounded_channel();
    let running = fake(move |message| {
        if message["method"] == "initialize" {
            return Some(vec![result(message, json!({}))]);
        }
        sender.send(message.clone()).ok().map(|()| Vec::new())
    });
    let running = greeted(running).await;
    {
        let waits = call(&running, "t", arguments(json!({})));
        let mut waits = std::pin::pin!(waits);
        loop {
            tokio::select! {
                biased;
                message = told.recv() => if message.expect("a message")["method"] == "tools/call" { break },
                answer = &mut waits => panic!("{answer:?}"),
            }
        }
    }
    let message = told.recv().await.expect("a message");
    assert_eq!((message["method"].as_str(), message["params"]["requestId"].as_u64()), (Some("notifications/cancelled"), Some(2)));
    assert!(running.is_open());
}

#[tokio::test]
async fn what_a_server_asks_for_is_not_given() {
    let (sender, mut told) = tokio::sync::mpsc::unbounded_channel();
    let running = fake(move |message| {
        if message["method"] == "initialize" {
            let ask = |id: Value, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} }).to_string();
            let asks = [ask(json!("a"), "ping"), ask(json!(7), "sampling/createMessage"), ask(json!(8), "elicitation/create")];
            return Some(asks.into_iter().chain([result(message, json!({}))]).collect());
        }
        sender.send(message.clone()).ok().map(|()| Vec::new())
    });
    let _running = greeted(running).await;
    let mut replies = Vec::new();
    while replies.len() < 3 {
        replies.extend(told.recv().await.filter(|message| message.get("method").is_none()));
    }
    assert_eq!(replies[0], json!({ "jsonrpc": "2.0", "id": "a", "result": {} }));
    assert!(replies[1..].iter().all(|reply| reply["error"]["code"] == -32601 && reply.get("result").is_none()), "{replies:?}");
}

#[tokio::test]
async fn a_server_that_ends_fails_the_calls_that_wait_and_all_after() {
    let mut calls = 0;
    let running = server(json!([]), move |_| {
        calls += 1;
        (calls == 1).then(Vec::new)
    });
    let running = greeted(running).await;
    let (one, two) = tokio::join!(call(&running, "t", arguments(json!({}))), call(&running, "t", arguments(json!({}))));
    let gone = failed("ServerGone", "the server of this tool has ended");
    assert_eq!((&one, &two), (&gone, &gone));
    assert!(!running.is_open());
    assert_eq!(call(&running, "t", arguments(json!({}))).await, gone);
}

#[tokio::test]
async fn a_message_without_an_end_is_not_kept() {
    let running = server(json!([]), |message| {
        let big = "x".repeat(MESSAGE);
        Some(vec![result(message, json!({ "content": [{ "type": "text", "text": big }] }))])
    });
    let running = greeted(running).await;
    let found = call(&running, "t", arguments(json!({}))).await;
    assert_eq!(found, failed("ServerGone", "the server of this tool sent a message of more than 32 MiB"));
    // Its twin: one that fits.
    let running = server(json!([]), |message| {
        let big = "x".repeat(MESSAGE - 1000);
        Some(vec![result(message, json!({ "content": [{ "type": "text", "text": big }] }))])
    });
    let found = call(&*greeted(running).await, "t", arguments(json!({}))).await;
    assert!(matches!(found, Ok(HostValue::Json(text)) if text.len() == MESSAGE - 998));
}

#[tokio::test]
async fn what_speaks_another_language_is_no_server() {
    let error = |error: ConnectError| error.to_string();
    let garbage = fake(|_| Some(vec!["y".to_owned(); 200]));
    let said = greet(garbage, &named(&["t"])).await.map(drop).expect_err("it is none");
    let expected = "the server `demo` (`demo-server`) does not speak the Model Context Protocol on its standard output (p.toml:1)";
    assert_eq!(error(said), expected);
    // A banner of a few lines is not the end.
    let banner = fake(|message| Some(vec!["hello".to_owned(), String::new(), result(message, json!({}))]));
    greeted(banner).await;
    let ends = greet(fake(|_| None), &named(&["t"])).await.map(drop).expect_err("it is none");
    assert_eq!(error(ends), "the server `demo` (`demo-server`) has ended (p.toml:1)");
    let no_list = greeted(fake(|message| Some(vec![result(message, json!({ "tools": 3 }))]))).await;
    let said = no_list.tools(&named(&["t"])).await.map(drop).expect_err("there is no list");
    assert_eq!(error(said), "the server `demo` (`demo-server`) gives no list of its tools (p.toml:1)");
    let refuses = |message: &Value| json!({ "jsonrpc": "2.0", "id": message["id"], "error": { "code": 1, "message": "no \u{1b}[2J" } });
    let said =
        greet(fake(move |message| Some(vec![refuses(message).to_string()])), &named(&["t"])).await.map(drop).expect_err("it refuses");
    assert_eq!(error(said), "the server `demo` (`demo-server`) answers with error 1: no [2J (p.toml:1)");
}

/// A server as a program: `facts` says what it has of the host, `end` ends it, and `stay` makes it outlive its input and SIGTERM.
const PROGRAM: &str = r#"
import json, os, signal, sys, time
stay = False
print("a banner", flush=True)
def answer(method, params):
    global stay
    if method == "initialize":
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("facts", "end", "stay")]}
    if params["name"] == "end":
        os._exit(0)
    if params["name"] == "stay":
        stay = True
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    facts = {"pid": os.getpid(), "cwd": os.getcwd(), "env": sorted(os.environ), "group": os.getpgid(0)}
    return {"structuredContent": facts}
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(message["method"], message["params"])}), flush=True)
while stay:
    time.sleep(1)
"#;

fn program(from_env: &[&str]) -> Policy {
    policy(&["python3", "-c", PROGRAM], from_env, &["facts", "end", "stay"])
}

/// What a function of this connector gives.
async fn facts(connector: &Connector, policy: &Policy, tool: &str) -> Result<Value, HostFailure> {
    let server = &policy.host().expect("it has functions").mcp[0];
    call_at(&connector.seat(server), server, tool, arguments(json!({}))).await.and_then(|found| found.read())
}

/// Waits until a process is no more.
fn wait_for_the_end(of: &Value) {
    let (place, until) = (format!("/proc/{of}"), Instant::now() + Duration::from_secs(60));
    while std::path::Path::new(&place).exists() {
        assert!(Instant::now() < until, "the server {of} runs on");
        std::thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_has_what_the_policy_gives_it_and_ends_with_the_last_that_needs_it() {
    let (connector, policy) = (Connector::new(), program(&["CARGO_MANIFEST_DIR"]));
    let functions = connector.functions(&policy).await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(functions.iter().map(wisp::HostFunction::name).collect::<Vec<_>>(), ["demo_facts", "demo_end", "demo_stay"]);
    let first = facts(&connector, &policy, "facts").await.expect("it answers");
    assert_eq!((&first["cwd"], &first["group"]), (&json!("/"), &first["pid"]));
    let env: Vec<&str> = first["env"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(env.contains(&"PATH") && env.contains(&"CARGO_MANIFEST_DIR") && !env.contains(&"CARGO_PKG_NAME"), "{env:?}");
    // One for all that name it alike, and another for those that do not.
    assert_eq!(facts(&connector, &policy, "facts").await.expect("it answers")["pid"], first["pid"]);
    let other = facts(&connector, &program(&[]), "facts").await.expect("it answers");
    assert_ne!(other["pid"], first["pid"]);
    drop(connector);
    wait_for_the_end(&other["pid"]);
    // The functions of a session have it still.
    assert!(std::path::Path::new(&format!("/proc/{}", first["pid"])).exists());
    drop(functions);
    wait_for_the_end(&first["pid"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_has_ended_is_started_again_but_a_guest_cannot_keep_it_starting() {
    let (connector, policy) = (Connector::new(), program(&[]));
    connector.functions(&policy).await.unwrap_or_else(|error| panic!("{error}"));
    let mut before = Value::Null;
    for _ in 0..4 {
        let now = facts(&connector, &policy, "facts").await.expect("it answers")["pid"].clone();
        assert_ne!(now, before);
        before = now;
        let gone = facts(&connector, &policy, "end").await;
        assert_eq!(gone, Err(HostFailure::new("ServerGone", "the server of this tool has ended")));
    }
    let gone = facts(&connector, &policy, "facts").await;
    let expected = "the server of this tool has ended, and was started again too often within a minute";
    assert_eq!(gone, Err(HostFailure::new("ServerGone", expected)));
    // A session is the program's to make.
    connector.functions(&policy).await.unwrap_or_else(|error| panic!("{error}"));
    assert!(facts(&connector, &policy, "facts").await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_does_not_want_to_end_is_ended() {
    let (connector, policy) = (Connector::new(), program(&[]));
    let stays = facts(&connector, &policy, "stay").await.expect("it answers");
    drop(connector);
    wait_for_the_end(&stays["pid"]);
}

#[tokio::test]
async fn a_program_that_cannot_serve_says_why() {
    let connector = Connector::new();
    let error = |policy: Policy| {
        let connector = connector.clone();
        async move { connector.functions(&policy).await.map(drop).expect_err("it cannot").to_string() }
    };
    let said = error(policy(&["wisp-has-no-such-program"], &[], &["t"])).await;
    assert!(
        said.starts_with("the server `demo`: `wisp-has-no-such-program` cannot be started: ") && said.ends_with(" (p.toml:1)"),
        "{said}"
    );
    let said = error(policy(&["sh", "-c", "echo no key >&2; exit 3"], &[], &["t"])).await;
    assert_eq!(said, "the server `demo` (`sh -c \"echo no key >&2; exit 3\"`) has ended (p.toml:1); it wrote: no key");
    let said = error(policy(&["sh"], &["WISP_NO_SUCH_VARIABLE"], &["t"])).await;
    let expected =
        "the server `demo` needs the variable `WISP_NO_SUCH_VARIABLE`, which is not set (p.toml:1): set it, or take it out of `from_env`";
    assert_eq!(said, expected);
    let said = error(policy(&["yes"], &[], &["t"])).await;
    assert!(said.contains("does not speak the Model Context Protocol"), "{said}");
}

#[test]
fn a_program_that_is_started_ahead_is_the_one_that_serves() {
    let (connector, policy) = (Connector::new(), program(&[]));
    // No runtime, and no thread yet.
    connector.start(&policy).unwrap_or_else(|error| panic!("{error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let pid = runtime.block_on(facts(&connector, &policy, "facts")).expect("it answers")["pid"].clone();
    assert_eq!(runtime.block_on(facts(&connector, &policy, "facts")).expect("it answers")["pid"], pid);
    drop((connector, runtime));
    wait_for_the_end(&pid);
}
