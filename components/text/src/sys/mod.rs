//! The little that these tools need from the system and Rust's std does not offer on WASI: commands with pipes, mode
//! bits, a status of 0 to 255. Inside wisp it is `wisp:sandbox`; natively it is Unix, so that tests can run the tools
//! here and compare them with GNU's.

use std::ffi::OsStr;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod imp;
#[cfg(target_family = "wasm")]
#[path = "wasm.rs"]
mod imp;

pub use imp::{
    Child, Writer, args, environment, exit, ignore_broken_pipe, is_terminal, os_string, parent, pid, set_mode, spawn_shell, stat,
    unread_input,
};

/// The type of a file.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "block devices and sockets are only met natively"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A character device.
    Char,
    /// A block device (never inside wisp).
    Block,
    /// A pipe.
    Fifo,
    /// A socket (never inside wisp).
    Socket,
}

/// What `stat` tells.
#[derive(Debug, Clone)]
pub struct Stat {
    /// Type of the file.
    pub kind: Kind,
    /// Permission bits, 0o7777 at the most.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Length in bytes.
    pub size: u64,
    /// Last change of the contents, nanoseconds since 1970.
    pub mtime: i128,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The status a shell sees: the exit code, or 128 + the signal's number.
    pub code: u8,
    /// The signal that ended it.
    pub signal: Option<u8>,
}

/// One end of a child's standard input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Io {
    /// Ours.
    Inherit,
    /// A pipe whose other end we hold.
    Pipe,
}

/// Standard input without std's buffer.
pub fn input() -> ManuallyDrop<File> {
    descriptor(0)
}

/// One of the descriptors of the start as a file that is never closed.
pub fn descriptor(number: i32) -> ManuallyDrop<File> {
    // SAFETY: using a descriptor that is closed gives EBADF, nothing worse; ManuallyDrop never closes it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(number) })
}

/// The descriptor that `/dev/stdout`, `/dev/fd/3` and so on name.
pub fn device(name: &[u8]) -> Option<i32> {
    match name {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        _ => std::str::from_utf8(name.strip_prefix(b"/dev/fd/")?).ok()?.parse().ok(),
    }
}

/// Bytes of an argument or a name.
pub fn bytes(text: &OsStr) -> &[u8] {
    text.as_encoded_bytes()
}

/// Whether text is UTF-8: not in the locales `C` and `POSIX`, when somebody asks for them.
pub fn utf8() -> bool {
    use std::sync::OnceLock;
    static UTF8: OnceLock<bool> = OnceLock::new();
    *UTF8.get_or_init(|| {
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(std::env::var_os).find(|v| !v.is_empty());
        !set.is_some_and(|v| v == "C" || v == "POSIX")
    })
}
