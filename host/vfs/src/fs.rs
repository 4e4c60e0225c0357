//! The handle on a live filesystem, and the operations of the host side: create it, fill it, mount into it.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};

use super::contents::Contents;
use super::inode::{Backing, Directory, Inode, Kind, ROOT_INO};
use super::live::Live;
use super::mount::MountRow;
use super::path::{self, MAX_NAME};
use super::stat::{ROOT, USER};
use super::tree::Tree;
use super::walk::Guard;
use super::{Clock, Device, FsError, Mount, MountAccess, Node, Quota, Usage, Viewer, Witness};

/// One live filesystem. Clones are handles on the same filesystem; [`Fs::fork`] makes an independent one.
#[derive(Clone)]
pub struct Fs {
    pub(super) shared: Arc<Shared>,
    /// Computes the contents of computed files.
    pub(super) viewer: Option<Arc<dyn Viewer>>,
    /// Is called for what mounts refuse to this handle.
    pub(super) witness: Option<Arc<dyn Witness>>,
}

pub(super) struct Shared {
    live: Mutex<Live>,
    clock: Arc<dyn Clock>,
    /// Held while a host file is copied up. Its bytes are charged only when the copy is complete: many copies at
    /// once, each up to the quota, would hold many times the quota.
    copying: Mutex<()>,
    /// Held while a digest is computed.
    digesting: Mutex<()>,
    /// How many watch.
    pub(super) watches: AtomicUsize,
}

/// An entry that [`Fs::add_base`] adds to the filesystem.
#[derive(Debug, Clone)]
pub enum BaseEntry {
    /// A directory. `/dev/fd` becomes the directory of the caller's own descriptors.
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
    /// A file that everyone may read. The [`Viewer`] of the handle that opens it knows its contents by this name.
    Computed(&'static str),
    /// A symbolic link. The [`Viewer`] of the handle that follows it knows its target by this name.
    ComputedLink(&'static str),
}

/// The directory in which the descriptors of a process appear as files.
const DESCRIPTORS: [&str; 2] = ["dev", "fd"];

impl Fs {
    /// A filesystem that contains only `/`, owned by the user.
    pub fn new(quota: Quota, clock: Arc<dyn Clock>) -> Self {
        let tree = Tree::new(quota, clock.now());
        Self::with_tree(tree, clock)
    }

    pub(super) fn with_tree(tree: Tree, clock: Arc<dyn Clock>) -> Self {
        let shared = Arc::new(Shared {
            live: Mutex::new(Live::new(tree)),
            clock,
            copying: Mutex::new(()),
            digesting: Mutex::new(()),
            watches: AtomicUsize::new(0),
        });
        Self { shared, viewer: None, witness: None }
    }

    /// The root directory.
    pub fn root(&self) -> Node {
        Node::root(self)
    }

    pub(super) fn lock(&self) -> Guard<'_> {
        self.shared.live.lock()
    }

    /// Held while a file is copied up. Taken before the lock on the state.
    pub(super) fn copying(&self) -> MutexGuard<'_, ()> {
        self.shared.copying.lock()
    }

