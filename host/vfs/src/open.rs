//! Opens and inspects files: turns a path into a node or a `stat` record.

use bytes::Bytes;

use super::computed::Text;
use super::contents::Contents;
use super::feed::{OnHost, Report};
use super::inode::{Backing, Ino, Inode, Kind};
use super::live::Guard;
use super::mount::{HostMode, HostOpen, HostStat, MountAccess};
use super::node::{OpenedHost, descriptor_stat};
use super::place::{HostPlace, Place, row};
use super::stat::{USER, of_process};
use super::tree::Tree;
use super::walk::{Last, Target, Walked, ask};
use super::{FileType, Fs, FsError, Node, OpenHow, Refused, Stat};

/// How often an operation starts over because something was copied up for it, or changed while the host was accessed.
/// An operation needs at most three starts of its own; the rest allows for concurrent changes. Without a limit, a
/// guest could keep the loop running.
pub(super) const ATTEMPTS: usize = 16;

impl Fs {
    /// Opens the file at `path`, or creates it.
    pub fn open(&self, at: &Node, path: &str, how: OpenHow) -> Result<Node, FsError> {
        if how.create && how.directory {
            return Err(FsError::Invalid);
        }
        let fresh = how.create && how.exclusive;
        for _ in 0..ATTEMPTS {
            let Walked { live, last, slash, process } = self.walk(at, path, how.follow && !fresh)?;
            if fresh && last.exists() {
                return Err(FsError::Exists);
            }
            let opened = match last {
                Last::Name { found: None, .. } if !how.create => Err(FsError::NotFound),
                Last::Name { found: None, .. } if slash => Err(FsError::IsDirectory),
                Last::Name { parent, name, found: None } => self.create(live, parent, &name, how),
                found => self.open_found(live, found, (slash, process), how),
            }?;
            if let Some(node) = opened {
                return Ok(node);
            }
        }
        Err(FsError::Busy)
    }

    /// Opens what was found; `None` if something was copied up and the caller must start over. The same holds for the next three functions.
    /// The path ended in `/` (`slash`), and was in the directory of this process in `/proc`.
    fn open_found(
        &self,
        mut live: Guard<'_>,
        last: Last,
        (slash, process): (bool, Option<u32>),
        how: OpenHow,
    ) -> Result<Option<Node>, FsError> {
        match last.target(&mut live)? {
            Target::Memory(ino) => self.open_memory(live, ino, how, (slash, process)),
            Target::Host(_, stat) if slash && stat.kind != FileType::Directory => Err(FsError::NotDirectory),
            Target::Host(host, stat) => self.open_host(live, host, &stat, how),
            Target::Descriptor(_) if how.directory || slash => Err(FsError::NotDirectory),
            Target::Descriptor(number) => {
                drop(live);
                Ok(Some(Node::descriptor(self, number, how.read, how.write)))
            }
        }
    }

    fn open_memory(
        &self,
        mut live: Guard<'_>,
        ino: Ino,
        how: OpenHow,
        (slash, process): (bool, Option<u32>),
    ) -> Result<Option<Node>, FsError> {
        let inode = live.tree.inode(ino)?;
        let kind = inode.file_type();
        check_kind(kind, how, slash)?;
        let changes = how.write || how.truncate;
        if (how.read && !inode.allows(4)) || (changes && !inode.allows(2)) {
            return Err(FsError::Access);
        }
        if let Kind::Computed(name) = inode.kind {
            let mut stat = of_process(inode.stat(ino), process);
            drop(live);
            let bytes = if how.read { self.computed_text(name, process)? } else { Bytes::new() };
            stat.size = bytes.len() as u64;
            return Ok(Some(Node::computed(self, Text { bytes, stat }, how.read)));
        }
        if how.truncate && kind == FileType::Regular {
            let now = self.now();
            live.tree.change(ino, now, |contents, room| contents.set_len(0, room))?;
            live.report(|| Report::Written(ino));
        }
        let birth = live.hold(ino)?;
        drop(live);
        Ok(Some(Node::memory(self, (ino, birth), kind, (how.read, how.write), process)))
    }

    fn open_host(&self, live: Guard<'_>, host: HostPlace, stat: &HostStat, how: OpenHow) -> Result<Option<Node>, FsError> {
        let fits = check_kind(stat.kind, how, false).and(match stat.kind {
            // A process of the host may hold the other end.
            FileType::Fifo => Err(FsError::Refused(Refused::Special)),
            _ => Ok(()),
        });
        let row = row(&live.tree, host.mount)?.clone();
        drop(live);
        self.answered(&host, fits)?;
        if stat.kind == FileType::Directory {
            return Ok(Some(Node::host(self, host, row, OpenedHost { file: None, ino: stat.ino }, how.read, false)));
        }
        if how.write || how.truncate {
            match row.access {
                MountAccess::Read => return Err(self.refuse_place(&host, Refused::ReadOnly)),
                MountAccess::Write => {}
                MountAccess::Overlay => return self.copy_up(&host, !how.truncate).map(|()| None),
            }
        }
        let asked = HostOpen { read: how.read, write: how.write, truncate: how.truncate, ..HostOpen::default() };
        let file = self.answered(&host, row.source.open(&host.path, asked))?;
        if how.truncate {
            self.report_host(&host, OnHost::Written);
        }
        let opened = OpenedHost { ino: file.stat()?.ino, file: Some(file) };
        Ok(Some(Node::host(self, host, row, opened, how.read, how.write)))
    }

