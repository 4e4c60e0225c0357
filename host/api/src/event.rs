//! Events: what a session does, reported while it happens.

use std::time::Duration;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{End, LimitHit, Receipt, Usage, content};

/// Something that happened. As JSON, each is one line of `wisp run --events`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "wisp event")]
pub struct Event {
    /// Nanoseconds since 1970, by the session's clock.
    pub time_ns: u64,
    /// The session's id; empty before the session exists.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EventKind {
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
        /// Its processor time, in milliseconds in JSON.
        #[serde(rename = "cpu_ms", with = "content::milliseconds")]
        #[schemars(with = "f64")]
        cpu: Duration,
    },
    /// A piece of standard output or standard error, as it was written.
    Output {
        /// The stream.
        stream: Stream,
        /// The piece: in JSON `text`, or `base64` if it is not UTF-8, for example because it ends within a character.
        #[serde(flatten, with = "content")]
        #[schemars(with = "content::Content")]
        data: Bytes,
    },
    /// A decision was made, or earlier refusals were repeated.
    Receipt {
        /// The decision. All counts together add up to the number of attempts.
        receipt: Receipt,
    },
    /// A limit was reached.
    Limit {
        /// The limit.
        limit: LimitHit,
    },
    /// A command or an evaluation has ended.
    End {
        /// How it ended.
        #[serde(flatten, with = "crate::end::fields")]
        #[schemars(with = "crate::end::fields::Fields")]
        end: End,
        /// The time from start to end, in milliseconds in JSON.
        #[serde(rename = "execution_time_ms", with = "content::milliseconds")]
        #[schemars(with = "f64")]
        execution_time: Duration,
        /// The resources that it used.
        usage: Usage,
        /// The limit that it reached, if any.
        limit: Option<LimitHit>,
    },
    /// The last line of a file that reached its maximum size; `end` is still written.
    LeftOut {
        /// The number of events that are not in the file.
        count: u64,
    },
}

/// One of a command's two output streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Event {
    /// Returns an event of no session, for what a program adds to those of wisp. `time_ns` is in nanoseconds since 1970.
    pub fn new(time_ns: u64, kind: EventKind) -> Self {
        Self { time_ns, session: String::new(), kind }
    }
}
