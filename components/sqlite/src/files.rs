//! What of `wisp:sandbox/files` locks need: open files of their own, and facts about files.

use core::ffi::CStr;

use bindings::wisp::sandbox::files::{self, ErrorCode, FileType, LockKind, OpenFlags};

#[allow(missing_docs, clippy::all, clippy::pedantic, unused)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "
            package wisp:sqlite;
            world sqlite {
                import wisp:sandbox/files@0.1.0;
            }
        ",
        world: "wisp:sqlite/sqlite",
        generate_all,
    });
}

/// A filesystem with less room than this many bytes counts as full: a write takes some at once.
const NEARLY: u64 = 1 << 16;

/// What tells a file from all others of the session.
pub(crate) type Identity = (u64, u64);

/// What a lock excludes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Exclusive locks.
    Shared,
    /// All other locks.
    Exclusive,
}

/// Why there is no lock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Another holds one that conflicts.
    Busy,
    /// The file cannot be opened or locked.
    Failed,
}

/// An open file that is not the C library's, for a lock: it is released when this is dropped, or the process ends.
pub(crate) struct OpenFile(files::OpenFile);

impl OpenFile {
    /// Opens the file at an absolute path, and creates it if it does not exist.
    pub(crate) fn create(path: &CStr) -> Option<Self> {
        files::open(path.to_str().ok()?, OpenFlags::READ | OpenFlags::WRITE | OpenFlags::CREATE, 0o600).ok().map(Self)
    }

    /// Returns which file it is.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.0.stat().ok().map(|stat| (stat.device, stat.inode))
    }

    /// Takes or converts the lock of this open file. An old lock is lost if that fails, except from exclusive to shared, which succeeds.
    pub(crate) fn try_lock(&self, kind: Kind) -> Result<(), Refusal> {
        let kind = if kind == Kind::Shared { LockKind::Shared } else { LockKind::Exclusive };
        self.0.try_lock(kind).map_err(|code| if code == ErrorCode::WouldBlock { Refusal::Busy } else { Refusal::Failed })
    }

    /// Releases the lock.
    pub(crate) fn unlock(&self) {
        // A file that could be locked can be unlocked.
        let _ = self.0.unlock();
    }
}

/// Facts about a file.
pub(crate) struct Stat {
    /// Which file it is.
    pub(crate) identity: Identity,
    /// Length in bytes.
    pub(crate) size: u64,
    /// Whether it is a directory.
    pub(crate) is_directory: bool,
}

/// Returns facts about the file at an absolute path, if there is one.
pub(crate) fn stat(path: &CStr) -> Option<Stat> {
    let found = files::stat_at(path.to_str().ok()?, true).ok()?;
    Some(Stat { identity: (found.device, found.inode), size: found.size, is_directory: found.kind == FileType::Directory })
}

/// Returns whether the session's filesystem is full. The C library calls every failure to write EIO.
pub(crate) fn is_full() -> bool {
    let usage = files::space_usage();
    usage.max_bytes.saturating_sub(usage.bytes) < NEARLY || usage.files >= usage.max_files
}
