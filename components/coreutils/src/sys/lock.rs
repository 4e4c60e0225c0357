//! File locks inside wisp.

use super::Lock;
use std::io::Result;
use std::path::Path;
use wisp_guest::{files, monotonic_clock, poll, process};
use wisp_tool::sys::{error, full};

/// An open file that can be locked.
pub struct LockFile(files::OpenFile);

impl LockFile {
    /// Open a file, which is made if there is none, or a directory.
    pub fn open(path: &Path) -> Result<LockFile> {
        let path = full(path)?;
        let (read, create) = (files::OpenFlags::READ, files::OpenFlags::CREATE);
        let opened = match files::open(&path, read | create, 0o666) {
            Err(files::ErrorCode::IsDirectory) => files::open(&path, read, 0),
            opened => opened,
        };
        opened.map(LockFile).map_err(error)
    }

    /// A descriptor that this process was started with.
    pub fn inherited(number: u32) -> Result<LockFile> {
        process::inherited(number).map(LockFile).map_err(error)
    }

    /// Take the lock or release it, waiting so many nanoseconds at the most; whether that was possible.
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

    /// Another handle of the same description, for a child.
    pub(super) fn handle(&self) -> Result<files::OpenFile> {
        self.0.duplicate().map_err(error)
    }
}
