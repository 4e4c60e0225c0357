//! Directories read page by page: a guest can put as many names into one as its quota allows.

use std::ops::Bound;

use super::inode::Backing;
use super::place::{Place, reaches_host, settle};
use super::stat::{number_of, of_process};
use super::{DirEntry, FileType, FsError, Node, Stat};

/// Names, with facts where they are in memory.
type Page = Vec<(DirEntry, Option<Stat>)>;

impl Node {
    /// Reads the names in a directory that come after `after`, sorted, without `.` and `..`, at most `most`, each with the facts
    /// that [`super::Fs::stat`] returns for it (of a symbolic link itself). The first page comes after the empty name; an
    /// empty page is the end. Needs the directory's read permission, and does not hold more than the page unless the
    /// directory is in a mount of the host.
    pub fn read_dir_after(&self, after: &str, most: usize) -> Result<Vec<(DirEntry, Stat)>, FsError> {
        if self.file_type() != FileType::Directory {
            return Err(FsError::NotDirectory);
        }
        let page = match self.page_in_memory(after, most)? {
            Some(page) => page,
            None => {
                self.read_dir()?.into_iter().filter(|entry| entry.name.as_str() > after).take(most).map(|entry| (entry, None)).collect()
            }
        };
        let mut found = Vec::with_capacity(page.len());
        for (entry, stat) in page {
            let stat = match stat {
                Some(stat) => stat,
                None => match self.fs().stat(self, &entry.name, false) {
                    // Removed since its name was read, or a name of the host that is not UTF-8.
                    Err(FsError::NotFound) => continue,
                    stat => stat?,
                },
            };
            found.push((DirEntry { kind: stat.kind, ..entry }, stat));
        }
        Ok(found)
    }

    /// Returns a page of a directory whose names are all in memory; without facts where the host has them.
    fn page_in_memory(&self, after: &str, most: usize) -> Result<Option<Page>, FsError> {
        let live = self.fs().lock();
        let Place::Memory(ino) = settle(&live.tree, self.place(self.fs(), &live.tree)?)? else { return Ok(None) };
        let directory = live.tree.directory(ino)?;
        if !matches!(directory.backing, Backing::Memory) {
            return Ok(None);
        }
        if !live.tree.inode(ino)?.allows(4) {
            return Err(FsError::Access);
        }
        let process = self.process();
        let names = directory.entries.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        let page = names.filter_map(|(name, entry)| {
            let ino = entry.ino?;
            let inode = live.tree.inode(ino).ok()?;
            let stat = (!reaches_host(&live.tree, &Place::Memory(ino))).then(|| of_process(inode.stat(ino), process));
            let ino = number_of(inode.ident(ino).1, process);
            Some((DirEntry { name: name.to_string(), kind: inode.file_type(), ino }, stat))
        });
        Ok(Some(page.take(most).collect()))
    }
}
