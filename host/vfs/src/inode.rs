//! The entries of the file table: inodes, and the entries of directories. Directories refer to their children by
//! number, never by pointer, so that nothing in the tree is recursive and a hundred thousand nested directories are
//! dropped like any other hundred thousand entries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rpds::RedBlackTreeMapSync;

use super::contents::Contents;
use super::stat::{DIRECTORY_SIZE, Device, FileType, MODE_BITS, ROOT, SetTime, Stat, USER};

/// Number of an inode, unique in a filesystem and all its snapshots, and never reused.
pub(super) type Ino = u64;

/// The root directory.
pub(super) const ROOT_INO: Ino = 1;

/// Maximum hard links of a file, as on ext4. Each is also charged to the quota as one file.
pub(super) const MAX_LINKS: u64 = 65_000;

/// Marks the inode numbers of files that were made in the upper layer of an overlay, apart from those of the host below.
const UPPER: u64 = 1 << 63;

/// One file of any type.
#[derive(Debug, Clone)]
pub(super) struct Inode {
    /// Identity across forks: two forks may give the same number to different files, but never the same birth. Guests
    /// do not see it.
    pub(super) birth: u64,
    pub(super) kind: Kind,
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) nlink: u64,
    pub(super) atime: u64,
    pub(super) mtime: u64,
    pub(super) ctime: u64,
    /// Whether the quota was charged for it. Base files are free.
    pub(super) counted: bool,
    /// 0 in the session's memory, n + 1 in the upper layer of mount n. Links and renames cannot cross it.
    pub(super) domain: u32,
    /// The number that the file had on the host before it was copied up. Programs continue to see that number.
    pub(super) origin: Option<u64>,
}

/// The kind of a file, with its contents.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    File(Contents),
    Directory(Directory),
    Symlink(Arc<str>),
    Device(Device),
    /// A named pipe. What is written to it is never here: the caller joins its open ends.
    Fifo,
    /// The name of a socket that a program bound. The caller knows who listens there.
    Socket,
    /// The place of a mount that is a single file; in an overlay, until the file is copied up.
    Mounted(u32),
    /// A file whose contents a viewer knows by this name.
    Computed(&'static str),
    /// A symbolic link whose target a viewer knows by this name.
    ComputedLink(&'static str),
}

/// A directory.
#[derive(Debug, Clone)]
pub(super) struct Directory {
    pub(super) entries: RedBlackTreeMapSync<Arc<str>, Entry>,
    pub(super) parent: Ino,
    pub(super) backing: Backing,
}

/// What a directory shows in addition to its entries.
#[derive(Debug, Clone)]
pub(super) enum Backing {
    /// Only the entries.
    Memory,
    /// `/dev/fd`: every number is a name.
    Descriptors,
    /// `/proc`: its entries, and a directory for each process that the viewer of a handle names.
    Processes,
    /// The root of a mount that writes through to the host; the entries are not used.
    Host(u32),
    /// A directory of a host mount, visible wherever the entries do not override it.
    Overlay { mount: u32, path: Arc<str> },
}

/// What a directory holds for a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The file, or nothing: a whiteout, which hides the host's file of that name.
    pub(super) ino: Option<Ino>,
    /// Whether the host below has (or had) this name. Removing the entry must then leave a whiteout.
    pub(super) covers: bool,
}

impl Backing {
    /// Returns whether the tree holds every name that can be changed here: neither a host nor a caller has others.
    pub(super) fn is_held(&self) -> bool {
        matches!(self, Self::Memory | Self::Processes)
    }
}

impl Directory {
    pub(super) fn new(parent: Ino, backing: Backing) -> Self {
        Self { entries: RedBlackTreeMapSync::new_sync(), parent, backing }
    }

    /// Returns whether any entry is visible, without the host's own names.
    pub(super) fn has_visible(&self) -> bool {
        self.entries.values().any(|entry| entry.ino.is_some())
    }
}

