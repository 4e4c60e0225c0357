//! Directories and single files of the host as mounts: the only module that accesses the host's files for a guest.
//!
//! A [`HostDir`] holds a handle on its directory from the moment the session is built. Every path goes through
//! `cap-std`, which resolves it beneath that handle (`openat2` with `RESOLVE_BENEATH` where the kernel has it). So no
//! symbolic link and no concurrent rename leads out, and replacing the directory itself by a link has no effect.
//! Files are opened when a guest opens them and closed when it closes them. Pipes, sockets and devices are never
//! opened: opening one can block or have an effect. A [`SingleFile`] is opened once. A [`Folder`] is written by the program
//! that takes over what a session changed in an overlay.
//!
//! Four rules hold whatever a guest does. They are enforced here, below every caller:
//!
//! - **Modes.** A mode has permission bits only: see [`HostMode`].
//! - **Links** (`links`). In a write mount a symbolic link names one file beside it: no `/`, no `..`, no absolute
//!   path. Such a link means the same wherever it is moved, and following it never changes the depth, so that a
//!   following `..` is right. Links of other forms, which only the host can have made, are never moved, renamed or
//!   given another name, and no link of a guest may lead to one.
//! - **Names** (`names`). Each name of the host has one text, and each text names one file there, or none.
//! - **One filesystem** (`place`). What is mounted below a mount is not visible through it, and filesystems of the
//!   kernel (`/proc`, `/sys`) cannot be mounted.

mod dir;
mod error;
mod facts;
mod file;
mod links;
mod names;
mod place;
mod single;
#[cfg(test)]
mod tests;
mod writer;

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, SystemTimeSpec};
use cap_std::fs::{DirBuilder, DirBuilderExt as _, MetadataExt as _, OpenOptions, OpenOptionsExt as _, Permissions, PermissionsExt as _};
use rustix::fs::OFlags;

pub(crate) use dir::HostDir;
use dir::directory_of;
use error::host_error;
use facts::{GIVES_RIGHTS, file_type, host_stat, plain_mode};
use file::OpenedFile;
pub(crate) use names::on_host;
pub(crate) use place::kernel_filesystem;
pub(crate) use single::SingleFile;
use wisp_vfs::{DirEntry, FileType, FsError, HostFile, HostMode, HostOpen, HostStat, Mount, Refused, SetTime};
pub(crate) use writer::{Folder, Scratch, WriteError, write_piece};

/// Opens a directory or a regular file at `path`, as a mount; symbolic links are followed this once. `write` says whether a
/// guest may change it: a single file is then opened for writing at once.
///
/// # Errors
/// When it cannot be opened, is anything else, or belongs to a filesystem of the kernel such as `/proc`.
pub fn open(path: &Path, write: bool) -> io::Result<Arc<dyn Mount>> {
    match place::look(path)?.file_type() {
        kind if kind.is_dir() => Ok(Arc::new(HostDir::open(path)?)),
        kind if kind.is_file() => Ok(Arc::new(SingleFile::open(path, write)?)),
        _ => Err(io::Error::other("it is neither a directory nor a regular file")),
    }
}

/// Returns the path for calls that do not accept the empty one.
fn here(path: &str) -> Result<Cow<'_, Path>, FsError> {
    if path.is_empty() { Ok(Cow::Borrowed(Path::new("."))) } else { on_host(path) }
}

impl Mount for HostDir {
    fn stat(&self, path: &str) -> Result<HostStat, FsError> {
        Ok(host_stat(&self.metadata(path)?, self.device))
    }

    fn read_link(&self, path: &str) -> Result<String, FsError> {
        self.check_parent(path)?;
        let target = self.dir.read_link_contents(on_host(path)?).map_err(host_error)?;
        Ok(names::spelled(target.as_os_str()))
    }

