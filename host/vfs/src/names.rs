//! Creates and removes names: directories, symbolic links, named pipes, hard links.

use super::feed::{OnHost, Report};
use super::inode::{Backing, Directory, Ino, Kind};
use super::live::Guard;
use super::mount::{HostMode, Mount, MountAccess};
use super::open::{ATTEMPTS, check_parent, make};
use super::overlay::is_empty;
use super::place::{HostPlace, Place, row};
use super::seen::Seen;
use super::tree::Tree;
use super::walk::{Last, Target, Walked, ask, change};
use super::{FileType, Fs, FsError, Node, Refused, path};

impl Fs {
    /// Makes a directory.
    pub fn mkdir(&self, at: &Node, path: &str, mode: u32) -> Result<(), FsError> {
        self.add(
            at,
            path,
            true,
            |live, parent, name, now| {
                let directory = Kind::Directory(Directory::new(parent, Backing::Memory));
                make(live, parent, name, directory, mode, now).map(drop)
            },
            |source, path| source.mkdir(path, HostMode::new(mode)),
        )
    }

    /// Makes a symbolic link at `path` with the target `target`.
    pub fn symlink(&self, at: &Node, path: &str, target: &str) -> Result<(), FsError> {
        path::check(target)?;
        self.add(
            at,
            path,
            false,
            |live, parent, name, now| make(live, parent, name, Kind::Symlink(target.into()), 0o777, now).map(drop),
            |source, path| source.symlink(path, target),
        )
    }

    /// Makes a named pipe. A pipe on the host would lead out of the sandbox, so a mount that writes through refuses it
    /// (`NotPermitted`); an overlay takes it into its upper layer. Its ends are joined by the caller: see
    /// [`FileType::Fifo`].
    pub fn mkfifo(&self, at: &Node, path: &str, mode: u32) -> Result<(), FsError> {
        self.add(
            at,
            path,
            false,
            |live, parent, name, now| make(live, parent, name, Kind::Fifo, mode, now).map(drop),
            |_, _| Err(FsError::Refused(Refused::Special)),
        )
    }

    /// Makes the name of a socket. As [`Fs::mkfifo`]: never on the host. The caller knows who listens there: see [`FileType::Socket`].
    pub fn mksocket(&self, at: &Node, path: &str, mode: u32) -> Result<(), FsError> {
        self.add(
            at,
            path,
            false,
            |live, parent, name, now| make(live, parent, name, Kind::Socket, mode, now).map(drop),
            |_, _| Err(FsError::Refused(Refused::Special)),
        )
    }

