//! Overlay mounts: directories in memory through which the host's names are visible. The first change to a file of
//! the host copies it up into memory (with its contents; a directory only as a place for changes). A removal leaves a
//! whiteout. Everything here that accesses the host does so without the lock, and checks the state again before it
//! changes anything.

use std::collections::BTreeMap;

use parking_lot::MutexGuard;

use super::contents::Contents;
use super::feed::Report;
use super::inode::{Backing, Directory, Ino, Inode, Kind};
use super::live::Guard;
use super::mount::{HostOpen, HostStat, MountAccess};
use super::place::{HostPlace, Place, is_single_file, row, settle};
use super::seen::Seen;
use super::stat::{USER, number_of};
use super::walk::{OWN_PROCESS, ask};
use super::{DirEntry, FileType, Fs, FsError, Node, path};

impl Fs {
    /// Makes sure that a directory of an overlay exists in memory, after its parents.
    pub(super) fn copy_up_directory(&self, host: &HostPlace) -> Result<(), FsError> {
        let mut live = self.lock();
        let row = row(&live.tree, host.mount)?;
        if row.access != MountAccess::Overlay {
            return Err(FsError::ReadOnly);
        }
        let mut at = row.root;
        let mut path = String::new();
        for name in host.path.split('/').filter(|name| !name.is_empty()) {
            path = path::join(&path, name);
            if let Some(ino) = live.tree.copied_up(host.mount, &path) {
                at = ino;
                continue;
            }
            let stat = ask(&mut live, host.mount, |source| source.stat(&path))?;
            at = match live.tree.copied_up(host.mount, &path) {
                Some(ino) => ino,
                None if stat.kind != FileType::Directory => return Err(FsError::NotDirectory),
                None => {
                    let backing = Backing::Overlay { mount: host.mount, path: path.as_str().into() };
                    let kind = Kind::Directory(Directory::new(at, backing));
                    put_up(&mut live, at, name, (host.mount, &path), kind, &stat, Seen::by_facts(&stat))?
                }
            };
        }
        Ok(())
    }

    /// Makes sure that a file of an overlay exists in memory, with its contents if `keep`.
    pub(super) fn copy_up(&self, host: &HostPlace, keep: bool) -> Result<(), FsError> {
        let Some((directory, name)) = path::split(&host.path) else { return self.copy_up_single(host, keep) };
        let directory = HostPlace { mount: host.mount, path: directory.to_owned() };
        self.copy_up_directory(&directory)?;
        let _one_at_a_time = self.copying();
        let mut live = self.lock();
        if live.tree.copied_up(host.mount, &host.path).is_some() {
            return Ok(());
        }
        let stat = ask(&mut live, host.mount, |source| source.stat(&host.path))?;
        let (kind, seen) = match stat.kind {
            FileType::Directory => {
                drop(live);
                return self.copy_up_directory(host);
            }
            FileType::Symlink => {
                let target = ask(&mut live, host.mount, |source| source.read_link(&host.path))?;
                (Kind::Symlink(target.as_str().into()), Seen::link(&target))
            }
            FileType::Regular => {
                let (contents, read) = read_host(&mut live, host, keep)?;
                (Kind::File(contents), Seen::file(&stat, read))
            }
            FileType::CharDevice | FileType::Fifo | FileType::Socket | FileType::Unknown => return Err(FsError::NotPermitted),
        };
        if live.tree.copied_up(host.mount, &host.path).is_some() {
            return Ok(());
        }
        let Place::Memory(parent) = settle(&live.tree, Place::Host(directory))? else { return Err(FsError::NotFound) };
        put_up(&mut live, parent, name, (host.mount, &host.path), kind, &stat, seen).map(drop)
    }

    /// Does the same for a mount that is a single file: the copy takes its place. Has no effect if the mount is a
    /// directory.
    fn copy_up_single(&self, host: &HostPlace, keep: bool) -> Result<(), FsError> {
        let _one_at_a_time = self.copying();
        let mut live = self.lock();
        let row = row(&live.tree, host.mount)?.clone();
        if !is_single_file(&live.tree, row.root) {
            return Ok(());
        }
        if row.access != MountAccess::Overlay {
            return Err(FsError::ReadOnly);
        }
        let stat = ask(&mut live, host.mount, |source| source.stat(&host.path))?;
        let (contents, read) = read_host(&mut live, host, keep)?;
        if !is_single_file(&live.tree, row.root) {
            // A restore happened in the meantime; the caller starts over.
            return Ok(());
        }
        live.tree.ledger.rebook(0, contents.charge());
        let inode = live.tree.inode_mut(row.root)?;
        inode.kind = Kind::File(contents);
        (inode.mode, inode.atime, inode.mtime, inode.ctime) = (stat.mode, stat.atime, stat.mtime, stat.ctime);
        inode.origin = Some(stat.ino);
        live.tree.see(host.mount, &host.path, Seen::file(&stat, read));
        Ok(())
    }

