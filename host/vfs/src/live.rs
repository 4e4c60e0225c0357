//! The live state: a tree, and who holds what of it open. A file whose last name is gone lives here until its last node closes.

use std::collections::HashMap;

use super::FsError;
use super::inode::{Ino, Inode, Kind};
use super::tree::Tree;

/// The live state and who holds what of it open.
pub(super) struct Live {
    pub(super) tree: Tree,
    /// By birth: the inode and how many hold it.
    open: HashMap<u64, (Ino, usize)>,
    /// Files of overlays that were opened on the host below.
    below: HashMap<(u32, String), Below>,
}

/// A file that nodes opened on the host below an overlay. When it is copied up they go on with the copy, and keep it alive.
struct Below {
    nodes: usize,
    copy: Option<u64>,
}

impl Live {
    pub(super) fn new(mut tree: Tree) -> Self {
        tree.drop_orphans(|_| false);
        Self { tree, open: HashMap::new(), below: HashMap::new() }
    }

    /// Replaces the state; the quota and the numbers already given stay. Answers the old state, to be dropped without the lock.
    pub(super) fn replace(&mut self, mut tree: Tree) -> Tree {
        tree.ledger.quota = self.tree.ledger.quota;
        tree.next = tree.next.max(self.tree.next);
        tree.drop_orphans(|inode| self.open.contains_key(&inode.birth));
        std::mem::replace(&mut self.tree, tree)
    }

    /// Notes one more open node. Returns the birth to release it by.
    pub(super) fn hold(&mut self, ino: Ino) -> Result<u64, FsError> {
        let birth = self.tree.inode(ino)?.birth;
        self.open.entry(birth).or_insert((ino, 0)).1 += 1;
        Ok(birth)
    }

    /// Notes that a node closed; the last one of a nameless file frees it.
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

    /// Notes one more node on a file below an overlay.
    pub(super) fn hold_below(&mut self, mount: u32, path: &str) {
        let below = self.below.entry((mount, path.to_owned())).or_insert(Below { nodes: 0, copy: None });
        below.nodes += 1;
        if let Some(ino) = self.tree.copied_up(mount, path) {
            self.hold_copy(mount, path, ino);
        }
    }

    /// Notes that a node on a file below an overlay closed.
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

    /// Lets the nodes on a file below an overlay hold its copy.
    pub(super) fn hold_copy(&mut self, mount: u32, path: &str, ino: Ino) {
        let Some(below) = self.below.get_mut(&(mount, path.to_owned())) else { return };
        let Ok(birth) = self.tree.inode(ino).map(|inode| inode.birth) else { return };
        if below.copy == Some(birth) {
            return;
        }
        let old = below.copy.replace(birth);
        self.open.entry(birth).or_insert((ino, 0)).1 += 1;
        if let Some(old) = old {
            // a copy of before a restore
            self.release(old);
        }
    }

    /// One name less: frees the file when that was the last and nobody has it open.
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

    /// A file without a name, held open once.
    pub(super) fn insert_nameless(&mut self, mut inode: Inode) -> Result<(Ino, u64), FsError> {
        inode.nlink = 0;
        let ino = self.tree.insert(inode)?;
        self.tree.orphans.insert_mut(ino, ());
        Ok((ino, self.hold(ino)?))
    }
}
