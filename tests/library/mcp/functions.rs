//! Functions of the host as tools: what a client sees of them, what calls of them come to, and what the policy decides.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::Notify;
use wisp::{HostFailure, HostFunction, HostValue};
use wisp_mcp::{Options, Server};
use wisp_service::{Owner, ReceiptRead};

use super::kit::{Client, Served, WITH_INITIALIZE, at_once, text};
use crate::service::kit::{LONG, Servers, Source, with_source};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand so on";

/// A server whose policy has these lines in `[host]`, and the server `demo` with these tools.
fn served(source: &Arc<Source>, host: &str, tools: &[&str], options: Options) -> Served {
    let demo = format!("[[host.mcp]]\nname = \"demo\"\ncommand = [\"server\"]\nallow = {tools:?}");
    served_with(source, &format!("[host]\n{host}\n{demo}"), options)
}

fn served_with(source: &Arc<Source>, lines: &str, options: Options) -> Served {
    let (service, owner) = (with_source(source, lines), Owner::new("functions"));
    let server = Server::new(service.clone(), owner.clone(), options).expect("a server");
    Served { server, service, owner }
}

/// Options with which a list waits for the functions as long as it takes.
fn patient() -> Options {
    Options { listing: LONG, ..at_once() }
}

fn add() -> HostFunction {
    let add = HostFunction::new("demo_add", |arguments: HostValue| async move {
        let arguments: Value = arguments.read()?;
        let number = |name: &str| arguments[name].as_i64().ok_or_else(|| HostFailure::new("NotANumber", format!("`{name}` is no number")));
        Ok(json!(number("a")? + number("b").unwrap_or(1)))
    });
    add.documentation("Adds two numbers.").returns(&json!({ "type": "integer" })).parameters(&json!({
        "type": "object",
        "properties": { "a": { "type": "integer", "description": "the first" }, "b": { "type": "integer", "default": 1 } },
        "required": ["a"],
        "additionalProperties": false,
    }))
}

/// Returns its arguments.
fn same(name: &str) -> HostFunction {
    HostFunction::new(name, |arguments: HostValue| async move { Ok(arguments) })
}

/// Returns this value, whatever it is asked.
fn gives(name: &str, value: HostValue) -> HostFunction {
    HostFunction::new(name, move |_: HostValue| {
        let value = value.clone();
        async move { Ok(value) }
    })
}

async fn listed(client: &mut Client) -> Vec<Value> {
    let answer = client.request("tools/list", json!({})).await;
    answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

fn find<'t>(tools: &'t [Value], name: &str) -> Option<&'t Value> {
    tools.iter().find(|tool| tool["name"] == name)
}

/// The description of `explain_policy`.
fn explained(tools: &[Value]) -> &str {
    find(tools, "explain_policy").and_then(|tool| tool["description"].as_str()).expect("a description")
}

#[tokio::test]
async fn a_function_that_the_policy_allows_is_a_tool() {
    let own = same("demo_own").parameters(&json!({ "type": "object", "properties": { "session": { "type": "integer" } } }));
    let source = Source::new(Servers::Ready, [add(), own, same("demo_same"), same("demo_other")]);
    let served = served(&source, "", &["add", "own", "same"], patient());
    let mut client = Client::connect(&served.server).await;
    let tools = listed(&mut client).await;
    let (add, session) =
        (find(&tools, "demo_add").expect("a tool"), &find(&tools, "run_shell").expect("a tool")["inputSchema"]["properties"]["session"]);
    assert!(session["description"].as_str().is_some_and(|text| text.contains("session")), "{session}");
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "integer", "description": "the first" }, "b": { "type": "integer", "default": 1 }, "session": session },
        "required": ["a"],
        "additionalProperties": false,
    });
    assert_eq!((&add["description"], &add["inputSchema"]), (&json!("Adds two numbers."), &schema));
    let hints = json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true });
    assert_eq!((&add["annotations"], add.get("outputSchema")), (&hints, None));
    // One without a schema takes anything, and one that has a session of its own keeps it.
    let any = &find(&tools, "demo_same").expect("a tool")["inputSchema"];
    assert_eq!(any, &json!({ "type": "object", "properties": { "session": session } }));
    let own = &find(&tools, "demo_own").expect("a tool")["inputSchema"];
    assert_eq!(own, &json!({ "type": "object", "properties": { "session": { "type": "integer" } } }));
    // What runs code reaches them too.
    assert_eq!(find(&tools, "run_python").expect("a tool")["annotations"]["openWorldHint"], true);
    // The server has it, and the policy does not allow it.
    assert!(find(&tools, "demo_other").is_none());
    assert!(client.refused("demo_other", json!({})).await.contains("there is no tool `demo_other`"));
    assert_eq!(explained(&tools).lines().count(), 1, "nothing is missing");
}

