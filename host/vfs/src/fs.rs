//! The handle on a live filesystem, and the operations of the host side: create it, fill it, mount into it.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use wisp_api::FilesUsage;

use super::inode::{Backing, Directory, Inode, Kind};
use super::live::{Guard, Live};
use super::mount::MountRow;
use super::path;
use super::stat::USER;
use super::tree::Tree;
use super::{Clock, FsError, Mount, MountAccess, Quota, Refused, Viewer};

/// Is called for every refusal by the mounts of a filesystem.
pub trait Witness: Send + Sync {
    /// Hears that `mount`, given by its index in [`Fs::mounts`], refused `path`, an absolute path of the sandbox where it is
    /// known. No lock of the filesystem is held.
    fn refused(&self, mount: usize, path: &str, why: Refused);
}

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

impl Fs {
    /// Creates a filesystem that contains only `/`, owned by the user.
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

    /// Returns a handle on the same filesystem that reports to `witness` what mounts refuse to it and to the nodes it opens.
    pub fn witnessed(&self, witness: Arc<dyn Witness>) -> Self {
        Self { witness: Some(witness), ..self.clone() }
    }

    /// Returns a handle on the same filesystem whose computed files are computed by `viewer`. They cannot be opened through a
    /// handle without a viewer.
    #[must_use]
    pub fn seen_by(&self, viewer: Arc<dyn Viewer>) -> Self {
        Self { viewer: Some(viewer), ..self.clone() }
    }

    /// Returns the contents of the computed file `name` through this handle.
    pub(super) fn computed_text(&self, name: &str, process: Option<u32>) -> Result<Bytes, FsError> {
        self.viewer.as_ref().ok_or(FsError::NotPermitted)?.text(name, process)
    }

    /// Returns the target of the computed link `name` through this handle.
    pub(super) fn computed_link(&self, name: &str, process: Option<u32>) -> Result<String, FsError> {
        self.viewer.as_ref().ok_or(FsError::NotPermitted)?.link(name, process)
    }

    /// Returns the ids of the processes that `/proc` shows through this handle. Must be called without the lock.
    pub(super) fn shown_processes(&self) -> Vec<u32> {
        self.viewer.as_ref().map(|viewer| viewer.processes()).unwrap_or_default()
    }

    /// Returns whether `/proc` shows this process through this handle. Must be called without the lock.
    pub(super) fn shows_process(&self, id: u32) -> bool {
        self.viewer.as_ref().is_some_and(|viewer| viewer.has_process(id))
    }

    pub(super) fn lock(&self) -> Guard<'_> {
        self.shared.live.lock()
    }

    /// Returns the lock that is held while a file is copied up. Taken before the lock on the state.
    pub(super) fn copying(&self) -> MutexGuard<'_, ()> {
        self.shared.copying.lock()
    }

    /// Returns the lock that is held while a digest is computed. Taken before the lock on the state.
    pub(super) fn digesting(&self) -> MutexGuard<'_, ()> {
        self.shared.digesting.lock()
    }

    pub(super) fn now(&self) -> u64 {
        self.shared.clock.now()
    }

    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        self.shared.clock.clone()
    }

    /// Returns how much is stored, and the maximum.
    pub fn usage(&self) -> FilesUsage {
        self.lock().tree.ledger.usage()
    }

    /// Returns the mounts in the order they were made: guest path and access (`read`, `write` or `overlay`).
    pub fn mounts(&self) -> Vec<(String, &'static str)> {
        self.lock().tree.mounts.iter().map(|row| (row.guest.clone(), row.access.name())).collect()
    }

    /// Mounts a host directory, or a single file of the host, at the absolute path `guest`. Missing parents are
    /// created. What was at `guest` is hidden, and must have the same type. A mount can be neither above nor below
    /// another one (`Busy`), nor at the root.
    pub fn mount(&self, guest: &str, source: Arc<dyn Mount>, access: MountAccess) -> Result<(), FsError> {
        let names = path::names(guest)?;
        let now = self.now();
        let mut live = self.lock();
        let (name, parents) = names.split_last().ok_or(FsError::Busy)?;
        let guest = format!("/{}", names.join("/"));
        let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if live.tree.mounts.iter().any(|row| within(&row.guest, &guest) || within(&guest, &row.guest)) {
            return Err(FsError::Busy);
        }
        let number = u32::try_from(live.tree.mounts.len()).map_err(|_| FsError::NoSpace)?;
        let parent = live.tree.make_directories(parents, now)?;
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
