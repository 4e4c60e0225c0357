//! What an entry says: the fields that each client reads, and whose an entry is.

use std::path::Path;

use serde_json::{Value, json};

use crate::{Client, InstallError, Scope, Server};

/// Seconds that Codex waits for wisp to be ready, as a server and as an environment. After an update of wisp the first start compiles,
/// which takes longer than the ten seconds that Codex has by itself.
pub(crate) const READY: u64 = 60;

/// A field of an entry.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    pub(crate) value: Value,
    /// Whether wisp keeps to it. The others are written into a new entry, and a person may change them afterwards.
    pub(crate) ours: bool,
}

impl Field {
    /// Returns whether an entry says this, as far as wisp keeps to it.
    pub(crate) fn is_in(&self, entry: &Value) -> bool {
        !self.ours || same(&entry[self.key], &self.value)
    }
}

fn ours(key: &'static str, value: impl Into<Value>) -> Field {
    Field { key, value: value.into(), ours: true }
}

fn first(key: &'static str, value: impl Into<Value>) -> Field {
    Field { key, value: value.into(), ours: false }
}

/// Returns the fields of the entry, in the order in which they are written. `nested` is the second form that OpenCode reads, in which
/// a server has no `enabled`.
pub(crate) fn fields(client: Client, scope: &Scope, server: &Server, nested: bool) -> Result<Vec<Field>, InstallError> {
    let command = server.command(scope)?;
    let texts = std::iter::once(command)
        .chain(server.arguments().iter().map(String::as_str))
        .chain(server.environment().iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]));
    for text in texts {
        if let Some(mark) = client.marks().iter().copied().find(|mark| text.contains(*mark)) {
            return Err(InstallError::Mark { client, text: text.to_owned(), mark });
        }
    }
    let mut fields = match client {
        Client::Claude | Client::Cursor | Client::VsCode => {
            vec![ours("type", "stdio"), ours("command", command), ours("args", server.arguments())]
        }
        Client::Codex => {
            let mut fields = vec![ours("command", command), ours("args", server.arguments()), first("startup_timeout_sec", READY)];
            if let Some(longest) = server.longest() {
                fields.push(first("tool_timeout_sec", longest.as_secs().saturating_add(1)));
            }
            fields
        }
        Client::OpenCode => {
            let words: Vec<&str> = std::iter::once(command).chain(server.arguments().iter().map(String::as_str)).collect();
            let mut fields = vec![ours("type", "local"), ours("command", words)];
            if !nested {
                fields.push(first("enabled", true));
            }
            fields
        }
    };
    if !server.environment().is_empty() {
        let key = if client == Client::OpenCode { "environment" } else { "env" };
        fields.push(ours(key, json!(server.environment())));
    }
    Ok(fields)
}

/// Returns the command of an entry and its arguments, one after the other; nothing if it starts no program.
pub(crate) fn command(entry: &Value) -> Vec<String> {
    let words = |value: &Value| -> Vec<String> {
        match value {
            Value::String(word) => vec![word.clone()],
            Value::Array(words) => words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        }
    };
    let mut command = words(&entry["command"]);
    if !command.is_empty() {
        command.extend(words(&entry["args"]));
    }
    command
}

/// Returns whether an entry is one that wisp wrote, now or in an older version: it starts `wisp mcp`, wherever that `wisp` was. A
/// binary with another name counts if it is the one that is asked about.
pub(crate) fn is_ours(entry: &Value, binary: Option<&Path>) -> bool {
    let command = command(entry);
    let [program, first, ..] = command.as_slice() else {
        return false;
    };
    let name = Path::new(program).file_name();
    first == "mcp" && (name == Some("wisp".as_ref()) || name.is_some_and(|name| binary.and_then(Path::file_name) == Some(name)))
}

/// Returns whether two values say the same. Codex writes `60` as `60.0` when it writes its file.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}