    fn create(&self, mut live: Guard<'_>, parent: Place, name: &str, how: OpenHow) -> Result<Option<Node>, FsError> {
        let parent = match parent {
            Place::Memory(parent) => parent,
            Place::Host(directory) => {
                let row = row(&live.tree, directory.mount)?.clone();
                drop(live);
                let host = HostPlace { mount: directory.mount, path: super::path::join(&directory.path, name) };
                match row.access {
                    MountAccess::Read => return Err(self.refuse_place(&host, Refused::ReadOnly)),
                    MountAccess::Overlay => return self.copy_up_directory(&directory).map(|()| None),
                    MountAccess::Write => {}
                }
                let OpenHow { read, write, exclusive, truncate, mode, .. } = how;
                let asked = HostOpen { read, write, create: true, exclusive, truncate, mode: HostMode::new(mode) };
                let file = self.answered(&host, row.source.open(&host.path, asked))?;
                self.report_host(&host, OnHost::Created);
                let opened = OpenedHost { ino: file.stat()?.ino, file: Some(file) };
                return Ok(Some(Node::host(self, host, row, opened, read, write)));
            }
        };
        let ino = make(&mut live, parent, name, Kind::File(Contents::empty()), how.mode, self.now())?;
        let birth = live.hold(ino)?;
        drop(live);
        Ok(Some(Node::memory(self, (ino, birth), FileType::Regular, (how.read, how.write), None)))
    }

    /// Creates a file without a name, open for reading and writing. It counts in the quota and is removed with its last node.
    pub fn anonymous(&self) -> Result<Node, FsError> {
        let inode = Inode::new(Kind::File(Contents::empty()), 0o600, USER, self.now());
        let (ino, birth) = self.lock().insert_nameless(inode)?;
        Ok(Node::memory(self, (ino, birth), FileType::Regular, (true, true), None))
    }

    /// Returns facts about the file at `path`. Without `follow`, about a symbolic link itself.
    pub fn stat(&self, at: &Node, path: &str, follow: bool) -> Result<Stat, FsError> {
        let Walked { mut live, last, slash, process } = self.walk(at, path, follow)?;
        let stat = match last.target(&mut live)? {
            Target::Memory(ino) => of_process(live.tree.inode(ino)?.stat(ino), process),
            Target::Host(host, stat) => stat.to_stat(host.mount),
            Target::Descriptor(number) => descriptor_stat(number),
        };
        if slash && stat.kind != FileType::Directory { Err(FsError::NotDirectory) } else { Ok(stat) }
    }

    /// Returns the target of a symbolic link, as written.
    pub fn readlink(&self, at: &Node, path: &str) -> Result<String, FsError> {
        let Walked { mut live, last, process, .. } = self.walk(at, path, false)?;
        match last.target(&mut live)? {
            Target::Memory(ino) => match &live.tree.inode(ino)?.kind {
                Kind::Symlink(target) => Ok(target.to_string()),
                Kind::ComputedLink(name) => {
                    let name = *name;
                    drop(live);
                    self.computed_link(name, process)
                }
                _ => Err(FsError::Invalid),
            },
            Target::Host(host, stat) if stat.kind == FileType::Symlink => ask(&mut live, host.mount, |source| source.read_link(&host.path)),
            Target::Host(..) | Target::Descriptor(_) => Err(FsError::Invalid),
        }
    }
}

/// Checks whether a file of this kind can be opened in this way.
fn check_kind(kind: FileType, how: OpenHow, slash: bool) -> Result<(), FsError> {
    match kind {
        // A link that should be followed has been followed.
        FileType::Symlink => Err(if how.directory { FsError::NotDirectory } else { FsError::Loop }),
        FileType::Directory if how.write || how.truncate || how.create => Err(FsError::IsDirectory),
        FileType::Directory => Ok(()),
        _ if how.directory || slash => Err(FsError::NotDirectory),
        // Only the host has these.
        FileType::Unknown => Err(FsError::Refused(Refused::Special)),
        FileType::Socket if how.read || how.write => Err(FsError::NoDevice),
        FileType::Regular | FileType::CharDevice | FileType::Fifo | FileType::Socket => Ok(()),
    }
}

/// Checks whether names can be added to and removed from a directory in memory.
pub(super) fn check_parent(tree: &Tree, parent: Ino) -> Result<(), FsError> {
    let inode = tree.inode(parent)?;
    if inode.nlink == 0 {
        return Err(FsError::NotFound);
    }
    if !inode.allows(3) {
        return Err(FsError::Access);
    }
    match tree.directory(parent)?.backing {
        Backing::Descriptors => Err(FsError::NotPermitted),
        _ => Ok(()),
    }
}

/// Creates a new file in memory, in the domain of its parent.
pub(super) fn make(live: &mut Guard<'_>, parent: Ino, name: &str, kind: Kind, mode: u32, now: u64) -> Result<Ino, FsError> {
    check_parent(&live.tree, parent)?;
    let mut inode = Inode::new(kind, mode, USER, now);
    inode.domain = live.tree.inode(parent)?.domain;
    let ino = live.tree.insert(inode)?;
    live.tree.attach(parent, name, ino, false, now)?;
    live.report(|| Report::Attached { parent, name: name.to_owned(), ino, silent: false });
    Ok(ino)
}
