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
use crate::runtime::FIBER_STACK;
use crate::runtime::memory::{LiveStack, noting};
use crate::wasi::{Charge, HostMemory, NoMemory, THREAD_COST, WasiState};

/// How far a thread's stack may grow before what it uses is looked up again, in time: touching a page takes the kernel more than
/// 100 ns, so at most some 2 MiB.
const UNSEEN: Duration = Duration::from_micros(50);

/// Threads of a process that have begun and not ended. They must be dropped before their store.
#[derive(Default)]
pub(crate) struct Threads {
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

// SAFETY: it stands for the `&mut Store` that `Threads::run` has, which may go to another thread of the machine.
unsafe impl Send for Shared {}

impl Shared {
    /// The store, for one more call. The context leads to what the store has on the heap, so the store may move.
    ///
    /// # Safety
    ///
    /// wasmtime promises this for one call of a store at a time, and safe Rust cannot write down more. What makes several of them
    /// sound, and what a new version of wasmtime must be read for:
    ///
    /// - The pointer is that of a live store (`Threads::run` makes it from a `&mut` and drops it before that ends), and the call is
    ///   dropped before the store: `Threads` is dropped first by whoever owns both.
    /// - One call is polled at a time, from `run`, and another one only while all others wait in `switch`: each is then suspended on
    ///   a fiber of its own, in host code that holds no reference to the store. wasmtime keeps what belongs to a fiber (the
    ///   activations of its thread, limits of the stack, the chain of fibers) with it and exchanges it when it resumes one
    ///   (`fiber.rs`: `FiberResumeState`); its own concurrent calls resume fibers of one store in any order.
    /// - `switch` and `enter` have no handles, so the scopes of borrowed handles that are open while a thread waits are empty, and
    ///   need not be closed in the order of a stack.
    /// - Dropping a call that waits runs its fiber to its end (which unwinds it) while nothing else of the store runs.
    /// - A fiber's stack is not given back while it waits (`interpreter/rest.rs`), because the store keeps only the stack of the call
    ///   that ended last.
    unsafe fn store(&self) -> StoreContextMut<'static, ProcessState> {
        // SAFETY: as above.
        unsafe {
            std::mem::transmute::<StoreContextMut<'_, ProcessState>, StoreContextMut<'static, ProcessState>>((*self.0).as_context_mut())
        }
    }
}

impl Threads {
    /// Whether no thread waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }

    /// Does `main`, a call into the instance, and runs the threads that it and they make. Threads that have not ended stay. An error
    /// of any thread is that of the whole.
    pub(crate) async fn run<T>(
        &mut self,
        program: &Program,
        instance: Instance,
        store: &mut Store<ProcessState>,
        main: impl AsyncFnOnce(&mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        if !program.has_threads() {
            return main(store).await;
        }
        let ctx = store.data_mut().wasi().ctx;
        let (table, memory) = (ctx.threads.clone(), ctx.memory.clone());
        table.drive();
        let shared = Shared(store);
        // SAFETY: `Shared::store` says why there may be more than one call.
        let mut main = pin!(main(unsafe { &mut *shared.0 }));
        poll_fn(move |context| {
            loop {
                let current = table.current();
                match current {
                    None => {
                        if let Poll::Ready(done) = main.as_mut().poll(context) {
                            return Poll::Ready(done);
                        }
                    }
                    Some(number) => {
                        let thread = self.begun.entry(number).or_insert_with(|| Thread::begin(program, instance, &shared, number, &memory));
                        match thread.resume(&mut self.last, context) {
                            Poll::Ready(Ok(())) => {
                                self.last = self.begun.remove(&number).and_then(|thread| thread.stack);
                                table.ended(number);
                            }
                            Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                            Poll::Pending => {}
                        }
                    }
                }
                if table.current() == current {
                    return Poll::Pending;
                }
            }
        })
        .await
    }
}

impl Thread {
    /// The call that is thread `number`.
    fn begin(program: &Program, instance: Instance, shared: &Shared, number: u32, memory: &Arc<dyn HostMemory>) -> Self {
        // SAFETY: `Threads::run` calls this while the store lives, and `Threads` is dropped before it.
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
        while self.paid < FIBER_STACK as u64 && self.stack.as_ref().map_or(Ok(true), |stack| stack.is_deeper_than(self.paid as usize))? {
            if !self.more.grow(THREAD_COST) {
                return Err(NoMemory.into());
            }
            self.paid += THREAD_COST;
        }
        Ok(())
    }
}
