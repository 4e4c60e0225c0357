//! Snapshots: the whole state of a filesystem, held by reference. Taking one, restoring one and forking each copy a
//! few pointers, however much is stored. A later change pays only for what it changes.

use super::Fs;
use super::live::Live;
use super::tree::Tree;

/// The state of a filesystem at one moment: the tree in memory, the upper layers of overlays, the usage, and the list
/// of mounts. The contents of host directories are not part of it.
#[derive(Clone)]
pub struct Snapshot {
    pub(super) tree: Tree,
}

impl Fs {
    /// Returns the present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { tree: self.lock().tree.clone() }
    }

    /// Replaces the present state with `snapshot`. The quota of this filesystem stays.
    ///
    /// Open nodes whose file exists in that state continue with the file as it is there; operations on the others
    /// fail with `BadDescriptor`. Nodes of host files are not affected. Files that had no name in that state and that
    /// no node has open are removed.
    pub fn restore(&self, snapshot: &Snapshot) {
        let old = self.lock().replace(snapshot.tree.clone());
        // Outside the lock: the old state may be the last holder of a gigabyte.
        drop(old);
    }

    /// Returns an independent filesystem in the present state; both share what neither changes. Open nodes stay with this
    /// filesystem, so files without a name are not in the fork.
    pub fn fork(&self) -> Self {
        Self::with_tree(self.lock().tree.clone(), self.clock())
    }
}

impl Snapshot {
    /// Creates a new filesystem that starts in this state, with the clock and the quota of `like`.
    pub fn to_fs(&self, like: &Fs) -> Fs {
        let mut live = Live::new(self.tree.clone());
        live.tree.ledger.quota = like.lock().tree.ledger.quota;
        Fs::with_tree(live.tree, like.clock())
    }
}
