//! The maximum that a session may store, and the count of what it stores.

use wisp_api::FilesUsage;

use super::FsError;

/// The maximum that a filesystem may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Bytes of file contents and of symbolic link targets. Holes are free.
    pub max_bytes: u64,
    /// Files, directories, symbolic links, further hard links, and the whiteouts of overlay mounts.
    pub max_files: u64,
}

/// The count of what is stored. Base files and the contents of mounts are not in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ledger {
    pub(super) quota: Quota,
    bytes: u64,
    files: u64,
}

impl Ledger {
    pub(super) fn new(quota: Quota) -> Self {
        Self { quota, bytes: 0, files: 0 }
    }

    /// Returns a ledger with these counts, if the quota allows them.
    pub(super) fn of(quota: Quota, bytes: u64, files: u64) -> Result<Self, FsError> {
        let fits = bytes <= quota.max_bytes && files <= quota.max_files;
        fits.then_some(Self { quota, bytes, files }).ok_or(FsError::NoSpace)
    }

    pub(super) fn usage(&self) -> FilesUsage {
        FilesUsage { bytes: self.bytes, max_bytes: self.quota.max_bytes, files: self.files, max_files: self.quota.max_files }
    }

    /// Returns the number of bytes that may still be taken. 0 if a restore brought more than the quota.
    pub(super) fn room(&self) -> u64 {
        self.quota.max_bytes.saturating_sub(self.bytes)
    }

    /// Takes one file and `bytes`, or neither.
    pub(super) fn take_file(&mut self, bytes: u64) -> Result<(), FsError> {
        if self.files >= self.quota.max_files || bytes > self.room() {
            return Err(FsError::NoSpace);
        }
        self.files += 1;
        self.bytes += bytes;
        Ok(())
    }

    /// Returns one file and `bytes` to the quota.
    pub(super) fn give_file(&mut self, bytes: u64) {
        self.files = self.files.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Charges a file that changed from `old` to `new` bytes. The caller has checked [`Ledger::room`] before.
    pub(super) fn rebook(&mut self, old: u64, new: u64) {
        self.bytes = self.bytes.saturating_sub(old).saturating_add(new);
    }
}
