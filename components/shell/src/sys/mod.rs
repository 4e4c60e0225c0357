//! The platform: everything that the interpreter asks of the outside world. `wisp` is the sandbox (the host's
//! descriptors and processes); `linux` exists for differential tests against bash and for fuzzing.
//!
//! Paths given here are absolute: the interpreter keeps the working directory itself.

mod errno;
pub use errno::Errno;

#[cfg(not(target_family = "wasm"))]
mod linux;
#[cfg(not(target_family = "wasm"))]
pub use linux::*;
#[cfg(not(target_family = "wasm"))]
mod linux_child;
#[cfg(not(target_family = "wasm"))]
pub use linux_child::*;
#[cfg(not(target_family = "wasm"))]
mod linux_signals;
#[cfg(not(target_family = "wasm"))]
pub use linux_signals::*;

#[cfg(target_family = "wasm")]
mod wisp;
#[cfg(target_family = "wasm")]
pub use wisp::*;

/// The result of platform calls.
pub type Result<T> = std::result::Result<T, Errno>;

/// Returns the nanoseconds since 1970.
pub fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}

/// Returns the nanoseconds of a monotonic clock.
pub fn monotonic() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}

/// Returns a random number.
pub fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// How to open a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenHow {
    /// For reading.
    pub read: bool,
    /// For writing.
    pub write: bool,
    /// Every write appends.
    pub append: bool,
    /// Create it when absent.
    pub create: bool,
    /// With `create`: fail when it exists.
    pub exclusive: bool,
    /// Truncate it.
    pub truncate: bool,
}

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Regular,
    Directory,
    Symlink,
    CharDevice,
    BlockDevice,
    Fifo,
    Socket,
}

/// Facts about a file.
#[derive(Debug, Clone, Copy)]
pub struct Stat {
    /// Device number.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
    /// Type.
    pub kind: Kind,
    /// Permission bits.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Length.
    pub size: u64,
    /// Last access, nanoseconds since 1970.
    pub accessed: u64,
    /// Last change, nanoseconds since 1970.
    pub modified: u64,
}

impl Stat {
    /// Returns whether the permission bits grant this user access: bits 4 read, 2 write, 1 execute.
    pub fn allows(&self, want: u32) -> bool {
        let shift = match uid() {
            0 if want != 1 => return true,
            uid if uid == self.uid => 6,
            _ => 0,
        };
        (self.mode >> shift) & want == want
    }
}

/// One name of a directory.
#[derive(Debug, Clone)]
pub struct DirEntry {
    /// The name.
    pub name: Vec<u8>,
    /// Its type, a symbolic link not followed.
    pub kind: Kind,
}

/// The origin of a seek.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Whence {
    Start,
    Current,
    End,
}

/// What a process can limit for itself and the programs it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Processor time, in seconds.
    ProcessorTime,
    /// Memory, in bytes.
    Memory,
    /// Open files.
    OpenFiles,
    /// Processes.
    Processes,
}

impl Limited {
    /// All of them, in the order of [`Limits`].
    pub const ALL: [Self; 4] = [Self::ProcessorTime, Self::Memory, Self::OpenFiles, Self::Processes];
}

/// A limit: the soft one is enforced, and can be raised to the hard one. `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Bound {
    pub soft: Option<u64>,
    pub hard: Option<u64>,
}

/// The limits of programs that a shell starts, where they are not those of its process.
pub type Limits = [Option<Bound>; Limited::ALL.len()];

/// A program to start.
pub struct Spawn<'a> {
    /// Absolute path of the program.
    pub program: &'a [u8],
    /// Arguments, the first being the name.
    pub args: &'a [Vec<u8>],
    /// Environment, `NAME=value`.
    pub env: Vec<Vec<u8>>,
    /// Working directory.
    pub cwd: &'a [u8],
    /// Descriptors by number.
    pub fds: Vec<(u32, &'a Handle)>,
    /// Permission bits that its new files do not get.
    pub umask: u32,
    /// The signals it ignores: bit n - 1 for signal n.
    pub ignored: u64,
    /// Its process group if it is not ours; 0 is a new one.
    pub group: Option<u32>,
    /// Its limits where they are not ours.
    pub limits: Limits,
}

mod canonical;

/// Returns whether SIGPIPE is among these signals.
#[cfg(target_family = "wasm")]
fn ignores_pipe(signals: u64) -> bool {
    signals & (1 << 12) != 0
}

fn read_dir_std(path: impl AsRef<std::path::Path>) -> Result<Vec<DirEntry>> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let kind = match entry.file_type() {
            Ok(kind) if kind.is_dir() => Kind::Directory,
            Ok(kind) if kind.is_symlink() => Kind::Symlink,
            _ => Kind::Regular,
        };
        entries.push(DirEntry { name: entry.file_name().into_encoded_bytes(), kind });
    }
    Ok(entries)
}
