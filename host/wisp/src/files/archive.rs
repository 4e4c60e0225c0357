//! Trees as tar archives, out and in.
//!
//! An archive that comes in is not trusted. Its names stay below the directory that the caller names: none is absolute,
//! none has `..`, none goes through a symbolic link, and no symbolic link in it leads out. It holds files, directories and
//! links, without set-user-ID and the like. Its size is counted while it is read.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use tar::{Archive, Builder, Entry, EntryType, Header};

use super::error::{At, Done, Failed};
use super::path::{absolute, join};
use super::read::PIECE;
use super::view::View;
use super::walk::Walk;
use super::write::NEW_DIRECTORY;
use super::{Files, FilesError, FilesOperation, FilesReason};
use wisp_api::Unpacked;
use wisp_vfs::{FileType, FsError, Node, OpenHow, SetTime, Stat, USER};

/// Permission bits that an archive carries. Set-user-ID, set-group-ID and the sticky bit do not go out, where root may
/// unpack the archive, nor in.
const PLAIN: u32 = 0o777;

/// Maximum bytes of what an archive says about one entry: its header, a long name, extended headers. Attack: a name of
/// 8 GiB, which the reader of archives holds in memory.
const MAX_HEAD: u64 = 1 << 20;

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct TarBounds {
    bytes: u64,
    entries: u64,
}

impl Default for TarBounds {
    fn default() -> Self {
        Self { bytes: 1 << 30, entries: 1_000_000 }
    }
}

impl TarBounds {
    /// Creates limits of 1 GiB of contents and a million entries. The session's quota applies as well to what is unpacked.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many bytes the contents of all files may have.
    pub fn bytes(mut self, limit: u64) -> Self {
        self.bytes = limit;
        self
    }

    /// Sets how many entries there may be.
    pub fn entries(mut self, limit: u64) -> Self {
        self.entries = limit;
        self
    }
}

impl Files {
    /// Writes `names`, relative to the directory `base`, as a tar archive to `to`: files, symbolic links, and directories
    /// with everything below them. Without names, everything in `base`. Names in the archive are relative to `base`.
    /// Symbolic links are written as links, with the text that they have; hard links as separate files. Devices, and what
    /// is mounted below a name, are left out.
    ///
    /// # Errors
    /// If one of the names does not exist, has `..` or is absolute, a directory cannot be read, there is more than
    /// `bounds` allow, or `to` fails. What was written until then is not a whole archive.
    pub async fn pack<W: Write + Send + 'static>(&self, base: &str, names: &[&str], to: W, bounds: TarBounds) -> Result<W, FilesError> {
        if names.is_empty() {
            return self.pack_also(base, &[""], &[], to, bounds).await;
        }
        self.pack_also(base, names, &[], to, bounds).await
    }

    /// Works like [`Files::pack`] with `names`, and after them the names in `also`, each without what is below it: such as what
    /// [`Session::changes`](crate::Session::changes) found in a mount. The empty name is everything in `base`.
    ///
    /// # Errors
    /// Those of [`Files::pack`].
    pub async fn pack_also<W: Write + Send + 'static>(
        &self,
        base: &str,
        names: &[&str],
        also: &[&str],
        to: W,
        bounds: TarBounds,
    ) -> Result<W, FilesError> {
        let [names, also] = [names, also].map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>());
        self.run(FilesOperation::Pack, absolute(base), true, move |view, base| view.pack(base, &names, &also, to, bounds)).await
    }

    /// Unpacks a tar archive into the directory `base`, which is made if it does not exist. A file replaces a file of its
    /// name; directories that exist are kept. Modes (without set-user-ID, set-group-ID and sticky bit) and times are
    /// those of the archive; the user owns everything.
    ///
    /// # Errors
    /// If an entry's name is absolute, has `..` or goes through a symbolic link, a link leads out of `base`, an entry is a
    /// device or a pipe, there is more than `bounds` or the quota allow, or `from` fails. The error names the entry. What
    /// was unpacked until then stays.
    pub async fn unpack<R: Read + Send + 'static>(&self, base: &str, from: R, bounds: TarBounds) -> Result<Unpacked, FilesError> {
        self.run(FilesOperation::Unpack, absolute(base), true, move |view, base| view.unpack(base, from, bounds)).await
    }
}

fn refused(entry: &str, reason: impl Into<String>) -> Failed {
    Failed::from(FilesReason::Entry { entry: entry.to_owned(), reason: reason.into() })
}

fn over(what: &'static str, limit: u64) -> Failed {
    Failed::from(FilesReason::Bound { what, limit })
}

