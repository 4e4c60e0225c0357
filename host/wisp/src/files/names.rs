//! Everything that has a name: directories, links, renaming, copying, removing.

use std::collections::VecDeque;

use super::error::{At, Done, Failed};
use super::path::{absolute, join, within};
use super::read::PIECE;
use super::view::View;
use super::walk::{PAGE, Step, Walk};
use super::write::{NEW_DIRECTORY, WriteMode, WriteOptions};
use super::{Files, FilesError, FilesOperation, FilesReason};
use wisp_vfs::{DirEntry, FileType, FsError, Node, OpenHow, Stat};

/// Maximum files that one call copies or removes: a session has fewer by default, and a guest that makes files while
/// they are removed does not keep the call running.
const MAX_TREE: u64 = 10_000_000;

impl Files {
    /// Returns facts about the file at `path`. A symbolic link is followed.
    ///
    /// # Errors
    /// If there is no such file.
    pub async fn stat(&self, path: &str) -> Result<Stat, FilesError> {
        self.stat_how(path, true).await
    }

    /// Returns facts about the file at `path`, of a symbolic link itself.
    ///
    /// # Errors
    /// If there is no such file.
    pub async fn stat_link(&self, path: &str) -> Result<Stat, FilesError> {
        self.stat_how(path, false).await
    }

    async fn stat_how(&self, path: &str, follow: bool) -> Result<Stat, FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        self.run(FilesOperation::Stat, path, host, move |view, path| Ok(view.fs.stat(&view.root, path, follow)?)).await
    }

    /// Returns the absolute path of an existing file, without `.`, `..` and symbolic links.
    ///
    /// # Errors
    /// If there is no such file, or a link leads out of a mount.
    pub async fn canonical(&self, path: &str) -> Result<String, FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        self.run(FilesOperation::Stat, path, host, |view, path| Ok(view.canonical(path)?)).await
    }

    /// Makes the directory `path`, with mode 0755. Its parent must exist.
    ///
    /// # Errors
    /// `FsError::Exists` if there is something of that name.
    pub async fn mkdir(&self, path: &str) -> Result<(), FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        self.run(FilesOperation::MakeDirectory, path, host, |view, path| Ok(view.fs.mkdir(&view.root, path, NEW_DIRECTORY)?)).await
    }

    /// Makes the directory `path` and those above it, as far as they are missing, with mode 0755.
    ///
    /// # Errors
    /// `FsError::NotDirectory` if one of them is something else.
    pub async fn mkdir_all(&self, path: &str) -> Result<(), FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        self.run(FilesOperation::MakeDirectory, path, host, View::make_directories).await
    }

    /// Gives the file `from` the name `to`, in place of the file (or empty directory) that has it. Readers of `to` see
    /// one or the other.
    ///
    /// # Errors
    /// `FsError::CrossDevice` if one is in a mount and the other is not: copy, then remove.
    pub async fn rename(&self, from: &str, to: &str) -> Result<(), FilesError> {
        let (from, to) = (absolute(from), absolute(to));
        let host = self.is_host(&from) || self.is_host(&to);
        self.run(FilesOperation::Rename, from, host, move |view, from| Ok(view.fs.rename(&view.root, from, &view.root, &to)?)).await
    }

    /// Copies the file `from` to `to`, which it replaces in one step; or the directory `from`, with all below it, to
    /// `to`, which must not exist. Modes are kept, symbolic links are copied as links, named pipes as new pipes, devices are
    /// left out. What is mounted below `from` is not copied.
    ///
    /// # Errors
    /// If `to` is inside of `from`, or one of the files cannot be read or written: the error names it, and what had been
    /// copied until then stays.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), FilesError> {
        let (from, to) = (absolute(from), absolute(to));
        self.run(FilesOperation::Copy, from, true, move |view, from| view.copy(from, &to)).await
    }

    /// Removes the file or the empty directory at `path`. A symbolic link is removed itself.
    ///
    /// # Errors
    /// `FsError::NotEmpty` for a directory with something in it: [`Files::remove_tree`].
    pub async fn remove(&self, path: &str) -> Result<(), FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        let remove = |view: &View, path: &str| -> Done<()> {
            let directory = view.fs.stat(&view.root, path, false)?.kind == FileType::Directory;
            Ok(if directory { view.fs.rmdir(&view.root, path) } else { view.fs.unlink(&view.root, path) }?)
        };
        self.run(FilesOperation::Remove, path, host, remove).await
    }

    /// Removes the file at `path`, or the directory with everything below it. Symbolic links are removed, not followed.
    ///
    /// # Errors
    /// `FsError::Busy`, before anything is removed, if something is mounted below it. If one of the files cannot be
    /// removed, the error names it, and what had been removed until then is gone.
    pub async fn remove_tree(&self, path: &str) -> Result<(), FilesError> {
        self.run(FilesOperation::Remove, absolute(path), true, View::remove_tree).await
    }

    /// Sets the permission bits (at most `0o7777`; in a mount of the host, `0o777`) of the file at `path`. Symbolic links
    /// are followed.
    ///
    /// # Errors
    /// If the file is not the user's own.
    pub async fn set_mode(&self, path: &str, mode: u32) -> Result<(), FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        self.run(FilesOperation::SetMode, path, host, move |view, path| Ok(view.fs.set_mode(&view.root, path, true, mode)?)).await
    }

    /// Makes a symbolic link at `path` with the text `target`, which need not exist. Where it leads is decided when it is
    /// followed.
    ///
    /// # Errors
    /// `FsError::Exists` if there is something of that name.
    pub async fn symlink(&self, target: &str, path: &str) -> Result<(), FilesError> {
        let (path, target) = (absolute(path), target.to_owned());
        let host = self.is_host(&path);
        self.run(FilesOperation::Symlink, path, host, move |view, path| Ok(view.fs.symlink(&view.root, path, &target)?)).await
    }

    /// Returns the text of the symbolic link at `path`.
    ///
    /// # Errors
    /// `FsError::Invalid` if it is not a symbolic link.
    pub async fn readlink(&self, path: &str) -> Result<String, FilesError> {
        let path = absolute(path);
        let host = self.is_host(&path);
        self.run(FilesOperation::ReadLink, path, host, |view, path| Ok(view.fs.readlink(&view.root, path)?)).await
    }
}

