//! Events: what a session does, reported while it happens. Each is one line of `wisp run --events`. These types are the
//! schema: `host/wisp/schema/event.json` is made from them, and a test compares the two.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;

use crate::outcome::document::{LimitDocument, ReceiptDocument, UsageDocument};

/// Something that happened.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "wisp event")]
#[non_exhaustive]
pub struct Event {
    /// Nanoseconds since 1970, by the session's clock.
    pub time_ns: u64,
    /// The session's id; empty before the session exists.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// What happened.
    #[serde(flatten)]
    pub what: Happening,
}

/// What happened.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Happening {
    /// A tool's component is compiled to machine code, which takes seconds and happens once on a machine.
    Compile {
        /// The tool.
        tool: String,
        /// Whether the compilation has finished; if not, it begins.
        done: bool,
    },
    /// A command, or an evaluation of an interpreter, begins.
    Start {
        /// The program and its arguments, separated by spaces; for an evaluation, the interpreter. At most 512 bytes.
        command: String,
    },
    /// A process begins.
    ProcessStart {
        /// The process's id.
        process: u32,
        /// The process that started it; 0 for a command's first.
        parent: u32,
        /// The program, as it was asked for. At most 512 bytes.
        program: String,
    },
    /// A process has ended.
    ProcessEnd {
        /// The process's id.
        process: u32,
        /// The exit code that a shell would see.
        exit_code: u8,
        /// Its processor time, in milliseconds.
        cpu_ms: f64,
    },
    /// A piece of standard output or standard error, as it was written.
    Output {
        /// The stream.
        stream: Stream,
        /// The piece; absent if it is not UTF-8, for example because it ends within a character.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// The piece in base64, in place of `text`.
        #[serde(skip_serializing_if = "Option::is_none")]
        base64: Option<String>,
    },
    /// A decision was made, or earlier refusals were repeated.
    Receipt {
        /// The decision. All counts together add up to the number of attempts.
        receipt: ReceiptDocument,
    },
    /// A limit was reached.
    Limit {
        /// The limit.
        limit: LimitDocument,
    },
    /// A command or an evaluation has ended.
    End {
        /// The exit code.
        exit_code: u8,
        /// The time from start to end, in milliseconds.
        execution_time_ms: f64,
        /// The resources that it used.
        usage: UsageDocument,
        /// The limit that it reached, if any.
        limit: Option<LimitDocument>,
    },
    /// The last line of a file that reached its maximum size; `end` is still written.
    LeftOut {
        /// The number of events that are not in the file.
        count: u64,
    },
}

/// One of a command's two output streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Receives events as they happen. Called from many threads; must not block for long.
pub trait EventSink: Send + Sync {
    /// Receives one event.
    fn event(&self, event: &Event);
}

impl Event {
    /// An event of no session, for what a program adds to those of wisp. `time_ns` is in nanoseconds since 1970.
    pub fn new(time_ns: u64, what: Happening) -> Self {
        Self { time_ns, session: String::new(), what }
    }
}

impl Happening {
    /// Makes the event for a piece of output.
    pub(crate) fn output(stream: Stream, bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Output { stream, text: Some(text.to_owned()), base64: None },
            Err(_) => Self::Output { stream, text: None, base64: Some(STANDARD.encode(bytes)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_in_the_repository_is_the_type() {
        let made = serde_json::to_string_pretty(&schemars::schema_for!(Event)).unwrap() + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/event.json");
        if std::env::var_os("WISP_BLESS").is_some() {
            std::fs::write(path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(made == kept, "host/wisp/schema/event.json does not match the type; `toolchain/just bless` rewrites it");
    }

    #[test]
    fn an_event_is_one_line_with_its_name_first_among_what_is_its_own() {
        let what = Happening::output(Stream::Stdout, b"a\nb");
        let line = serde_json::to_string(&Event { time_ns: 1, session: "s".to_owned(), what }).unwrap();
        assert_eq!(line, r#"{"time_ns":1,"session":"s","event":"output","stream":"stdout","text":"a\nb"}"#);
        let line = serde_json::to_string(&Happening::output(Stream::Stderr, b"\xff")).unwrap();
        assert_eq!(line, r#"{"event":"output","stream":"stderr","base64":"/w=="}"#);
    }
}
