//! An open regular file of the host.

use std::fs::{File, FileTimes, Permissions};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use cap_std::fs::Metadata;

use super::error::host_error;
use super::facts::host_stat;
use wisp_vfs::{FsError, HostFile, HostMode, HostStat, MAX_READ, SetTime};

/// The largest offset that the host's calls accept.
const MAX_OFFSET: u64 = i64::MAX as u64;

/// A file that a guest has open; closed on drop.
pub(super) struct OpenedFile {
    file: File,
    /// The device of the mount's root.
    device: u64,
}

impl OpenedFile {
    pub(super) fn new(file: File, device: u64) -> Self {
        Self { file, device }
    }
}

/// Converts nanoseconds since 1970 to the host's time.
pub(super) fn system_time(ns: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_nanos(ns)
}

impl HostFile for OpenedFile {
    fn stat(&self) -> Result<HostStat, FsError> {
        let metadata = Metadata::from_file(&self.file).map_err(host_error)?;
        Ok(host_stat(&metadata, self.device))
    }

    fn read_at(&self, offset: u64, len: usize) -> Result<Bytes, FsError> {
        if offset > MAX_OFFSET {
            return Ok(Bytes::new());
        }
        let mut buffer = vec![0; len.min(MAX_READ)];
        let count = self.file.read_at(&mut buffer, offset).map_err(host_error)?;
        buffer.truncate(count);
        if count < buffer.capacity() / 2 {
            buffer.shrink_to_fit();
        }
        Ok(buffer.into())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<usize, FsError> {
        if offset > MAX_OFFSET {
            return Err(FsError::FileTooLarge);
        }
        self.file.write_at(bytes, offset).map_err(host_error)
    }

    /// Appends in one step: on Linux the kernel appends each write, so that two processes of a session, or one on the host, do not
    /// overwrite each other.
    #[cfg(target_os = "linux")]
    fn append(&self, bytes: &[u8]) -> Result<u64, FsError> {
        use rustix::io::{ReadWriteFlags, pwritev2};
        let mut left = bytes;
        while !left.is_empty() {
            let count = pwritev2(&self.file, &[std::io::IoSlice::new(left)], 0, ReadWriteFlags::APPEND)
                .map_err(|error| host_error(error.into()))?;
            if count == 0 {
                return Err(FsError::Io);
            }
            left = &left[count..];
        }
        Ok(self.stat()?.size)
    }

    #[cfg(not(target_os = "linux"))]
    fn append(&self, bytes: &[u8]) -> Result<u64, FsError> {
        let end = self.stat()?.size;
        self.file.write_all_at(bytes, end).map_err(host_error)?;
        Ok(end + bytes.len() as u64)
    }

    fn set_len(&self, len: u64) -> Result<(), FsError> {
        if len > MAX_OFFSET {
            return Err(FsError::FileTooLarge);
        }
        self.file.set_len(len).map_err(host_error)
    }

    fn set_mode(&self, mode: HostMode) -> Result<(), FsError> {
        self.file.set_permissions(Permissions::from_mode(mode.bits())).map_err(host_error)
    }

    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<(), FsError> {
        let value = |time| match time {
            SetTime::Keep => None,
            SetTime::Now => Some(SystemTime::now()),
            SetTime::At(ns) => Some(system_time(ns)),
        };
        let mut times = FileTimes::new();
        if let Some(time) = value(atime) {
            times = times.set_accessed(time);
        }
        if let Some(time) = value(mtime) {
            times = times.set_modified(time);
        }
        self.file.set_times(times).map_err(host_error)
    }
}
