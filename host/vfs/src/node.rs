//! An open file, directory or device: what a guest's descriptor refers to.

use std::sync::Arc;

use super::computed::Text;
use super::feed::{OnHost, Report};
use super::inode::{Ino, ROOT_INO};
use super::mount::{HostFile, HostMode, MountRow};
use super::place::{HostPlace, Place, reaches_host, row, settle};
use super::stat::{MODE_BITS, USER, of_process};
use super::tree::Tree;
use super::{Device, DirEntry, FileType, Fs, FsError, Mount, MountAccess, Refused, SetTime, Stat};

/// An open inode. It outlives its last name and keeps the rights with which it was opened. Clones are the same
/// opening.
#[derive(Clone)]
pub struct Node {
    inner: Arc<Inner>,
}

struct Inner {
    fs: Fs,
    target: Held,
    kind: FileType,
    read: bool,
    write: bool,
}

/// What a node refers to.
enum Held {
    /// `process`: the process that the directory shows, if it is that of a process in `/proc`.
    Memory {
        ino: Ino,
        birth: u64,
        process: Option<u32>,
    },
    /// `overlay`: the hold is recorded, for when the file is copied up.
    Host {
        place: HostPlace,
        source: Arc<dyn Mount>,
        file: Option<Arc<dyn HostFile>>,
        ino: u64,
        overlay: bool,
    },
    Descriptor(u32),
    Computed(Text),
}

impl Drop for Inner {
    fn drop(&mut self) {
        match &self.target {
            Held::Memory { birth, .. } => self.fs.lock().release(*birth),
            Held::Host { place, overlay: true, .. } => self.fs.lock().release_below(place.mount, &place.path),
            Held::Host { .. } | Held::Descriptor(_) | Held::Computed(_) => {}
        }
    }
}

/// What was opened on the host: a file (nothing for a directory), and its number.
pub(super) struct OpenedHost {
    pub(super) file: Option<Arc<dyn HostFile>>,
    pub(super) ino: u64,
}

