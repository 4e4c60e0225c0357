//! The live state: a tree, and the open nodes on it. A file without a name stays here until its last node closes.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::FsError;
use super::feed::{Feed, Report};
use super::inode::{Ino, Inode, Kind};
use super::tree::Tree;

/// The lock on the live state.
pub(super) type Guard<'f> = MutexGuard<'f, Live>;

/// The live state and its open nodes.
pub(super) struct Live {
    pub(super) tree: Tree,
    /// By birth: the inode and the number of nodes that hold it.
    open: HashMap<u64, (Ino, usize)>,
    /// Files below overlays that were opened on the host.
    below: HashMap<(u32, String), Below>,
    /// Those that watch.
    pub(super) feeds: Vec<Arc<Mutex<Feed>>>,
}

/// A file below an overlay that nodes have opened on the host. After it is copied up they use the copy and keep it
/// alive.
struct Below {
    nodes: usize,
    copy: Option<u64>,
}

impl Live {
    pub(super) fn new(mut tree: Tree) -> Self {
        tree.drop_orphans(|_| false);
        tree.seals.forget_changes();
        Self { tree, open: HashMap::new(), below: HashMap::new(), feeds: Vec::new() }
    }

    /// Replaces the state; the quota and the numbers already given stay. Returns the old state, to be dropped outside
    /// the lock.
    pub(super) fn replace(&mut self, mut tree: Tree) -> Tree {
        tree.ledger.quota = self.tree.ledger.quota;
        tree.next = tree.next.max(self.tree.next);
        tree.drop_orphans(|inode| self.open.contains_key(&inode.birth));
        tree.seals.forget_changes();
        self.report_restored();
        std::mem::replace(&mut self.tree, tree)
    }

    /// Counts one more open node. Returns the birth by which to release it.
    pub(super) fn hold(&mut self, ino: Ino) -> Result<u64, FsError> {
        let birth = self.tree.inode(ino)?.birth;
        self.open.entry(birth).or_insert((ino, 0)).1 += 1;
        Ok(birth)
    }

    /// Counts a closed node; the last one frees a file without a name.
    pub(super) fn release(&mut self, birth: u64) {
        let Some((ino, count)) = self.open.get_mut(&birth) else { return };
        *count -= 1;
        if *count == 0 {
            let ino = *ino;
            self.open.remove(&birth);
            if self.tree.inode(ino).is_ok_and(|inode| inode.nlink == 0 && inode.birth == birth) {
                self.tree.free(ino);
            }
        }
    }

    /// Counts one more node on a file below an overlay.
    pub(super) fn hold_below(&mut self, mount: u32, path: &str) {
        let below = self.below.entry((mount, path.to_owned())).or_insert(Below { nodes: 0, copy: None });
        below.nodes += 1;
        if let Some(ino) = self.tree.copied_up(mount, path) {
            self.hold_copy(mount, path, ino);
        }
    }

    /// Counts a closed node on a file below an overlay.
    pub(super) fn release_below(&mut self, mount: u32, path: &str) {
        let key = (mount, path.to_owned());
        let Some(below) = self.below.get_mut(&key) else { return };
        below.nodes -= 1;
        if below.nodes == 0
            && let Some(Below { copy: Some(birth), .. }) = self.below.remove(&key)
        {
            self.release(birth);
        }
    }

    /// Makes the nodes on a file below an overlay hold its copy.
    pub(super) fn hold_copy(&mut self, mount: u32, path: &str, ino: Ino) {
        let Some(below) = self.below.get_mut(&(mount, path.to_owned())) else { return };
        let Ok(birth) = self.tree.inode(ino).map(|inode| inode.birth) else { return };
        if below.copy == Some(birth) {
            return;
        }
        let old = below.copy.replace(birth);
        self.open.entry(birth).or_insert((ino, 0)).1 += 1;
        if let Some(old) = old {
            // A copy made before a restore.
            self.release(old);
        }
    }

    /// Removes one link; frees the file if it was the last and no node is open.
    pub(super) fn drop_link(&mut self, ino: Ino, now: u64) -> Result<(), FsError> {
        let inode = self.tree.inode_mut(ino)?;
        let is_directory = matches!(inode.kind, Kind::Directory(_));
        inode.nlink = if is_directory { 0 } else { inode.nlink.saturating_sub(1) };
        inode.ctime = now;
        let (nlink, birth) = (inode.nlink, inode.birth);
        if nlink > 0 {
            self.tree.ledger.give_file(0);
        } else if self.open.contains_key(&birth) {
            self.tree.orphans.insert_mut(ino, ());
        } else {
            self.tree.free(ino);
        }
        Ok(())
    }

    /// Creates a file without a name, held by one open node.
    pub(super) fn insert_nameless(&mut self, mut inode: Inode) -> Result<(Ino, u64), FsError> {
        inode.nlink = 0;
        let ino = self.tree.insert(inode)?;
        self.tree.orphans.insert_mut(ino, ());
        Ok((ino, self.hold(ino)?))
    }

    /// Reports a change to the watches, if there are any.
    pub(super) fn report(&self, report: impl FnOnce() -> Report) {
        if !self.feeds.is_empty() {
            let report = report();
            self.feeds.iter().for_each(|feed| feed.lock().push(&report));
        }
    }

    /// Reports to the watches that the whole state is another one.
    pub(super) fn report_restored(&self) {
        for feed in &self.feeds {
            let mut feed = feed.lock();
            feed.restored = true;
            feed.wake();
        }
    }
}
