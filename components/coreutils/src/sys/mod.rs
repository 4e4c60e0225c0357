//! What only these tools need from the system: spawning, the process table, the filesystem's usage. The rest is
//! `wisp_tool::sys`. Inside wisp it is `wisp:sandbox`; natively it is Unix, for tests.

use std::ffi::OsString;
use std::path::Path;

#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod imp;
#[cfg(target_family = "wasm")]
#[path = "wasm.rs"]
mod imp;

pub use imp::{Child, host_name, ignore_hangup, input_is_stream, is_output, kill, mounts, output, processes, spawn, usage};
pub use wisp_tool::sys::{
    Kind, Stat, absolute, args, cwd, environment, exit, input, is_terminal, path_from_bytes, pid, set_mode, set_times, stat, symlink, uid,
    umask, unread_input,
};

/// What to start: see [`spawn`].
pub struct Start<'a> {
    /// The program's path, not searched for.
    pub program: &'a Path,
    /// The arguments, the name first.
    pub args: &'a [OsString],
    /// The whole environment, `NAME=value` each.
    pub env: &'a [Vec<u8>],
    /// The working directory.
    pub cwd: &'a Path,
    /// Standard input.
    pub stdin: Input,
}

/// A child's standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Ours.
    Inherit,
    /// `/dev/null`.
    Null,
}

/// Usage of the session's filesystem.
pub struct Usage {
    /// Bytes stored.
    pub bytes: u64,
    /// The most that may be stored.
    pub max_bytes: u64,
    /// Files that exist.
    pub files: u64,
    /// The most that may exist.
    pub max_files: u64,
}
