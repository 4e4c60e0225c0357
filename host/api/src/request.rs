//! What a caller asks of a service, as data.
//!
//! Each field that may be missing has a default, so that a request is as short as what it asks for. A field that this version does
//! not know is refused: a caller that relies on it would get something else.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Stream, content};

/// A session to open, or to find by its key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SessionRequest {
    /// A name that the caller chooses, of 1 to 256 bytes. If its owner has a session with this key, that is returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The name of a policy that the service offers; absent for its default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// Variables in the environment of every command, in addition to the policy's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Closes the session after this time without a call in which nothing ran, in milliseconds in JSON. The service's limit
    /// applies too.
    #[serde(rename = "idle_ms", with = "optional_milliseconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub idle: Option<Duration>,
    /// Closes the session after this time, in milliseconds in JSON. The service's limit applies too.
    #[serde(rename = "life_ms", with = "optional_milliseconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub life: Option<Duration>,
    /// What the caller wants to remember about it, at most 16 KiB in all; the service only returns it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// A command to start: a program with arguments, or a script.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CommandRequest {
    /// The program and its arguments. Either this or `script`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// A script for `sh`. Either this or `argv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The shell of the session, by a name of 1 to 256 bytes that the caller chooses, that runs the script: its variables, functions and directory
    /// are there for its next script. Without it, a shell of its own runs the script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// Variables in its environment, in addition to the session's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Its working directory; a relative path starts at `/home/user`, which is the default. Not for a script in a named shell,
    /// which has a directory of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_directory: Option<String>,
    /// Its whole standard input. Without it and `pipe_stdin`, standard input is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<Blob>,
    /// Whether standard input is what the caller writes later, until it closes it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pipe_stdin: bool,
    /// The size of its terminal, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalRequest>,
    /// Whether standard error goes where standard output goes, in the order in which both are written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub merge_stderr: bool,
    /// Keeps this many bytes of the end of each output, instead of all of it (`limits.stdout` and `limits.stderr` apply anyway).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<u64>,
    /// What counts as its end.
    #[serde(skip_serializing_if = "CommandEnd::is_output")]
    pub end: CommandEnd,
    /// A time limit of its own, in milliseconds in JSON; the policy's applies too.
    #[serde(rename = "timeout_ms", with = "optional_milliseconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub timeout: Option<Duration>,
    /// A name of 1 to 256 bytes that the caller chooses, by which it finds the command again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
}

/// What counts as the end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CommandEnd {
    /// Its first process has ended and every process has closed its output; what is left is ended.
    #[default]
    Output,
    /// Its first process has ended; what that left goes on.
    FirstProcess,
}

/// Code for a live interpreter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeRequest {
    /// The code.
    pub code: String,
    /// The interpreter of the session, by a name of 1 to 256 bytes that the caller chooses; it starts when it is first named.
    #[serde(default = "python", skip_serializing_if = "is_python")]
    pub interpreter: String,
    /// The tool that the interpreter runs; `python3` for one that starts, if this is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Interrupts the code after this time, in milliseconds in JSON; the interpreter stays alive. The policy's limit applies too.
    #[serde(rename = "timeout_ms", default, with = "optional_milliseconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub timeout: Option<Duration>,
    /// How long the code may go on after that, in milliseconds in JSON.
    #[serde(rename = "grace_ms", default, with = "optional_milliseconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub grace: Option<Duration>,
}

/// A piece of output to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputRequest {
    /// The stream.
    #[serde(default = "stdout")]
    pub stream: Stream,
    /// The offset of the first byte.
    #[serde(default)]
    pub offset: u64,
    /// Maximum bytes.
    #[serde(default = "output_limit")]
    pub limit: u64,
    /// How long to wait for the first byte or for the end, in milliseconds in JSON; 0 returns what is there.
    #[serde(rename = "wait_ms", default, with = "content::milliseconds", skip_serializing_if = "Duration::is_zero")]
    #[schemars(with = "f64")]
    pub wait: Duration,
}

/// The size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TerminalRequest {
    /// Lines of text.
    pub rows: u16,
    /// Characters of a line.
    pub columns: u16,
}

/// What changed in a session, to be listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiffRequest {
    /// The path that is compared, and what is below it; a relative path starts at `/home/user`.
    pub path: String,
    /// Maximum files.
    pub limit: u64,
    /// Whether each file has its unified diff.
    pub text: bool,
}

/// Bytes of a request: in JSON `text`, or `base64`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Blob {
    /// The bytes.
    #[serde(flatten, with = "content")]
    #[schemars(with = "content::Content")]
    pub data: Bytes,
}

impl CommandRequest {
    /// Returns a request for a program and its arguments.
    pub fn argv<A: Into<String>>(argv: impl IntoIterator<Item = A>) -> Self {
        Self { argv: argv.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Returns a request for a script.
    pub fn script(script: impl Into<String>) -> Self {
        Self { script: Some(script.into()), ..Self::default() }
    }

    /// Returns a request for a script in the shell with this name.
    pub fn in_shell(shell: impl Into<String>, script: impl Into<String>) -> Self {
        Self { shell: Some(shell.into()), ..Self::script(script) }
    }
}

impl CommandEnd {
    fn is_output(&self) -> bool {
        *self == Self::Output
    }
}

impl CodeRequest {
    /// Returns a request for the interpreter with the name `python`.
    pub fn new(code: impl Into<String>) -> Self {
        Self { code: code.into(), interpreter: python(), tool: None, timeout: None, grace: None }
    }
}

impl OutputRequest {
    /// Returns a request for what `stream` has after `offset`, without waiting.
    pub fn new(stream: Stream, offset: u64) -> Self {
        Self { stream, offset, limit: output_limit(), wait: Duration::ZERO }
    }

    /// Waits this long for the first byte or for the end.
    #[must_use]
    pub fn waiting(self, wait: Duration) -> Self {
        Self { wait, ..self }
    }
}

impl Default for OutputRequest {
    fn default() -> Self {
        Self::new(Stream::Stdout, 0)
    }
}

impl Default for DiffRequest {
    fn default() -> Self {
        Self { path: "/".to_owned(), limit: 1_000, text: false }
    }
}

impl<B: Into<Bytes>> From<B> for Blob {
    fn from(data: B) -> Self {
        Self { data: data.into() }
    }
}

fn python() -> String {
    "python".to_owned()
}

fn is_python(name: &str) -> bool {
    name == "python"
}

fn stdout() -> Stream {
    Stream::Stdout
}

/// Returns a piece of output that one message of any protocol can carry (1 MiB).
fn output_limit() -> u64 {
    1 << 20
}

/// A time that may be missing, as milliseconds.
mod optional_milliseconds {
    use serde::{Deserializer, Serializer};

    use super::*;

    /// A time that is there.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Milliseconds(#[serde(with = "content::milliseconds")] Duration);

    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(Milliseconds).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<Milliseconds>::deserialize(from)?.map(|time| time.0))
    }
}
