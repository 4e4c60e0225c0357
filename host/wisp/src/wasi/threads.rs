//! `wisp:sandbox/threads`: which threads a process has, and which of them runs. `exec/threads.rs` runs them.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::Poll;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentType, Linker, Lower};

use super::context::WasiState;
use super::{Charge, HostMemory};
use wisp_api::ErrorCode;

/// The thread that a program begins with.
const FIRST: u32 = 0;

/// Maximum threads of a process beside the first.
const MAX_THREADS: usize = 256;

/// Host memory that a thread is charged for at first, in bytes: its fiber and what `python3` uses of its stack. `exec/threads.rs` charges
/// for more when the stack grows. What the program keeps in its own memory is charged with that.
pub const THREAD_COST: u64 = 1 << 20;

/// Why there is no new thread: `threads.refusal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
enum Refusal {
    #[component(name = "too-many")]
    TooMany,
    #[component(name = "no-memory")]
    NoMemory,
    #[component(name = "not-here")]
    NotHere,
}

/// The threads of one process.
pub struct ThreadTable {
    current: AtomicU32,
    /// Whether there is somebody who runs threads: not for a program that may not have them or exports no entry, and not where memory is
    /// pooled, because no word of it can be set there.
    driven: AtomicBool,
    /// Threads that have not ended, beside the first.
    alive: AtomicU32,
    table: Mutex<Table>,
    /// Permits for threads, of all processes together.
    room: Arc<Semaphore>,
}

#[derive(Default)]
struct Table {
    last: u32,
    threads: BTreeMap<u32, Made>,
}

/// A thread that was made.
struct Made {
    /// The word of its own that says that a signal came, and the bits.
    flag: (u32, u32),
    #[expect(dead_code, reason = "held until the thread has ended")]
    held: (Charge, OwnedSemaphorePermit),
}

impl ThreadTable {
    /// Creates the threads of a process with its first thread alone. Each other one takes a permit of `room`.
    pub fn new(room: Arc<Semaphore>) -> Self {
        let (current, driven, alive, table) = (AtomicU32::new(FIRST), AtomicBool::new(false), AtomicU32::new(0), Mutex::default());
        Self { current, driven, alive, table, room }
    }

    /// Says that its threads will run from now on.
    pub fn drive(&self) {
        self.driven.store(true, Ordering::Relaxed);
    }

    /// Returns whether any was ever made beside the first.
    pub fn were_any(&self) -> bool {
        self.table.lock().last != 0
    }

    /// Returns the thread that runs; `None` if that is the first.
    pub fn current(&self) -> Option<u32> {
        let current = self.current.load(Ordering::Relaxed);
        (current != FIRST).then_some(current)
    }

    /// Returns whether there are threads beside the first, so that a process without any pays for one load.
    pub fn any(&self) -> bool {
        self.alive.load(Ordering::Relaxed) > 0
    }

    /// Returns the word that tells the thread that runs about signals, and the bits; `None` for the first, whose words are those of the
    /// process.
    pub fn flag(&self) -> Option<(u32, u32)> {
        Some(self.table.lock().threads.get(&self.current()?)?.flag)
    }

