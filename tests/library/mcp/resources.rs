//! Files of sessions as resources.

use serde_json::json;
use wisp_mcp::Options;

use super::kit::{Client, STATELESS, served};

#[tokio::test]
async fn artifacts_are_listed_and_any_file_is_read() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let list = client.request("resources/list", json!({})).await;
    assert_eq!(list["result"]["resources"], json!([]));
    client
        .text("run_shell", json!({ "command": "echo text > /output/a.txt; printf '\\x89PNG' > /output/b.png; echo home > home.txt" }))
        .await;
    client.text("run_shell", json!({ "command": "echo > /output/c", "session": "other" })).await;
    let list = client.request("resources/list", json!({})).await;
    let listed = list["result"]["resources"].as_array().expect("resources").clone();
    let uris: Vec<&str> = listed.iter().filter_map(|one| one["uri"].as_str()).collect();
    assert_eq!(uris, ["wisp://session/default/output/a.txt", "wisp://session/default/output/b.png", "wisp://session/other/output/c"]);
    assert_eq!((&listed[0]["name"], &listed[0]["size"]), (&json!("a.txt"), &json!(5)));
    let read = client.request("resources/read", json!({ "uri": uris[0] })).await;
    assert_eq!(read["result"]["contents"][0]["text"], "text\n");
    let read = client.request("resources/read", json!({ "uri": uris[1] })).await;
    assert_eq!(
        (&read["result"]["contents"][0]["blob"], &read["result"]["contents"][0]["mimeType"]),
        (&json!("iVBORw=="), &json!("image/png"))
    );
    let read = client.request("resources/read", json!({ "uri": "wisp://session/default/home/user/home.txt" })).await;
    assert_eq!(read["result"]["contents"][0]["text"], "home\n");
    let templates = client.request("resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "wisp://session/{session}{+path}");
    for (uri, code) in
        [("file:///etc/passwd", -32602), ("wisp://session/default/output/none", -32002), ("wisp://session/none/output/a.txt", -32002)]
    {
        let refused = client.request("resources/read", json!({ "uri": uri })).await;
        assert_eq!(refused["error"]["code"], code, "{refused}");
    }
    // The version without `initialize` has one code for both.
    let mut client = Client::stateless(&served.server);
    let refused = client.request("resources/read", json!({ "uri": "wisp://session/other/none" })).await;
    assert_eq!(refused["error"]["code"], -32602, "{STATELESS}: {refused}");
}

#[tokio::test]
async fn a_client_that_subscribes_is_told_of_changes() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    client.text("run_shell", json!({ "command": "echo 1 > /output/a; echo 1 > /output/b" })).await;
    let (a, b) = ("wisp://session/default/output/a", "wisp://session/default/output/b");
    assert!(client.request("resources/subscribe", json!({ "uri": a })).await.get("error").is_none());
    assert!(client.request("resources/subscribe", json!({ "uri": format!("{a}none") })).await.get("error").is_some());
    client.text("run_shell", json!({ "command": "echo 2 > /output/b; echo 2 > /output/a" })).await;
    client.updated(a).await;
    // Only of what it subscribes to, as long as it does.
    assert!(!client.was_updated(b));
    assert!(client.request("resources/unsubscribe", json!({ "uri": a })).await.get("error").is_none());
    client.text("run_shell", json!({ "command": "true" })).await;
    client.was_updated(a);
    client.text("run_shell", json!({ "command": "echo 3 > /output/a" })).await;
    client.request("resources/subscribe", json!({ "uri": b })).await;
    client.text("run_shell", json!({ "command": "echo 3 > /output/b" })).await;
    client.updated(b).await;
    assert!(!client.was_updated(a));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_request_that_listens_is_told_of_changes() {
    let served = served("", Options::default());
    let mut client = Client::stateless(&served.server);
    client.text("run_shell", json!({ "command": "echo 1 > /output/a" })).await;
    let uri = "wisp://session/default/output/a";
    let filter = json!({ "resourceSubscriptions": [uri, "file:///etc/passwd"], "toolsListChanged": true });
    let listens = client.send("subscriptions/listen", json!({ "notifications": filter })).await;
    let acknowledged = client.note("notifications/subscriptions/acknowledged").await;
    assert_eq!(acknowledged["params"]["notifications"], json!({ "resourceSubscriptions": [uri] }));
    // The acknowledgment comes before the watch: until one change is seen, another is made.
    while !client.was_updated(uri) {
        client.text("run_shell", json!({ "command": "echo 2 >> /output/a" })).await;
    }
    assert!(!client.has_answer(listens));
    client.cancel(listens).await;
    client.close().await.unwrap();
}
