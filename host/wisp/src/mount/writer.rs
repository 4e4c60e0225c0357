//! Writes into a folder of the host what a session changed in an overlay: [`HostDir`](super::HostDir) is for guests, this is for the
//! program that accepted their changes.
//!
//! The names, the contents and the links are a guest's, and somebody on the host may change the folder at the same time. So
//! no symbolic link is followed, in no component of a path, and each directory on the way must be on the mount's own filesystem. Contents go to a scratch file first, which then gets its name in one step; before
//! anything is replaced or removed, it must still be what the caller saw. Modes have permission bits only.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt as _, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, ResolveFlags, chmodat, fchmod, openat2, renameat_with};
use rustix::io::Errno;

use super::error::host_error;
use super::facts::host_stat;
use super::{names, place};
use wisp_vfs::{FileType, FsError, HostMode, HostStat};

/// A folder of the host, open to be written.
pub(crate) struct Folder {
    dir: Dir,
    device: u64,
}

/// A file under a name of its own, which is removed unless it gets another one. Holds nothing open: there may be as many as a
/// session has files.
pub(crate) struct Scratch<'f> {
    folder: &'f Folder,
    directory: String,
    name: String,
    placed: bool,
}

/// Why nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteError {
    /// The file is not what the caller saw.
    Changed,
    /// The host refused it.
    Host(FsError),
}

impl From<FsError> for WriteError {
    fn from(error: FsError) -> Self {
        Self::Host(error)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Host(host_error(error))
    }
}

impl From<Errno> for WriteError {
    fn from(error: Errno) -> Self {
        io::Error::from(error).into()
    }
}

type Done<T> = Result<T, WriteError>;

