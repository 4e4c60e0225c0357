//! Host directories as mounts: the one module that reaches the host's files on behalf of a guest.
//!
//! A [`HostDir`] holds a handle on its directory from the moment the session is built; every path goes through `cap-std`, which resolves it
//! beneath that handle (`openat2` with `RESOLVE_BENEATH` where the kernel has it), so that no symbolic link and no rename meanwhile leads
//! out, and swapping the directory itself for a link afterwards changes nothing. Files are opened when a guest opens them and closed when
//! it closes them. Pipes, sockets and devices are never opened: opening one can block, or do something.

mod error;
mod file;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Component, Path};
use std::sync::Arc;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, SystemTimeSpec};
use cap_std::fs::{
    Dir, DirBuilder, DirBuilderExt as _, FileType as HostType, FileTypeExt as _, Metadata, MetadataExt as _, OpenOptions,
    OpenOptionsExt as _, Permissions, PermissionsExt as _,
};
use rustix::fs::OFlags;

use crate::vfs::{DirEntry, FileType, FsError, HostFile, HostOpen, HostStat, Mount, Refused, SetTime};
use error::host_error;
use file::OpenedFile;

/// A host directory, held open.
pub struct HostDir {
    dir: Dir,
    /// The device of the directory itself, whose inode numbers are passed on as they are.
    device: u64,
}

impl HostDir {
    /// Opens the directory at `path`, following symbolic links, with all the rights of the host process. This is the only step that looks
    /// at a path of the host; from here on the handle counts, not the path.
    pub fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, cap_std::ambient_authority())?;
        let device = dir.dir_metadata()?.dev();
        Ok(Self { dir, device })
    }

    fn metadata(&self, path: &str) -> Result<Metadata, FsError> {
        if path.is_empty() { self.dir.dir_metadata() } else { self.dir.symlink_metadata(path) }.map_err(host_error)
    }
}

/// The path for calls that do not know the empty one.
fn here(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

impl Mount for HostDir {
    fn stat(&self, path: &str) -> Result<HostStat, FsError> {
        Ok(host_stat(&self.metadata(path)?, self.device))
    }

    fn read_link(&self, path: &str) -> Result<String, FsError> {
        let target = self.dir.read_link_contents(path).map_err(host_error)?;
        target.into_os_string().into_string().map_err(|_| FsError::IllegalBytes)
    }

    /// Names that are not UTF-8 are listed with replacement characters: they are seen, but cannot be opened.
    fn read_dir(&self, path: &str) -> Result<Vec<DirEntry>, FsError> {
        let entries = if path.is_empty() { self.dir.entries() } else { self.dir.read_dir(path) }.map_err(host_error)?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(host_error)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // a name that was removed since it was read is no longer in the directory
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
        options.read(how.read || !how.write).write(how.write || how.truncate || how.create).truncate(how.truncate).mode(how.mode);
        if how.create {
            if how.exclusive {
                options.create_new(true)
            } else {
                options.create(true)
            };
        }
        options.follow(FollowSymlinks::No);
        // should a pipe or terminal have taken the place of the file since: do not wait for it, do not become its session
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        // the bits of these flags fit an i32 on every platform, as open(2) takes one
        options.custom_flags(flags.bits() as i32);
        let file = self.dir.open_with(path, &options).map_err(host_error)?;
        if !file.metadata().map_err(host_error)?.is_file() {
            return Err(FsError::Refused(Refused::Special));
        }
        Ok(Arc::new(OpenedFile::new(file.into_std(), self.device)))
    }

    fn mkdir(&self, path: &str, mode: u32) -> Result<(), FsError> {
        let mut builder = DirBuilder::new();
        builder.mode(mode);
        self.dir.create_dir_with(path, &builder).map_err(host_error)
    }

    fn rmdir(&self, path: &str) -> Result<(), FsError> {
        self.dir.remove_dir(path).map_err(host_error)
    }

    fn unlink(&self, path: &str) -> Result<(), FsError> {
        self.dir.remove_file(path).map_err(host_error)
    }

    fn symlink(&self, path: &str, target: &str) -> Result<(), FsError> {
        if !stays_inside(path, target) {
            return Err(FsError::Refused(Refused::Trap));
        }
        self.dir.symlink_contents(target, path).map_err(host_error)
    }

    fn link(&self, from: &str, to: &str) -> Result<(), FsError> {
        self.dir.hard_link(from, &self.dir, to).map_err(host_error)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FsError> {
        self.dir.rename(from, &self.dir, to).map_err(host_error)
    }

    fn set_mode(&self, path: &str, mode: u32) -> Result<(), FsError> {
        if self.metadata(path)?.is_symlink() {
            return Err(FsError::Unsupported);
        }
        self.dir.set_permissions(here(path), Permissions::from_mode(plain_mode(mode))).map_err(host_error)
    }

    fn set_times(&self, path: &str, atime: SetTime, mtime: SetTime) -> Result<(), FsError> {
        self.dir.set_symlink_times(here(path), time(atime), time(mtime)).map_err(host_error)
    }
}

/// A mode without set-user-ID and the like: a guest shall not leave a program on the host that runs with the rights of the host's user.
fn plain_mode(mode: u32) -> u32 {
    mode & 0o777
}

/// Whether a symbolic link at `path` that says `target` stays within the mount, read as text. A link that leads out would do no harm in
/// here, where it cannot be followed, but would to the next program on the host that does.
fn stays_inside(path: &str, target: &str) -> bool {
    let mut depth = path.split('/').count() - 1;
    for component in Path::new(target).components() {
        match component {
            Component::Prefix(_) | Component::RootDir => return false,
            Component::CurDir => {}
            Component::ParentDir => match depth.checked_sub(1) {
                Some(up) => depth = up,
                None => return false,
            },
            Component::Normal(_) => depth += 1,
        }
    }
    true
}

fn time(time: SetTime) -> Option<SystemTimeSpec> {
    match time {
        SetTime::Keep => None,
        SetTime::Now => Some(SystemTimeSpec::SymbolicNow),
        SetTime::At(ns) => Some(SystemTimeSpec::Absolute(cap_std::time::SystemTime::from_std(file::system_time(ns)))),
    }
}

fn file_type(kind: HostType) -> FileType {
    if kind.is_file() {
        FileType::Regular
    } else if kind.is_dir() {
        FileType::Directory
    } else if kind.is_symlink() {
        FileType::Symlink
    } else if kind.is_fifo() {
        FileType::Fifo
    } else {
        FileType::Unknown
    }
}

fn host_stat(metadata: &Metadata, device: u64) -> HostStat {
    let time = |seconds: i64, nanos: i64| {
        let ns = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        // before 1970 and after 2554 there is nothing to say it with
        u64::try_from(ns.max(0)).unwrap_or(u64::MAX)
    };
    HostStat {
        kind: file_type(metadata.file_type()),
        mode: plain_mode(metadata.mode()),
        nlink: metadata.nlink(),
        size: metadata.len(),
        blocks: metadata.blocks(),
        atime: time(metadata.atime(), metadata.atime_nsec()),
        mtime: time(metadata.mtime(), metadata.mtime_nsec()),
        ctime: time(metadata.ctime(), metadata.ctime_nsec()),
        ino: number(metadata.dev(), metadata.ino(), device),
    }
}

/// One number for a file of the mount. Where another filesystem of the host is mounted inside, its device is mixed in, or two files would
/// look like one.
fn number(device: u64, ino: u64, own: u64) -> u64 {
    let mixed = if device == own { ino } else { ino ^ device.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
    // the highest bit marks files that an overlay made
    mixed & (u64::MAX >> 1)
}