/// Returns a name as an archive has it: under its own bytes, where the sandbox spells it.
fn own(name: &str) -> PathBuf {
    OsString::from_vec(wisp_spelling::read(name).into_owned()).into()
}

/// Returns the components of a name in an archive.
fn components(name: &str) -> Done<Vec<&str>> {
    if name.starts_with('/') {
        return Err(refused(name, "has an absolute name"));
    }
    let names: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if names.contains(&"..") {
        return Err(refused(name, "has `..` in its name"));
    }
    Ok(names)
}

struct Packer<'v, W: Write> {
    view: &'v View,
    archive: Builder<W>,
    bounds: TarBounds,
    entries: u64,
    bytes: u64,
}

impl View {
    fn pack<W: Write>(&self, base: &str, names: &[String], also: &[String], to: W, bounds: TarBounds) -> Done<W> {
        let base = self.plain(base)?;
        let mut packer = Packer { view: self, archive: Builder::new(to), bounds, entries: 0, bytes: 0 };
        for name in names {
            let name = components(name)?.join("/");
            if name.is_empty() {
                packer.below(&base, "")?;
                continue;
            }
            let path = join(&base, &name);
            let stat = self.fs.stat(&self.root, &path, false).at(&path)?;
            packer.add(&path, &name, &stat)?;
            if stat.kind == FileType::Directory {
                packer.below(&path, &name)?;
            }
        }
        for name in also {
            self.check()?;
            let name = components(name)?.join("/");
            let path = join(&base, &name);
            let stat = self.fs.stat(&self.root, &path, false).at(&path)?;
            packer.add(&path, &name, &stat)?;
        }
        let mut to = packer.archive.into_inner()?;
        to.flush()?;
        Ok(to)
    }
}

impl<W: Write> Packer<'_, W> {
    /// Adds everything below the directory `path`, which is `name` in the archive.
    fn below(&mut self, path: &str, name: &str) -> Done<()> {
        let mut walk = Walk::new(self.view, path, usize::MAX)?.one_filesystem();
        while let Some(step) = walk.next()? {
            let name = if name.is_empty() { step.relative } else { format!("{name}/{}", step.relative) };
            self.add(&step.entry.path, &name, &step.entry.stat)?;
        }
        match walk.unreadable.into_iter().next() {
            Some((path, error)) => Err(error).at(&path),
            None if walk.cut => Err(over("directories below each other", 1_000)),
            None => Ok(()),
        }
    }

    fn add(&mut self, path: &str, name: &str, stat: &Stat) -> Done<()> {
        let (view, root) = (self.view, &self.view.root);
        self.entries += 1;
        if self.entries > self.bounds.entries {
            return Err(over("files", self.bounds.entries));
        }
        let mut header = Header::new_gnu();
        header.set_mode(stat.mode & PLAIN);
        header.set_mtime(stat.mtime / 1_000_000_000);
        header.set_uid(USER.into());
        header.set_gid(USER.into());
        header.set_size(0);
        match stat.kind {
            FileType::Directory => {
                header.set_entry_type(EntryType::Directory);
                self.archive.append_data(&mut header, own(&format!("{name}/")), io::empty()).at(path)
            }
            FileType::Symlink => {
                header.set_entry_type(EntryType::Symlink);
                let target = view.fs.readlink(root, path).at(path)?;
                self.archive.append_link(&mut header, own(name), own(&target)).at(path)
            }
            FileType::Regular => {
                let how = OpenHow { read: true, follow: false, ..OpenHow::default() };
                let node = view.fs.open(root, path, how).at(path)?;
                let size = node.stat().at(path)?.size;
                self.bytes = self.bytes.saturating_add(size);
                if self.bytes > self.bounds.bytes {
                    return Err(over("bytes", self.bounds.bytes)).at(path);
                }
                header.set_size(size);
                self.archive.append_data(&mut header, own(name), Exactly { view, node: &node, at: 0, left: size }).at(path)
            }
            FileType::CharDevice | FileType::Fifo | FileType::Socket | FileType::Unknown => Ok(()),
        }
    }
}

/// The first bytes of a file, as many as its header says; zeros if it became shorter in the meantime.
struct Exactly<'n> {
    view: &'n View,
    node: &'n Node,
    at: u64,
    left: u64,
}

impl Read for Exactly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let want = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        if want == 0 {
            return Ok(0);
        }
        self.view.check().map_err(|_| io::Error::other("it was given up"))?;
        let bytes = self.node.read_at(self.at, want).map_err(io::Error::other)?;
        let count = if bytes.is_empty() {
            buffer[..want].fill(0);
            want
        } else {
            buffer[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        };
        (self.at, self.left) = (self.at + count as u64, self.left - count as u64);
        Ok(count)
    }
}