#[tokio::test]
async fn a_result_is_text_or_a_picture() {
    let items = HostFunction::streaming("demo_items", |_: HostValue| {
        let items = [json!("one").into(), HostValue::Bytes(PNG.to_vec()), json!({ "n": 2 }).into(), HostValue::Bytes(vec![0; 7])];
        stream::iter(items.map(Ok::<HostValue, HostFailure>))
    });
    let many = HostFunction::streaming("demo_many", |_: HostValue| stream::iter((0..9).map(|_| Ok::<Vec<u8>, HostFailure>(PNG.to_vec()))));
    let functions = [
        add(),
        items,
        many,
        gives("demo_text", json!("one\n\"two\"").into()),
        gives("demo_json", HostValue::Json("{\"n\": 1.0}".to_owned())),
        gives("demo_empty", json!("").into()),
        gives("demo_picture", HostValue::Bytes(PNG.to_vec())),
        gives("demo_bytes", HostValue::Bytes(vec![0, 255, 7])),
        gives("demo_long", json!("x".repeat(100_000)).into()),
        gives("demo_huge", HostValue::Bytes([PNG.to_vec(), vec![0; 1_000_000]].concat())),
    ];
    let source = Source::new(Servers::Ready, functions);
    let tools = ["add", "items", "many", "text", "json", "empty", "picture", "bytes", "long", "huge"];
    let served = served(&source, "", &tools, patient());
    let mut client = Client::connect(&served.server).await;
    assert_eq!(client.text("demo_add", json!({ "a": 1, "b": 2 })).await, "3\n");
    assert_eq!(client.text("demo_text", json!({})).await, "one\n\"two\"\n");
    assert_eq!(client.text("demo_json", json!({})).await, "{\"n\": 1.0}\n");
    assert_eq!(client.text("demo_empty", json!({})).await, "[no output]");
    let picture = client.call("demo_picture", json!({})).await;
    assert_eq!((picture["content"].as_array().map(Vec::len), &picture["content"][0]["mimeType"]), (Some(1), &json!("image/png")));
    for (tool, bytes) in [("demo_bytes", 3), ("demo_huge", 1_000_000 + PNG.len())] {
        let shown = client.text(tool, json!({})).await;
        assert!(
            shown.starts_with(&format!("[{bytes} bytes are not shown: ")) && shown.contains(&format!("from host import {tool}")),
            "{shown}"
        );
    }
    let long = client.text("demo_long", json!({})).await;
    assert!(long.len() < 41_000 && long.contains("bytes are left out here"), "{}", long.len());
    let items = client.call("demo_items", json!({})).await;
    assert!(text(&items).starts_with("one\n{\"n\":2}\n[7 bytes are not shown: "), "{items}");
    assert_eq!(items["content"][1]["type"], "image", "{items}");
    let many = client.call("demo_many", json!({})).await;
    let pictures = many["content"].as_array().expect("content").iter().filter(|block| block["type"] == "image").count();
    assert_eq!((pictures, text(&many).starts_with(&format!("[{} bytes are not shown", PNG.len()))), (8, true), "{many}");
}

#[tokio::test]
async fn a_failure_is_one_that_the_model_reads() {
    let long = HostFunction::new("demo_long", |_: HostValue| async { Err::<Value, _>(HostFailure::new("Long", "x".repeat(20_000))) });
    let served = served(&Source::new(Servers::Ready, [add(), long]), "", &["add", "long"], patient());
    let mut client = Client::connect(&served.server).await;
    assert_eq!(client.fails("demo_add", json!({})).await, "NotANumber: `a` is no number\n");
    let long = client.fails("demo_long", json!({})).await;
    assert!(long.len() < 8_300 && long.starts_with("Long: xxx") && long.ends_with("… (cut: 20000 bytes)\n"), "{}", long.len());
    assert_eq!(client.text("demo_add", json!({ "a": 1 })).await, "2\n");
}

