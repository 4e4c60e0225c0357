//! A directory of the host, held open.

use std::io;
use std::path::Path;

use cap_std::fs::{Dir, Metadata, MetadataExt as _};
use parking_lot::Mutex;

use super::error::host_error;
use super::{names, place};
use wisp_vfs::FsError;

/// A host directory, held open.
pub(crate) struct HostDir {
    pub(super) dir: Dir,
    /// The device of the directory itself, whose inode numbers are passed on unchanged.
    pub(super) device: u64,
    /// Held while names of links are checked and changed, so that no other process of the session intervenes.
    pub(super) names: Mutex<()>,
}

impl HostDir {
    /// Opens the directory at `path`, following symbolic links, with all rights of the host process. Only this step
    /// uses a path of the host; from here on the handle is used.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, cap_std::ambient_authority())?;
        place::refuse_kernel_filesystem(&dir)?;
        let device = dir.dir_metadata()?.dev();
        Ok(Self { dir, device, names: Mutex::new(()) })
    }

    /// Returns facts about the file at `path`; `CrossDevice` if something else is mounted there or above it.
    pub(super) fn metadata(&self, path: &str) -> Result<Metadata, FsError> {
        if path.is_empty() {
            self.dir.dir_metadata().map_err(host_error)
        } else {
            place::beneath(&self.dir, self.device, &names::on_host(path)?)
        }
    }

    /// Checks that the directory of `path` belongs to the mount's own filesystem.
    pub(super) fn check_parent(&self, path: &str) -> Result<(), FsError> {
        match directory_of(path) {
            "" => Ok(()),
            directory => self.metadata(directory).map(drop),
        }
    }
}

/// Returns the directory of a path in a mount.
pub(super) fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}
