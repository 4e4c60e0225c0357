//! A single file of the host as a mount. It is opened once, when the session is built, and every open by a guest uses
//! that file: a file that the host later puts in its place is not visible, and there is no directory through which to
//! leave.

#![expect(clippy::disallowed_methods, reason = "the file that a policy mounts")]

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{FallocateFlags, OFlags, fallocate};
use rustix::io::Errno;

use super::error::host_error;
use super::facts::GIVES_RIGHTS;
use super::file::OpenedFile;
use super::place::{look, refuse_kernel_filesystem};
use wisp_vfs::{DirEntry, FsError, HostFile, HostMode, HostOpen, HostStat, Mount, SetTime};

/// A regular file of the host, held open.
pub(crate) struct SingleFile {
    file: File,
    device: u64,
}

impl SingleFile {
    /// Opens the regular file at `path`, following symbolic links, for reading, and for writing if `write`.
    ///
    /// # Errors
    /// When it cannot be opened so, is not a regular file, belongs to a filesystem of the kernel, or, for writing,
    /// gives its caller the rights of its owner.
    pub(crate) fn open(path: &Path, write: bool) -> io::Result<Self> {
        let seen = look(path)?;
        // If a pipe or terminal has replaced the file in the meantime: do not wait for it, do not make it the controlling
        // terminal.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        // The bits of these flags fit an i32 on every platform, as open(2) takes one.
        let file = OpenOptions::new().read(true).write(write).custom_flags(flags.bits() as i32).open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || (metadata.dev(), metadata.ino()) != (seen.dev(), seen.ino()) {
            return Err(io::Error::other("it is not a regular file, or was replaced while it was opened"));
        }
        refuse_kernel_filesystem(&file)?;
        if write && metadata.mode() & GIVES_RIGHTS != 0 {
            return Err(io::Error::other("it is a set-user-ID or set-group-ID program, which a guest may not change"));
        }
        Ok(Self { device: metadata.dev(), file })
    }

    /// Makes room on the host for these bytes, so that they can be overwritten without running out of it half-way. The file is then
    /// at least that long.
    ///
    /// # Errors
    /// When there is not enough. Nothing that the file has is changed, but it may be longer.
    pub(crate) fn reserve(&self, offset: u64, len: u64) -> Result<(), FsError> {
        loop {
            match fallocate(&self.file, FallocateFlags::empty(), offset, len) {
                Err(Errno::INTR) => {}
                // A filesystem that cannot, or no bytes.
                Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => return Ok(()),
                Err(error) => return Err(host_error(error.into())),
            }
        }
    }

    /// Returns the file, opened again without an offset of its own: all reads and writes name one.
    fn opened(&self, path: &str) -> Result<OpenedFile, FsError> {
        if !path.is_empty() {
            return Err(FsError::NotDirectory);
        }
        let file = self.file.try_clone().map_err(host_error)?;
        Ok(OpenedFile::new(file, self.device))
    }
}

impl Mount for SingleFile {
    fn is_file(&self) -> bool {
        true
    }

    fn stat(&self, path: &str) -> Result<HostStat, FsError> {
        self.opened(path)?.stat()
    }

    fn read_link(&self, path: &str) -> Result<String, FsError> {
        Err(if path.is_empty() { FsError::Invalid } else { FsError::NotDirectory })
    }

    fn read_dir(&self, _: &str) -> Result<Vec<DirEntry>, FsError> {
        Err(FsError::NotDirectory)
    }

    fn open(&self, path: &str, how: HostOpen) -> Result<Arc<dyn HostFile>, FsError> {
        let file = self.opened(path)?;
        if how.create && how.exclusive {
            return Err(FsError::Exists);
        }
        if how.truncate {
            file.set_len(0)?;
        }
        Ok(Arc::new(file))
    }

    fn mkdir(&self, _: &str, _: HostMode) -> Result<(), FsError> {
        Err(FsError::NotDirectory)
    }

    fn rmdir(&self, _: &str) -> Result<(), FsError> {
        Err(FsError::NotDirectory)
    }

    fn unlink(&self, path: &str) -> Result<(), FsError> {
        Err(if path.is_empty() { FsError::Busy } else { FsError::NotDirectory })
    }

    fn symlink(&self, _: &str, _: &str) -> Result<(), FsError> {
        Err(FsError::NotDirectory)
    }

    fn link(&self, _: &str, _: &str) -> Result<(), FsError> {
        Err(FsError::CrossDevice)
    }

    fn rename(&self, _: &str, _: &str) -> Result<(), FsError> {
        Err(FsError::Busy)
    }

    fn set_mode(&self, path: &str, mode: HostMode) -> Result<(), FsError> {
        self.opened(path)?;
        self.file.set_permissions(Permissions::from_mode(mode.bits())).map_err(host_error)
    }

    fn set_times(&self, path: &str, atime: SetTime, mtime: SetTime) -> Result<(), FsError> {
        self.opened(path)?.set_times(atime, mtime)
    }
}
