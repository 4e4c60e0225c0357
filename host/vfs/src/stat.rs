//! The plain data that goes in and out of the filesystem: file types, `stat` records, open options.

pub use wisp_api::{FileType, Stat};

/// The filesystem's source of time. A session passes the real clock, or a frozen one under `[determinism]`.
pub trait Clock: Send + Sync {
    /// Returns the nanoseconds since 1970-01-01T00:00:00Z.
    fn now(&self) -> u64;
}

/// Which character device a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Device {
    /// `/dev/null`: reads return nothing, writes are discarded.
    Null,
    /// `/dev/zero`: endless zero bytes.
    Zero,
    /// `/dev/full`: endless zero bytes; every write fails with `NoSpace`.
    Full,
    /// `/dev/random`, served by the caller, which has the entropy.
    Random,
    /// `/dev/urandom`, served by the caller, which has the entropy.
    Urandom,
    /// `/dev/tty`: the controlling terminal of the process that opens it; served by the caller.
    Tty,
    /// `/dev/fd/N`: the caller's own descriptor N.
    Fd(u32),
}

/// How to open a file. The default opens for neither reading nor writing, and follows symbolic links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenHow {
    /// Open for reading.
    pub read: bool,
    /// Open for writing.
    pub write: bool,
    /// Create the file when it does not exist.
    pub create: bool,
    /// With `create`: fail if it exists, even as a dangling symbolic link.
    pub exclusive: bool,
    /// Truncate an existing file to length 0.
    pub truncate: bool,
    /// Fail unless it is a directory.
    pub directory: bool,
    /// Follow a symbolic link in the last component; without it, a link there is the error `Loop`.
    pub follow: bool,
    /// Permission bits of a file that is created.
    pub mode: u32,
}

impl Default for OpenHow {
    fn default() -> Self {
        Self { read: false, write: false, create: false, exclusive: false, truncate: false, directory: false, follow: true, mode: 0o644 }
    }
}

/// How to change one of a file's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetTime {
    /// Leave it unchanged.
    Keep,
    /// Set it to the clock's time.
    Now,
    /// Set it to this many nanoseconds since 1970.
    At(u64),
}

impl SetTime {
    /// Returns the new value, given the old one and the clock.
    pub(super) fn apply(self, old: u64, now: u64) -> u64 {
        match self {
            Self::Keep => old,
            Self::Now => now,
            Self::At(time) => time,
        }
    }
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// The name, without any `/`.
    pub name: String,
    /// Type of the file.
    pub kind: FileType,
    /// Inode number, as in `stat`.
    pub ino: u64,
}

/// Marks the inode numbers of what the directories of processes in `/proc` show: above every number counted from 1, below those
/// of descriptors and of an overlay's upper layer.
const OF_PROCESS: u64 = 1 << 61;

/// Bits of the number that a file of `/proc/self` has. Such files are among the first that a filesystem begins with.
const OWN_BITS: u32 = 28;

/// Returns the number under which the directory of this process shows a file of `/proc/self`, or itself.
pub(super) fn number_of(ino: u64, process: Option<u32>) -> u64 {
    process.map_or(ino, |id| OF_PROCESS | u64::from(id) << OWN_BITS | ino & ((1 << OWN_BITS) - 1))
}

/// Returns the facts about a file as the directory of this process shows them.
pub(super) fn of_process(stat: Stat, process: Option<u32>) -> Stat {
    Stat { ino: number_of(stat.ino, process), ..stat }
}

/// The user id and group id of the one user of a session.
pub const USER: u32 = 1000;
/// The owner of the files that the session was given.
pub(super) const ROOT: u32 = 0;
/// The bits of a mode that can be set.
pub(super) const MODE_BITS: u32 = 0o7777;
/// The `st_size` of a directory, as ext4 reports it for a small one.
pub(super) const DIRECTORY_SIZE: u64 = 4096;
