//! Both versions of the protocol, line by line; the list of tools; what is refused.

use serde_json::{Value, json};
use wisp_mcp::Options;

use super::kit::{Client, STATELESS, WITH_INITIALIZE, served, text};

#[tokio::test]
async fn a_conversation_begins_with_initialize() {
    let served = served("", Options::default());
    let mut client = Client::silent(&served.server);
    client
        .line(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"a client","version":"2"}}}"#)
        .await;
    let answer = client.next().await;
    let result = &answer["result"];
    assert_eq!((&answer["id"], &result["protocolVersion"]), (&json!(0), &json!(WITH_INITIALIZE)));
    assert_eq!(result["serverInfo"]["name"], "wisp");
    assert!(result["capabilities"]["tools"].is_object() && result["capabilities"]["resources"].is_object(), "{answer}");
    assert!(result["instructions"].as_str().is_some_and(|text| text.contains("explain_policy")), "{answer}");
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    client.line(r#"{"jsonrpc":"2.0","id":"one","method":"ping"}"#).await;
    assert_eq!(client.next().await, json!({ "jsonrpc": "2.0", "id": "one", "result": {} }));
    client.line(r#"{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"run_python","arguments":{"code":"6 * 7"}}}"#).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], text(&answer["result"])), (&json!("two"), "42\n".to_owned()));
    assert!(answer["result"].get("resultType").is_none(), "a client of this version does not know it: {answer}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn requests_can_stand_alone() {
    let served = served("", Options::default());
    let mut client = Client::stateless(&served.server);
    let answer = client.request("server/discover", json!({})).await;
    let versions = answer["result"]["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!(STATELESS)) && versions.contains(&json!(WITH_INITIALIZE)), "{answer}");
    // State is that of the session, which the connection has by itself.
    assert_eq!(client.text("run_python", json!({ "code": "x = 41" })).await, "[no output]");
    let result = client.call("run_python", json!({ "code": "x + 1" })).await;
    assert_eq!((text(&result).as_str(), &result["resultType"]), ("42\n", &json!("complete")));
    let tools = client.request("tools/list", json!({})).await;
    assert!(tools["result"]["ttlMs"].is_number() && tools["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 10), "{tools}");
    client.close().await.unwrap();
    assert!(served.service.sessions(&served.owner).is_empty());
}

/// The annotations of a tool: read-only, destructive, of an open world.
fn hints(tools: &Value, name: &str) -> [bool; 3] {
    let tools = tools["result"]["tools"].as_array().expect("tools");
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name}"));
    ["readOnlyHint", "destructiveHint", "openWorldHint"].map(|hint| tool["annotations"][hint].as_bool().expect("each tool says it"))
}

#[tokio::test]
async fn the_annotations_are_what_the_policy_makes_true() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |access: &str| format!("[[filesystem.mount]]\nhost = {:?}\nguest = \"/mnt/a\"\naccess = \"{access}\"", folder.path());
    let list = async |lines: &str| {
        let served = served(lines, Options::default());
        let mut client = Client::connect(&served.server).await;
        client.request("tools/list", json!({})).await
    };
    let network = "[[network.allow]]\nurl = \"https://example.com/\"";
    for (lines, runs, writes) in [
        (String::new(), [false, false, false], false),
        (mount("read"), [false, false, false], false),
        (mount("overlay"), [false, false, false], false),
        (mount("write"), [false, true, true], true),
        (network.to_owned(), [false, true, true], false),
    ] {
        let tools = list(&lines).await;
        assert_eq!((hints(&tools, "run_python"), hints(&tools, "run_shell")), (runs, runs), "{lines}");
        assert_eq!((hints(&tools, "write_file"), hints(&tools, "edit_file")), ([false, writes, false], [false, writes, false]), "{lines}");
        for reads in ["read_file", "list_files", "search_files", "view_image", "session_diff", "explain_policy", "read_output"] {
            assert_eq!(hints(&tools, reads), [true, false, false], "{reads}");
        }
        assert_eq!(hints(&tools, "restore_session"), [false, true, false]);
    }
}

#[tokio::test]
async fn each_tool_has_a_name_a_schema_and_words() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let answer = client.request("tools/list", json!({})).await;
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let expected = [
        "run_python",
        "run_shell",
        "read_output",
        "read_file",
        "write_file",
        "edit_file",
        "list_files",
        "search_files",
        "view_image",
        "checkpoint",
        "fork_session",
        "restore_session",
        "session_diff",
        "explain_policy",
    ];
    assert_eq!(names, expected);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool.get("outputSchema").is_none(), "{tool}");
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
        assert!(properties.contains_key("session"), "{tool}");
        for (name, property) in properties {
            assert!(property["description"].as_str().is_some_and(|text| text.len() > 10) && property["type"].is_string(), "{name}: {tool}");
        }
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 30), "{tool}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_an_error_of_the_protocol() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    assert!(client.refused("no_such", json!({})).await.contains("no_such"));
    assert!(client.refused("run_python", json!({})).await.contains("`code`"));
    assert!(client.refused("run_shell", json!({ "command": "ls", "shell": "zsh" })).await.contains("`shell`"));
    assert!(client.refused("run_shell", json!({ "command": ["ls"] })).await.contains("run_shell"));
    assert!(client.refused("read_file", json!({ "path": "x", "session": "a/b" })).await.contains("name of a session"));
    assert!(client.refused("read_output", json!({ "id": "7" })).await.contains("`c3`"));
    assert!(client.refused("edit_file", json!({ "path": "x", "old_text": "", "new_text": "" })).await.contains("old_text"));
    let unknown = client.request("no/such", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    // None of these opened a session, and a call that makes sense works.
    assert!(served.service.sessions(&served.owner).len() <= 1);
    assert_eq!(client.text("run_shell", json!({ "command": "echo fine" })).await, "fine\n");
}