    /// Held while a digest is computed. Taken before the lock on the state.
    pub(super) fn digesting(&self) -> MutexGuard<'_, ()> {
        self.shared.digesting.lock()
    }

    pub(super) fn now(&self) -> u64 {
        self.shared.clock.now()
    }

    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        self.shared.clock.clone()
    }

    /// How much is stored, and the maximum.
    pub fn usage(&self) -> Usage {
        self.lock().tree.ledger.usage()
    }

    /// The mounts in the order they were made: guest path and access (`read`, `write` or `overlay`).
    pub fn mounts(&self) -> Vec<(String, &'static str)> {
        self.lock().tree.mounts.iter().map(|row| (row.guest.clone(), row.access.name())).collect()
    }

    /// Puts one file into the base layer, as [`BaseLayer::add`] does.
    pub fn add_base(&self, path: &str, entry: BaseEntry) -> Result<(), FsError> {
        self.base_layer().add(path, entry)
    }

    /// The base layer, to put many files into it. The filesystem is locked until the value is dropped.
    pub fn base_layer(&self) -> BaseLayer<'_> {
        BaseLayer { now: self.now(), live: self.lock(), last: None }
    }

    /// Mounts a host directory, or a single file of the host, at the absolute path `guest`. Missing parents are
    /// created. What was at `guest` is hidden, and must have the same type. A mount can be neither above nor below
    /// another one (`Busy`), nor at the root.
    pub fn mount(&self, guest: &str, source: Arc<dyn Mount>, access: MountAccess) -> Result<(), FsError> {
        let names = names(guest)?;
        let now = self.now();
        let mut live = self.lock();
        let (name, parents) = names.split_last().ok_or(FsError::Busy)?;
        let guest = format!("/{}", names.join("/"));
        let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if live.tree.mounts.iter().any(|row| within(&row.guest, &guest) || within(&guest, &row.guest)) {
            return Err(FsError::Busy);
        }
        let number = u32::try_from(live.tree.mounts.len()).map_err(|_| FsError::NoSpace)?;
        let parent = base_directories(&mut live, parents, now)?;
        if let Some(old) = live.tree.entry(parent, name)?.and_then(|entry| entry.ino) {
            match live.tree.directory(old) {
                Ok(_) if source.is_file() => return Err(FsError::IsDirectory),
                Err(error) if !source.is_file() => return Err(error),
                _ => {}
            }
        }
        let kind = match access {
            _ if source.is_file() => Kind::Mounted(number),
            MountAccess::Overlay => Kind::Directory(Directory::new(parent, Backing::Overlay { mount: number, path: "".into() })),
            MountAccess::Read | MountAccess::Write => Kind::Directory(Directory::new(parent, Backing::Host(number))),
        };
        let mut inode = Inode::base(kind, 0o755, now);
        (inode.uid, inode.domain) = (USER, number + 1);
        // The directory that was there stays in the table; the mount hides it for good.
        let root = live.tree.insert(inode)?;
        live.tree.attach(parent, name, root, false, now)?;
        Arc::make_mut(&mut live.tree.mounts).push(MountRow { guest, source, access, root });
        live.report_restored();
        Ok(())
    }
}

/// The base layer of a filesystem while files are put into it.
pub struct BaseLayer<'fs> {
    live: Guard<'fs>,
    now: u64,
    /// The directory of the last file, by path and number: files of one directory often follow each other. It stays what
    /// it is, because nothing here removes a directory.
    last: Option<(String, u64)>,
}

impl BaseLayer<'_> {
    /// Puts a file of the base layer at the absolute `path`, with its parents. It is owned by root (unless it is a
    /// `user_owned` directory) and outside the quota. An existing directory gets the new mode and owner; any other
    /// file is replaced.
    pub fn add(&mut self, path: &str, entry: BaseEntry) -> Result<(), FsError> {
        let names = names(path)?;
        let (live, now) = (&mut self.live, self.now);
        let Some((name, parents)) = names.split_last() else {
            let (BaseEntry::Dir { mode, user_owned }, Ok(root)) = (entry, live.tree.inode_mut(ROOT_INO)) else {
                return Err(FsError::IsDirectory);
            };
            (root.mode, root.uid) = (mode, if user_owned { USER } else { ROOT });
            return Ok(());
        };
        let folder = path.trim_end_matches('/').rsplit_once('/').map_or("", |(folder, _)| folder);
        let parent = match &self.last {
            Some((last, parent)) if last == folder => *parent,
            _ => {
                let parent = base_directories(live, parents, now)?;
                self.last = Some((folder.to_owned(), parent));
                parent
            }
        };
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
                let backing = if names == DESCRIPTORS { Backing::Descriptors } else { Backing::Memory };
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
}

/// The components of an absolute path that the host side names: no `.` or `..`.
fn names(path: &str) -> Result<Vec<&str>, FsError> {
    path::check(path)?;
    if !path.starts_with('/') {
        return Err(FsError::Invalid);
    }
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    if names.iter().any(|name| matches!(*name, "." | "..")) {
        return Err(FsError::Invalid);
    }
    if names.iter().any(|name| name.len() > MAX_NAME) {
        return Err(FsError::NameTooLong);
    }
    Ok(names)
}

/// The directory to which these names lead from the root; missing ones are created. Symbolic links and mounts are not
/// followed.
fn base_directories(live: &mut Guard<'_>, names: &[&str], now: u64) -> Result<u64, FsError> {
    let mut at = ROOT_INO;
    for name in names {
        at = match live.tree.entry(at, name)?.and_then(|entry| entry.ino) {
            Some(ino) => ino,
            None => {
                let ino = live.tree.insert(Inode::base(Kind::Directory(Directory::new(at, Backing::Memory)), 0o755, now))?;
                live.tree.attach(at, name, ino, false, now)?;
                ino
            }
        };
        if !matches!(live.tree.directory(at)?.backing, Backing::Memory) {
            return Err(FsError::Busy);
        }
    }
    Ok(at)
}
