//! What the messages of the protocol hold: Codex 0.171.0's exec-server, read in its source and on the wire. Members that wisp does not
//! know are passed over, as Codex does, so that a later client goes on working.

mod files;
mod http;
mod process;

use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::uri::FileUri;

pub(crate) use files::{
    BlockRead, BlockResult, BlockWritten, Canonical, Copied, DataResult, DirectoryMade, Entries, Entry, Handle, Metadata, OpenMode, Opened,
    PathAsked, Removed, WalkEntry, WalkError, WalkKind, WalkOptions, Walked, WalkedResult, Written,
};
pub(crate) use http::{BodyDelta, Header, HttpAnswer, HttpAsked, Redirects};
pub(crate) use process::{
    ClosedNote, EnvPolicy, ExitedNote, Named, OutputChunk, OutputNote, OutputStream, ReadAsked, ReadResult, Signal, SignalAsked,
    StartAsked, Started, Terminated, WriteAsked, WriteResult, WriteStatus,
};

/// A part that is read only where it matters: as a value it could take a hundred times its bytes.
pub(crate) type Unread = Box<RawValue>;

/// An answer that says only that it was done.
#[derive(Serialize)]
pub(crate) struct Done {}

/// Bytes, which are base64 in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Base64(pub(crate) Bytes);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map(|bytes| Self(bytes.into())).map_err(serde::de::Error::custom)
    }
}

/// `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    /// The session that the client had before.
    pub(crate) resume_session_id: Option<String>,
}

/// What a client is told that has begun.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialized<'a> {
    pub(crate) session_id: &'a str,
    /// What `environment/info` says, so that the client need not ask.
    pub(crate) environment_info: EnvironmentInfo,
}

/// What there is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnvironmentInfo {
    pub(crate) shell: Shell,
    pub(crate) cwd: FileUri,
    pub(crate) user_home_dir: FileUri,
    pub(crate) platform_os: &'static str,
    pub(crate) temporary_directories: [FileUri; 1],
    pub(crate) temp_dir: FileUri,
    pub(crate) capabilities: Capabilities,
}

/// The shell that runs commands.
#[derive(Debug, Serialize)]
pub(crate) struct Shell {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
}

/// What a client may ask for beside the methods that every exec-server has. A client does not use what is not named here.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    /// `fs/open` with `replace`, and `fs/writeBlock`.
    pub(crate) file_write_streaming: bool,
}

/// `environment/status`.
#[derive(Debug, Serialize)]
pub(crate) struct Status {
    pub(crate) status: &'static str,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bytes_are_base64() {
        let bytes: Base64 = serde_json::from_value(json!("aGkA/w==")).expect("base64");
        assert_eq!(bytes, Base64(Bytes::from_static(b"hi\0\xff")));
        assert_eq!(serde_json::to_value(&bytes).expect("JSON"), json!("aGkA/w=="));
        assert!(serde_json::from_value::<Base64>(json!("?")).is_err() && serde_json::from_value::<Base64>(json!([1])).is_err());
    }

    #[test]
    fn a_client_begins_as_codex_does() {
        let asked: Initialize = serde_json::from_value(json!({ "clientName": "codex-environment", "resumeSessionId": null })).expect("it");
        assert_eq!(asked.resume_session_id, None);
        let info = EnvironmentInfo {
            shell: Shell { name: "bash", path: "/bin/bash" },
            cwd: FileUri::of("/p"),
            user_home_dir: FileUri::of("/home/user"),
            platform_os: "linux",
            temporary_directories: [FileUri::of("/tmp")],
            temp_dir: FileUri::of("/tmp"),
            capabilities: Capabilities { file_write_streaming: true },
        };
        let told = serde_json::to_value(Initialized { session_id: "s", environment_info: info }).expect("JSON");
        assert_eq!(
            told,
            json!({ "sessionId": "s", "environmentInfo": {
                "shell": { "name": "bash", "path": "/bin/bash" }, "cwd": "file:///p", "userHomeDir": "file:///home/user",
                "platformOs": "linux", "temporaryDirectories": ["file:///tmp"], "tempDir": "file:///tmp",
                "capabilities": { "fileWriteStreaming": true },
            } })
        );
    }
}