/// A reader that fails when an entry has read more than it may.
struct Budgeted<'c, R> {
    from: R,
    left: &'c Cell<u64>,
}

impl<R: Read> Read for Budgeted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.left.get()).unwrap_or(usize::MAX);
        if left == 0 {
            return Err(io::Error::other(format!("the head of an entry has more than {MAX_HEAD} bytes")));
        }
        let most = left.min(buffer.len());
        let count = self.from.read(&mut buffer[..most])?;
        self.left.set(self.left.get().saturating_sub(count as u64));
        Ok(count)
    }
}

/// Where an archive is unpacked.
struct Target<'v> {
    view: &'v View,
    top: Node,
    bounds: TarBounds,
    done: Unpacked,
    /// Directories of the archive, whose modes and times are set at the end: what is unpacked into them needs the right
    /// to, and changes their times.
    directories: Vec<(Node, u32, u64)>,
}

impl View {
    fn unpack<R: Read>(&self, base: &str, from: R, bounds: TarBounds) -> Done<Unpacked> {
        self.make_directories(base)?;
        let mut target = Target { view: self, top: self.directory(base)?, bounds, done: Unpacked::default(), directories: Vec::new() };
        let left = Cell::new(MAX_HEAD);
        let mut archive = Archive::new(Budgeted { from, left: &left });
        let mut entries = archive.entries()?;
        loop {
            self.check()?;
            left.set(MAX_HEAD);
            let Some(entry) = entries.next() else { break };
            let entry = entry?;
            // The contents, and what fills their last block.
            left.set(entry.size().saturating_add(1024));
            let name = wisp_spelling::spell(&entry.path_bytes()).into_owned();
            target.entry(&name, entry).map_err(|failed| named(base, &name, failed))?;
        }
        for (node, mode, time) in target.directories.iter().rev() {
            node.set_mode(*mode)?;
            node.set_times(SetTime::Keep, SetTime::At(*time))?;
        }
        Ok(target.done)
    }
}

/// Returns the error with the entry that it concerns.
fn named(base: &str, entry: &str, failed: Failed) -> Failed {
    match failed {
        Failed { path: None, reason: FilesReason::Io(error) } => refused(entry, format!("cannot be read: {error}")),
        Failed { path: None, reason: FilesReason::Fs(error) } => Failed { path: Some(join(base, entry)), reason: error.into() },
        failed => failed,
    }
}

