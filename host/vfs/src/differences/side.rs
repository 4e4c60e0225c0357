//! A file of one of the two states, in memory or on the host.

use std::collections::BTreeSet;

use super::version::{Source, Version};
use crate::inode::{Backing, Ino, Inode, Kind, ROOT_INO};
use crate::mount::HostStat;
use crate::place::row;
use crate::seen::on_host;
use crate::tree::Tree;
use crate::{FileType, FsError, Refused, path};

/// A file of a state.
pub(super) enum Side<'t> {
    Memory { tree: &'t Tree, inode: &'t Inode },
    Host { tree: &'t Tree, mount: u32, path: String, stat: HostStat },
}

impl<'t> Side<'t> {
    /// Returns what a state has at the path with these names; `None` if there is nothing. Follows no link.
    pub(super) fn at(tree: &'t Tree, names: &[&str]) -> Result<Option<Self>, FsError> {
        let mut side = Some(Self::root(tree)?);
        for name in names {
            side = side.map_or(Ok(None), |side| side.child(name))?;
        }
        Ok(side)
    }

    /// Returns the root directory of a state.
    fn root(tree: &'t Tree) -> Result<Self, FsError> {
        Ok(Self::Memory { tree, inode: tree.inode(ROOT_INO)? })
    }

    fn of(tree: &'t Tree, ino: Ino) -> Result<Option<Self>, FsError> {
        let inode = tree.inode(ino)?;
        match inode.kind {
            Kind::Mounted(mount) => Self::host(tree, mount, String::new()),
            _ => Ok(Some(Self::Memory { tree, inode })),
        }
    }

    fn host(tree: &'t Tree, mount: u32, path: String) -> Result<Option<Self>, FsError> {
        let stat = on_host(&*row(tree, mount)?.source, &path).map_err(FsError::plain)?;
        Ok(stat.map(|stat| Self::Host { tree, mount, path, stat }))
    }

    /// Returns what has this name in it, if it is a directory.
    pub(super) fn child(&self, name: &str) -> Result<Option<Self>, FsError> {
        match self {
            Self::Memory { tree, inode } => {
                let Kind::Directory(directory) = &inode.kind else { return Ok(None) };
                match (directory.entries.get(name), &directory.backing) {
                    (Some(entry), _) => entry.ino.map_or(Ok(None), |ino| Self::of(tree, ino)),
                    (None, Backing::Overlay { mount, path }) => Self::host(tree, *mount, path::join(path, name)),
                    (None, _) => Ok(None),
                }
            }
            Self::Host { tree, mount, path, .. } if self.is_directory() => Self::host(tree, *mount, path::join(path, name)),
            Self::Host { .. } => Ok(None),
        }
    }

    pub(super) fn is_directory(&self) -> bool {
        match self {
            Self::Memory { inode, .. } => matches!(inode.kind, Kind::Directory(_)),
            Self::Host { stat, .. } => stat.kind == FileType::Directory,
        }
    }

    /// Returns whether both are the same file of the host, which is then unchanged. So is what a mount shows that is no overlay.
    pub(super) fn is_same_host(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Host { mount, path, .. }, Self::Host { mount: other_mount, path: other_path, .. }) => {
                mount == other_mount && path == other_path
            }
            _ => false,
        }
    }

    /// Returns whether both share everything but what is in them as directories. Does not compare bytes.
    pub(super) fn is_same_memory(&self, other: &Self) -> bool {
        let (Self::Memory { inode: one, .. }, Self::Memory { inode: other, .. }) = (self, other) else { return false };
        let same = match (&one.kind, &other.kind) {
            (Kind::File(one), Kind::File(other)) => one.is_same(other),
            (Kind::Symlink(one), Kind::Symlink(other)) => return one == other,
            (Kind::Directory(_), Kind::Directory(_)) => true,
            (one, other) => same_special(one, other),
        };
        same && one.mode == other.mode
    }

    /// Returns the directory of the host that it shows where it holds nothing itself.
    pub(super) fn below(&self) -> Option<(u32, &str)> {
        match self {
            Self::Memory { inode, .. } => match &inode.kind {
                Kind::Directory(directory) => match &directory.backing {
                    Backing::Overlay { mount, path } => Some((*mount, path)),
                    _ => None,
                },
                _ => None,
            },
            Self::Host { mount, path, .. } => self.is_directory().then_some((*mount, path.as_str())),
        }
    }

    /// Returns the number of the overlay that it is in.
    pub(super) fn mount(&self) -> Option<usize> {
        match self {
            Self::Memory { inode, .. } => inode.domain.checked_sub(1).map(|mount| mount as usize),
            Self::Host { mount, .. } => Some(*mount as usize),
        }
    }

    /// Adds the names that it holds in memory, those that it hides included.
    pub(super) fn held(&self, names: &mut BTreeSet<String>) {
        if let Self::Memory { inode, .. } = self
            && let Kind::Directory(directory) = &inode.kind
        {
            names.extend(directory.entries.keys().map(ToString::to_string));
        }
    }

    /// Adds the names that it shows of the host.
    pub(super) fn shown(&self, names: &mut BTreeSet<String>) -> Result<(), FsError> {
        let Some((mount, path)) = self.below() else { return Ok(()) };
        let (Self::Memory { tree, .. } | Self::Host { tree, .. }) = self;
        let shown = row(tree, mount)?.source.read_dir(path);
        match shown {
            Ok(shown) => names.extend(shown.into_iter().map(|entry| entry.name)),
            // A directory of an overlay that the host no longer has, or has made a link of.
            Err(FsError::NotFound | FsError::NotDirectory | FsError::Refused(Refused::Outside)) => {}
            Err(error) => return Err(error.plain()),
        }
        Ok(())
    }

    /// Returns the file as a part of a result.
    pub(super) fn version(&self) -> Result<Version, FsError> {
        Ok(match self {
            Self::Memory { inode, .. } => {
                let (size, target, source) = match &inode.kind {
                    Kind::File(contents) => (contents.len(), None, Source::Memory(contents.clone())),
                    Kind::Symlink(target) => (0, Some(target.to_string()), Source::None),
                    _ => (0, None, Source::None),
                };
                Version { kind: inode.file_type(), mode: inode.mode, size, target, source }
            }
            Self::Host { tree, mount, path, stat } => {
                let mount = &row(tree, *mount)?.source;
                let link = stat.kind == FileType::Symlink;
                let target = match link.then(|| mount.read_link(path)).transpose() {
                    Err(FsError::IllegalBytes) => None,
                    target => target.map_err(FsError::plain)?,
                };
                let regular = stat.kind == FileType::Regular;
                let source = if regular { Source::Host(mount.clone(), path.clone()) } else { Source::None };
                Version { kind: stat.kind, mode: stat.mode, size: if regular { stat.size } else { 0 }, target, source }
            }
        })
    }
}

/// Returns whether two files that are neither regular nor directories nor links are the same.
fn same_special(one: &Kind, other: &Kind) -> bool {
    match (one, other) {
        (Kind::Device(one), Kind::Device(other)) => one == other,
        (Kind::Fifo, Kind::Fifo) | (Kind::Socket, Kind::Socket) => true,
        (Kind::Computed(one), Kind::Computed(other)) | (Kind::ComputedLink(one), Kind::ComputedLink(other)) => one == other,
        _ => false,
    }
}
