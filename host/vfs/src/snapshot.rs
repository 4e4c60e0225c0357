//! Snapshots: the whole state of a filesystem, held by reference. Taking one, going back to one and forking cost the same few pointers
//! however much is stored; whoever changes something afterwards pays for what it changes.

use super::Fs;
use super::live::Live;
use super::tree::Tree;

/// The state of a filesystem at one moment: the tree in memory, what overlays hold, the usage, which mounts there are. Host directories
/// themselves are not part of it.
#[derive(Clone)]
pub struct Snapshot {
    pub(super) tree: Tree,
}

impl Fs {
    /// The present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { tree: self.lock().tree.clone() }
    }

    /// Goes back (or over) to a state. The quota stays that of this filesystem.
    ///
    /// Nodes that are open meanwhile: if their file exists in that state too, they go on with it as it is there; otherwise they answer
    /// `BadDescriptor`. Nodes of host files are not touched. Files that had no name in that state and that nobody holds open are gone.
    pub fn restore(&self, snapshot: &Snapshot) {
        let old = self.lock().replace(snapshot.tree.clone());
        // outside of the lock: the old state may be the last holder of a gigabyte
        drop(old);
    }

    /// An independent filesystem in the present state; the two share what neither changes. Open nodes stay with this one, so files without
    /// a name are not in the fork.
    pub fn fork(&self) -> Fs {
        Fs::with_tree(self.lock().tree.clone(), self.clock())
    }
}

impl Snapshot {
    /// A new filesystem that starts in this state, with the clock and the quota of `like`.
    pub fn to_fs(&self, like: &Fs) -> Fs {
        let mut live = Live::new(self.tree.clone());
        live.tree.ledger.quota = like.lock().tree.ledger.quota;
        Fs::with_tree(live.tree, like.clock())
    }
}