impl View {
    /// Makes the directory `path` and those above it, as far as they are missing.
    pub(super) fn make_directories(&self, path: &str) -> Done<()> {
        let kind = |path: &str| self.fs.stat(&self.root, path, true).map(|stat| stat.kind);
        // The usual case: only the last one is missing, or none.
        let mut missing = Vec::new();
        let mut at = path.trim_end_matches('/');
        while !at.is_empty() {
            match kind(at) {
                Ok(FileType::Directory) => break,
                Ok(_) => return Err(FsError::NotDirectory).at(at),
                Err(FsError::NotFound) => missing.push(at),
                Err(error) => return Err(error).at(at),
            }
            at = at.rfind('/').map_or("", |slash| &at[..slash]).trim_end_matches('/');
        }
        for path in missing.into_iter().rev() {
            match self.fs.mkdir(&self.root, path, NEW_DIRECTORY) {
                // `.`, `..`, or made in the meantime.
                Err(FsError::Exists) if kind(path) == Ok(FileType::Directory) => {}
                made => made.at(path)?,
            }
        }
        Ok(())
    }

    fn copy(&self, from: &str, to: &str) -> Done<()> {
        let stat = self.fs.stat(&self.root, from, false)?;
        match stat.kind {
            FileType::Directory => {}
            FileType::Regular | FileType::Symlink | FileType::Fifo => return self.copy_one(from, to, &stat),
            // A copy of an endless device has no end.
            FileType::CharDevice | FileType::Socket | FileType::Unknown => return Err(FsError::Unsupported.into()),
        }
        let top = self.canonical(from)?;
        self.fs.mkdir(&self.root, to, NEW_DIRECTORY).at(to)?;
        let copy = self.canonical(to).at(to)?;
        if within(&copy, &top) {
            self.fs.rmdir(&self.root, &copy).at(to)?;
            return Err(FsError::Invalid).at(to);
        }
        let mut modes = vec![(copy.clone(), stat.mode)];
        let (mut walk, mut count) = (Walk::new(self, &top, usize::MAX)?.one_filesystem(), 0);
        while let Some(step) = walk.next()? {
            let Step { entry, relative } = step;
            count += 1;
            if count > MAX_TREE {
                return Err(FilesReason::Bound { what: "files", limit: MAX_TREE }.into());
            }
            let to = join(&copy, &relative);
            if entry.stat.kind == FileType::Directory {
                self.fs.mkdir(&self.root, &to, NEW_DIRECTORY).at(&to)?;
                modes.push((to, entry.stat.mode));
            } else {
                self.copy_one(&entry.path, &to, &entry.stat)?;
            }
        }
        if let Some((path, error)) = walk.unreadable.into_iter().next() {
            return Err(error).at(&path);
        }
        // At the end: the mode may forbid to write into the directory.
        for (path, mode) in modes.iter().rev() {
            self.fs.set_mode(&self.root, path, false, *mode).at(path)?;
        }
        Ok(())
    }

