//! What a session saw of the host's files that it changed in an overlay, as they were at that moment. What the host did with
//! them since shows in a comparison, so that writing the changes back to the host loses nothing of it.
//!
//! There is one record for each path of the host, made by the first change: from then on the session does not see what is
//! there. Where it has no record, the host had nothing when the session made its file.

use std::sync::Arc;

use super::contents::Contents;
use super::inode::{Backing, Directory, Entry, Inode, Kind};
use super::mount::{HostMode, HostOpen, HostStat, Mount, MountAccess};
use super::stat::MODE_BITS;
use super::tree::Tree;
use super::walk::row;
use super::{FileType, FsError, Snapshot, path};

/// The types of files of which facts are noted; all others are `Unknown`. An archive has their numbers.
pub(super) const NOTED: [FileType; 4] = [FileType::Regular, FileType::Symlink, FileType::Fifo, FileType::Unknown];

/// Bytes that are read at a time.
const PIECE: usize = 1 << 18;

/// A path of the host, as a session saw it last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    /// Nothing: the session has written there that it has no file.
    Nothing,
    Directory {
        mode: u32,
    },
    /// A file whose contents were read.
    File {
        mode: u32,
        size: u64,
        digest: [u8; 32],
    },
    Link {
        digest: [u8; 32],
    },
    /// A file that was removed or replaced without being read. Its contents count as the same as long as these facts are.
    Facts(Box<Facts>),
}

/// What `stat` said about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) kind: FileType,
    pub(super) mode: u32,
    pub(super) size: u64,
    pub(super) mtime: u64,
    /// 0 if it had several names: removing one of them, which is no change of the file, would show here.
    pub(super) ctime: u64,
    pub(super) ino: u64,
}

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

impl Facts {
    fn of(stat: &HostStat) -> Self {
        let HostStat { kind, mode, size, mtime, ino, .. } = *stat;
        let ctime = if stat.nlink > 1 { 0 } else { stat.ctime };
        let kind = if NOTED.contains(&kind) { kind } else { FileType::Unknown };
        Self { kind, mode: mode & MODE_BITS, size, mtime, ctime, ino }
    }

    fn are_those_of(&self, now: &HostStat) -> bool {
        let ctime = if self.ctime == 0 { 0 } else { now.ctime };
        *self == Self { ctime, ..Self::of(now) }
    }
}

impl Seen {
    /// A file of which only the facts are known.
    pub(super) fn by_facts(stat: &HostStat) -> Self {
        match stat.kind {
            FileType::Directory => Self::Directory { mode: stat.mode & MODE_BITS },
            _ => Self::Facts(Box::new(Facts::of(stat))),
        }
    }

    /// A regular file, with the length and the digest of its contents if they were read.
    pub(super) fn file(stat: &HostStat, read: Option<(u64, [u8; 32])>) -> Self {
        read.map_or_else(|| Self::by_facts(stat), |(size, digest)| Self::File { mode: stat.mode & MODE_BITS, size, digest })
    }

    /// A symbolic link with this target.
    pub(super) fn link(target: &str) -> Self {
        Self::Link { digest: *blake3::hash(target.as_bytes()).as_bytes() }
    }

    /// A file in memory, as it is on the host once it was written there; `None` for what the host never has.
    pub(super) fn of_inode(inode: &Inode) -> Option<Self> {
        let mode = || HostMode::new(inode.mode).bits();
        match &inode.kind {
            Kind::File(contents) => Some(Self::File { mode: mode(), size: contents.len(), digest: digest(contents) }),
            Kind::Directory(_) => Some(Self::Directory { mode: mode() }),
            Kind::Symlink(target) => Some(Self::link(target)),
            _ => None,
        }
    }

    /// Whether this file in memory, or its absence, is what was seen.
    fn is_shown(&self, shown: Option<&Inode>) -> bool {
        match (self, shown) {
            (Self::Nothing, None) => true,
            (Self::Directory { mode }, Some(inode)) => matches!(inode.kind, Kind::Directory(_)) && inode.mode == *mode,
            (Self::Link { .. }, Some(inode)) => matches!(inode.kind, Kind::Symlink(_)) && Self::of_inode(inode).as_ref() == Some(self),
            (Self::File { mode, size, digest: seen }, Some(inode)) => {
                inode.mode == *mode && matches!(&inode.kind, Kind::File(contents) if contents.len() == *size && digest(contents) == *seen)
            }
            _ => false,
        }
    }

    /// Whether the host still has what was seen.
    fn is_on_host(&self, source: &dyn Mount, path: &str, now: Option<&HostStat>) -> Result<bool, FsError> {
        let Some(now) = now else { return Ok(matches!(self, Self::Nothing)) };
        Ok(match self {
            Self::Nothing => false,
            Self::Directory { mode } => now.kind == FileType::Directory && now.mode & MODE_BITS == *mode,
            Self::Link { .. } => now.kind == FileType::Symlink && Self::link(&source.read_link(path)?) == *self,
            Self::File { mode, size, digest } => {
                let alike = now.kind == FileType::Regular && now.mode & MODE_BITS == *mode && now.size == *size;
                alike && digest_on_host(source, path)? == *digest
            }
            Self::Facts(facts) => facts.are_those_of(now),
        })
    }
}

/// Facts about a file of the host, if it exists.
pub(super) fn on_host(source: &dyn Mount, path: &str) -> Result<Option<HostStat>, FsError> {
    match source.stat(path) {
        Ok(stat) => Ok(Some(stat)),
        Err(FsError::NotFound | FsError::NotDirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

fn digest(contents: &Contents) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut at = 0;
    while at < contents.len() {
        let bytes = contents.read(at, PIECE).into_bytes();
        if bytes.is_empty() {
            break;
        }
        hasher.update(&bytes);
        at += bytes.len() as u64;
    }
    *hasher.finalize().as_bytes()
}

fn digest_on_host(source: &dyn Mount, path: &str) -> Result<[u8; 32], FsError> {
    let file = source.open(path, HostOpen { read: true, ..HostOpen::default() })?;
    let mut hasher = blake3::Hasher::new();
    let mut at = 0;
    loop {
        let bytes = file.read_at(at, PIECE)?;
        if bytes.is_empty() {
            return Ok(*hasher.finalize().as_bytes());
        }
        hasher.update(&bytes);
        at += bytes.len() as u64;
    }
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

    /// What the upper layer of an overlay holds at a path; `None` where it holds nothing. The host has the name too (`covers`)
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

    /// Whether the host's file at this path is visible somewhere in the overlay although nothing was noted about it: in a
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
    /// What became of the host's file at `path`, relative to the mount with this number, since this state's filesystem
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

    /// The number and the source of a mount, which is an overlay.
    pub(super) fn overlay(&self, mount: usize) -> Result<(u32, Arc<dyn Mount>), FsError> {
        let number = u32::try_from(mount).map_err(|_| FsError::BadDescriptor)?;
        let row = row(&self.tree, number)?;
        if row.access != MountAccess::Overlay {
            return Err(FsError::ReadOnly);
        }
        Ok((number, row.source.clone()))
    }

    /// A directory of the host that has another place in this overlay than on the host: its path there.
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