/// The file behind a node at the moment of one operation.
pub(super) enum Now<'n> {
    Memory(Ino),
    File(&'n dyn HostFile),
    Directory(&'n dyn Mount, &'n str),
    Descriptor(u32),
    Computed(&'n Text),
}

impl Fs {
    /// Returns the root directory.
    pub fn root(&self) -> Node {
        Node::root(self)
    }
}

impl Node {
    pub(super) fn root(fs: &Fs) -> Self {
        // The root always exists; if it did not, releasing an unknown birth would have no effect.
        let birth = fs.lock().hold(ROOT_INO).unwrap_or(u64::MAX);
        Self::memory(fs, (ROOT_INO, birth), FileType::Directory, (true, false), None)
    }

    /// Creates the node of a file in memory, open for reading and for writing. The caller has taken `birth` from `Live::hold` and
    /// has released the lock. A directory of a process in `/proc` shows this process.
    pub(super) fn memory(fs: &Fs, (ino, birth): (Ino, u64), kind: FileType, (read, write): (bool, bool), process: Option<u32>) -> Self {
        let target = Held::Memory { ino, birth, process };
        Self { inner: Arc::new(Inner { fs: fs.clone(), target, kind, read, write }) }
    }

    /// Returns a file of the mount `row`, open there, or a directory. The caller has released the lock.
    pub(super) fn host(fs: &Fs, place: HostPlace, row: MountRow, opened: OpenedHost, read: bool, write: bool) -> Self {
        let OpenedHost { file, ino } = opened;
        let kind = if file.is_some() { FileType::Regular } else { FileType::Directory };
        let overlay = row.access == MountAccess::Overlay;
        if overlay {
            fs.lock().hold_below(place.mount, &place.path);
        }
        let target = Held::Host { place, source: row.source, file, ino, overlay };
        Self { inner: Arc::new(Inner { fs: fs.clone(), target, kind, read, write }) }
    }

    pub(super) fn descriptor(fs: &Fs, number: u32, read: bool, write: bool) -> Self {
        let kind = FileType::CharDevice;
        Self { inner: Arc::new(Inner { fs: fs.clone(), target: Held::Descriptor(number), kind, read, write }) }
    }

    pub(super) fn computed(fs: &Fs, text: Text, read: bool) -> Self {
        let inner = Inner { fs: fs.clone(), target: Held::Computed(text), kind: FileType::Regular, read, write: false };
        Self { inner: Arc::new(inner) }
    }

    /// Returns the process that this directory shows, if it is that of a process in `/proc`.
    pub(super) fn process(&self) -> Option<u32> {
        match self.inner.target {
            Held::Memory { process, .. } => process,
            Held::Host { .. } | Held::Descriptor(_) | Held::Computed(_) => None,
        }
    }

    /// Returns the start of a walk from this node.
    pub(super) fn place(&self, fs: &Fs, tree: &Tree) -> Result<Place, FsError> {
        if !Arc::ptr_eq(&fs.shared, &self.inner.fs.shared) {
            return Err(FsError::BadDescriptor);
        }
        match &self.inner.target {
            Held::Memory { ino, birth, .. } => held(tree, *ino, *birth).map(Place::Memory),
            Held::Host { place, source, .. } => {
                if !Arc::ptr_eq(&row(tree, place.mount)?.source, source) {
                    return Err(FsError::BadDescriptor);
                }
                Ok(Place::Host(place.clone()))
            }
            Held::Descriptor(_) | Held::Computed(_) => Err(FsError::NotDirectory),
        }
    }

    /// Returns its place in a mount, if it was opened there.
    pub(super) fn host_place(&self) -> Option<&HostPlace> {
        match &self.inner.target {
            Held::Host { place, .. } => Some(place),
            Held::Memory { .. } | Held::Descriptor(_) | Held::Computed(_) => None,
        }
    }

    /// Returns whether it is the root directory.
    pub fn is_root(&self) -> bool {
        matches!(self.inner.target, Held::Memory { ino: ROOT_INO, .. })
    }

    /// Returns what a mount returned about it.
    fn answered<T>(&self, answer: Result<T, FsError>) -> Result<T, FsError> {
        match self.host_place() {
            Some(place) => self.inner.fs.answered(place, answer),
            None => answer,
        }
    }

    /// Reports a change on the host to the watches, if it succeeded.
    pub(super) fn reported<T>(&self, what: OnHost, done: Result<T, FsError>) -> Result<T, FsError> {
        if done.is_ok()
            && let Some(place) = self.host_place()
        {
            self.inner.fs.report_host(place, what);
        }
        done
    }

    /// Returns the object to access. If a file below an overlay was opened on the host and has since been copied up, this is
    /// the copy.
    pub(super) fn now(&self) -> Result<Now<'_>, FsError> {
        match &self.inner.target {
            Held::Memory { ino, .. } => Ok(Now::Memory(*ino)),
            Held::Descriptor(number) => Ok(Now::Descriptor(*number)),
            Held::Computed(text) => Ok(Now::Computed(text)),
            Held::Host { place, source, file, .. } => {
                let live = self.inner.fs.lock();
                if let Ok(here) = self.place(&self.inner.fs, &live.tree)
                    && let Place::Memory(ino) = settle(&live.tree, here)?
                {
                    return Ok(Now::Memory(ino));
                }
                Ok(match file {
                    Some(file) => Now::File(&**file),
                    None => Now::Directory(&**source, &place.path),
                })
            }
        }
    }

    /// Checks that the inode is still the one that this node opened.
    pub(super) fn check(&self, tree: &Tree) -> Result<(), FsError> {
        match self.inner.target {
            Held::Memory { ino, birth, .. } => held(tree, ino, birth).map(drop),
            _ => Ok(()),
        }
    }

    /// Returns the type of the file.
    pub fn file_type(&self) -> FileType {
        self.inner.kind
    }

    /// Returns which character device it is, if it is one.
    pub fn device(&self) -> Option<Device> {
        match self.inner.target {
            Held::Descriptor(number) => Some(Device::Fd(number)),
            Held::Memory { ino, .. } if self.inner.kind == FileType::CharDevice => {
                let live = self.inner.fs.lock();
                self.check(&live.tree).ok()?;
                live.tree.inode(ino).ok()?.device()
            }
            _ => None,
        }
    }

    /// Returns whether it was opened for reading.
    pub fn readable(&self) -> bool {
        self.inner.read
    }

    /// Returns whether it was opened for writing.
    pub fn writable(&self) -> bool {
        self.inner.write
    }

    /// Returns the filesystem that it belongs to.
    pub fn fs(&self) -> &Fs {
        &self.inner.fs
    }

    /// Returns whether operations on it reach the host and so belong on a thread that may block. Does not access the host.
    pub fn is_host(&self) -> bool {
        let live = self.inner.fs.lock();
        match self.place(&self.inner.fs, &live.tree).and_then(|place| settle(&live.tree, place)) {
            Ok(place) => reaches_host(&live.tree, &place),
            Err(_) => matches!(self.inner.target, Held::Host { .. }),
        }
    }

    /// Returns facts about the file.
    pub fn stat(&self) -> Result<Stat, FsError> {
        let fs = &self.inner.fs;
        match self.now()? {
            Now::Memory(ino) => {
                let live = fs.lock();
                self.check(&live.tree)?;
                Ok(of_process(live.tree.inode(ino)?.stat(ino), self.process()))
            }
            Now::File(file) => file.stat().map(|stat| self.host_stat(stat)),
            Now::Directory(source, path) => source.stat(path).map(|stat| self.host_stat(stat)),
            Now::Descriptor(number) => Ok(descriptor_stat(number)),
            Now::Computed(text) => Ok(text.stat),
        }
    }

    fn host_stat(&self, stat: super::HostStat) -> Stat {
        let mount = match &self.inner.target {
            Held::Host { place, .. } => place.mount,
            _ => 0,
        };
        stat.to_stat(mount)
    }

    /// Returns the device and inode number: equal for two nodes if and only if they are the same file. Does not access the host.
    pub fn ident(&self) -> Result<(u64, u64), FsError> {
        match &self.inner.target {
            Held::Host { place, ino, .. } => Ok((2 + u64::from(place.mount), *ino)),
            Held::Memory { .. } | Held::Descriptor(_) | Held::Computed(_) => self.stat().map(|stat| (stat.dev, stat.ino)),
        }
    }

    /// Sets the permission bits. Only the owner may do this.
    pub fn set_mode(&self, mode: u32) -> Result<(), FsError> {
        self.set(
            |inode, now| {
                (inode.mode, inode.ctime) = (mode & MODE_BITS, now);
                Ok(())
            },
            |file| file.set_mode(HostMode::new(mode)),
            |source, path| source.set_mode(path, HostMode::new(mode)),
        )
    }

    /// Sets the times. Only the owner may do this.
    pub fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<(), FsError> {
        self.set(
            |inode, now| {
                inode.set_times(atime, mtime, now);
                Ok(())
            },
            |file| file.set_times(atime, mtime),
            |source, path| source.set_times(path, atime, mtime),
        )
    }

    /// Changes attributes in memory, on the host after a check of the mount's access, or in an overlay after copying
    /// up.
    fn set(
        &self,
        memory: impl Fn(&mut super::inode::Inode, u64) -> Result<(), FsError>,
        file: impl Fn(&dyn HostFile) -> Result<(), FsError>,
        directory: impl Fn(&dyn Mount, &str) -> Result<(), FsError>,
    ) -> Result<(), FsError> {
        let fs = &self.inner.fs;
        if let Held::Host { place, .. } = &self.inner.target {
            let access = row(&fs.lock().tree, place.mount)?.access;
            match access {
                MountAccess::Read => return Err(fs.refuse_place(place, Refused::ReadOnly)),
                MountAccess::Write => {}
                MountAccess::Overlay => fs.copy_up(place, true)?,
            }
        }
        match self.now()? {
            Now::Memory(ino) => {
                let now = fs.now();
                let mut live = fs.lock();
                self.check(&live.tree)?;
                if !live.tree.inode(ino)?.owned() {
                    return Err(FsError::NotPermitted);
                }
                memory(live.tree.inode_mut(ino)?, now)?;
                live.report(|| Report::Attributes(ino));
                Ok(())
            }
            Now::File(open) => self.reported(OnHost::Attributes, self.answered(file(open))),
            Now::Directory(source, path) => self.reported(OnHost::Attributes, self.answered(directory(source, path))),
            Now::Descriptor(_) | Now::Computed(_) => Err(FsError::NotPermitted),
        }
    }

    /// Reads the names in a directory, sorted, without `.` and `..`. Needs the directory's read permission, but not a node
    /// opened for reading.
    pub fn read_dir(&self) -> Result<Vec<DirEntry>, FsError> {
        if self.inner.kind != FileType::Directory {
            return Err(FsError::NotDirectory);
        }
        self.inner.fs.list(self)
    }
}

/// Returns the inode, if it still has that birth. The root always matches.
fn held(tree: &Tree, ino: Ino, birth: u64) -> Result<Ino, FsError> {
    match tree.inode(ino) {
        Ok(inode) if inode.birth == birth || ino == ROOT_INO => Ok(ino),
        _ => Err(FsError::BadDescriptor),
    }
}

/// Returns what `stat` returns for a name in `/dev/fd`, which has no inode.
pub(super) fn descriptor_stat(number: u32) -> Stat {
    Stat {
        dev: 1,
        // Above every number counted from 1, below the mark of an overlay's upper layer.
        ino: 1 << 62 | u64::from(number),
        kind: FileType::CharDevice,
        mode: 0o620,
        nlink: 1,
        uid: USER,
        gid: USER,
        size: 0,
        blocks: 0,
        atime: 0,
        mtime: 0,
        ctime: 0,
    }
}
