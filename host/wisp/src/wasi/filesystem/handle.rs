//! What a guest's handles of `wasi:filesystem` represent, and how an operation on one fails.

use std::sync::Arc;
use std::vec;

use parking_lot::Mutex;

use super::{DirectoryEntry, MetadataHashValue};
use crate::wasi::context::OpenTicket;
use crate::wasi::description::OpenDescription;
use crate::wasi::{Charge, Held, SharedLock};
use wisp_vfs::{FsError, Node};

/// A `wasi:filesystem` descriptor.
pub struct Descriptor {
    pub(in crate::wasi) file: File,
    #[expect(dead_code, reason = "held to count the open file; released on drop")]
    pub(super) ticket: Option<OpenTicket>,
    /// Whether the process started with it.
    pub(super) preopen: bool,
    /// The lock of files that are adopted from it (`wisp:sandbox/files.adopt`), which is also held as long as this is
    /// open.
    pub(in crate::wasi) lock: SharedLock,
    /// The last entry of its last listing; `None` for a directory in memory, which is quick to ask.
    pub(super) listed: Option<Arc<Listed>>,
}

impl Held for Descriptor {
    const CHARGED: &'static str =
        "a node of the filesystem, which counts against its quota, or a description as `OpenFileHandle`; a lock has its `Charge` in it";
}

pub(in crate::wasi) enum File {
    /// A file or directory with the guest's own offsets.
    Node(Node),
    /// Another descriptor of the process, with its shared offset: `/dev/stdin` and similar, and a file since it was adopted
    /// (`wisp:sandbox/files.adopt`).
    Shared(OpenDescription),
}

/// The last entry of a mount's directory that was listed, with its file's identity: C's `readdir` asks for that after
/// each name, and the listing already knows it. It is valid once: a second question reads the current state.
#[derive(Default)]
pub(super) struct Listed(Mutex<Option<(String, MetadataHashValue)>>);

impl Listed {
    pub(super) fn note(&self, name: &str, hash: MetadataHashValue) {
        *self.0.lock() = Some((name.to_owned(), hash));
    }

    pub(super) fn take(&self, name: &str) -> Option<MetadataHashValue> {
        let noted = self.0.lock().take();
        noted.filter(|(noted, _)| noted == name).map(|(_, hash)| hash)
    }
}

/// The remaining entries of a directory.
pub struct DirectoryEntries {
    /// The entries, each with its inode number.
    pub(super) left: vec::IntoIter<(DirectoryEntry, u64)>,
    /// The device of all entries, and where the directory's handle records the last entry listed.
    pub(super) listed: Option<(u64, Arc<Listed>)>,
    #[expect(dead_code, reason = "held while the entries are; released on drop")]
    pub(super) charge: Charge,
}

impl Held for DirectoryEntries {
    const CHARGED: &'static str = "a `Charge` for all entries of the listing";
}

/// What the host holds for an entry of a listing beside the bytes of its name: the entry, and the allocation of the
/// name.
pub(super) const ENTRY_COST: usize = 80;

/// A filesystem operation's failure: an error for the guest, or a trap.
#[derive(Debug, thiserror::Error)]
pub enum FsFailure {
    /// An error that the guest sees.
    #[error("{0}")]
    Guest(#[from] FsError),
    /// The limit of open files is reached. WASI has no EMFILE; the guest sees ENOMEM.
    #[error("too many open files")]
    TooManyOpen,
    /// The guest broke the interface's rules, or the process ends.
    #[error("{0}")]
    Trap(wasmtime::Error),
}

impl From<wasmtime::component::ResourceTableError> for FsFailure {
    fn from(error: wasmtime::component::ResourceTableError) -> Self {
        Self::Trap(error.into())
    }
}

impl From<wasmtime::Error> for FsFailure {
    fn from(error: wasmtime::Error) -> Self {
        Self::Trap(error)
    }
}

pub(super) type FsResult<T> = Result<T, FsFailure>;

#[cfg(test)]
mod tests {
    use super::{Listed, MetadataHashValue};

    #[test]
    fn what_was_listed_is_told_once_and_for_its_name_alone() {
        let listed = Listed::default();
        let hash = MetadataHashValue { lower: 7, upper: 2 };
        listed.note("one", hash);
        assert_eq!(listed.take("one").map(|hash| (hash.lower, hash.upper)), Some((7, 2)));
        assert!(listed.take("one").is_none(), "the file may have changed since");
        listed.note("one", hash);
        listed.note("two", hash);
        assert!(listed.take("one").is_none());
        assert!(listed.take("two").is_none(), "another entry was asked for in between");
    }
}
