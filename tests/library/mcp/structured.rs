//! Results as data, if the server is asked for them.

use serde_json::{Value, json};
use wisp_api::{End, Evaluation, Outcome};
use wisp_mcp::Options;

use super::kit::{Client, served, text};

fn options() -> Options {
    Options { structured: true, ..Options::default() }
}

async fn call(client: &mut Client, tool: &str, arguments: Value) -> Value {
    client.request("tools/call", json!({ "name": tool, "arguments": arguments })).await["result"].clone()
}

#[tokio::test]
async fn a_result_is_the_document_of_the_outcome_beside_its_text() {
    let served = served("[limits]\nprocesses = 4", options());
    let mut client = Client::connect(&served.server).await;
    let result = call(&mut client, "run_shell", json!({ "command": "echo out; echo err >&2; echo made > /output/a.txt; exit 3" })).await;
    assert!(text(&result).starts_with("out\nerr\n[exit code 3]"), "{result}");
    let document = &result["structuredContent"];
    assert_eq!((&document["output_id"], &document["stdout_left_out"]), (&json!("c1"), &json!(0)));
    let outcome: Outcome = serde_json::from_value(document.clone()).expect("an outcome");
    assert_eq!((&outcome.end, outcome.stdout_text().as_ref()), (&End::Exit { code: 3 }, "out\nerr\n"));
    assert_eq!((outcome.files.len(), outcome.files[0].data.is_none()), (1, true));

    let result = call(&mut client, "run_python", json!({ "code": "1 / 0" })).await;
    assert_eq!(result["isError"], true);
    let evaluation: Evaluation = serde_json::from_value(result["structuredContent"].clone()).expect("an evaluation");
    assert_eq!(evaluation.error.expect("an exception").name, "ZeroDivisionError");
    let result = call(&mut client, "run_python", json!({ "code": "{'a': 1}" })).await;
    let evaluation: Evaluation = serde_json::from_value(result["structuredContent"].clone()).expect("an evaluation");
    assert_eq!((evaluation.value.as_deref(), evaluation.number), (Some("{'a': 1}"), Some(2)));
    // Other tools have text only.
    assert!(call(&mut client, "list_files", json!({})).await.get("structuredContent").is_none());
}

#[tokio::test]
async fn a_document_is_as_long_as_an_answer_may_be() {
    let served = served("", options());
    let mut client = Client::connect(&served.server).await;
    let code = "import sys\nprint('ö' * 3000)\nprint('e' * 3000, file=sys.stderr)\ndisplay('d' * 3000)\n'v' * 900";
    let result = call(&mut client, "run_python", json!({ "code": code, "max_output": 1001 })).await;
    let document = &result["structuredContent"];
    let lengths = ["stdout", "stderr", "value"].map(|field| document[field].as_str().map(str::len));
    assert_eq!(lengths, [Some(500), Some(501), Some(902)], "{document}");
    assert_eq!((&document["stdout_left_out"], &document["stderr_left_out"]), (&json!(5501), &json!(2500)));
    assert_eq!((&document["representations_left_out"], &document["output_id"]), (&json!(1), &json!("e1")));
    let result = call(&mut client, "run_shell", json!({ "command": "seq 20000" })).await;
    assert_eq!(result["structuredContent"]["stdout"].as_str().map(str::len), Some(40_000));
}

#[tokio::test]
async fn the_tools_declare_the_schema_of_what_they_return() {
    let structured = served("", options());
    let mut client = Client::connect(&structured.server).await;
    let list = client.request("tools/list", json!({})).await;
    for tool in list["result"]["tools"].as_array().expect("tools") {
        let returns_data = ["run_python", "run_shell"].contains(&tool["name"].as_str().expect("a name"));
        assert_eq!(tool["outputSchema"]["properties"]["receipts"]["type"] == "array", returns_data, "{tool}");
    }
    let plain = served("", Options::default());
    let list = Client::connect(&plain.server).await.request("tools/list", json!({})).await;
    assert!(!list.to_string().contains("outputSchema"), "{list}");
}
