//! The locks of `wisp:sandbox/files`: the part of the session's table of file locks that belongs to a description.

use std::sync::{Arc, OnceLock};

use wasmtime::component::Resource;
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::bindings::wisp::sandbox::files::{ErrorCode, LockKind};
use super::description::OpenDescription;
use super::files::{FilesView, OpenFileHandle, description_of, error_code};
use super::signals::end_if_doomed;
use super::{Charge, Held};
use wisp_process::{FileLock, LOCK_COST, LockWait};

/// The lock of a description, or of all descriptions adopted from one descriptor. Nothing is stored before its first
/// use. Clones are the same lock, which is released when the last of them is dropped.
#[derive(Clone, Default)]
pub struct SharedLock(Arc<OnceLock<(FileLock, Charge)>>);

/// A place in the line for a lock, as a pollable.
struct Locking {
    /// Dropped before the description: a place in the line is given up before the lock is released.
    wait: LockWait,
    #[expect(dead_code, reason = "a handle of the description; closed on drop")]
    description: OpenDescription,
    #[expect(dead_code, reason = "held as long as the place in the line; released on drop")]
    charge: Charge,
}

impl Held for Locking {
    const CHARGED: &'static str = "a `Charge` for its place in the line; the description as `OpenFileHandle`";
}

#[async_trait]
impl Pollable for Locking {
    async fn ready(&mut self) {
        self.wait.held().await;
    }
}

impl From<LockKind> for wisp_process::LockKind {
    fn from(kind: LockKind) -> Self {
        match kind {
            LockKind::Shared => Self::Shared,
            LockKind::Exclusive => Self::Exclusive,
        }
    }
}

impl From<wisp_process::LockKind> for LockKind {
    fn from(kind: wisp_process::LockKind) -> Self {
        match kind {
            wisp_process::LockKind::Shared => Self::Shared,
            wisp_process::LockKind::Exclusive => Self::Exclusive,
        }
    }
}

impl SharedLock {
    /// Returns the lock, if it was ever used.
    fn used(&self) -> Option<&FileLock> {
        self.0.get().map(|(lock, _)| lock)
    }
}

impl FilesView<'_> {
    /// Returns the lock of a description, made on first use.
    fn lock_of(&self, description: &OpenDescription) -> Result<FileLock, ErrorCode> {
        let (Some(lock), Some(node)) = (description.lock(), description.node()) else { return Err(ErrorCode::Unsupported) };
        if let Some(lock) = lock.used() {
            return Ok(lock.clone());
        }
        let file = node.ident().map_err(error_code)?;
        let charge = self.charge_for_lock()?;
        // If another process was first, its lock counts.
        Ok(lock.0.get_or_init(|| (FileLock::new(self.locks, file), charge)).0.clone())
    }

    fn charge_for_lock(&self) -> Result<Charge, ErrorCode> {
        Charge::new(self.memory, LOCK_COST).ok_or(ErrorCode::InsufficientMemory)
    }

    /// Implements `open-file.try-lock`.
    pub(super) fn try_lock(&self, file: &Resource<OpenFileHandle>, how: LockKind) -> wasmtime::Result<Result<(), ErrorCode>> {
        let lock = self.lock_of(&description_of(self.table, file)?);
        end_if_doomed(self.process)?;
        Ok(lock.and_then(|lock| lock.try_take(how.into()).map_err(|_| ErrorCode::WouldBlock)))
    }

    /// Implements `open-file.subscribe-lock`.
    pub(super) fn wait_for_lock(
        &mut self,
        file: &Resource<OpenFileHandle>,
        how: LockKind,
    ) -> wasmtime::Result<Result<Resource<DynPollable>, ErrorCode>> {
        let description = description_of(self.table, file)?;
        let (lock, charge) = match self.lock_of(&description).and_then(|lock| Ok((lock, self.charge_for_lock()?))) {
            Ok(both) => both,
            Err(error) => return Ok(Err(error)),
        };
        let wait = lock.take(how.into());
        Ok(Ok(self.table.push_pollable(Locking { wait, description, charge })?))
    }

    /// Implements `open-file.unlock`.
    pub(super) fn release_lock(&self, file: &Resource<OpenFileHandle>) -> wasmtime::Result<Result<(), ErrorCode>> {
        let description = description_of(self.table, file)?;
        let Some(lock) = description.lock() else { return Ok(Err(ErrorCode::Unsupported)) };
        if let Some(lock) = lock.used() {
            lock.release();
        }
        Ok(Ok(()))
    }

    /// Implements `open-file.held-lock`.
    pub(super) fn lock_held(&self, file: &Resource<OpenFileHandle>) -> wasmtime::Result<Option<LockKind>> {
        let description = description_of(self.table, file)?;
        Ok(description.lock().and_then(SharedLock::used).and_then(FileLock::held).map(LockKind::from))
    }
}