    /// Creates a new name, in memory or on the host.
    fn add(
        &self,
        at: &Node,
        path: &str,
        slash_allowed: bool,
        memory: impl Fn(&mut Guard<'_>, Ino, &str, u64) -> Result<(), FsError>,
        host: impl Fn(&dyn Mount, &str) -> Result<(), FsError>,
    ) -> Result<(), FsError> {
        for _ in 0..ATTEMPTS {
            let Walked { mut live, last, slash, .. } = self.walk(at, path, false)?;
            let Last::Name { parent, name, found: None } = last else { return Err(FsError::Exists) };
            if slash && !slash_allowed {
                return Err(FsError::NotFound);
            }
            match self.upper(live, parent, &name)? {
                Upper::Memory(guard, parent) => {
                    live = guard;
                    return memory(&mut live, parent, &name, self.now());
                }
                Upper::Host(guard, directory) => {
                    live = guard;
                    let place = HostPlace { mount: directory.mount, path: path::join(&directory.path, &name) };
                    let made = change(&mut live, place.mount, |source| host(source, &place.path));
                    drop(live);
                    self.answered(&place, made)?;
                    self.report_host(&place, OnHost::Created);
                    return Ok(());
                }
                Upper::Again => {}
            }
        }
        Err(FsError::Busy)
    }

    /// Returns where `name` in this directory is changed: in memory, or on the host if the mount grants writing.
    pub(super) fn upper<'f>(&self, live: Guard<'f>, parent: Place, name: &str) -> Result<Upper<'f>, FsError> {
        let host = match parent {
            Place::Memory(ino) => return Ok(Upper::Memory(live, ino)),
            Place::Host(host) => host,
        };
        match row(&live.tree, host.mount)?.access {
            MountAccess::Read => {
                drop(live);
                Err(self.refuse_place(&HostPlace { mount: host.mount, path: path::join(&host.path, name) }, Refused::ReadOnly))
            }
            MountAccess::Write => Ok(Upper::Host(live, host)),
            MountAccess::Overlay => {
                drop(live);
                self.copy_up_directory(&host).map(|()| Upper::Again)
            }
        }
    }

    /// Removes a name that is not a directory.
    pub fn unlink(&self, at: &Node, path: &str) -> Result<(), FsError> {
        self.remove(at, path, false)
    }

    /// Removes an empty directory.
    pub fn rmdir(&self, at: &Node, path: &str) -> Result<(), FsError> {
        self.remove(at, path, true)
    }

    fn remove(&self, at: &Node, path: &str, directory: bool) -> Result<(), FsError> {
        for _ in 0..ATTEMPTS {
            let Walked { live, last, slash, .. } = self.walk(at, path, false)?;
            let Last::Name { parent, name, found } = last else {
                return Err(if directory { FsError::Invalid } else { FsError::IsDirectory });
            };
            let found = found.ok_or(FsError::NotFound)?;
            let is_directory = match &found {
                Target::Memory(ino) => live.tree.directory(*ino).is_ok(),
                Target::Host(_, stat) => stat.kind == FileType::Directory,
                Target::Descriptor(_) => return Err(FsError::NotPermitted),
            };
            match (directory, is_directory) {
                (true, false) => return Err(FsError::NotDirectory),
                (false, true) => return Err(FsError::IsDirectory),
                (false, false) if slash => return Err(FsError::NotDirectory),
                _ => {}
            }
            match self.upper(live, parent, &name)? {
                Upper::Again => {}
                Upper::Host(mut live, parent) => {
                    let place = HostPlace { mount: parent.mount, path: path::join(&parent.path, &name) };
                    let path = &place.path;
                    ask(&mut live, place.mount, |source| if directory { source.rmdir(path) } else { source.unlink(path) })?;
                    drop(live);
                    self.report_host(&place, OnHost::Removed);
                    return Ok(());
                }
                Upper::Memory(live, parent) => {
                    if self.remove_in_memory(live, parent, &name, &found, directory)? {
                        return Ok(());
                    }
                }
            }
        }
        Err(FsError::Busy)
    }

    /// Returns false if the directory changed while the host was accessed.
    fn remove_in_memory(&self, mut live: Guard<'_>, parent: Ino, name: &str, found: &Target, directory: bool) -> Result<bool, FsError> {
        let now = self.now();
        check_parent(&live.tree, parent)?;
        match found {
            Target::Memory(ino) => {
                check_removable(&live.tree, parent, *ino)?;
                if directory && !is_empty(&mut live, *ino)? {
                    return Err(FsError::NotEmpty);
                }
                if live.tree.entry(parent, name)?.and_then(|entry| entry.ino) != Some(*ino) {
                    return Ok(false);
                }
                live.tree.detach(parent, name, now)?;
                live.drop_link(*ino, now)?;
                live.report(|| Report::Detached { parent, name: name.to_owned(), ino: Some(*ino) });
            }
            Target::Host(host, stat) => {
                if directory && !ask(&mut live, host.mount, |source| source.read_dir(&host.path))?.is_empty() {
                    return Err(FsError::NotEmpty);
                }
                if live.tree.entry(parent, name)?.is_some() {
                    return Ok(false);
                }
                live.tree.white_out(parent, name, now)?;
                live.tree.see(host.mount, &host.path, Seen::by_facts(stat));
                live.report(|| Report::Detached { parent, name: name.to_owned(), ino: None });
            }
            Target::Descriptor(_) => return Err(FsError::NotPermitted),
        }
        Ok(true)
    }

    /// Gives the file at `path` another name. `follow` decides whether a symbolic link there is followed or gets the
    /// name itself.
    pub fn link(&self, at: &Node, path: &str, follow: bool, new_at: &Node, new_path: &str) -> Result<(), FsError> {
        for _ in 0..ATTEMPTS {
            let (from_parent, from) = {
                let Walked { last, mut live, slash, .. } = self.walk(at, path, follow)?;
                let Last::Name { parent, name, found } = last else { return Err(FsError::NotPermitted) };
                if let Some(Target::Memory(ino)) = &found
                    && live.tree.mounts.iter().any(|row| row.root == *ino)
                {
                    return Err(if live.tree.directory(*ino).is_ok() { FsError::NotPermitted } else { FsError::CrossDevice });
                }
                let target = Last::Name { parent: parent.clone(), name: name.clone(), found }.target(&mut live)?;
                let is_directory = match &target {
                    Target::Memory(ino) => live.tree.directory(*ino).is_ok(),
                    Target::Host(_, stat) => stat.kind == FileType::Directory,
                    Target::Descriptor(_) => true,
                };
                match (is_directory, slash) {
                    (true, _) => return Err(FsError::NotPermitted),
                    (false, true) => return Err(FsError::NotDirectory),
                    (false, false) => (parent, target),
                }
            };
            let Walked { live, last, slash, .. } = self.walk(new_at, new_path, false)?;
            let Last::Name { parent, name, found: None } = last else { return Err(FsError::Exists) };
            if slash {
                return Err(FsError::NotFound);
            }
            if domain(&live.tree, &from_parent)? != domain(&live.tree, &parent)? {
                return Err(FsError::CrossDevice);
            }
            match (self.upper(live, parent, &name)?, from) {
                (Upper::Again, _) => {}
                (Upper::Memory(live, _), Target::Host(host, _)) => {
                    drop(live);
                    self.copy_up(&host, true)?;
                }
                (Upper::Memory(mut live, parent), Target::Memory(ino)) => {
                    check_parent(&live.tree, parent)?;
                    let inode = live.tree.inode(ino)?;
                    if !inode.owned() {
                        return Err(FsError::NotPermitted);
                    }
                    if inode.nlink == 0 {
                        return Err(FsError::NotFound);
                    }
                    let now = self.now();
                    live.tree.add_link(ino, now)?;
                    live.tree.attach(parent, &name, ino, false, now)?;
                    live.report(|| Report::Attached { parent, name, ino, silent: false });
                    return Ok(());
                }
                (Upper::Host(mut live, parent), Target::Host(host, _)) => {
                    let to = HostPlace { mount: parent.mount, path: path::join(&parent.path, &name) };
                    let made = change(&mut live, to.mount, |source| source.link(&host.path, &to.path));
                    drop(live);
                    self.answered(&to, made)?;
                    self.report_host(&to, OnHost::Created);
                    return Ok(());
                }
                (Upper::Host(..), Target::Memory(_)) | (_, Target::Descriptor(_)) => return Err(FsError::CrossDevice),
            }
        }
        Err(FsError::Busy)
    }
}

/// Where the names of a directory are changed.
pub(super) enum Upper<'f> {
    Memory(Guard<'f>, Ino),
    Host(Guard<'f>, HostPlace),
    /// It was copied up: walk again.
    Again,
}

/// Checks whether the user may remove the file `ino` from `parent`, which is writable.
pub(super) fn check_removable(tree: &Tree, parent: Ino, ino: Ino) -> Result<(), FsError> {
    if tree.mounts.iter().any(|row| row.root == ino) {
        return Err(FsError::Busy);
    }
    if tree.inode(parent)?.sticks(tree.inode(ino)?) {
        return Err(FsError::NotPermitted);
    }
    Ok(())
}

/// Returns the filesystem of a directory: 0 is memory, n + 1 is mount n. Links and renames stay within one filesystem.
pub(super) fn domain(tree: &Tree, place: &Place) -> Result<u32, FsError> {
    match place {
        Place::Memory(ino) => Ok(tree.inode(*ino)?.domain),
        Place::Host(host) => Ok(host.mount + 1),
    }
}
