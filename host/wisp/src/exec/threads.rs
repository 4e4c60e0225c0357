//! The threads of a process: calls into its store, of which one is polled at a time.
//!
//! Each thread is a call of the export `thread-entry.enter`, on a fiber of its own. The program decides which one runs by the import
//! `threads.switch` (`wasi/threads.rs`), so to everything outside it is one future, metered, stopped and ended as ever.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use wasmtime::component::Instance;
use wasmtime::{AsContextMut, Store, StoreContextMut};

use crate::program::linked::Program;
use crate::program::store::ProcessState;
use crate::runtime::memory::{LiveStack, noting};
use crate::runtime::{FIBER_STACK, HostFault};
use crate::wasi::{Charge, HostMemory, NoMemory, THREAD_COST, WasiState};

/// How far a thread's stack may grow before what it uses is looked up again, in time: touching a page takes the kernel more than
/// 100 ns, so at most some 2 MiB.
const UNSEEN: Duration = Duration::from_micros(50);

/// What a call returned.
pub(crate) struct Done<T> {
    pub value: T,
    /// Threads that had not ended when it did: they have been dropped, and the instance cannot be called any more.
    pub left: usize,
}

/// Threads of a process that have begun and not ended. They must be dropped before their store.
#[derive(Default)]
struct Threads {
    begun: BTreeMap<u32, Thread>,
    /// The stack of the thread that ended last, which wasmtime keeps for the next call.
    last: Option<LiveStack>,
}

/// A thread that has begun.
struct Thread {
    call: Pin<Box<dyn Future<Output = wasmtime::Result<()>> + Send>>,
    stack: Option<LiveStack>,
    /// Bytes of its stack that are charged, and the charge for those beyond what the table of threads charges.
    paid: u64,
    more: Charge,
    /// How long it ran since its stack was looked at.
    unseen: Duration,
}

/// The store of the threads.
struct Shared(*mut Store<ProcessState>);

// SAFETY: it stands for the `&mut Store` that `run` has, which may go to another thread of the machine.
unsafe impl Send for Shared {}

impl Shared {
    /// Returns the store, for one more call. The context leads to what the store has on the heap, so the store may move.
    ///
    /// # Safety
    ///
    /// wasmtime promises this for one call of a store at a time, and safe Rust cannot write down more. What makes several of them
    /// sound, and what a new version of wasmtime must be read for:
    ///
    /// - The pointer is that of a live store: `run` makes it from a `&mut`, and drops it and all calls before that ends.
    /// - One call is polled at a time, from `run`, and another one only while all others wait in `switch`: each is then suspended on
    ///   a fiber of its own, in host code that holds no reference to the store. wasmtime keeps what belongs to a fiber (the
    ///   activations of its thread, limits of the stack, the chain of fibers) with it and exchanges it when it resumes one
    ///   (`fiber.rs`: `FiberResumeState`); its own concurrent calls resume fibers of one store in any order.
    /// - `switch` and `enter` have no handles, so the scopes of borrowed handles that are open while a thread waits are empty, and
    ///   need not be closed in the order of a stack.
    /// - Dropping a call that waits runs its fiber to its end (which unwinds it) while nothing else of the store runs.
    /// - No fiber is left when `run` returns, so that the stack of a store at rest (`interpreter/rest.rs`) is the only one.
    /// - The engine collects nothing: wasmtime looks for the roots of objects on the stack that runs and not on those of fibers that
    ///   wait. So an engine with exceptions of wasm has no threads (`Program::link`).
    ///
    /// One rule of wasmtime's own is bent: `StoreFiberYield::KeepStore`, "no other fibers may be resumed until this fiber resumes".
    /// Nothing in the version that the test below names acts on it.
    unsafe fn store(&self) -> StoreContextMut<'static, ProcessState> {
        // SAFETY: as above.
        unsafe {
            std::mem::transmute::<StoreContextMut<'_, ProcessState>, StoreContextMut<'static, ProcessState>>((*self.0).as_context_mut())
        }
    }
}