#[tokio::test]
async fn the_argument_session_is_the_servers_unless_the_function_has_it() {
    let own = same("demo_own").parameters(&json!({ "type": "object", "properties": { "session": { "type": "string" } } }));
    let served = served(&Source::new(Servers::Ready, [same("demo_same"), own]), "", &["same", "own"], patient());
    let mut client = Client::connect(&served.server).await;
    let other = client.text("demo_same", json!({ "a": [1], "session": "other" })).await;
    assert_eq!(other, "{\"a\":[1]}\n[the session `other` is new and empty]");
    assert_eq!(served.session("other").info().unwrap().key.as_deref(), Some("other"));
    assert_eq!(client.text("demo_same", json!({ "session": null })).await, "{}\n");
    assert_eq!(client.text("demo_own", json!({ "session": "third" })).await, "{\"session\":\"third\"}\n");
    assert_eq!(served.service.sessions(&served.owner).len(), 2, "that was an argument of the function");
    assert!(client.refused("demo_same", json!({ "session": 7 })).await.contains("`session` is the name of a session"));
    assert!(client.refused("demo_same", json!({ "session": "a/b" })).await.contains("the name of a session has"));
}

#[tokio::test]
async fn the_limits_of_functions_hold_and_each_call_leaves_a_receipt() {
    const MESSAGE: &str = "notifications/message";
    let served = served(&Source::new(Servers::Ready, [add()]), "max_calls = 3", &["add"], patient());
    let mut client = Client::connect(&served.server).await;
    client.request("logging/setLevel", json!({ "level": "info" })).await;
    client.text("run_shell", json!({ "command": "true" })).await;
    let mut receipts = served.session("default").receipts().unwrap();
    assert_eq!(client.text("demo_add", json!({ "a": 1 })).await, "2\n");
    let said = client.took(MESSAGE);
    assert_eq!((said.len(), &said[0]["params"]["data"]["message"]), (1, &json!("allowed: function demo_add by test.toml:7")), "{said:?}");
    // Code in the sandbox and the client have one count.
    assert_eq!(client.text("run_python", json!({ "code": "from host import demo_add; demo_add(2)" })).await, "3\n");
    assert_eq!(client.text("demo_add", json!({ "a": 3 })).await, "4\n");
    let over = client.fails("demo_add", json!({ "a": 4 })).await;
    let expected = "[denied: function demo_add: host.max_calls = 3 by test.toml:3]\n\
        [only the policy's author can change that: `explain_policy` says what is allowed]";
    assert_eq!(over, expected);
    let mut calls = Vec::new();
    while let Some(read) = receipts.now() {
        let ReceiptRead::Receipt(receipt) = &read else { panic!("{read:?}") };
        if receipt.kind == wisp_api::ReceiptKind::Function {
            calls.push((receipt.subject.clone(), receipt.verdict == wisp_api::Verdict::Allowed, receipt.process == 0));
        }
    }
    let call = |outside: bool| ("demo_add".to_owned(), true, outside);
    assert_eq!(calls, [call(true), call(false), call(true), ("demo_add: host.max_calls = 3".to_owned(), false, true)]);
    // Another session counts by itself, and what was refused is not said of a command that runs later.
    assert!(client.text("demo_add", json!({ "a": 5, "session": "other" })).await.starts_with("6\n"));
    assert_eq!(client.text("run_shell", json!({ "command": "true" })).await, "[no output]");
}

#[tokio::test]
async fn a_fork_is_denied_what_its_policy_does_not_list() {
    let source = Source::new(Servers::Ready, [add(), same("demo_same")]);
    let served = served(&source, "forks = [\"demo_add\"]", &["add", "same"], patient());
    let mut client = Client::connect(&served.server).await;
    client.text("fork_session", json!({ "name": "copy" })).await;
    assert_eq!(client.text("demo_add", json!({ "a": 1, "session": "copy" })).await, "2\n");
    let denied = client.fails("demo_same", json!({ "session": "copy" })).await;
    assert!(denied.starts_with("[denied: function demo_same by test.toml:3]\n[this session is a fork, and `host.forks`"), "{denied}");
    assert!(denied.contains("add `demo_same` to `forks` in `[host]`"), "{denied}");
    assert_eq!(client.text("demo_same", json!({})).await, "{}\n");
}

#[tokio::test]
async fn a_tool_of_wisps_own_keeps_its_name() {
    let lines = "[[host.mcp]]\nname = \"run\"\ncommand = [\"server\"]\nallow = [\"python\", \"other\"]";
    let source = Source::new(Servers::Ready, [gives("run_python", json!("the host's").into()), same("run_other")]);
    let served = served_with(&source, lines, patient());
    let mut client = Client::connect(&served.server).await;
    let tools = listed(&mut client).await;
    let of_name = |name: &str| tools.iter().filter(|tool| tool["name"] == name).count();
    assert_eq!((of_name("run_python"), of_name("run_other")), (1, 1));
    let said = explained(&tools);
    assert!(said.contains("The function `run_python` of the host is no tool") && !said.contains("run_other"), "{said}");
    let code = "from host import run_python; run_python()";
    assert_eq!(client.text("run_python", json!({ "code": code })).await, "\"the host's\"\n");
}