impl Folder {
    /// Opens the folder at `path`, which must be the one with the number `ino`: the one that the session's mount has.
    ///
    /// # Errors
    /// When it cannot be opened, or is another one.
    pub(crate) fn open(path: &Path, ino: u64) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, cap_std::ambient_authority())?;
        place::refuse_kernel_filesystem(&dir)?;
        let metadata = dir.dir_metadata()?;
        let device = metadata.dev();
        if host_stat(&metadata, device).ino != ino {
            return Err(io::Error::other("another folder has taken its place"));
        }
        Ok(Self { dir, device })
    }

    /// Returns the directory at `path`. Whatever is a symbolic link on the way is no directory.
    pub(super) fn directory(&self, path: &str) -> Done<Dir> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
        // At once: a guest can put many files thousands of directories deep.
        let there = if path.is_empty() { Cow::Borrowed(Path::new(".")) } else { names::on_host(path)? };
        match openat2(&self.dir, &*there, flags, Mode::empty(), resolve) {
            Ok(found) => Ok(Dir::from_std_file(File::from(found))),
            Err(error @ (Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG | Errno::ACCESS | Errno::XDEV)) => {
                Err(error.into())
            }
            // A kernel or a filter without the call.
            Err(_) => self.directory_by_names(path),
        }
    }

    /// Returns the same, with a call for each name.
    pub(super) fn directory_by_names(&self, path: &str) -> Done<Dir> {
        let mut at = self.dir.try_clone()?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            at = at.open_dir_nofollow(names::on_host(name)?)?;
            if at.dir_metadata()?.dev() != self.device {
                return Err(FsError::CrossDevice.into());
            }
        }
        Ok(at)
    }

    /// Returns the directory of a file, and its name there.
    fn parent<'p>(&self, path: &'p str) -> Done<(Dir, Cow<'p, Path>)> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok((self.directory(directory)?, names::on_host(name)?))
    }

    /// Makes a scratch file in `directory`, which `fill` writes and returns the length of.
    pub(crate) fn scratch(&self, directory: &str, mode: HostMode, fill: impl FnOnce(&File) -> Result<u64, FsError>) -> Done<Scratch<'_>> {
        let name = scratch_name()?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).follow(FollowSymlinks::No);
        let file = self.directory(directory)?.open_with(&name, &options)?.into_std();
        let scratch = Scratch { folder: self, directory: directory.to_owned(), name, placed: false };
        let len = fill(&file)?;
        file.set_len(len)?;
        fchmod(&file, Mode::from_raw_mode(mode.bits()))?;
        Ok(scratch)
    }

    /// Makes a symbolic link under a scratch name in `directory`.
    pub(crate) fn scratch_link(&self, directory: &str, target: &str) -> Done<Scratch<'_>> {
        let name = scratch_name()?;
        self.directory(directory)?.symlink_contents(names::on_host(target)?, &name)?;
        Ok(Scratch { folder: self, directory: directory.to_owned(), name, placed: false })
    }

    /// Gives a scratch file its name, in place of the file that the caller saw there, if it saw one.
    pub(crate) fn put(&self, mut scratch: Scratch<'_>, path: &str, over: Option<&HostStat>) -> Done<()> {
        let (parent, name) = self.parent(path)?;
        self.check(&parent, &name, over)?;
        let from = self.directory(&scratch.directory)?;
        let rename = |flags| renameat_with(&from, &scratch.name, &parent, &*name, flags);
        let renamed = match over {
            Some(_) => rename(RenameFlags::empty()),
            None => match rename(RenameFlags::NOREPLACE) {
                // A filesystem that cannot. It was just checked that the name is free.
                Err(Errno::INVAL | Errno::NOSYS) => rename(RenameFlags::empty()),
                renamed => renamed,
            },
        };
        match renamed {
            Err(Errno::EXIST) => Err(WriteError::Changed),
            renamed => {
                renamed?;
                scratch.placed = true;
                Ok(())
            }
        }
    }

    /// Removes the file or the empty directory that the caller saw.
    pub(crate) fn remove(&self, path: &str, seen: &HostStat) -> Done<()> {
        let (parent, name) = self.parent(path)?;
        self.check(&parent, &name, Some(seen))?;
        Ok(if seen.kind == FileType::Directory { parent.remove_dir(&*name) } else { parent.remove_file(&*name) }?)
    }

    /// Makes a directory where the caller saw nothing.
    pub(crate) fn make_directory(&self, path: &str, mode: HostMode) -> Done<()> {
        let (parent, name) = self.parent(path)?;
        let mut builder = DirBuilder::new();
        builder.mode(mode.bits());
        match parent.create_dir_with(&*name, &builder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(WriteError::Changed),
            made => made?,
        }
        // As it was asked for, whatever the umask took away.
        set_mode_of(&parent.open_dir_nofollow(&*name)?, mode)
    }

    /// Sets the mode of a directory: the one that the caller saw, or that it made.
    pub(crate) fn set_directory_mode(&self, path: &str, seen: Option<&HostStat>, mode: HostMode) -> Done<()> {
        let directory = self.directory(path)?;
        let now = host_stat(&directory.dir_metadata()?, self.device);
        if seen.is_some_and(|seen| !is_same(&now, seen)) {
            return Err(WriteError::Changed);
        }
        set_mode_of(&directory, mode)
    }

    /// Sets the mode of the regular file that the caller saw.
    pub(crate) fn set_file_mode(&self, path: &str, seen: &HostStat, mode: HostMode) -> Done<()> {
        let (parent, name) = self.parent(path)?;
        // Another of its names may have given it this mode already.
        let same = |now: &HostStat| is_same(now, seen) || (now.mode == mode.bits() && is_same(&HostStat { mode: seen.mode, ..*now }, seen));
        // Before it is opened: a pipe that has taken its place has another end.
        if !self.stat(&parent, &name)?.is_some_and(|now| same(&now)) {
            return Err(WriteError::Changed);
        }
        let mut options = OpenOptions::new();
        // If a pipe or terminal has replaced the file in the meantime: do not wait for it, do not make it the controlling terminal.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.read(true).follow(FollowSymlinks::No).custom_flags(flags.bits() as i32);
        let file = parent.open_with(&*name, &options)?;
        if !same(&host_stat(&file.metadata()?, self.device)) {
            return Err(WriteError::Changed);
        }
        Ok(fchmod(&file, Mode::from_raw_mode(mode.bits()))?)
    }

    fn stat(&self, parent: &Dir, name: &Path) -> Done<Option<HostStat>> {
        match parent.symlink_metadata(name) {
            Ok(metadata) => Ok(Some(host_stat(&metadata, self.device))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks that a name leads to what the caller saw, or to nothing if it saw nothing.
    fn check(&self, parent: &Dir, name: &Path, seen: Option<&HostStat>) -> Done<()> {
        let same = match (self.stat(parent, name)?, seen) {
            (None, None) => true,
            (Some(now), Some(seen)) => is_same(&now, seen),
            _ => false,
        };
        if same { Ok(()) } else { Err(WriteError::Changed) }
    }
}

/// Sets the mode of a directory. It keeps the bits by which new files get its group, and by which only their owners remove
/// them: those are the host's.
fn set_mode_of(directory: &Dir, mode: HostMode) -> Done<()> {
    let kept = directory.dir_metadata()?.mode() & 0o3000;
    // Not `fchmod`: the directory is open for look-ups only (`O_PATH`). `.` is no link.
    Ok(chmodat(directory, ".", Mode::from_raw_mode(mode.bits() | kept), AtFlags::empty())?)
}

/// Returns whether it is the same file with the same contents and mode. A directory changes with each name in it, and the `ctime` of a
/// file that had several names with each of them.
fn is_same(now: &HostStat, seen: &HostStat) -> bool {
    let file = (now.kind, now.ino, now.mode) == (seen.kind, seen.ino, seen.mode);
    let contents = (now.size, now.mtime) == (seen.size, seen.mtime) && (seen.nlink > 1 || now.ctime == seen.ctime);
    file && (now.kind == FileType::Directory || contents)
}

/// Writes a piece of a scratch file.
pub(crate) fn write_piece(file: &File, offset: u64, bytes: &[u8]) -> Result<(), FsError> {
    file.write_all_at(bytes, offset).map_err(host_error)
}

fn scratch_name() -> Done<String> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|_| FsError::Io)?;
    Ok(format!(".wisp-apply-{:016x}", u64::from_le_bytes(random)))
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if !self.placed {
            // What caused this is the error to report.
            let _ = self.folder.directory(&self.directory).map(|directory| directory.remove_file(&self.name));
        }
    }
}
