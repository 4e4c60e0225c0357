//! The reference of every key, as Markdown for `policies/README.md` and as JSON Schema for editors: made from the schema, and
//! tests compare.

use std::fmt::Write;

use super::read::number_text;
use super::schema::{Absent, Key, Row, Shape};

pub use super::json_schema::json_schema;

/// One table in Markdown: key, type, default, meaning, and what is refused.
pub fn markdown() -> String {
    let mut text = String::from("| key | type | without it | meaning | refused |\n| --- | --- | --- | --- | --- |\n");
    for &key in Key::ALL {
        let row = key.row();
        let (shape, absent, refused) = (shape(&row), absent(&row), refused(key, &row));
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| `{}` | {shape} | {absent} | {} | {refused} |", row.path, row.meaning);
    }
    text
}

fn shape(row: &Row) -> String {
    let shape = match &row.shape {
        Shape::Text => "string",
        Shape::Texts => "list of strings",
        Shape::Flag => return "`true` or `false`".to_owned(),
        Shape::Count(_) => "whole number",
        Shape::Size(_) => "size",
        Shape::Duration(_) => "time",
        Shape::Moment => "date and time",
    };
    format!("{shape}, `{}`", row.example)
}

fn absent(row: &Row) -> String {
    match row.absent {
        Absent::Nothing => "nothing".to_owned(),
        Absent::Required => "an error".to_owned(),
        Absent::Number(number) if matches!(row.shape, Shape::Count(_)) => format!("`{number}`"),
        Absent::Number(number) => format!("`\"{}\"`", number_text(&row.shape, number)),
        Absent::Text(text) => format!("`\"{text}\"`"),
        Absent::False => "`false`".to_owned(),
        Absent::Prose(prose) => prose.to_owned(),
    }
}

/// A meaning as a sentence: a capital letter first, unless code stands there, and a full stop.
pub(super) fn sentence(meaning: &str) -> String {
    let mut letters = meaning.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// The errors of a key, apart from values of another type.
pub(super) fn refused(key: Key, row: &Row) -> String {
    if let Shape::Count(bounds) | Shape::Size(bounds) | Shape::Duration(bounds) = &row.shape {
        let (low, high) = (number_text(&row.shape, *bounds.start()), number_text(&row.shape, *bounds.end()));
        return format!("less than {low}, more than {high}");
    }
    let refused = match key {
        Key::Name => "an empty name, control characters, more than 128 bytes",
        Key::Extends => "an unknown name, a file that cannot be read, a cycle, more than 16 policies",
        Key::Allow => "an unknown tool, a tool listed twice",
        Key::ToolPath => {
            "an empty path, a file that does not exist; as `NAME` a shipped tool's name, or anything but letters, digits, `.`, `_`, `+` and `-`, at most 64"
        }
        Key::ToolSha256 => "anything but 64 hexadecimal digits",
        Key::ToolNetwork => "`true` where the session has no network",
        Key::MountHost => {
            "an empty path, one that does not exist, a device, pipe or socket, a kernel filesystem (`/proc`, `/sys`); for writing: a directory that holds this policy, one it extends, a tool, `network.ca`, or wisp's own files"
        }
        Key::MountGuest => {
            "a path that is relative or not normalised, one that covers a directory of the sandbox, the output or another mount; more than 64 mounts"
        }
        Key::MountAccess => "any other word",
        Key::EnvVar => "an empty name, `=` or a control character in it, NUL in a value, more than 1 MiB in all",
        Key::OutputPath => "a path that is relative or not normalised, one that covers a directory of the sandbox or a mount",
        Key::Clock => "a time without an offset, before 1970 or after 2553",
        Key::AllowUrl => {
            "a query, a fragment, a user name, spaces, `..`, another scheme, numbers that are not four plain decimals as a host"
        }
        Key::AllowMethods => "any word but `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`",
        Key::AllowAddresses => "anything but addresses and networks",
        Key::NetworkCa => "a file that does not exist, or holds no certificate",
        Key::SecretHost => "a host with `*`, or anything that is not a host",
        Key::SecretHeader => "what is not a header's name, or a header that wisp sets itself; a second place",
        Key::SecretQuery | Key::SecretBodyField => "anything but letters, digits, `_`, `-` and `.`; a second place",
        Key::SecretValueFromEnv => "a variable that is not set when a session starts, is in `[env]` too, or in another secret",
        Key::SecretFormat => "a text without `{}`, or with two; control characters",
        Key::AllowPrivate | Key::ReceiptQuery | Key::SecretForks => "",
        Key::MaxRequests
        | Key::MaxRequestsPerMinute
        | Key::MaxConcurrent
        | Key::MaxRequest
        | Key::MaxResponse
        | Key::MaxBytes
        | Key::ConnectTimeout
        | Key::FirstByteTimeout
        | Key::NetworkTimeout => "",
        Key::Quota | Key::MaxFiles | Key::OutputFiles | Key::OutputBytes => "",
        Key::Wall
        | Key::Cpu
        | Key::Memory
        | Key::Instructions
        | Key::Processes
        | Key::Stdout
        | Key::Stderr
        | Key::OpenFiles
        | Key::Denials
        | Key::Seed => "",
    };
    refused.to_owned()
}
