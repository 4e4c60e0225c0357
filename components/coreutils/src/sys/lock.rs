//! File locks inside wisp.

use super::Lock;
use std::io::Result;
use std::path::Path;
use wisp_guest::{files, monotonic_clock, poll, process};
use wisp_tool::sys::{error, full};

/// An open file that can be locked.
pub struct LockFile(files::OpenFile);

impl LockFile {
    /// Opens a file or a directory. Creates the file if it does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        let path = full(path);
        let (read, create) = (files::OpenFlags::READ, files::OpenFlags::CREATE);
        let opened = match files::open(&path, read | create, 0o666) {
            Err(files::ErrorCode::IsDirectory) => files::open(&path, read, 0),
            opened => opened,
        };
        opened.map(Self).map_err(error)
    }

    /// Returns one of the descriptors with which this process was started.
    pub fn inherited(number: u32) -> Result<Self> {
        process::inherited(number).map(Self).map_err(error)
    }

    /// Takes or releases the lock, and waits at most this many nanoseconds for it. Returns whether that was possible.
    pub fn lock(&self, lock: Lock, ns: Option<u64>) -> Result<bool> {
        let kind = match lock {
            Lock::Shared => files::LockKind::Shared,
            Lock::Exclusive => files::LockKind::Exclusive,
            Lock::None => return self.0.unlock().map(|()| true).map_err(error),
        };
        if ns != Some(0) {
            let held = self.0.subscribe_lock(kind).map_err(error)?;
            let time = ns.map(monotonic_clock::subscribe_duration);
            poll(&std::iter::once(&held).chain(&time).collect::<Vec<_>>());
            if held.ready() {
                return Ok(true);
            }
        }
        match self.0.try_lock(kind) {
            Ok(()) => Ok(true),
            Err(files::ErrorCode::WouldBlock) => Ok(false),
            Err(code) => Err(error(code)),
        }
    }

    /// Returns another handle to the same open file, for a child.
    pub(super) fn handle(&self) -> Result<files::OpenFile> {
        self.0.duplicate().map_err(error)
    }
}
