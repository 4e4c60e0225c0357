//! The resolved policy written out: the text of which its digest is made, and which is itself a policy.

use std::fmt::Write;

use super::digest::sha256;
use super::mcp::McpTransport;
use super::network::{Network, SecretPlace};
use super::parts::Tools;
use super::policy::Policy;
use super::read::number_text;
use super::schema::{Key, Shape};
use super::tables::numbers_in;

/// Writing to a `String` cannot fail.
macro_rules! put {
    ($text:expr, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

impl Policy {
    /// Returns the resolved policy as TOML: every key written out in a fixed order, with absolute paths. It is itself a
    /// policy with the same digest.
    pub fn canonical(&self) -> String {
        render(self)
    }

    /// Returns the SHA-256 of [`Policy::canonical`], in lower-case hexadecimal. Two policies with the same digest allow the
    /// same, whatever files they came from.
    pub fn digest(&self) -> String {
        sha256(render(self))
    }
}

fn render(policy: &Policy) -> String {
    let mut text = String::new();
    put!(text, "name = {}", string(&policy.name));
    tools(&mut text, policy.tools());
    imports(&mut text, policy);
    filesystem(&mut text, policy);
    put!(text, "\n[env.vars]");
    for (name, value) in &policy.env {
        put!(text, "{} = {}", string(name), string(value));
    }
    let output = &policy.output;
    put!(text, "\n[output]");
    put!(text, "path = {}", string(&output.path));
    numbers(&mut text, policy, "output");
    put!(text, "\n[limits]");
    numbers(&mut text, policy, "limits");
    if let Some(one) = policy.network() {
        network(&mut text, policy, one);
    }
    if let Some(host) = policy.host() {
        put!(text, "\n[host]");
        put!(text, "allow = [{}]", list(&host.allow));
        put!(text, "forks = [{}]", list(&host.forks));
        numbers(&mut text, policy, "host");
        for server in &host.mcp {
            put!(text, "\n[[host.mcp]]");
            put!(text, "name = {}", string(&server.name));
            match &server.transport {
                McpTransport::Command(command) => {
                    put!(text, "command = [{}]", list(&command.words));
                    put!(text, "from_env = [{}]", list(&command.from_env));
                }
                McpTransport::Http(http) => {
                    put!(text, "url = {}", string(&http.url.whole()));
                    if let Some(variable) = &http.bearer_env {
                        put!(text, "bearer_env = {}", string(variable));
                    }
                }
            }
            put!(text, "allow = [{}]", list(server.tools.iter().map(|tool| &tool.name)));
        }
    }
    if policy.determinism.is_some() {
        put!(text, "\n[determinism]");
        numbers(&mut text, policy, "determinism");
    }
    text
}

fn tools(text: &mut String, tools: &Tools) {
    put!(text, "\n[tools]");
    put!(text, "allow = [{}]", list(&tools.allow));
    if let Some(image) = &tools.python {
        put!(text, "python = {}", string(image));
    }
    for (name, tool) in &tools.custom {
        put!(text, "\n[tools.custom.{}]", string(name));
        // Settling refuses paths that are not UTF-8, so the conversion is lossless.
        put!(text, "path = {}", string(&tool.path.to_string_lossy()));
        if let Some(sha256) = &tool.sha256 {
            put!(text, "sha256 = {}", string(sha256));
        }
        put!(text, "network = {}", tool.network);
        put!(text, "host = {}", tool.host);
    }
}

fn imports(text: &mut String, policy: &Policy) {
    for (interface, import) in &policy.imports {
        put!(text, "\n[imports.{}]", string(interface));
        put!(text, "component = {}", string(&import.path.to_string_lossy()));
        if let Some(sha256) = &import.sha256 {
            put!(text, "sha256 = {}", string(sha256));
        }
        if let Some(tools) = &import.tools {
            put!(text, "tools = [{}]", list(tools));
        }
    }
}

fn filesystem(text: &mut String, policy: &Policy) {
    put!(text, "\n[filesystem]");
    numbers(text, policy, "filesystem");
    for mount in &policy.filesystem.mounts {
        put!(text, "\n[[filesystem.mount]]");
        put!(text, "host = {}", string(&mount.host.to_string_lossy()));
        put!(text, "guest = {}", string(&mount.guest));
        put!(text, "access = {}", string(mount.access.as_str()));
    }
}

fn network(text: &mut String, policy: &Policy, network: &Network) {
    put!(text, "\n[network]");
    numbers(text, policy, "network");
    if let Some((ca, _)) = &network.ca {
        put!(text, "ca = {}", string(&ca.to_string_lossy()));
    }
    put!(text, "receipt_query = {}", network.receipt_query);
    for allow in &network.allow {
        put!(text, "\n[[network.allow]]");
        put!(text, "url = {}", string(&allow.url.to_string()));
        put!(text, "methods = [{}]", list(&allow.methods));
        put!(text, "allow_private = {}", allow.allow_private);
        put!(text, "addresses = [{}]", list(&allow.addresses));
    }
    for secret in &network.secrets {
        let (key, name) = match &secret.place {
            SecretPlace::Header(name) => (Key::SecretHeader, name),
            SecretPlace::Query(name) => (Key::SecretQuery, name),
            SecretPlace::BodyField(name) => (Key::SecretBodyField, name),
        };
        put!(text, "\n[[network.secret]]");
        put!(text, "host = {}", string(&secret.host.to_string()));
        put!(text, "{} = {}", key.word(), string(name));
        put!(text, "value_from_env = {}", string(&secret.variable));
        put!(text, "format = {}", string(&secret.format));
        put!(text, "forks = {}", secret.forks);
    }
}

/// Returns the elements of an array of strings.
fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| string(&item.to_string())).collect::<Vec<_>>().join(", ")
}

/// Writes the keys of a table with numbers, in the order of the schema.
fn numbers(text: &mut String, policy: &Policy, table: &str) {
    for key in numbers_in(table) {
        let shape = key.row().shape;
        let value = number_text(&shape, policy.layer.number(key));
        let value = if matches!(shape, Shape::Count(_)) { value } else { string(&value) };
        put!(text, "{} = {value}", key.word());
    }
}

/// Returns a TOML basic string, without invisible characters.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            char if char.is_control() || super::finding::is_invisible(char) => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