    /// Returns the names in the directory that `node` has open.
    pub(super) fn list(&self, node: &Node) -> Result<Vec<DirEntry>, FsError> {
        let mut live = self.lock();
        let place = node.place(self, &live.tree)?;
        match settle(&live.tree, place)? {
            Place::Host(host) => {
                let mut names = ask(&mut live, host.mount, |source| source.read_dir(&host.path))?;
                drop(live);
                names.sort_unstable_by(|one, other| one.name.cmp(&other.name));
                Ok(names)
            }
            Place::Memory(ino) => {
                if !live.tree.inode(ino)?.allows(4) {
                    return Err(FsError::Access);
                }
                let below = match live.tree.directory(ino)?.backing.clone() {
                    Backing::Overlay { mount, path } => ask(&mut live, mount, |source| source.read_dir(&path))?,
                    Backing::Descriptors => return Ok((0..3).map(descriptor_entry).collect()),
                    Backing::Processes => {
                        let ids = MutexGuard::unlocked(&mut live, || self.shown_processes());
                        let own = live.tree.entry(ino, OWN_PROCESS)?.and_then(|entry| entry.ino);
                        ids.into_iter().filter_map(|id| Some(process_entry(own?, id))).collect()
                    }
                    Backing::Memory | Backing::Host(_) => Vec::new(),
                };
                let process = node.process();
                let directory = live.tree.directory(ino)?;
                let above = directory.entries.iter().filter_map(|(name, entry)| {
                    let ino = entry.ino?;
                    let inode = live.tree.inode(ino).ok()?;
                    let ino = number_of(inode.ident(ino).1, process);
                    Some(DirEntry { name: name.to_string(), kind: inode.file_type(), ino })
                });
                if below.is_empty() {
                    return Ok(above.collect());
                }
                let below = below.into_iter().filter(|entry| !directory.entries.contains_key(entry.name.as_str()));
                let names: BTreeMap<String, DirEntry> = above.chain(below).map(|entry| (entry.name.clone(), entry)).collect();
                Ok(names.into_values().collect())
            }
        }
    }
}

/// The length and the digest of a host file that was read.
type Read = (u64, [u8; 32]);

/// Reads the contents of a host file, as far as the quota has room for them, and their length and digest; empty and without these unless
/// `keep`.
fn read_host(live: &mut Guard<'_>, host: &HostPlace, keep: bool) -> Result<(Contents, Option<Read>), FsError> {
    let mut contents = Contents::empty();
    if !keep {
        return Ok((contents, None));
    }
    let mut hasher = blake3::Hasher::new();
    let room = live.tree.ledger.room();
    ask(live, host.mount, |source| {
        let file = source.open(&host.path, HostOpen { read: true, ..HostOpen::default() })?;
        loop {
            let bytes = file.read_at(contents.len(), COPY)?;
            if bytes.is_empty() {
                let read = (contents.len(), *hasher.finalize().as_bytes());
                return Ok((contents, Some(read)));
            }
            hasher.update(&bytes);
            contents.write(contents.len(), &bytes, room.saturating_sub(contents.charge()), true)?;
        }
    })
}

/// Bytes of a host file that are read at a time: a whole chunk.
const COPY: usize = super::chunk::CHUNK;

/// Puts a file of the host into the upper layer. The parent's times stay: what guests see has not changed.
fn put_up(
    live: &mut Guard<'_>,
    parent: Ino,
    name: &str,
    from: (u32, &str),
    kind: Kind,
    stat: &HostStat,
    seen: Seen,
) -> Result<Ino, FsError> {
    let above = live.tree.inode(parent)?;
    if above.nlink == 0 || live.tree.entry(parent, name)?.is_some() {
        // The directory or the file itself was removed or renamed in the meantime.
        return Err(FsError::NotFound);
    }
    let (mtime, ctime) = (above.mtime, above.ctime);
    let mut inode = Inode::new(kind, stat.mode, USER, stat.mtime);
    (inode.atime, inode.ctime) = (stat.atime, stat.ctime);
    (inode.domain, inode.origin) = (from.0 + 1, Some(stat.ino));
    let ino = live.tree.insert(inode)?;
    live.tree.attach(parent, name, ino, true, mtime)?;
    live.tree.inode_mut(parent)?.ctime = ctime;
    live.tree.set_copied_up(from.0, from.1, ino);
    live.tree.see(from.0, from.1, seen);
    live.report(|| Report::Attached { parent, name: name.to_owned(), ino, silent: true });
    live.hold_copy(from.0, from.1, ino);
    Ok(ino)
}

/// Returns whether a directory in memory shows no names, including the host's. May release the lock in the meantime.
pub(super) fn is_empty(live: &mut Guard<'_>, ino: Ino) -> Result<bool, FsError> {
    if live.tree.directory(ino)?.has_visible() {
        return Ok(false);
    }
    let Backing::Overlay { mount, path } = live.tree.directory(ino)?.backing.clone() else { return Ok(true) };
    let below = ask(live, mount, |source| source.read_dir(&path))?;
    let directory = live.tree.directory(ino)?;
    Ok(!directory.has_visible() && below.iter().all(|entry| directory.entries.contains_key(entry.name.as_str())))
}

fn descriptor_entry(number: u32) -> DirEntry {
    let stat = super::node::descriptor_stat(number);
    DirEntry { name: number.to_string(), kind: FileType::CharDevice, ino: stat.ino }
}

/// Returns the entry of a process in `/proc`, where `own` is the directory that stands for it.
fn process_entry(own: Ino, id: u32) -> DirEntry {
    DirEntry { name: id.to_string(), kind: FileType::Directory, ino: number_of(own, Some(id)) }
}
