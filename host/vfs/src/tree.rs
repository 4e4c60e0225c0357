//! The whole state of a filesystem at one moment: the table of inodes and the quota's counts. Cloning it is a
//! snapshot: every part is persistent. The operations here are primitive; they check only what keeps the table
//! consistent.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::FsError;
use super::contents::Contents;
use super::inode::{Backing, Directory, Entry, Ino, Inode, Kind, MAX_LINKS, ROOT_INO};
use super::inodes::Inodes;
use super::mount::MountRow;
use super::quota::{Ledger, Quota};
use super::seals::Seals;
use super::seen::Seen;
use super::stat::USER;

/// A filesystem at one moment.
#[derive(Clone)]
pub(super) struct Tree {
    pub(super) inodes: Inodes,
    /// Files without a name that were open when this was the live state.
    pub(super) orphans: RedBlackTreeMapSync<Ino, ()>,
    /// The inode to which a host path was copied up.
    pub(super) origins: RedBlackTreeMapSync<(u32, Arc<str>), Ino>,
    /// What the host had at the paths that were changed in overlays.
    pub(super) seen: RedBlackTreeMapSync<(u32, Arc<str>), Seen>,
    pub(super) mounts: Arc<Vec<MountRow>>,
    pub(super) next: Ino,
    pub(super) ledger: Ledger,
    /// Digests of files and directories.
    pub(super) seals: Seals,
}

impl Tree {
    pub(super) fn new(quota: Quota, now: u64) -> Self {
        let mut root = Inode::new(Kind::Directory(Directory::new(ROOT_INO, Backing::Memory)), 0o755, USER, now);
        root.counted = false;
        let mut inodes = Inodes::new();
        inodes.insert(ROOT_INO, root);
        Self {
            inodes,
            orphans: RedBlackTreeMapSync::new_sync(),
            origins: RedBlackTreeMapSync::new_sync(),
            seen: RedBlackTreeMapSync::new_sync(),
            mounts: Arc::new(Vec::new()),
            next: ROOT_INO + 1,
            ledger: Ledger::new(quota),
            seals: Seals::new(),
        }
    }

    pub(super) fn inode(&self, ino: Ino) -> Result<&Inode, FsError> {
        self.inodes.get(ino).ok_or(FsError::NotFound)
    }

    pub(super) fn inode_mut(&mut self, ino: Ino) -> Result<&mut Inode, FsError> {
        self.seals.broken(ino);
        self.inodes.get_mut(ino).ok_or(FsError::NotFound)
    }

    pub(super) fn directory(&self, ino: Ino) -> Result<&Directory, FsError> {
        match &self.inode(ino)?.kind {
            Kind::Directory(directory) => Ok(directory),
            _ => Err(FsError::NotDirectory),
        }
    }

    fn directory_mut(&mut self, ino: Ino) -> Result<(&mut Directory, &mut u64), FsError> {
        match self.inode_mut(ino)? {
            Inode { kind: Kind::Directory(directory), nlink, .. } => Ok((directory, nlink)),
            _ => Err(FsError::NotDirectory),
        }
    }

    pub(super) fn entry(&self, parent: Ino, name: &str) -> Result<Option<Entry>, FsError> {
        Ok(self.directory(parent)?.entries.get(name).copied())
    }

    /// Returns the inode to which a host path was copied up, if it still exists.
    pub(super) fn copied_up(&self, mount: u32, path: &str) -> Option<Ino> {
        // The key owns its path; the map is empty if nothing was copied up.
        if self.origins.is_empty() {
            return None;
        }
        self.origins.get(&(mount, Arc::from(path))).copied().filter(|ino| self.inodes.contains(*ino))
    }

    pub(super) fn set_copied_up(&mut self, mount: u32, path: &str, ino: Ino) {
        self.origins.insert_mut((mount, Arc::from(path)), ino);
    }

    /// Changes the contents of a regular file within the room that the quota leaves, and updates the counts.
    pub(super) fn change<T>(
        &mut self,
        ino: Ino,
        now: u64,
        change: impl FnOnce(&mut Contents, u64) -> Result<T, FsError>,
    ) -> Result<T, FsError> {
        let room = self.ledger.room();
        self.seals.broken(ino);
        let inode = self.inodes.get_mut(ino).ok_or(FsError::NotFound)?;
        let Kind::File(contents) = &mut inode.kind else { return Err(FsError::Invalid) };
        let before = contents.charge();
        let answer = change(contents, room);
        self.ledger.rebook(before, contents.charge());
        if answer.is_ok() {
            inode.touch(now);
        }
        answer
    }

    /// Adds an inode to the table and charges the quota if it is counted. It has no name yet.
    pub(super) fn insert(&mut self, inode: Inode) -> Result<Ino, FsError> {
        if inode.counted {
            self.ledger.take_file(inode.charge())?;
        }
        let ino = self.next;
        self.next += 1;
        self.inodes.insert(ino, inode);
        Ok(ino)
    }