impl Target<'_> {
    fn entry<R: Read>(&mut self, name: &str, entry: Entry<'_, R>) -> Done<()> {
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            return skip(entry);
        }
        let names = components(name)?;
        let Some((last, parents)) = names.split_last() else {
            // The directory itself.
            return if kind.is_dir() { Ok(()) } else { Err(refused(name, "has no name")) };
        };
        self.done.entries += 1;
        if self.done.entries > self.bounds.entries {
            return Err(over("entries", self.bounds.entries));
        }
        let folder = self.folder(name, parents, true)?;
        match kind {
            EntryType::Directory => self.directory(name, &folder, last, &entry),
            // As archives of old say it.
            EntryType::Regular if name.ends_with('/') => self.directory(name, &folder, last, &entry),
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => self.file(name, &folder, last, entry),
            EntryType::Symlink => self.symlink(name, &folder, last, parents.len(), &entry),
            EntryType::Link => self.link(name, &folder, last, &entry),
            EntryType::Char | EntryType::Block | EntryType::Fifo => Err(refused(name, "is a device or a pipe")),
            _ => Err(refused(name, "is of a type that is not unpacked")),
        }
    }

    /// Returns the directory of an entry; missing ones are made. None of them is a symbolic link.
    fn folder(&self, entry: &str, names: &[&str], make: bool) -> Done<Node> {
        let (view, mut at) = (self.view, self.top.clone());
        for name in names {
            let opened = match view.open_beside(&at, name) {
                Err(FsError::NotFound) if make => {
                    view.fs.mkdir(&at, name, NEW_DIRECTORY)?;
                    view.open_beside(&at, name)
                }
                opened => opened,
            };
            at = match opened {
                Err(FsError::NotDirectory | FsError::Loop) => {
                    return Err(refused(entry, format!("goes through `{name}`, which is a symbolic link or a file")));
                }
                opened => opened?,
            };
        }
        Ok(at)
    }

    fn directory<R: Read>(&mut self, name: &str, folder: &Node, last: &str, entry: &Entry<'_, R>) -> Done<()> {
        let view = self.view;
        let node = match view.open_beside(folder, last) {
            Err(FsError::NotFound) => {
                view.fs.mkdir(folder, last, NEW_DIRECTORY)?;
                view.open_beside(folder, last)?
            }
            Err(FsError::NotDirectory | FsError::Loop) => return Err(refused(name, "is a directory, and something else has its name")),
            opened => opened?,
        };
        self.directories.push((node, mode(entry, NEW_DIRECTORY), time(entry)));
        Ok(())
    }

    fn file<R: Read>(&mut self, name: &str, folder: &Node, last: &str, mut entry: Entry<'_, R>) -> Done<()> {
        let left = self.bounds.bytes - self.done.bytes;
        if entry.size() > left {
            return Err(over("bytes", self.bounds.bytes));
        }
        self.make_way(name, folder, last)?;
        let how = OpenHow { write: true, create: true, exclusive: true, follow: false, mode: 0o600, ..OpenHow::default() };
        let node = self.view.fs.open(folder, last, how)?;
        let (mut at, mut buffer) = (0, vec![0; PIECE]);
        loop {
            self.view.check()?;
            let count = entry.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            if at + count as u64 > left {
                return Err(over("bytes", self.bounds.bytes));
            }
            node.write_all_at(at, &buffer[..count])?;
            at += count as u64;
        }
        self.done.bytes += at;
        node.set_mode(mode(&entry, 0o644))?;
        Ok(node.set_times(SetTime::Keep, SetTime::At(time(&entry)))?)
    }

    /// Makes a symbolic link; `depth` is the number of directories between the top and the link.
    fn symlink<R: Read>(&self, name: &str, folder: &Node, last: &str, depth: usize, entry: &Entry<'_, R>) -> Done<()> {
        let target = link_name(name, entry)?;
        // `..` only at the beginning, where it means the link's own directories: after a name it would mean the parent of
        // what that name leads to.
        let up = target.split('/').take_while(|part| matches!(*part, ".." | "." | "")).filter(|part| *part == "..").count();
        let all = target.split('/').filter(|part| *part == "..").count();
        if target.starts_with('/') || up != all || up > depth {
            return Err(refused(name, format!("is a symbolic link that may lead out: `{}`", wisp_api::shown(&target))));
        }
        self.make_way(name, folder, last)?;
        Ok(self.view.fs.symlink(folder, last, &target)?)
    }

    fn link<R: Read>(&self, name: &str, folder: &Node, last: &str, entry: &Entry<'_, R>) -> Done<()> {
        let target = link_name(name, entry)?;
        let names = components(&target).map_err(|_| refused(name, "is a link to a file outside of the archive"))?;
        let Some((target, parents)) = names.split_last() else { return Err(refused(name, "is a link to no file")) };
        let from = self.folder(name, parents, false)?;
        let fs = &self.view.fs;
        let stat = fs.stat(&from, target, false)?;
        if stat.kind != FileType::Regular {
            return Err(refused(name, "is a link to something that is not a file"));
        }
        let there = fs.stat(folder, last, false);
        if there.is_ok_and(|there| (there.dev, there.ino) == (stat.dev, stat.ino)) {
            return Ok(());
        }
        self.make_way(name, folder, last)?;
        Ok(fs.link(&from, target, false, folder, last)?)
    }

    /// Removes the file that has the entry's name, unless it is a directory.
    fn make_way(&self, name: &str, folder: &Node, last: &str) -> Done<()> {
        match self.view.fs.unlink(folder, last) {
            Ok(()) | Err(FsError::NotFound) => Ok(()),
            Err(FsError::IsDirectory) => Err(refused(name, "is not a directory, and there is a directory of its name")),
            Err(error) => Err(error.into()),
        }
    }
}

fn skip<R: Read>(mut entry: Entry<'_, R>) -> Done<()> {
    let read = io::copy(&mut (&mut entry).take(MAX_HEAD), &mut io::sink())?;
    if read == MAX_HEAD { Err(over("bytes of headers", MAX_HEAD)) } else { Ok(()) }
}

fn link_name<R: Read>(name: &str, entry: &Entry<'_, R>) -> Done<String> {
    let target = entry.link_name_bytes().ok_or_else(|| refused(name, "is a link to nothing"))?;
    Ok(wisp_spelling::spell(&target).into_owned())
}

fn mode<R: Read>(entry: &Entry<'_, R>, usual: u32) -> u32 {
    entry.header().mode().map_or(usual, |mode| mode & PLAIN)
}

fn time<R: Read>(entry: &Entry<'_, R>) -> u64 {
    entry.header().mtime().unwrap_or_default().saturating_mul(1_000_000_000)
}