/// Does `main`, a call into the instance, and runs the threads that it and they make. An error of any is that of the whole. No thread
/// outlives it.
pub(crate) async fn run<T>(
    program: &Program,
    instance: Instance,
    store: &mut Store<ProcessState>,
    main: impl AsyncFnOnce(&mut Store<ProcessState>) -> wasmtime::Result<T>,
) -> wasmtime::Result<Done<T>> {
    if !program.has_threads() {
        return Ok(Done { value: main(store).await?, left: 0 });
    }
    let ctx = store.data_mut().wasi().ctx;
    let (table, memory) = (ctx.threads.clone(), ctx.memory.clone());
    table.drive();
    let shared = Shared(store);
    let (mut threads, driven) = (Threads::default(), table.clone());
    let threads = &mut threads;
    // SAFETY: `Shared::store` says why there may be more than one call.
    let mut main = pin!(main(unsafe { &mut *shared.0 }));
    let value = poll_fn(move |context| {
        loop {
            let current = driven.current();
            let polled = match current {
                None => main.as_mut().poll(context).map(|done| done.map(Some)),
                Some(number) => {
                    let begin = || Thread::begin(program, instance, &shared, number, &memory);
                    let polled = threads.begun.entry(number).or_insert_with(begin).resume(&mut threads.last, context);
                    if let Poll::Ready(Ok(())) = polled {
                        threads.last = threads.begun.remove(&number).and_then(|thread| thread.stack);
                        driven.ended(number);
                    }
                    polled.map(|done| done.map(|()| None))
                }
            };
            match polled {
                Poll::Ready(Ok(Some(value))) => return Poll::Ready(Ok(value)),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(None)) | Poll::Pending if driven.current() == current => return Poll::Pending,
                Poll::Ready(Ok(None)) | Poll::Pending => {}
            }
        }
    })
    .await?;
    Ok(Done { value, left: table.end_all() })
}

impl Thread {
    /// Returns the call that is thread `number`.
    fn begin(program: &Program, instance: Instance, shared: &Shared, number: u32, memory: &Arc<dyn HostMemory>) -> Self {
        // SAFETY: `run` calls this while it has the store, and drops `Threads` before it returns.
        let mut store = unsafe { shared.store() };
        let entry = program.thread_entry(&mut store, &instance);
        let call = Box::pin(async move { entry?.call_async(store, (number,)).await });
        Self { call, stack: None, paid: 0, more: Charge::owed(memory, 0), unseen: Duration::ZERO }
    }

    /// Polls it. `last` is the stack that wasmtime has left, if it begins and none is made for it.
    ///
    /// # Errors
    /// Its own, and [`NoMemory`] if its stack has grown beyond what can be paid.
    fn resume(&mut self, last: &mut Option<LiveStack>, context: &mut Context<'_>) -> Poll<wasmtime::Result<()>> {
        let start = Instant::now();
        let (mut polled, made) = noting(|| self.call.as_mut().poll(context));
        self.unseen += start.elapsed();
        if self.paid == 0 {
            self.stack = made.or_else(|| last.take());
            self.paid = THREAD_COST;
        }
        if self.unseen >= UNSEEN {
            self.unseen = Duration::ZERO;
            if let Err(error) = self.pay() {
                polled = Poll::Ready(Err(error));
            }
        }
        polled
    }

    /// Charges for as much of its stack as it has used.
    fn pay(&mut self) -> wasmtime::Result<()> {
        let deeper = |paid: u64| {
            let deeper = self.stack.as_ref().map_or(Ok(true), |stack| stack.is_deeper_than(paid as usize));
            deeper.map_err(|error| HostFault::memory("the stack of a thread cannot be looked up", error))
        };
        while self.paid < FIBER_STACK as u64 && deeper(self.paid)? {
            if !self.more.grow(THREAD_COST) {
                return Err(NoMemory.into());
            }
            self.paid += THREAD_COST;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    const CARGO: &str = include_str!("../../../../Cargo.toml");
    const LOCK: &str = include_str!("../../../../Cargo.lock");

    /// `Shared::store` bends a rule of wasmtime's own: `StoreFiberYield::KeepStore`, "no other fibers may be resumed until this fiber
    /// resumes". Before the number here changes, read in the new version:
    ///
    /// - `runtime/fiber.rs`: what acts on `KeepStore`; that `FiberResumeState` has all that belongs to one fiber (the thread's chain of
    ///   activations, limits of the stack, the guard's range, the executor, the current suspension) and exchanges it at each turn;
    /// - `runtime/store/async_.rs`: that stacks are given back one at a time, and a call that is dropped runs to its end;
    /// - `runtime/component/func.rs` and `concurrent_disabled.rs`: that `may_enter` only asks whether the store has trapped;
    ///
    /// and run `toolchain/just test escape` with debug assertions, which has wasmtime's own.
    #[test]
    fn wasmtime_is_the_version_whose_fibers_were_read() {
        let version = LOCK.split("\nname = \"wasmtime\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(version, Some("48.0.8"), "see the comment above before you change it");
        assert!(!CARGO.contains("component-model-async"), "its calls are concurrent: `may_enter` and the roots of suspended fibers change");
    }
}