    /// Notes that a thread has ended: the first runs.
    pub fn ended(&self, thread: u32) {
        self.current.store(FIRST, Ordering::Relaxed);
        if self.table.lock().threads.remove(&thread).is_some() {
            self.alive.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Ends all that are left, as the call in which they were made has ended. Returns how many those were.
    pub fn end_all(&self) -> usize {
        self.current.store(FIRST, Ordering::Relaxed);
        self.alive.store(0, Ordering::Relaxed);
        std::mem::take(&mut self.table.lock().threads).len()
    }

    fn make(&self, memory: &Arc<dyn HostMemory>, flag: (u32, u32)) -> Result<u32, Refusal> {
        if !self.driven.load(Ordering::Relaxed) {
            return Err(Refusal::NotHere);
        }
        let mut table = self.table.lock();
        // Four thousand million threads are more than any limit of time allows.
        let number = table.last.checked_add(1).filter(|_| table.threads.len() < MAX_THREADS).ok_or(Refusal::TooMany)?;
        let permit = self.room.clone().try_acquire_owned().map_err(|_| {
            memory.failed(ErrorCode::NoRoom, "the engine has no room for another thread".to_owned());
            Refusal::TooMany
        })?;
        let held = (Charge::new(memory, THREAD_COST).ok_or(Refusal::NoMemory)?, permit);
        table.last = number;
        table.threads.insert(number, Made { flag, held });
        self.alive.fetch_add(1, Ordering::Relaxed);
        Ok(number)
    }

    /// Chooses the thread that runs next. Returns the one that runs now.
    fn choose(&self, thread: u32) -> wasmtime::Result<u32> {
        if thread != FIRST && !self.table.lock().threads.contains_key(&thread) {
            wasmtime::bail!("there is no thread {thread}");
        }
        Ok(self.current.swap(thread, Ordering::Relaxed))
    }
}

/// Links `wisp:sandbox/threads`. By hand: the future of `switch` must not keep anything of the store, which the other threads use
/// in the meantime.
pub(super) fn link<T: WasiState>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    let mut interface = linker.instance("wisp:sandbox/threads@0.1.0")?;
    interface.func_wrap("make", |mut store: StoreContextMut<'_, T>, (address, bits): (u32, u32)| {
        let ctx = store.data_mut().wasi().ctx;
        Ok((ctx.threads.make(&ctx.memory, (address, bits)),))
    })?;
    interface.func_wrap_async("switch", |mut store: StoreContextMut<'_, T>, (to,): (u32,)| {
        let threads = store.data_mut().wasi().ctx.threads.clone();
        Box::new(async move {
            let own = threads.choose(to)?;
            // Nothing wakes it: it is polled when its thread is chosen, and not before.
            poll_fn(|_| if threads.current.load(Ordering::Relaxed) == own { Poll::Ready(()) } else { Poll::Pending }).await;
            Ok(())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::charge::tests::Account;
    use super::*;

    #[test]
    fn threads_are_counted_charged_and_given_back() {
        let (account, memory) = Account::of((MAX_THREADS as u64 + 1) * THREAD_COST);
        let room = Arc::new(Semaphore::new(MAX_THREADS + 1));
        let threads = ThreadTable::new(room.clone());
        assert_eq!(threads.make(&memory, (8, 2)), Err(Refusal::NotHere), "nothing would run it");
        threads.drive();
        let made: Vec<u32> = (0..MAX_THREADS).map_while(|_| threads.make(&memory, (8, 2)).ok()).collect();
        assert_eq!((made.len(), account.left()), (MAX_THREADS, THREAD_COST));
        assert_eq!(threads.make(&memory, (8, 2)), Err(Refusal::TooMany));
        assert_eq!((threads.choose(made[3]).unwrap(), threads.current(), threads.flag()), (FIRST, Some(made[3]), Some((8, 2))));
        threads.ended(made[3]);
        assert_eq!((threads.current(), threads.flag(), account.left()), (None, None, 2 * THREAD_COST));
        assert!(threads.choose(made[3]).is_err(), "it has ended");
        assert!(threads.make(&memory, (8, 2)).is_ok_and(|number| !made.contains(&number)), "a number is used once");
        made.iter().for_each(|thread| threads.ended(*thread));
        let (_, poor) = Account::of(THREAD_COST - 1);
        assert_eq!(threads.make(&poor, (8, 2)), Err(Refusal::NoMemory), "it cannot be paid");
        assert!(threads.any());
        assert_eq!((threads.end_all(), threads.any(), threads.current()), (1, false, None), "it would not end");
        let other = ThreadTable::new(room.clone());
        other.drive();
        assert_eq!((0..).map_while(|_| other.make(&memory, (8, 2)).ok()).count(), MAX_THREADS, "as many as a process may have");
        drop(other);
        let crowded = ThreadTable::new(Arc::new(Semaphore::new(1)));
        crowded.drive();
        assert!(crowded.make(&memory, (8, 2)).is_ok());
        assert_eq!(crowded.make(&memory, (8, 2)), Err(Refusal::TooMany), "other processes have the rest");
        drop((threads, crowded));
        assert_eq!(
            (room.available_permits(), account.left()),
            (MAX_THREADS + 1, (MAX_THREADS as u64 + 1) * THREAD_COST),
            "all is given back"
        );
    }
}