    fn read_dir(&self, path: &str) -> Result<Vec<DirEntry>, FsError> {
        self.metadata(path)?;
        let entries = if path.is_empty() { self.dir.entries() } else { self.dir.read_dir(on_host(path)?) }.map_err(host_error)?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(host_error)?;
            let name = names::spelled(&entry.file_name());
            // A name that was removed since it was read is no longer in the directory.
            let Ok(metadata) = entry.metadata() else { continue };
            let stat = host_stat(&metadata, self.device);
            names.push(DirEntry { name, kind: stat.kind, ino: stat.ino });
        }
        Ok(names)
    }

    fn open(&self, path: &str, how: HostOpen) -> Result<Arc<dyn HostFile>, FsError> {
        match self.metadata(path).map(|metadata| file_type(metadata.file_type())) {
            Ok(FileType::Regular) => {}
            Ok(FileType::Directory) => return Err(FsError::IsDirectory),
            Ok(FileType::Symlink) => return Err(FsError::Loop),
            Ok(_) => return Err(FsError::Refused(Refused::Special)),
            Err(FsError::NotFound) if how.create => {}
            Err(error) => return Err(error),
        }
        let mut options = OpenOptions::new();
        options.read(how.read || !how.write).write(how.write || how.truncate || how.create).truncate(how.truncate).mode(how.mode.bits());
        if how.create {
            if how.exclusive {
                options.create_new(true)
            } else {
                options.create(true)
            };
        }
        options.follow(FollowSymlinks::No);
        // If a pipe or terminal has replaced the file in the meantime: do not wait for it, do not make it the controlling
        // terminal.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        // The bits of these flags fit an i32 on every platform, as open(2) takes one.
        options.custom_flags(flags.bits() as i32);
        let file = self.dir.open_with(on_host(path)?, &options).map_err(host_error)?;
        let metadata = file.metadata().map_err(host_error)?;
        if !metadata.is_file() {
            return Err(FsError::Refused(Refused::Special));
        }
        if (how.write || how.truncate) && metadata.mode() & GIVES_RIGHTS != 0 {
            // The kernel clears these bits when an ordinary user writes, but not when root does.
            file.set_permissions(Permissions::from_mode(plain_mode(metadata.mode()))).map_err(host_error)?;
        }
        Ok(Arc::new(OpenedFile::new(file.into_std(), self.device)))
    }

    fn mkdir(&self, path: &str, mode: HostMode) -> Result<(), FsError> {
        self.check_parent(path)?;
        let mut builder = DirBuilder::new();
        builder.mode(mode.bits());
        self.dir.create_dir_with(on_host(path)?, &builder).map_err(host_error)
    }

    fn rmdir(&self, path: &str) -> Result<(), FsError> {
        self.check_parent(path)?;
        self.dir.remove_dir(on_host(path)?).map_err(host_error)
    }

    fn unlink(&self, path: &str) -> Result<(), FsError> {
        self.check_parent(path)?;
        self.dir.remove_file(on_host(path)?).map_err(host_error)
    }

    fn symlink(&self, path: &str, target: &str) -> Result<(), FsError> {
        let _alone = self.names.lock();
        self.check_parent(path)?;
        links::check(self, directory_of(path), target)?;
        self.dir.symlink_contents(on_host(target)?, on_host(path)?).map_err(host_error)
    }

    fn link(&self, from: &str, to: &str) -> Result<(), FsError> {
        let _alone = self.names.lock();
        self.check_parent(to)?;
        let is_link = self.metadata(from)?.is_symlink();
        if is_link {
            links::check(self, directory_of(to), &self.read_link(from)?)?;
        }
        self.dir.hard_link(on_host(from)?, &self.dir, on_host(to)?).map_err(host_error)?;
        if is_link { links::check_moved(self, to) } else { Ok(()) }
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FsError> {
        let _alone = self.names.lock();
        self.check_parent(to)?;
        let metadata = self.metadata(from)?;
        let is_link = metadata.is_symlink();
        if is_link {
            links::check(self, directory_of(to), &self.read_link(from)?)?;
        } else if metadata.is_dir() && directory_of(from) != directory_of(to) && !links::may_move(self, from) {
            // As between filesystems: `mv` then copies, and each link on the way is checked.
            return Err(FsError::CrossDevice);
        }
        self.dir.rename(on_host(from)?, &self.dir, on_host(to)?).map_err(host_error)?;
        if is_link { links::check_moved(self, to) } else { Ok(()) }
    }

    fn set_mode(&self, path: &str, mode: HostMode) -> Result<(), FsError> {
        if self.metadata(path)?.is_symlink() {
            return Err(FsError::Unsupported);
        }
        self.dir.set_permissions(here(path)?, Permissions::from_mode(mode.bits())).map_err(host_error)
    }

    fn set_times(&self, path: &str, atime: SetTime, mtime: SetTime) -> Result<(), FsError> {
        self.metadata(path)?;
        self.dir.set_symlink_times(here(path)?, time(atime), time(mtime)).map_err(host_error)
    }
}

fn time(time: SetTime) -> Option<SystemTimeSpec> {
    match time {
        SetTime::Keep => None,
        SetTime::Now => Some(SystemTimeSpec::SymbolicNow),
        SetTime::At(ns) => Some(SystemTimeSpec::Absolute(cap_std::time::SystemTime::from_std(file::system_time(ns)))),
    }
}
