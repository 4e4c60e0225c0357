//! System functions that only these tools need: spawning, the filesystem's usage. The others are in
//! `wisp_tool::sys`. Inside wisp they use `wisp:sandbox`; natively they use Unix, for tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod imp;
#[cfg(target_family = "wasm")]
#[path = "wasm.rs"]
mod imp;
#[cfg(target_family = "wasm")]
mod lock;
#[cfg(target_family = "wasm")]
mod stream;
#[cfg(not(target_family = "wasm"))]
#[path = "stream_native.rs"]
mod stream;
#[cfg(target_family = "wasm")]
mod unreadable;
mod waits;

pub use imp::{
    Child, Event, LockFile, child_time, exec, handle_signals, host_name, ignore_signals, ignored_signals, input_is_directory,
    input_is_stream, is_output_file, kill, kill_group, lead_group, mounts, output, seek_output, spawn, stat_input, usage, write_output,
};
pub use stream::{Stream, new_terminal, spawn_at, spawn_reading};
pub use waits::{Ready, Waits};
pub use wisp_tool::sys::{
    Kind, Stat, absolute, args, cwd, descriptor, environment, exit, input, is_terminal, mkfifo, parent, path_from_bytes, pid, set_mode,
    set_times, stat, symlink, terminal, uid, umask, unread_input,
};

/// Returns whether standard output writes to the file at `path`.
pub fn is_output(path: &Path) -> bool {
    stat(path, true).is_ok_and(|s| is_output_file(&s))
}

/// A program to start; see [`spawn`].
pub struct Start<'a> {
    /// The program's path. `PATH` is not searched.
    pub program: &'a Path,
    /// The arguments, the name first.
    pub args: &'a [OsString],
    /// The whole environment, `NAME=value` each.
    pub env: &'a [Vec<u8>],
    /// The working directory.
    pub cwd: &'a Path,
    /// Standard input.
    pub stdin: &'a Input,
    /// Whether it becomes the leader of a new process group.
    pub own_group: bool,
    /// A file that it has open too, as the first free descriptor above 2.
    pub file: Option<&'a LockFile>,
}

/// An operation on the lock of an open file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Hold it together with other processes.
    Shared,
    /// Hold it alone.
    Exclusive,
    /// Release it.
    None,
}

/// A child's standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The standard input of this process.
    Inherit,
    /// `/dev/null`.
    Null,
    /// This file.
    File(PathBuf),
}

/// The usage of the session's filesystem.
pub struct Usage {
    /// Bytes stored.
    pub bytes: u64,
    /// The maximum of stored bytes.
    pub max_bytes: u64,
    /// Files that exist.
    pub files: u64,
    /// The maximum of files.
    pub max_files: u64,
}