#[tokio::test]
async fn servers_that_cannot_be_used_are_named_in_the_list_and_by_each_call() {
    let source = Source::new(Servers::Broken, [add()]);
    let served = served(&source, "", &["add"], patient());
    let mut client = Client::connect(&served.server).await;
    let why = "the server `demo` has ended (test.toml:4) [start_failed]";
    let tools = listed(&mut client).await;
    assert!(find(&tools, "demo_add").is_none() && find(&tools, "run_shell").is_some());
    assert!(explained(&tools).ends_with(&format!("The functions of the host are not among the tools: {why}")), "{}", explained(&tools));
    assert_eq!(client.fails("run_shell", json!({ "command": "true" })).await, why);
    assert_eq!(client.fails("demo_add", json!({ "a": 1 })).await, why);
    source.set(Servers::Ready);
    assert!(find(&listed(&mut client).await, "demo_add").is_some());
    assert_eq!(client.text("demo_add", json!({ "a": 1 })).await, "2\n");
}

#[tokio::test]
async fn a_list_does_not_wait_for_a_server_that_is_silent_and_the_client_is_told_later() {
    let source = Source::new(Servers::Silent, [add()]);
    let served = served(&source, "", &["add"], Options { listing: Duration::ZERO, ..at_once() });
    let mut client = Client::silent(&served.server);
    let begin = json!({ "protocolVersion": WITH_INITIALIZE, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let answer = client.request("initialize", begin.clone()).await;
    assert_eq!(answer["result"]["capabilities"]["tools"]["listChanged"], true, "{answer}");
    client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    let tools = listed(&mut client).await;
    assert!(find(&tools, "demo_add").is_none() && find(&tools, "run_shell").is_some());
    assert!(explained(&tools).ends_with("have not answered: demo_add."), "{}", explained(&tools));
    source.set(Servers::Ready);
    client.note("notifications/tools/list_changed").await;
    let tools = listed(&mut client).await;
    assert!(find(&tools, "demo_add").is_some() && !explained(&tools).contains("demo_add"), "{}", explained(&tools));
    // A policy without functions has one list.
    let none = super::kit::served("", Options::default());
    let answer = Client::silent(&none.server).request("initialize", begin).await;
    assert_eq!(answer["result"]["capabilities"]["tools"], json!({}), "{answer}");
}

#[tokio::test]
async fn each_request_that_listens_is_told_of_another_list() {
    let source = Source::new(Servers::Silent, [add()]);
    let served = served(&source, "", &["add"], Options { listing: Duration::ZERO, ..at_once() });
    let mut client = Client::stateless(&served.server);
    // Over HTTP, all clients whose requests stand alone share a connection.
    for _ in 0..2 {
        client.send("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } })).await;
    }
    assert!(find(&listed(&mut client).await, "demo_add").is_none());
    source.set(Servers::Ready);
    for _ in 0..2 {
        client.note("notifications/tools/list_changed").await;
    }
    assert!(find(&listed(&mut client).await, "demo_add").is_some());
}

#[tokio::test]
async fn a_cancelled_call_is_dropped() {
    struct Gone(Arc<Notify>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let (began, gate, gone) = (Arc::new(Notify::new()), Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (told, waits, seen) = (began.clone(), gate.clone(), gone.clone());
    let hang = HostFunction::new("demo_hang", move |_: HostValue| {
        let (waits, held) = (waits.clone(), Gone(seen.clone()));
        told.notify_one();
        async move {
            let _held = held;
            waits.notified().await;
            Ok::<Value, HostFailure>(json!("over"))
        }
    });
    let served = served(&Source::new(Servers::Ready, [hang]), "", &["hang"], patient());
    let mut client = Client::connect(&served.server).await;
    let arguments = || json!({ "name": "demo_hang", "arguments": {} });
    let cancelled = client.send("tools/call", arguments()).await;
    began.notified().await;
    client.cancel(cancelled).await;
    gone.notified().await;
    // The twin that is not cancelled has its answer.
    let call = client.send("tools/call", arguments()).await;
    began.notified().await;
    gate.notify_one();
    assert_eq!(text(&client.answer(call).await["result"]), "over\n");
    assert!(!client.has_answer(cancelled));
}
