//! The resolved policy written out: the text of which its digest is made, and which is itself a policy.

use std::fmt::Write;
use std::time::Duration;

use super::digest::sha256;
use super::network::{Network, SecretPlace};
use super::policy::{Filesystem, Limits, Policy, Tools};
use super::read::number_text;
use super::schema::Key;

/// Writing to a `String` cannot fail.
macro_rules! put {
    ($text:expr, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

pub(super) fn render(policy: &Policy) -> String {
    let mut text = String::new();
    put!(text, "name = {}", string(&policy.name));
    tools(&mut text, policy.tools());
    filesystem(&mut text, policy.filesystem());
    put!(text, "\n[env.vars]");
    for (name, value) in &policy.env {
        put!(text, "{} = {}", string(name), string(value));
    }
    let output = &policy.output;
    put!(text, "\n[output]");
    put!(text, "path = {}", string(&output.path));
    numbers(&mut text, &[(Key::OutputFiles, output.max_files), (Key::OutputBytes, output.max_bytes)]);
    limits(&mut text, policy.limits());
    if let Some(one) = policy.network() {
        network(&mut text, one);
    }
    if let Some(determinism) = &policy.determinism {
        put!(text, "\n[determinism]");
        numbers(&mut text, &[(Key::Seed, determinism.seed), (Key::Clock, determinism.clock)]);
    }
    text
}

fn tools(text: &mut String, tools: &Tools) {
    put!(text, "\n[tools]");
    put!(text, "allow = [{}]", list(&tools.allow));
    for (name, tool) in &tools.custom {
        put!(text, "\n[tools.custom.{}]", string(name));
        // Settling refuses paths that are not UTF-8, so the conversion is lossless.
        put!(text, "path = {}", string(&tool.path.to_string_lossy()));
        if let Some(sha256) = &tool.sha256 {
            put!(text, "sha256 = {}", string(sha256));
        }
        put!(text, "network = {}", tool.network);
    }
}

fn filesystem(text: &mut String, filesystem: &Filesystem) {
    put!(text, "\n[filesystem]");
    numbers(text, &[(Key::Quota, filesystem.quota), (Key::MaxFiles, filesystem.max_files)]);
    for mount in &filesystem.mounts {
        put!(text, "\n[[filesystem.mount]]");
        put!(text, "host = {}", string(&mount.host.to_string_lossy()));
        put!(text, "guest = {}", string(&mount.guest));
        put!(text, "access = {}", string(mount.access.as_str()));
    }
}

fn limits(text: &mut String, limits: &Limits) {
    put!(text, "\n[limits]");
    let all = [
        (Key::Wall, nanoseconds(limits.wall)),
        (Key::Cpu, nanoseconds(limits.cpu)),
        (Key::Memory, limits.memory),
        (Key::Instructions, limits.instructions),
        (Key::Processes, limits.processes.into()),
        (Key::Stdout, limits.stdout),
        (Key::Stderr, limits.stderr),
        (Key::OpenFiles, limits.open_files.into()),
        (Key::Denials, limits.denials),
    ];
    numbers(text, &all);
}

fn network(text: &mut String, network: &Network) {
    put!(text, "\n[network]");
    let all = [
        (Key::MaxRequests, network.max_requests),
        (Key::MaxRequestsPerMinute, network.max_requests_per_minute),
        (Key::MaxConcurrent, network.max_concurrent.into()),
        (Key::MaxRequest, network.max_request),
        (Key::MaxResponse, network.max_response),
        (Key::MaxBytes, network.max_bytes),
        (Key::ConnectTimeout, nanoseconds(network.connect_timeout)),
        (Key::FirstByteTimeout, nanoseconds(network.first_byte_timeout)),
        (Key::NetworkTimeout, nanoseconds(network.timeout)),
    ];
    numbers(text, &all);
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

/// A time as its key writes it. It is at most a day, so the nanoseconds fit.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The elements of an array of strings.
fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| string(&item.to_string())).collect::<Vec<_>>().join(", ")
}

pub(super) fn digest(policy: &Policy) -> String {
    sha256(render(policy))
}

fn numbers(text: &mut String, numbers: &[(Key, u64)]) {
    for &(key, number) in numbers {
        let shape = key.row().shape;
        let value = number_text(&shape, number);
        let value = if matches!(shape, super::schema::Shape::Count(_)) { value } else { string(&value) };
        put!(text, "{} = {value}", key.word());
    }
}

/// A TOML basic string.
fn string(text: &str) -> String {
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
