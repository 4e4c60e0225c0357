//! The little that our own tools need from the system and Rust's std does not offer on WASI: mode bits, spawning,
//! the process table. Inside wisp it is `wisp:sandbox`; natively it is Unix, so that tests can run the tools here
//! and compare them with GNU's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod imp;
#[cfg(target_family = "wasm")]
#[path = "wasm.rs"]
mod imp;

pub use imp::{
    Child, args, environment, exit, host_name, input_is_stream, is_output, is_terminal, kill, mounts, path_from_bytes, pid, processes,
    set_mode, set_times, spawn, stat, symlink, unread_input, usage,
};

/// The type of a file.
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

/// What `stat` tells; times are nanoseconds since 1970.
#[derive(Debug, Clone)]
pub struct Stat {
    /// Device number.
    pub dev: u64,
    /// Inode number.
    pub ino: u64,
    /// Type of the file.
    pub kind: Kind,
    /// Permission bits, 0o7777 at the most.
    pub mode: u32,
    /// Number of hard links.
    pub nlink: u64,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Length in bytes.
    pub size: u64,
    /// Storage in units of 512 bytes.
    pub blocks: u64,
    /// Last access.
    pub atime: i128,
    /// Last change of the contents.
    pub mtime: i128,
    /// Last change of contents or attributes.
    pub ctime: i128,
}

impl Stat {
    /// Whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == Kind::Dir
    }
    /// Whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.kind == Kind::Link
    }
    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }
    /// Whether two names are one file.
    pub fn same(&self, other: &Stat) -> bool {
        self.dev == other.dev && self.ino == other.ino
    }
    /// The bits `access(2)` looks at for the user of this process: 4 read, 2 write, 1 execute.
    pub fn allows(&self, want: u32) -> bool {
        let uid = imp::uid();
        if uid == 0 {
            return want & 1 == 0 || self.is_dir() || self.mode & 0o111 != 0;
        }
        let shift = if self.uid == uid {
            6
        } else if self.gid == uid {
            3
        } else {
            0
        };
        (self.mode >> shift) & want == want
    }
}

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

/// The working directory at the start; our tools never leave it.
pub fn cwd() -> &'static Path {
    static CWD: OnceLock<PathBuf> = OnceLock::new();
    CWD.get_or_init(|| std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")))
}

/// `path` as an absolute path, neither normalised nor resolved.
pub fn absolute(path: &Path) -> PathBuf {
    cwd().join(path)
}

/// The user's number.
pub fn uid() -> u32 {
    imp::uid()
}

/// Standard input without std's buffer, so that nothing is read that is not asked for.
pub fn input() -> std::mem::ManuallyDrop<std::fs::File> {
    use std::os::fd::FromRawFd;
    // SAFETY: descriptor 0 is open from the start or reads fail; ManuallyDrop never closes it.
    std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(0) })
}