    /// Gives `ino` the name `name` in `parent`, in place of the present entry. The caller updates the link counts of
    /// the two files; the parent's is updated here.
    pub(super) fn attach(&mut self, parent: Ino, name: &str, ino: Ino, covers: bool, now: u64) -> Result<(), FsError> {
        let old = self.entry(parent, name)?;
        let replaces_directory = match old {
            Some(Entry { ino: Some(old), .. }) => matches!(self.inode(old)?.kind, Kind::Directory(_)),
            Some(Entry { ino: None, .. }) => {
                self.ledger.give_file(0);
                false
            }
            None => false,
        };
        let is_directory = match &mut self.inode_mut(ino)?.kind {
            Kind::Directory(directory) => {
                directory.parent = parent;
                true
            }
            _ => false,
        };
        let covers = covers || old.is_some_and(|entry| entry.covers);
        let (directory, nlink) = self.directory_mut(parent)?;
        directory.entries.insert_mut(Arc::from(name), Entry { ino: Some(ino), covers });
        *nlink = (*nlink + u64::from(is_directory)).saturating_sub(u64::from(replaces_directory));
        self.inode_mut(parent)?.touch(now);
        Ok(())
    }

    /// Returns the directory to which these names lead from the root; creates what is missing of it. Symbolic links and mounts are not
    /// followed.
    pub(super) fn make_directories(&mut self, names: &[&str], now: u64) -> Result<Ino, FsError> {
        let mut at = ROOT_INO;
        for name in names {
            at = match self.entry(at, name)?.and_then(|entry| entry.ino) {
                Some(ino) => ino,
                None => {
                    let ino = self.insert(Inode::base(Kind::Directory(Directory::new(at, Backing::Memory)), 0o755, now))?;
                    self.attach(at, name, ino, false, now)?;
                    ino
                }
            };
            if !self.directory(at)?.backing.is_held() {
                return Err(FsError::Busy);
            }
        }
        Ok(at)
    }

    /// Removes the name from the inode, which keeps its link count; leaves a whiteout if the host has the name too.
    pub(super) fn detach(&mut self, parent: Ino, name: &str, now: u64) -> Result<Ino, FsError> {
        let entry = self.entry(parent, name)?.ok_or(FsError::NotFound)?;
        let ino = entry.ino.ok_or(FsError::NotFound)?;
        if entry.covers {
            self.white_out(parent, name, now)?;
        } else {
            self.directory_mut(parent)?.0.entries.remove_mut(name);
        }
        let is_directory = matches!(self.inode(ino)?.kind, Kind::Directory(_));
        let (_, nlink) = self.directory_mut(parent)?;
        *nlink = nlink.saturating_sub(u64::from(is_directory));
        self.inode_mut(parent)?.touch(now);
        Ok(ino)
    }

    /// Hides the host's file `name` in `parent`. Charges the quota one file.
    pub(super) fn white_out(&mut self, parent: Ino, name: &str, now: u64) -> Result<(), FsError> {
        self.ledger.take_file(0)?;
        self.directory_mut(parent)?.0.entries.insert_mut(Arc::from(name), Entry { ino: None, covers: true });
        self.inode_mut(parent)?.touch(now);
        Ok(())
    }

    /// Notes that the host has this name too: once it is removed, it hides the host's.
    pub(super) fn cover(&mut self, parent: Ino, name: &str) -> Result<(), FsError> {
        let directory = self.directory_mut(parent)?.0;
        if let Some(entry) = directory.entries.get(name).copied() {
            directory.entries.insert_mut(Arc::from(name), Entry { covers: true, ..entry });
        }
        Ok(())
    }

    /// Counts one more hard link, which the caller attaches.
    pub(super) fn add_link(&mut self, ino: Ino, now: u64) -> Result<(), FsError> {
        if self.inode(ino)?.nlink >= MAX_LINKS {
            return Err(FsError::TooManyLinks);
        }
        self.ledger.take_file(0)?;
        let inode = self.inode_mut(ino)?;
        inode.nlink += 1;
        inode.ctime = now;
        Ok(())
    }

    pub(super) fn free(&mut self, ino: Ino) {
        let Some(inode) = self.inodes.get(ino) else { return };
        let (charge, counted) = (inode.charge(), inode.counted);
        // The whiteouts of a removed directory are removed with it; the whiteout in its parent hides the host below.
        let whiteouts = match &inode.kind {
            Kind::Directory(directory) => directory.entries.size(),
            _ => 0,
        };
        self.seals.broken(ino);
        self.inodes.remove(ino);
        self.orphans.remove_mut(&ino);
        for _ in 0..whiteouts {
            self.ledger.give_file(0);
        }
        if counted {
            self.ledger.give_file(charge);
        } else {
            self.ledger.rebook(charge, 0);
        }
    }

    /// Frees the orphans that are not in `keep`.
    pub(super) fn drop_orphans(&mut self, keep: impl Fn(&Inode) -> bool) {
        let gone: Vec<Ino> = self.orphans.keys().copied().filter(|ino| !self.inodes.get(*ino).is_some_and(&keep)).collect();
        for ino in gone {
            self.free(ino);
        }
    }
}
