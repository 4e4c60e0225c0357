//! The resolved policy written out: the one text that its digest is made of, and that is a policy itself.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::network::SecretPlace;
use super::policy::Policy;
use super::read::number_text;
use super::schema::Key;

/// Writing to a `String` cannot fail.
macro_rules! put {
    ($text:expr, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

pub(super) fn render(policy: &Policy) -> String {
    let mut text = String::new();
    put!(text, "name = {}", string(&policy.name));

    put!(text, "\n[tools]");
    put!(text, "allow = [{}]", policy.tools.allow.iter().map(|tool| string(tool)).collect::<Vec<_>>().join(", "));
    for (name, tool) in &policy.tools.custom {
        put!(text, "\n[tools.custom.{}]", string(name));
        // Settling refuses paths that are not UTF-8, so nothing is lost here.
        put!(text, "path = {}", string(&tool.path.to_string_lossy()));
        if let Some(sha256) = &tool.sha256 {
            put!(text, "sha256 = {}", string(sha256));
        }
        put!(text, "network = {}", tool.network);
    }

    let filesystem = &policy.filesystem;
    put!(text, "\n[filesystem]");
    numbers(&mut text, &[(Key::Quota, filesystem.quota), (Key::MaxFiles, filesystem.max_files)]);
    for mount in &filesystem.mounts {
        put!(text, "\n[[filesystem.mount]]");
        put!(text, "host = {}", string(&mount.host.to_string_lossy()));
        put!(text, "guest = {}", string(&mount.guest));
        put!(text, "access = {}", string(mount.access.as_str()));
    }

    put!(text, "\n[env.vars]");
    for (name, value) in &policy.env {
        put!(text, "{} = {}", string(name), string(value));
    }

    let output = &policy.output;
    put!(text, "\n[output]");
    put!(text, "path = {}", string(&output.path));
    numbers(&mut text, &[(Key::OutputFiles, output.max_files), (Key::OutputBytes, output.max_bytes)]);

    let limits = &policy.limits;
    // Bounded to a day, so the nanoseconds fit.
    let nanoseconds = |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    put!(text, "\n[limits]");
    numbers(
        &mut text,
        &[
            (Key::Wall, nanoseconds(limits.wall)),
            (Key::Cpu, nanoseconds(limits.cpu)),
            (Key::Memory, limits.memory),
            (Key::Instructions, limits.instructions),
            (Key::Processes, limits.processes.into()),
            (Key::Stdout, limits.stdout),
            (Key::Stderr, limits.stderr),
            (Key::OpenFiles, limits.open_files.into()),
            (Key::Denials, limits.denials),
        ],
    );

    if let Some(network) = &policy.network {
        put!(text, "\n[network]");
        numbers(
            &mut text,
            &[
                (Key::MaxRequests, network.max_requests),
                (Key::MaxRequestsPerMinute, network.max_requests_per_minute),
                (Key::MaxConcurrent, network.max_concurrent.into()),
                (Key::MaxRequest, network.max_request),
                (Key::MaxResponse, network.max_response),
                (Key::MaxBytes, network.max_bytes),
                (Key::ConnectTimeout, nanoseconds(network.connect_timeout)),
                (Key::FirstByteTimeout, nanoseconds(network.first_byte_timeout)),
                (Key::NetworkTimeout, nanoseconds(network.timeout)),
            ],
        );
        if let Some((ca, _)) = &network.ca {
            put!(text, "ca = {}", string(&ca.to_string_lossy()));
        }
        put!(text, "receipt_query = {}", network.receipt_query);
        for allow in &network.allow {
            let list = |texts: Vec<String>| texts.iter().map(|text| string(text)).collect::<Vec<_>>().join(", ");
            put!(text, "\n[[network.allow]]");
            put!(text, "url = {}", string(&allow.url.to_string()));
            put!(text, "methods = [{}]", list(allow.methods.clone()));
            put!(text, "allow_private = {}", allow.allow_private);
            put!(text, "addresses = [{}]", list(allow.addresses.iter().map(ToString::to_string).collect()));
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

    if let Some(determinism) = &policy.determinism {
        put!(text, "\n[determinism]");
        numbers(&mut text, &[(Key::Seed, determinism.seed), (Key::Clock, determinism.clock)]);
    }
    text
}

pub(super) fn digest(policy: &Policy) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(render(policy).as_bytes()) {
        let _ = write!(text, "{byte:02x}");
    }
    text
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
