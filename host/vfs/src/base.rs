//! The base of a filesystem: the files that it begins with, put there by the host one by one or as a layer. They are
//! outside the quota.

use std::ops::Range;

use bytes::Bytes;

use super::contents::Contents;
use super::inode::{Backing, Directory, Ino, Inode, Kind, ROOT_INO};
use super::layer::{Body, Layer};
use super::live::Guard;
use super::path;
use super::stat::{ROOT, USER};
use super::{Device, Fs, FsError};

/// An entry that [`Fs::add_base`] adds to the filesystem.
#[derive(Debug, Clone)]
pub enum BaseEntry {
    /// A directory. `/dev/fd` becomes the directory of the caller's own descriptors. `/proc` gets a directory for each process
    /// that the [`Viewer`](crate::Viewer) names, with the files of its directory `self`.
    Dir {
        /// Permission bits.
        mode: u32,
        /// Whether it belongs to the session's user, who may then write to it.
        user_owned: bool,
    },
    /// A file. The bytes are shared, not copied: they may be a slice of one large mapping.
    File {
        /// The contents.
        data: Bytes,
        /// Permission bits.
        mode: u32,
    },
    /// A symbolic link with this target.
    Symlink(String),
    /// A character device, readable and writable by all.
    Device(Device),
    /// A file that everyone may read. The [`Viewer`](crate::Viewer) of the handle that opens it knows its contents by this name.
    Computed(&'static str),
    /// A symbolic link. The [`Viewer`](crate::Viewer) of the handle that follows it knows its target by this name.
    ComputedLink(&'static str),
}

/// The directory in which the descriptors of a process appear as files.
const DESCRIPTORS: [&str; 2] = ["dev", "fd"];

/// The directory in which processes appear as directories.
const PROCESSES: [&str; 1] = ["proc"];

impl Fs {
    /// Puts one file into the base at the absolute `path`, with its parents. It is owned by root (unless it is a
    /// `user_owned` directory) and outside the quota. An existing directory gets the new mode and owner; any other
    /// file is replaced.
    ///
    /// # Errors
    /// `IsDirectory` or `NotDirectory` if the path is of another type; `Busy` in a mount; the errors of paths.
    pub fn add_base(&self, path: &str, entry: BaseEntry) -> Result<(), FsError> {
        let names = path::names(path)?;
        let now = self.now();
        let live = &mut self.lock();
        let Some((name, parents)) = names.split_last() else {
            let (BaseEntry::Dir { mode, user_owned }, Ok(root)) = (entry, live.tree.inode_mut(ROOT_INO)) else {
                return Err(FsError::IsDirectory);
            };
            (root.mode, root.uid) = (mode, if user_owned { USER } else { ROOT });
            return Ok(());
        };
        let parent = live.tree.make_directories(parents, now)?;
        let old = live.tree.entry(parent, name)?.and_then(|entry| entry.ino);
        let (kind, mode, uid) = match entry {
            BaseEntry::Dir { mode, user_owned } => {
                let uid = if user_owned { USER } else { ROOT };
                if let Some(old) = old {
                    live.tree.directory(old)?;
                    let inode = live.tree.inode_mut(old)?;
                    (inode.mode, inode.uid) = (mode, uid);
                    live.report_restored();
                    return Ok(());
                }
                let backing = if names == DESCRIPTORS {
                    Backing::Descriptors
                } else if names == PROCESSES {
                    Backing::Processes
                } else {
                    Backing::Memory
                };
                (Kind::Directory(Directory::new(parent, backing)), mode, uid)
            }
            BaseEntry::File { data, mode } => (Kind::File(Contents::shared(data)), mode, ROOT),
            BaseEntry::Symlink(target) => {
                path::check(&target)?;
                (Kind::Symlink(target.into()), 0o777, ROOT)
            }
            BaseEntry::Device(device) => (Kind::Device(device), 0o666, ROOT),
            BaseEntry::Computed(name) => (Kind::Computed(name), 0o444, ROOT),
            BaseEntry::ComputedLink(name) => (Kind::ComputedLink(name), 0o777, ROOT),
        };
        if old.is_some_and(|old| live.tree.directory(old).is_ok()) {
            return Err(FsError::IsDirectory);
        }
        let mut inode = Inode::base(kind, mode, now);
        inode.uid = uid;
        let ino = live.tree.insert(inode)?;
        live.tree.attach(parent, name, ino, false, now)?;
        live.report_restored();
        old.map_or(Ok(()), |old| live.drop_link(old, now))
    }

    /// Puts the files of a layer into the base, as [`Fs::add_base`] does with each of them. The files of a directory that
    /// only the layer has are not looked at before a program does.
    ///
    /// # Errors
    /// Those of [`Fs::add_base`]; the files before the one that fails are then in the base.
    pub fn add_layer(&self, layer: &Layer) -> Result<(), FsError> {
        let now = self.now();
        let live = &mut self.lock();
        let first = live.tree.next;
        live.tree.next += u64::from(layer.len());
        live.tree.inodes.lay(layer.clone(), first, now);
        live.report_restored();
        let root = layer.record(0);
        let Body::Directory(files) = root.body else { return Err(FsError::NotDirectory) };
        live.tree.inodes.remove(first);
        merge(live, layer, (first, now), files, ROOT_INO)
    }
}

/// Gives these files of a layer, whose root has the number `first`, their names in the directory `parent`.
fn merge(live: &mut Guard<'_>, layer: &Layer, at: (Ino, u64), files: Range<u32>, parent: Ino) -> Result<(), FsError> {
    let (first, now) = at;
    if !live.tree.directory(parent)?.backing.is_held() {
        return Err(FsError::Busy);
    }
    for number in files {
        let (record, ino) = (layer.record(number), first + u64::from(number));
        let old = live.tree.entry(parent, record.name)?.and_then(|entry| entry.ino);
        let old_directory = old.filter(|old| live.tree.directory(*old).is_ok());
        match (record.body, old_directory) {
            (Body::Directory(files), Some(old)) => {
                let inode = live.tree.inode_mut(old)?;
                (inode.mode, inode.uid) = (record.mode, ROOT);
                live.tree.inodes.remove(ino);
                // As deep as a path of the layer has names.
                merge(live, layer, at, files, old)?;
            }
            (Body::Directory(_), None) if old.is_some() => return Err(FsError::NotDirectory),
            (_, Some(_)) => return Err(FsError::IsDirectory),
            (_, None) => {
                live.tree.attach(parent, record.name, ino, false, now)?;
                if let Some(old) = old {
                    live.drop_link(old, now)?;
                }
            }
        }
    }
    Ok(())
}
