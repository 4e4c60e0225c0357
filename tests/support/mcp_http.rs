//! A server of the Model Context Protocol over HTTP: what [`Server`](crate::server::Server) answers at `/mcp`, with a session, and with a
//! token. A result is a message, and a list a stream of events.

use serde_json::{Value, json};

use crate::server::Seen;

/// The session that it gives.
pub const SESSION: &str = "session-1";

/// The response to a request at `/mcp`, for [`Server::also`](crate::server::Server::also).
pub fn answer(seen: &Seen, _: usize) -> Option<Vec<u8>> {
    let line = seen.line.strip_suffix(" /mcp HTTP/1.1")?;
    let Some(token) = seen.header("authorization").and_then(|value| value.strip_prefix("Bearer ")) else {
        return Some(response("401 Unauthorized", "text/plain", "a token is needed"));
    };
    let message: Value = serde_json::from_slice(&seen.body).unwrap_or_default();
    let method = message["method"].as_str().unwrap_or_default();
    if seen.header("mcp-session-id") != Some(SESSION) && method != "initialize" {
        return Some(response("404 Not Found", "text/plain", "no such session"));
    }
    let number = |name: &str| message["params"]["arguments"][name].as_i64().unwrap_or_default();
    let numbers = json!({ "a": { "type": "integer" }, "b": { "type": "integer" } });
    let result = match (line, method, message["params"]["name"].as_str()) {
        ("POST", "initialize", _) => json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} } }),
        ("POST", "tools/list", _) => json!({ "tools": [
            { "name": "add", "inputSchema": { "type": "object", "properties": numbers, "required": ["a", "b"] } },
            { "name": "token", "inputSchema": { "type": "object" } },
        ] }),
        ("POST", "tools/call", Some("add")) => json!({ "structuredContent": { "sum": number("a") + number("b") } }),
        ("POST", "tools/call", Some("token")) => json!({ "content": [{ "type": "text", "text": format!("it is {token}") }] }),
        ("POST" | "DELETE", _, _) => return Some(response("202 Accepted", "text/plain", "")),
        _ => return Some(response("405 Method Not Allowed", "text/plain", "")),
    };
    let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
    Some(match method {
        "tools/list" => response("200 OK", "text/event-stream", &format!(": the list\n\ndata: {answer}\n\n")),
        _ => response("200 OK", &format!("application/json\r\nMcp-Session-Id: {SESSION}"), &answer.to_string()),
    })
}

fn response(status: &str, media: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
