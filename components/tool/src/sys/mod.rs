//! The few system functions that the tools need and Rust's std does not offer on WASI: mode bits, times, links, the
//! identity of a process. Inside wisp they use `wisp:sandbox`; natively they use Unix, so that tests can run the tools
//! there and compare them with GNU's.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[cfg(not(target_family = "wasm"))]
mod native;
pub mod terminal;
mod times;
#[cfg(target_family = "wasm")]
mod wasm;

#[cfg(not(target_family = "wasm"))]
pub use native::{
    args, environment, exit, ignore_broken_pipe, is_terminal, mkfifo, os_string, parent, pid, set_mode, stat, symlink, uid, umask,
    unread_input,
};
pub use times::set_times;
#[cfg(target_family = "wasm")]
pub use wasm::{
    args, environment, error, exit, facts, full, ignore_broken_pipe, is_terminal, mkfifo, os_string, parent, pid, set_mode, spelled, stat,
    symlink, uid, umask, unread_input,
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
    /// A socket.
    Socket,
}

/// The results of `stat`; times are nanoseconds since 1970.
#[derive(Debug, Clone)]
pub struct Stat {
    /// Device number.
    pub dev: u64,
    /// Inode number.
    pub ino: u64,
    /// Type of the file.
    pub kind: Kind,
    /// Permission bits, at most 0o7777.
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
    /// Creates the facts about an empty file without an owner, with one time.
    pub fn new(kind: Kind, at: i128) -> Self {
        Self { dev: 0, ino: 0, kind, mode: 0, nlink: 1, uid: 0, gid: 0, size: 0, blocks: 0, atime: at, mtime: at, ctime: at }
    }
    /// Returns whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == Kind::Dir
    }
    /// Returns whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.kind == Kind::Link
    }
    /// Returns whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }
    /// Returns whether both are the same file.
    pub fn same(&self, other: &Self) -> bool {
        self.dev == other.dev && self.ino == other.ino
    }
    /// Returns the last change of the contents in whole seconds.
    pub fn seconds(&self) -> i64 {
        self.mtime.div_euclid(1_000_000_000) as i64
    }
    /// Returns the bits `access(2)` looks at for the user of this process: 4 read, 2 write, 1 execute.
    pub fn allows(&self, want: u32) -> bool {
        let uid = uid();
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

/// Returns the working directory at the time of the first call.
pub fn cwd() -> &'static Path {
    static CWD: OnceLock<PathBuf> = OnceLock::new();
    CWD.get_or_init(|| std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")))
}

/// Returns `path` as an absolute path, neither normalized nor resolved.
pub fn absolute(path: &Path) -> PathBuf {
    if path.is_absolute() { path.to_path_buf() } else { std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")).join(path) }
}

/// Returns bytes as a file name.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(os_string(bytes.to_vec()))
}

/// Returns standard input without std's buffer, so that no more is read than requested.
pub fn input() -> ManuallyDrop<File> {
    descriptor(0)
}

/// Returns one of the initial descriptors as a file that is never closed.
pub fn descriptor(number: i32) -> ManuallyDrop<File> {
    // SAFETY: using a closed descriptor fails with EBADF and does no harm; ManuallyDrop never closes it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(number) })
}
