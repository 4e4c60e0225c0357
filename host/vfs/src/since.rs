//! What became of the host's files that a session changed in an overlay, compared with what it saw of them.

use std::sync::Arc;

use super::inode::{Backing, Directory, Entry, Kind};
use super::mount::{Mount, MountAccess};
use super::place::row;
use super::seen::{Seen, on_host};
use super::tree::Tree;
use super::{FsError, Snapshot, path};

/// What became of a path of the host since a session changed it in an overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Since {
    /// The host has what the session saw.
    Same,
    /// The session has what it saw: only the host changed.
    OnlyHost,
    /// The host's file has other contents, another mode or another type.
    Changed,
    /// The host has it no more.
    Removed,
    /// The host has a file there that the session has not seen.
    Added,
    /// Nobody knows: the session was kept by a wisp that did not note it yet, or changed more files than it may note.
    Unknown,
}

impl Tree {
    /// Notes what the host has at a path that is now changed in memory, unless an earlier change did.
    ///
    /// Attack: a guest that removes every file of an enormous folder, directory by directory. Whiteouts are charged only as
    /// long as their directory exists, so there are as many records as the session may have files, and no more.
    pub(super) fn see(&mut self, mount: u32, path: &str, seen: Seen) {
        if (self.seen.size() as u64) < self.ledger.quota.max_files {
            let key = (mount, Arc::from(path));
            if !self.seen.contains_key(&key) {
                self.seen.insert_mut(key, seen);
            }
        }
    }

    /// Returns what the upper layer of an overlay holds at a path; `None` where it holds nothing. The host has the name too (`covers`)
    /// only if the directory that holds it has its place on the host, not if it was renamed.
    pub(super) fn held(&self, mount: u32, path: &str) -> Result<Option<Entry>, FsError> {
        let mut held = Some(Entry { ino: Some(row(self, mount)?.root), covers: true });
        let mut end = 0;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let above = path.get(..end).unwrap_or_default();
            let Some(Entry { ino: Some(ino), .. }) = held else { return Ok(None) };
            let Ok(directory) = self.directory(ino) else { return Ok(None) };
            let in_place = matches!(&directory.backing, Backing::Overlay { path, .. } if **path == *above);
            held = directory.entries.get(name).map(|entry| Entry { ino: entry.ino, covers: entry.covers && in_place });
            end += name.len() + usize::from(end > 0);
        }
        Ok(held)
    }

    /// Returns whether the host's file at this path is visible somewhere in the overlay although nothing was noted about it: in a
    /// directory that was renamed, with what is in it.
    fn shows(&self, mount: u32, path: &str) -> Result<bool, FsError> {
        let root = row(self, mount)?.root;
        let mut at = path;
        while let Some((parent, name)) = path::split(at) {
            let copy = if parent.is_empty() { Some(root) } else { self.copied_up(mount, parent) };
            if let Some(inode) = copy.and_then(|ino| self.inodes.get(ino)) {
                let Kind::Directory(directory) = &inode.kind else { return Ok(false) };
                let over = matches!(&directory.backing, Backing::Overlay { path, .. } if **path == *parent);
                return Ok(over && inode.nlink > 0 && !directory.entries.contains_key(name));
            }
            at = parent;
        }
        Ok(false)
    }
}

impl Snapshot {
    /// Returns what became of the host's file at `path`, relative to the mount with this number, since this state's filesystem
    /// changed it there. Reads the host's file, if the session read it before it changed it.
    ///
    /// # Errors
    /// If the host cannot read it, or there is no such overlay.
    pub fn since(&self, mount: usize, path: &str) -> Result<Since, FsError> {
        let (number, source) = self.overlay(mount)?;
        let now = on_host(&*source, path)?;
        let held = self.tree.held(number, path)?;
        let key = (number, Arc::from(path));
        let Some(seen) = self.tree.seen.get(&key) else {
            let noted_earlier = held.is_some_and(|entry| entry.covers) || self.tree.origins.contains_key(&key);
            return Ok(match now {
                _ if noted_earlier => Since::Unknown,
                Some(_) if !self.tree.shows(number, path)? => Since::Added,
                _ => Since::Same,
            });
        };
        let shown = held.and_then(|entry| entry.ino).map(|ino| self.tree.inode(ino)).transpose()?;
        Ok(if seen.is_on_host(&*source, path, now.as_ref())? {
            Since::Same
        } else if seen.is_shown(shown) {
            Since::OnlyHost
        } else if now.is_none() {
            Since::Removed
        } else if *seen == Seen::Nothing {
            Since::Added
        } else {
            Since::Changed
        })
    }

    /// Returns the number and the source of a mount, which is an overlay.
    pub(super) fn overlay(&self, mount: usize) -> Result<(u32, Arc<dyn Mount>), FsError> {
        let number = u32::try_from(mount).map_err(|_| FsError::BadDescriptor)?;
        let row = row(&self.tree, number)?;
        if row.access != MountAccess::Overlay {
            return Err(FsError::ReadOnly);
        }
        Ok((number, row.source.clone()))
    }

    /// Returns a directory of the host that has another place in this overlay than on the host: its path there.
    ///
    /// # Errors
    /// If there is no such overlay.
    pub fn moved_directory(&self, mount: usize) -> Result<Option<String>, FsError> {
        let (number, _) = self.overlay(mount)?;
        let mut pending = vec![row(&self.tree, number)?.root];
        while let Some(ino) = pending.pop() {
            let Ok(directory) = self.tree.directory(ino) else { continue };
            for (name, entry) in &directory.entries {
                let Some(child) = entry.ino else { continue };
                let Ok(Directory { backing, .. }) = self.tree.directory(child) else { continue };
                if let Backing::Overlay { path, .. } = backing {
                    let in_place = matches!(&directory.backing, Backing::Overlay { path: above, .. } if path::join(above, name) == **path);
                    if !in_place {
                        return Ok(Some(path.to_string()));
                    }
                }
                pending.push(child);
            }
        }
        Ok(None)
    }
}
