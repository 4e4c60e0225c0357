//! Overlays whose changes a program writes back to the host: what it has to know of the host meanwhile, and how the overlay is
//! brought in line with a host that has the changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::inode::{Backing, Directory, Ino, Kind};
use super::mount::HostStat;
use super::place::row;
use super::seen::{Seen, on_host};
use super::tree::Tree;
use super::{FileType, Fs, FsError, Snapshot, path};

impl Snapshot {
    /// Returns facts about the host's file at `path`, relative to the overlay with this number; `None` if there is none.
    ///
    /// # Errors
    /// If the host cannot tell, or there is no such overlay.
    pub fn host_stat(&self, mount: usize, path: &str) -> Result<Option<HostStat>, FsError> {
        on_host(&*self.overlay(mount)?.1, path)
    }

    /// Returns the names in the host's directory at `path`, relative to the overlay with this number.
    ///
    /// # Errors
    /// If the host cannot list it, or there is no such overlay.
    pub fn host_names(&self, mount: usize, path: &str) -> Result<Vec<String>, FsError> {
        Ok(self.overlay(mount)?.1.read_dir(path)?.into_iter().map(|entry| entry.name).collect())
    }

    /// Returns the target of the host's symbolic link at `path`, relative to the overlay with this number; `None` if it is none.
    ///
    /// # Errors
    /// If the host cannot read it, or there is no such overlay.
    pub fn host_link(&self, mount: usize, path: &str) -> Result<Option<String>, FsError> {
        let source = self.overlay(mount)?.1;
        let link = on_host(&*source, path)?.is_some_and(|stat| stat.kind == FileType::Symlink);
        link.then(|| source.read_link(path)).transpose()
    }
}

impl Fs {
    /// Notes that the host has, at these paths relative to the mount with this number, what the overlay shows there: somebody
    /// wrote it to the host.
    ///
    /// # Errors
    /// If there is no such overlay.
    pub fn note_applied<'p>(&self, mount: usize, paths: impl IntoIterator<Item = &'p str>) -> Result<(), FsError> {
        let number = self.snapshot().overlay(mount)?.0;
        for path in paths {
            let mut live = self.lock();
            let seen = match live.tree.held(number, path)?.and_then(|entry| entry.ino) {
                Some(ino) => Seen::of_inode(live.tree.inode(ino)?),
                None => Some(Seen::Nothing),
            };
            if let Some(seen) = seen {
                live.tree.seen.remove_mut(&(number, Arc::from(path)));
                live.tree.see(number, path, seen);
            }
            // Removed by the session, it would come back: the host has it now.
            if let Some((directory, name)) = path::split(path)
                && let Some(ino) = live.tree.over(number, directory)?
            {
                live.tree.cover(ino, name)?;
            }
        }
        Ok(())
    }

    /// Forgets everything that was changed in the mount with this number: it shows what the host has. Open nodes of files
    /// that were changed there stop working.
    ///
    /// # Errors
    /// If there is no such overlay.
    pub fn reset_overlay(&self, mount: usize) -> Result<(), FsError> {
        let number = self.snapshot().overlay(mount)?.0;
        let mut live = self.lock();
        let tree = &mut live.tree;
        let (root, single) = (row(tree, number)?.root, row(tree, number)?.source.is_file());
        if single {
            let charge = tree.inode(root)?.charge();
            tree.ledger.rebook(charge, 0);
            let inode = tree.inode_mut(root)?;
            (inode.kind, inode.origin) = (Kind::Mounted(number), None);
        } else {
            tree.empty(root)?;
        }
        tree.origins = tree.origins.iter().filter(|((of, _), _)| *of != number).map(|(key, ino)| (key.clone(), *ino)).collect();
        tree.seen = tree.seen.iter().filter(|((of, _), _)| *of != number).map(|(key, seen)| (key.clone(), seen.clone())).collect();
        live.report_restored();
        Ok(())
    }
}

impl Tree {
    /// Returns the directory in memory that shows the names of the host's directory at `path`, in the same place.
    fn over(&self, mount: u32, path: &str) -> Result<Option<Ino>, FsError> {
        let ino = if path.is_empty() { Some(row(self, mount)?.root) } else { self.held(mount, path)?.and_then(|entry| entry.ino) };
        let shows = |ino: &Ino| {
            let backing = self.directory(*ino).map(|directory| &directory.backing);
            matches!(backing, Ok(Backing::Overlay { path: at, .. }) if **at == *path)
        };
        Ok(ino.filter(shows))
    }

    /// Removes everything that a directory holds, with what is below it.
    fn empty(&mut self, top: Ino) -> Result<(), FsError> {
        let mut pending = vec![top];
        let mut names = BTreeMap::<Ino, u64>::new();
        while let Some(ino) = pending.pop() {
            let Kind::Directory(directory) = &mut self.inode_mut(ino)?.kind else { continue };
            let entries = std::mem::replace(directory, Directory::new(directory.parent, directory.backing.clone())).entries;
            for entry in entries.values() {
                match entry.ino {
                    Some(child) => {
                        *names.entry(child).or_default() += 1;
                        pending.push(child);
                    }
                    None => self.ledger.give_file(0),
                }
            }
        }
        for (ino, names) in names {
            // Each further name of a file was charged as one.
            for _ in 1..names {
                self.ledger.give_file(0);
            }
            self.free(ino);
        }
        self.inode_mut(top)?.nlink = 2;
        Ok(())
    }
}
