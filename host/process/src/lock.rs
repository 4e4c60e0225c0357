//! Advisory locks of open-file descriptions, as in flock(2). Ownership is the protocol: dropping the last
//! [`FileLock`] of a description releases its lock, and dropping a [`LockWait`] gives up its place in the queue.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::wait::until;

/// Maximum host memory of a description's lock, and of each wait for one: the tables for the file, its holders and
/// its queue grow by doubling.
pub const LOCK_COST: u64 = 512;

/// The file that a lock is on: its device and inode numbers.
pub type LockedFile = (u64, u64);

/// What a lock excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// Others may hold a shared lock too.
    Shared,
    /// No other description holds a lock.
    Exclusive,
}

/// Another description holds a lock that conflicts (EWOULDBLOCK).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another open file holds a lock on this file that conflicts")]
pub struct LockConflict;

/// The locks of a session's processes. Only files that are locked or waited for have an entry.
#[derive(Default)]
pub struct FileLocks {
    files: Mutex<BTreeMap<LockedFile, Line>>,
    owners: AtomicU64,
}

/// The holders of the lock of one file, and its queue.
#[derive(Default)]
struct Line {
    holders: Vec<Holder>,
    waiting: VecDeque<Waiter>,
}

struct Holder {
    owner: u64,
    kind: LockKind,
    /// The wait that the lock was granted to; none where it was taken without one.
    place: Option<Arc<Place>>,
}

struct Waiter {
    owner: u64,
    kind: LockKind,
    place: Arc<Place>,
}

#[derive(Default)]
struct Place {
    granted: AtomicBool,
    woken: Notify,
}

/// Returns whether no other owner than `owner` holds a conflicting lock.
fn allowed(holders: &[Holder], owner: u64, kind: LockKind) -> bool {
    let mut others = holders.iter().filter(|other| other.owner != owner);
    match kind {
        LockKind::Exclusive => others.next().is_none(),
        LockKind::Shared => others.all(|other| other.kind == LockKind::Shared),
    }
}

impl Line {
    fn held(&self, owner: u64) -> Option<LockKind> {
        self.holders.iter().find_map(|holder| (holder.owner == owner).then_some(holder.kind))
    }

    fn release(&mut self, owner: u64) {
        self.holders.retain(|holder| holder.owner != owner);
    }

    /// Takes the lock if nothing conflicts. If a conversion conflicts, the old lock is released.
    fn take(&mut self, owner: u64, kind: LockKind, place: Option<Arc<Place>>) -> bool {
        let allowed = allowed(&self.holders, owner, kind);
        self.release(owner);
        if allowed {
            self.holders.push(Holder { owner, kind, place });
        }
        allowed
    }

    /// Gives the lock to the first in the queue, as many as are compatible.
    fn grant(&mut self) {
        while let Some(first) = self.waiting.pop_front_if(|first| allowed(&self.holders, first.owner, first.kind)) {
            self.release(first.owner);
            first.place.granted.store(true, Ordering::SeqCst);
            first.place.woken.notify_waiters();
            self.holders.push(Holder { owner: first.owner, kind: first.kind, place: Some(first.place) });
        }
    }
}

impl FileLocks {
    /// Changes the queue of a file, then wakes those that now get the lock.
    fn change<T>(&self, file: LockedFile, change: impl FnOnce(&mut Line) -> T) -> T {
        let mut files = self.lock();
        let line = files.entry(file).or_default();
        let result = change(line);
        line.grant();
        if line.holders.is_empty() && line.waiting.is_empty() {
            files.remove(&file);
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<LockedFile, Line>> {
        // The lock is not poisoned by a panic: no change can panic halfway except for lack of memory, which ends the host.
        self.files.lock()
    }
}

/// The lock of a description, held or not. Clones are the same one.
#[derive(Clone)]
pub struct FileLock(Arc<Owner>);

struct Owner {
    locks: Arc<FileLocks>,
    file: LockedFile,
    number: u64,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.locks.change(self.file, |line| line.release(self.number));
    }
}

impl FileLock {
    /// Creates the lock of a description of `file`, not yet held.
    pub fn new(locks: &Arc<FileLocks>, file: LockedFile) -> Self {
        let number = locks.owners.fetch_add(1, Ordering::Relaxed);
        Self(Arc::new(Owner { locks: locks.clone(), file, number }))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Line, u64) -> T) -> T {
        self.0.locks.change(self.0.file, |line| change(line, self.0.number))
    }

    /// Takes or converts the lock without waiting. Only holders count, not the queue.
    ///
    /// # Errors
    /// [`LockConflict`]; the old lock has then been released.
    pub fn try_take(&self, kind: LockKind) -> Result<(), LockConflict> {
        self.change(|line, owner| line.take(owner, kind, None)).then_some(()).ok_or(LockConflict)
    }

    /// Takes or converts the lock, after those that already wait.
    pub fn take(&self, kind: LockKind) -> LockWait {
        let place = Arc::new(Place::default());
        self.change(|line, owner| {
            // A holder does not queue after those that wait for it to release the lock.
            let may = line.waiting.is_empty() || line.held(owner).is_some();
            if may && line.take(owner, kind, Some(place.clone())) {
                place.granted.store(true, Ordering::SeqCst);
            } else {
                line.waiting.push_back(Waiter { owner, kind, place: place.clone() });
            }
        });
        LockWait { lock: self.clone(), place, seen: AtomicBool::new(false) }
    }

    /// Returns the kind of lock that is held.
    pub fn held(&self) -> Option<LockKind> {
        self.0.locks.lock().get(&self.0.file).and_then(|line| line.held(self.0.number))
    }

    /// Releases the lock if it is held.
    pub fn release(&self) {
        self.change(Line::release);
    }
}

/// A place in the line for a lock. Dropping it gives up the place, and releases a lock that was granted after the last
/// look: a flock(2) that a signal interrupts does not hold the lock either.
pub struct LockWait {
    lock: FileLock,
    place: Arc<Place>,
    /// Whether `held` has returned, so that the waiter knows of its lock.
    seen: AtomicBool,
}

impl LockWait {
    /// Waits until the lock is held.
    pub async fn held(&self) {
        until(&self.place.woken, || self.place.granted.load(Ordering::SeqCst).then_some(())).await;
        self.seen.store(true, Ordering::SeqCst);
    }
}

impl Drop for LockWait {
    fn drop(&mut self) {
        if self.seen.load(Ordering::SeqCst) {
            return;
        }
        let granted_here = |holder: &Holder| holder.place.as_ref().is_some_and(|place| Arc::ptr_eq(place, &self.place));
        self.lock.change(|line, _| {
            line.waiting.retain(|other| !Arc::ptr_eq(&other.place, &self.place));
            line.holders.retain(|holder| !granted_here(holder));
        });
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