    /// Copies what is not a directory.
    fn copy_one(&self, from: &str, to: &str, stat: &Stat) -> Done<()> {
        match stat.kind {
            FileType::Regular => {
                let node = self.open(from).at(from)?;
                let mut scratch = self.scratch_for(to, WriteOptions::new().how(WriteMode::Atomic).parents(false)).at(to)?;
                copy_bytes(self, &node, &scratch.node).at(from)?;
                Ok(scratch.finish(Some(stat.mode)).at(to)?)
            }
            FileType::Symlink => {
                let target = self.fs.readlink(&self.root, from).at(from)?;
                Ok(self.fs.symlink(&self.root, to, &target).at(to)?)
            }
            // Another pipe: opening this one would take part in it.
            FileType::Fifo => Ok(self.fs.mkfifo(&self.root, to, stat.mode).at(to)?),
            FileType::Directory => Err(FsError::IsDirectory).at(from),
            FileType::CharDevice | FileType::Socket | FileType::Unknown => Ok(()),
        }
    }

    fn remove_tree(&self, path: &str) -> Done<()> {
        if self.fs.stat(&self.root, path, false)?.kind != FileType::Directory {
            return Ok(self.fs.unlink(&self.root, path)?);
        }
        let top = self.canonical(path)?;
        if let Some((mount, _)) = self.fs.mounts().into_iter().find(|(guest, _)| within(guest, &top)) {
            return Err(FsError::Busy).at(&mount);
        }
        let Some((parent, name)) = super::path::split(&top) else { return Err(FsError::Busy.into()) };
        // Names relative to open directories: a tree may be deeper than any path.
        let parent = self.directory(parent)?;
        let level = |directory: &Node, name: &str| {
            Ok::<_, FsError>(Level { node: self.open_beside(directory, name)?, name: name.to_owned(), names: VecDeque::new() })
        };
        let (mut levels, mut here, mut removed) = (Vec::new(), level(&parent, name)?, 0);
        loop {
            self.check()?;
            removed += 1;
            if removed > MAX_TREE {
                return Err(FilesReason::Bound { what: "files", limit: MAX_TREE }.into());
            }
            if here.names.is_empty() {
                let page = here.node.read_dir_after("", PAGE).map_err(|error| inside(&top, &levels, &here, "", error))?;
                here.names.extend(page.into_iter().map(|(entry, _)| entry));
            }
            match here.names.pop_front() {
                Some(entry) if entry.kind == FileType::Directory => {
                    let inner = level(&here.node, &entry.name).map_err(|error| inside(&top, &levels, &here, &entry.name, error))?;
                    levels.push(std::mem::replace(&mut here, inner));
                }
                Some(entry) => match self.fs.unlink(&here.node, &entry.name) {
                    // A guest removed it first.
                    Ok(()) | Err(FsError::NotFound) => {}
                    Err(error) => return Err(inside(&top, &levels, &here, &entry.name, error)),
                },
                None => {
                    let above = levels.last().map_or(&parent, |level: &Level| &level.node);
                    self.fs.rmdir(above, &here.name).map_err(|error| inside(&top, &levels, &here, "", error))?;
                    match levels.pop() {
                        Some(above) => here = above,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Opens the directory `name` in `parent`, unless it is a symbolic link.
    pub(super) fn open_beside(&self, parent: &Node, name: &str) -> Result<Node, FsError> {
        self.fs.open(parent, name, OpenHow { directory: true, follow: false, ..OpenHow::default() })
    }
}

/// A directory that is being removed: the names in it that were read and are still there.
struct Level {
    node: Node,
    name: String,
    names: VecDeque<DirEntry>,
}

/// Returns an error with its path: `name` in the directory `here`, which is below `levels`, of which the first is `top`.
fn inside(top: &str, levels: &[Level], here: &Level, name: &str, error: FsError) -> Failed {
    let names = levels.iter().chain([here]).skip(1).map(|level| level.name.as_str()).chain([name]);
    let path = names.filter(|name| !name.is_empty()).fold(top.to_owned(), |path, name| join(&path, name));
    Failed { path: Some(path), reason: error.into() }
}

/// Copies the contents of a file.
fn copy_bytes(view: &View, from: &Node, to: &Node) -> Done<()> {
    let mut at = 0;
    loop {
        view.check()?;
        let bytes = from.read_at(at, PIECE)?;
        if bytes.is_empty() {
            return Ok(());
        }
        to.write_all_at(at, &bytes)?;
        at += bytes.len() as u64;
    }
}
