//! The trait for a host directory. The trait is pure; the library's module `mount` implements it.

use std::sync::Arc;

use bytes::Bytes;

use super::inode::Ino;
use super::stat::{DIRECTORY_SIZE, USER};
use super::{DirEntry, FileType, FsError, SetTime, Stat};

/// What a session may do with a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MountAccess {
    /// Read only: every change fails with `ReadOnly`.
    Read,
    /// Changes go to the host.
    Write,
    /// Reads fall through to the host, changes stay in memory and count in the quota.
    Overlay,
}

impl MountAccess {
    /// Returns the policy's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Overlay => "overlay",
        }
    }
}

/// Permission bits for a file of the host: at most `0o777`. Set-user-ID, set-group-ID and the sticky bit cannot reach
/// the host, because every operation of a [`Mount`] takes its mode as this type: a guest must not leave a program
/// there that runs with the rights of the host's user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostMode(u32);

impl HostMode {
    /// Creates the permission bits of `mode`; other bits are dropped.
    pub fn new(mode: u32) -> Self {
        Self(mode & 0o777)
    }

    /// Returns the bits, at most `0o777`.
    pub fn bits(self) -> u32 {
        self.0
    }
}

/// Facts about a file of a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostStat {
    /// Type of the file.
    pub kind: FileType,
    /// Permission bits.
    pub mode: u32,
    /// Number of hard links.
    pub nlink: u64,
    /// Length in bytes.
    pub size: u64,
    /// Storage in use, in units of 512 bytes.
    pub blocks: u64,
    /// Last access, nanoseconds since 1970.
    pub atime: u64,
    /// Last change of the contents, nanoseconds since 1970.
    pub mtime: u64,
    /// Last change of contents or attributes, nanoseconds since 1970.
    pub ctime: u64,
    /// A number that distinguishes the files of this mount.
    pub ino: u64,
}

impl HostStat {
    /// Returns the facts as guests see them: the user owns everything in a mount, and the host decides what may be done.
    pub(super) fn to_stat(self, mount: u32) -> Stat {
        Stat {
            dev: 2 + u64::from(mount),
            ino: self.ino,
            kind: self.kind,
            mode: self.mode,
            // 1 tells `find` and others not to rely on the number of subdirectories
            nlink: if self.kind == FileType::Directory { 1 } else { self.nlink },
            uid: USER,
            gid: USER,
            size: if self.kind == FileType::Directory { DIRECTORY_SIZE } else { self.size },
            blocks: self.blocks,
            atime: self.atime,
            mtime: self.mtime,
            ctime: self.ctime,
        }
    }
}

/// How to open a regular file of a mount. A symbolic link in the last component is never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostOpen {
    /// Open for reading.
    pub read: bool,
    /// Open for writing.
    pub write: bool,
    /// Create the file when it does not exist.
    pub create: bool,
    /// With `create`: fail when it does exist.
    pub exclusive: bool,
    /// Truncate the file to length 0.
    pub truncate: bool,
    /// Permission bits of a file that is created.
    pub mode: HostMode,
}

/// A host directory, or a single file of the host. Paths are relative to the directory, components joined by `/`, without `.`, `..` or
/// empty components; the empty path is the directory (or the single file) itself. Names that are not UTF-8 are spelled (`wisp_spelling`), in
/// paths, lists and links.
///
/// An implementation keeps these rules for every call:
/// - It never reaches outside the directory, whatever symbolic links are inside and whatever is renamed meanwhile,
///   and it keeps the directory that it was made for. No operation follows a symbolic link in the last component.
/// - No mode beyond [`HostMode`] reaches the host.
/// - No operation makes or moves a symbolic link that a program on the host could follow out of the directory.
pub trait Mount: Send + Sync {
    /// Returns whether this is a single file. The empty path is then a regular file, and there are no other paths.
    fn is_file(&self) -> bool {
        false
    }
    /// Returns facts about the file at `path`.
    fn stat(&self, path: &str) -> Result<HostStat, FsError>;
    /// Reads the target of a symbolic link, as written.
    fn read_link(&self, path: &str) -> Result<String, FsError>;
    /// Reads the names in a directory, without `.` and `..`, in any order.
    fn read_dir(&self, path: &str) -> Result<Vec<DirEntry>, FsError>;
    /// Opens a regular file. Anything else is an error without side effects.
    fn open(&self, path: &str, how: HostOpen) -> Result<Arc<dyn HostFile>, FsError>;
    /// Makes a directory.
    fn mkdir(&self, path: &str, mode: HostMode) -> Result<(), FsError>;
    /// Removes an empty directory.
    fn rmdir(&self, path: &str) -> Result<(), FsError>;
    /// Removes a name that is not a directory.
    fn unlink(&self, path: &str) -> Result<(), FsError>;
    /// Makes a symbolic link at `path`; [`super::Refused::Trap`] if it could lead out of the directory, now or after a rename.
    fn symlink(&self, path: &str, target: &str) -> Result<(), FsError>;
    /// Renames the file at `from`. Symbolic links as in [`Mount::symlink`].
    fn link(&self, from: &str, to: &str) -> Result<(), FsError>;
    /// Renames within the directory. Symbolic links as in [`Mount::symlink`], including those inside a directory that
    /// moves.
    fn rename(&self, from: &str, to: &str) -> Result<(), FsError>;
    /// Sets the permission bits.
    fn set_mode(&self, path: &str, mode: HostMode) -> Result<(), FsError>;
    /// Sets the times.
    fn set_times(&self, path: &str, atime: SetTime, mtime: SetTime) -> Result<(), FsError>;
}

/// An open regular file of a mount; closed on drop.
pub trait HostFile: Send + Sync {
    /// Returns facts about it.
    fn stat(&self) -> Result<HostStat, FsError>;
    /// Reads at most `len` bytes at `offset`; empty at the end.
    fn read_at(&self, offset: u64, len: usize) -> Result<Bytes, FsError>;
    /// Writes at `offset`; returns the number of bytes written.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<usize, FsError>;
    /// Writes all bytes at the end. Returns the new end.
    fn append(&self, bytes: &[u8]) -> Result<u64, FsError>;
    /// Truncates or extends the file.
    fn set_len(&self, len: u64) -> Result<(), FsError>;
    /// Sets the permission bits.
    fn set_mode(&self, mode: HostMode) -> Result<(), FsError>;
    /// Sets the times.
    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<(), FsError>;
}

/// One mounted directory or file.
#[derive(Clone)]
pub(super) struct MountRow {
    pub(super) guest: String,
    pub(super) source: Arc<dyn Mount>,
    pub(super) access: MountAccess,
    /// The directory or file that is mounted.
    pub(super) root: Ino,
}
