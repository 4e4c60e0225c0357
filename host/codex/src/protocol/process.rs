//! `process/…`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Base64, Unread};
use crate::uri::FileUri;

/// `process/start`. That wisp does not have shell snapshots, which a client asks for only where it is told of them, is no error.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartAsked {
    pub(crate) process_id: String,
    pub(crate) argv: Vec<String>,
    pub(crate) cwd: FileUri,
    pub(crate) env_policy: Option<EnvPolicy>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) tty: bool,
    #[serde(default)]
    pub(crate) pipe_stdin: bool,
    pub(crate) arg0: Option<String>,
    pub(crate) sandbox: Option<Unread>,
    #[serde(default)]
    pub(crate) enforce_managed_network: bool,
    pub(crate) network_proxy: Option<Unread>,
}

/// How Codex makes the environment of a process of the one that its server has.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct EnvPolicy {
    /// Variables in addition.
    pub(crate) set: BTreeMap<String, String>,
    /// Patterns; if there are any, only variables that match one.
    pub(crate) include_only: Vec<String>,
}

/// The answer to `process/start`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Started<'a> {
    pub(crate) process_id: &'a str,
}

/// `process/read`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadAsked {
    pub(crate) process_id: String,
    pub(crate) after_seq: Option<u64>,
    pub(crate) max_bytes: Option<u64>,
    pub(crate) wait_ms: Option<u64>,
}

/// What a process has written and become.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadResult {
    pub(crate) chunks: Vec<OutputChunk>,
    pub(crate) next_seq: u64,
    pub(crate) exited: bool,
    pub(crate) exit_code: Option<i32>,
    pub(crate) closed: bool,
    pub(crate) failure: Option<String>,
    pub(crate) sandbox_denied: bool,
}

/// A piece of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct OutputChunk {
    pub(crate) seq: u64,
    pub(crate) stream: OutputStream,
    pub(crate) chunk: Base64,
}

/// Where output was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OutputStream {
    Stdout,
    Stderr,
    Pty,
}

/// `process/write`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WriteAsked {
    pub(crate) process_id: String,
    pub(crate) chunk: Base64,
    /// A text that the client chooses: what it sends again with the same one is not written again.
    pub(crate) write_id: String,
}

/// The answer to `process/write`.
#[derive(Debug, Serialize)]
pub(crate) struct WriteResult {
    pub(crate) status: WriteStatus,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum WriteStatus {
    Accepted,
    UnknownProcess,
    StdinClosed,
    Starting,
}

/// `process/signal`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignalAsked {
    pub(crate) process_id: String,
    pub(crate) signal: Signal,
}

/// The signals that a client can send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Signal {
    Interrupt,
}

/// `process/terminate`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Named {
    pub(crate) process_id: String,
}

/// The answer to `process/terminate`.
#[derive(Debug, Serialize)]
pub(crate) struct Terminated {
    /// Whether it ran.
    pub(crate) running: bool,
}

/// `process/output`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutputNote<'a> {
    pub(crate) process_id: &'a str,
    #[serde(flatten)]
    pub(crate) chunk: OutputChunk,
}

/// `process/exited`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExitedNote<'a> {
    pub(crate) process_id: &'a str,
    pub(crate) seq: u64,
    pub(crate) exit_code: i32,
    pub(crate) sandbox_denied: bool,
}

/// `process/closed`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClosedNote<'a> {
    pub(crate) process_id: &'a str,
    pub(crate) seq: u64,
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use serde_json::json;

    use super::*;

    /// What Codex 0.171.0 sends.
    #[test]
    fn a_process_starts_as_codex_starts_it() {
        let asked: StartAsked = serde_json::from_value(json!({
            "processId": "5870-94eed42e", "metadata": { "threadId": "01a2214b", "toolCallId": "call0" },
            "argv": ["/bin/bash", "-lc", "echo hi"], "cwd": "file:///tmp/project",
            "envPolicy": { "inherit": "all", "ignoreDefaultExcludes": true, "exclude": ["CODEX_VERSION"], "set": {}, "includeOnly": [] },
            "env": { "TERM": "dumb", "NO_COLOR": "1" }, "tty": false, "pipeStdin": false, "arg0": null, "sandbox": null,
            "enforceManagedNetwork": false, "managedNetwork": null,
        }))
        .expect("its parameters");
        assert_eq!((&*asked.process_id, asked.argv.len(), asked.cwd.path()), ("5870-94eed42e", 3, "/tmp/project"));
        assert!(asked.env_policy.is_some_and(|policy| policy.set.is_empty()) && asked.env["TERM"] == "dumb");
        assert!(!asked.tty && asked.sandbox.is_none() && !asked.enforce_managed_network);
        // The least.
        let least = json!({ "processId": "p", "argv": [], "cwd": "file:///", "env": {}, "tty": true });
        assert!(serde_json::from_value::<StartAsked>(least.clone()).is_ok_and(|asked| asked.tty && !asked.pipe_stdin));
        for missing in ["processId", "argv", "cwd", "env", "tty"] {
            let mut less = least.clone();
            less.as_object_mut().expect("an object").remove(missing);
            assert!(serde_json::from_value::<StartAsked>(less).is_err(), "{missing}");
        }
        let mut native = least;
        native["cwd"] = json!("/tmp");
        assert!(serde_json::from_value::<StartAsked>(native).is_err());
    }

    #[test]
    fn what_is_told_of_a_process_has_codex_s_names() {
        let chunk = OutputChunk { seq: 1, stream: OutputStream::Pty, chunk: Base64(Bytes::from_static(b"hi")) };
        let note = serde_json::to_value(OutputNote { process_id: "p", chunk: chunk.clone() }).expect("JSON");
        assert_eq!(note, json!({ "processId": "p", "seq": 1, "stream": "pty", "chunk": "aGk=" }));
        let note = serde_json::to_value(ExitedNote { process_id: "p", seq: 2, exit_code: 1, sandbox_denied: true }).expect("JSON");
        assert_eq!(note, json!({ "processId": "p", "seq": 2, "exitCode": 1, "sandboxDenied": true }));
        let result = ReadResult {
            chunks: vec![chunk],
            next_seq: 2,
            exited: false,
            exit_code: None,
            closed: false,
            failure: None,
            sandbox_denied: false,
        };
        let told = json!({ "chunks": [{ "seq": 1, "stream": "pty", "chunk": "aGk=" }], "nextSeq": 2, "exited": false, "exitCode": null,
            "closed": false, "failure": null, "sandboxDenied": false });
        assert_eq!(serde_json::to_value(result).expect("JSON"), told);
        let status = |status| serde_json::to_value(WriteResult { status }).expect("JSON")["status"].clone();
        assert_eq!(status(WriteStatus::UnknownProcess), "unknownProcess");
        assert_eq!((status(WriteStatus::StdinClosed), status(WriteStatus::Starting)), (json!("stdinClosed"), json!("starting")));
    }

    #[test]
    fn there_is_one_signal() {
        let signal =
            |name: &str| serde_json::from_value::<SignalAsked>(json!({ "processId": "p", "signal": name })).map(|it| it.signal).ok();
        assert_eq!((signal("interrupt"), signal("kill")), (Some(Signal::Interrupt), None));
    }
}
