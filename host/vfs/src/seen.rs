//! What a session saw of the host's files that it changed in an overlay, as they were at that moment. What the host did with
//! them since shows in a comparison, so that writing the changes back to the host loses nothing of it.
//!
//! There is one record for each path of the host, made by the first change: from then on the session does not see what is
//! there. Where it has no record, the host had nothing when the session made its file.

use super::contents::Contents;
use super::inode::{Inode, Kind};
use super::mount::{HostMode, HostOpen, HostStat, Mount};
use super::stat::MODE_BITS;
use super::{FileType, FsError};

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
    /// Returns a file of which only the facts are known.
    pub(super) fn by_facts(stat: &HostStat) -> Self {
        match stat.kind {
            FileType::Directory => Self::Directory { mode: stat.mode & MODE_BITS },
            _ => Self::Facts(Box::new(Facts::of(stat))),
        }
    }

    /// Returns a regular file, with the length and the digest of its contents if they were read.
    pub(super) fn file(stat: &HostStat, read: Option<(u64, [u8; 32])>) -> Self {
        read.map_or_else(|| Self::by_facts(stat), |(size, digest)| Self::File { mode: stat.mode & MODE_BITS, size, digest })
    }

    /// Returns a symbolic link with this target.
    pub(super) fn link(target: &str) -> Self {
        Self::Link { digest: *blake3::hash(target.as_bytes()).as_bytes() }
    }

    /// Returns a file in memory, as it is on the host once it was written there; `None` for what the host never has.
    pub(super) fn of_inode(inode: &Inode) -> Option<Self> {
        let mode = || HostMode::new(inode.mode).bits();
        match &inode.kind {
            Kind::File(contents) => Some(Self::File { mode: mode(), size: contents.len(), digest: digest(contents) }),
            Kind::Directory(_) => Some(Self::Directory { mode: mode() }),
            Kind::Symlink(target) => Some(Self::link(target)),
            _ => None,
        }
    }

    /// Returns whether this file in memory, or its absence, is what was seen.
    pub(super) fn is_shown(&self, shown: Option<&Inode>) -> bool {
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

    /// Returns whether the host still has what was seen.
    pub(super) fn is_on_host(&self, source: &dyn Mount, path: &str, now: Option<&HostStat>) -> Result<bool, FsError> {
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

/// Returns facts about a file of the host, if it exists.
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