impl Inode {
    pub(super) fn new(kind: Kind, mode: u32, uid: u32, now: u64) -> Self {
        static BIRTHS: AtomicU64 = AtomicU64::new(0);
        Self {
            birth: BIRTHS.fetch_add(1, Ordering::Relaxed),
            nlink: if matches!(kind, Kind::Directory(_)) { 2 } else { 1 },
            kind,
            mode: mode & MODE_BITS,
            uid,
            atime: now,
            mtime: now,
            ctime: now,
            counted: uid == USER,
            domain: 0,
            origin: None,
        }
    }

    pub(super) fn file_type(&self) -> FileType {
        match &self.kind {
            Kind::File(_) | Kind::Mounted(_) | Kind::Computed(_) => FileType::Regular,
            Kind::Directory(_) => FileType::Directory,
            Kind::Symlink(_) | Kind::ComputedLink(_) => FileType::Symlink,
            Kind::Device(_) => FileType::CharDevice,
            Kind::Fifo => FileType::Fifo,
            Kind::Socket => FileType::Socket,
        }
    }

    pub(super) fn device(&self) -> Option<Device> {
        if let Kind::Device(device) = &self.kind { Some(*device) } else { None }
    }

    /// Returns the number of bytes charged to the quota for it, without its name.
    pub(super) fn charge(&self) -> u64 {
        match &self.kind {
            Kind::File(contents) => contents.charge(),
            Kind::Symlink(target) if self.counted => target.len() as u64,
            _ => 0,
        }
    }

    /// Returns the device and inode number, as guests see them.
    pub(super) fn ident(&self, ino: Ino) -> (u64, u64) {
        let dev = 1 + u64::from(self.domain);
        (dev, self.origin.unwrap_or(if self.domain == 0 { ino } else { ino | UPPER }))
    }

    pub(super) fn stat(&self, ino: Ino) -> Stat {
        let (dev, ino) = self.ident(ino);
        let (size, stored) = match &self.kind {
            Kind::File(contents) => (contents.len(), contents.stored()),
            Kind::Directory(_) => (DIRECTORY_SIZE, 0),
            Kind::Symlink(target) => (target.len() as u64, 0),
            Kind::Device(_) | Kind::Fifo | Kind::Socket | Kind::Mounted(_) | Kind::Computed(_) | Kind::ComputedLink(_) => (0, 0),
        };
        let merged = matches!(&self.kind, Kind::Directory(Directory { backing: Backing::Host(_) | Backing::Overlay { .. }, .. }));
        Stat {
            dev,
            ino,
            kind: self.file_type(),
            mode: self.mode,
            // 1 tells `find` and others not to rely on the number of subdirectories
            nlink: if merged && self.nlink > 0 { 1 } else { self.nlink },
            uid: self.uid,
            gid: self.uid,
            size,
            blocks: stored.div_ceil(512),
            atime: self.atime,
            mtime: self.mtime,
            ctime: self.ctime,
        }
    }

    /// Returns whether the user has the permissions `bits` (4 read, 2 write, 1 search).
    pub(super) fn allows(&self, bits: u32) -> bool {
        let class = if self.uid == USER { self.mode >> 6 } else { self.mode };
        class & bits == bits
    }

    /// Returns whether the user owns it.
    pub(super) fn owned(&self) -> bool {
        self.uid == USER
    }

    /// Returns whether the sticky bit of this directory prevents the user from removing `child`.
    pub(super) fn sticks(&self, child: &Self) -> bool {
        self.mode & 0o1000 != 0 && self.uid != USER && child.uid != USER
    }

    pub(super) fn set_times(&mut self, atime: SetTime, mtime: SetTime, now: u64) {
        self.atime = atime.apply(self.atime, now);
        self.mtime = mtime.apply(self.mtime, now);
        self.ctime = now;
    }

    pub(super) fn touch(&mut self, now: u64) {
        (self.mtime, self.ctime) = (now, now);
    }

    /// Returns an inode of the host side: owned by root, outside the quota.
    pub(super) fn base(kind: Kind, mode: u32, now: u64) -> Self {
        Self { counted: false, ..Self::new(kind, mode, ROOT, now) }
    }
}
