//! Calls that are cancelled, and clients that go away in the middle.

use std::time::Duration;

use serde_json::json;
use wisp_mcp::Options;

use super::kit::{Client, at_once, served};

/// A script that says that it is there, and waits until a test writes to the pipe `gate`.
const WAITS: &str = "[ -p gate ] || mkfifo gate; echo ready; cat gate";

#[tokio::test]
async fn a_cancelled_command_is_interrupted() {
    let served = served("", Options { grace: Duration::from_secs(300), ..Options::default() });
    let mut client = Client::connect(&served.server).await;
    let call = client.begin("run_shell", json!({ "command": WAITS }), "t").await;
    client.progress("t", "ready").await;
    client.cancel(call).await;
    let command = served.session("default").command(1).unwrap();
    let outcome = command.wait(None).await.unwrap().unwrap();
    assert_eq!(outcome.exit_code(), 130);
    // The connection goes on, and the twin that is not cancelled ends by itself.
    let call = client.begin("run_shell", json!({ "command": WAITS }), "u").await;
    client.progress("u", "ready").await;
    client.text("run_shell", json!({ "command": "echo over > gate" })).await;
    let answer = client.answer(call).await;
    assert_eq!(answer["result"]["content"][0]["text"], "ready\nover\n");
    assert!(command.info().processes.is_empty());
}

#[tokio::test]
async fn a_cancelled_command_that_goes_on_is_ended_by_force() {
    let served = served("", at_once());
    let mut client = Client::connect(&served.server).await;
    let call = client.begin("run_shell", json!({ "command": format!("trap '' INT; {WAITS}") }), "t").await;
    client.progress("t", "ready").await;
    client.cancel(call).await;
    let outcome = served.session("default").command(1).unwrap().wait(None).await.unwrap().unwrap();
    assert_eq!(outcome.exit_code(), 137);
}

#[tokio::test]
async fn a_cancelled_evaluation_is_interrupted_and_the_interpreter_lives_on() {
    let served = served("", Options { grace: Duration::from_secs(300), ..Options::default() });
    let mut client = Client::connect(&served.server).await;
    client.text("run_python", json!({ "code": "x = 1" })).await;
    let endless = "print('ready', flush=True)\nwhile True: pass";
    let call = client.begin("run_python", json!({ "code": endless }), "t").await;
    client.progress("t", "ready").await;
    // One that waits for its turn is cancelled too, and one that is not runs next.
    let waits = client.begin("run_python", json!({ "code": "x = 2" }), "u").await;
    let next = client.begin("run_python", json!({ "code": "x" }), "v").await;
    client.cancel(waits).await;
    client.cancel(call).await;
    assert_eq!(client.answer(next).await["result"]["content"][0]["text"], "1\n");
    assert!(!client.has_answer(call) && !client.has_answer(waits));
}

#[tokio::test]
async fn an_evaluation_that_is_ended_by_force_leaves_a_fresh_interpreter() {
    let served = served("", at_once());
    let mut client = Client::connect(&served.server).await;
    let stubborn = "mark = 1\nprint('ready', flush=True)\nwhile True:\n  try:\n    while True: pass\n  except KeyboardInterrupt: pass";
    let call = client.begin("run_python", json!({ "code": stubborn }), "t").await;
    client.progress("t", "ready").await;
    client.cancel(call).await;
    assert_eq!(client.text("run_python", json!({ "code": "'mark' in globals()" })).await, "False\n");
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_nothing_running() {
    let served = served("", at_once());
    let mut client = Client::connect(&served.server).await;
    client.begin("run_shell", json!({ "command": WAITS }), "t").await;
    client.progress("t", "ready").await;
    client.begin("run_python", json!({ "code": "print('ready', flush=True)\nwhile True: pass", "session": "other" }), "u").await;
    client.progress("u", "ready").await;
    client.text("run_shell", json!({ "command": "sleep 1000", "background": true })).await;
    let (first, other) = (served.session("default"), served.session("other"));
    let commands = [first.command(1).unwrap(), first.command(2).unwrap()];
    client.close().await.unwrap();
    assert!(commands.iter().all(|command| command.info().processes.is_empty()));
    assert!(first.info().is_err() && other.info().is_err());
    assert!(served.service.sessions(&served.owner).is_empty());
}

#[tokio::test]
async fn a_client_that_only_ends_its_requests_gets_its_answers() {
    // As `wisp mcp < requests` has it.
    let served = served("", Options { drain: Duration::from_secs(300), ..Options::default() });
    let mut client = Client::connect(&served.server).await;
    let call = client.begin("run_shell", json!({ "command": WAITS }), "t").await;
    client.progress("t", "ready").await;
    let session = served.session("default");
    client.end().await;
    // Something else lets it go on.
    session.run(wisp_api::CommandRequest::script("echo over > gate")).await.unwrap();
    assert_eq!(client.answer(call).await["result"]["content"][0]["text"], "ready\nover\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_dropped_ends_what_it_has_started() {
    let served = served("", at_once());
    let mut client = Client::connect(&served.server).await;
    client.begin("run_shell", json!({ "command": WAITS }), "t").await;
    client.progress("t", "ready").await;
    let (session, command) = (served.session("default"), served.session("default").command(1).unwrap());
    client.abort();
    // The session is closed by a task of the service.
    while session.info().is_ok() || !command.info().processes.is_empty() {
        tokio::task::yield_now().await;
    }
}
