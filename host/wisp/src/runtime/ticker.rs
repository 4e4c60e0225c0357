//! The epoch ticker: one thread that advances the epochs of all engines while processes run, makes the calls that are
//! due, and sleeps otherwise.
//!
//! Time limits and guests' timers depend on this thread alone. An asynchronous runtime checks its own timers between
//! polls of tasks, and each poll of a process that computes takes an epoch: with busy processes, the runtime's timers
//! are late by as many epochs as it polls tasks in a row.

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::alarms::{Alarms, Call, Key};
use super::memory::Queue;

/// Time between epochs: a process that computes is interrupted after this much, so that others run and its end is
/// noticed.
pub(crate) const TICK: Duration = Duration::from_millis(5);

/// Ticks without any process before the thread sleeps, so that a series of calls does not wake it each time.
const LINGER: u32 = 200;

/// How often the thread checks, while nothing runs, whether all engines are gone.
const LOOK: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Shared {
    /// Processes that run now.
    running: AtomicUsize,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    engines: Vec<wasmtime::EngineWeak>,
    /// Memories that wait to be restored, checked at every tick.
    queues: Vec<Weak<Queue>>,
    alarms: Alarms,
    /// Whether epochs stand still because nothing runs.
    asleep: bool,
    /// When the thread wakes next if it is not woken before.
    looks: Option<Instant>,
    thread: bool,
}

/// Advances the epochs of its engines while anything runs, and makes the calls that are due.
#[derive(Clone, Default)]
pub struct Ticker(Arc<Shared>);

/// The ticker ticks while this lives.
pub struct Ticking(Arc<Shared>);

/// A scheduled call; dropping this before its time cancels it.
#[must_use]
pub(crate) struct Alarm {
    shared: Weak<Shared>,
    key: Key,
}

impl fmt::Debug for Ticker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticker").finish_non_exhaustive()
    }
}

impl fmt::Debug for Ticking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticking").finish_non_exhaustive()
    }
}

impl Ticker {
    /// Ticks this engine's epochs too.
    pub(crate) fn add(&self, engine: &wasmtime::Engine) {
        self.0.lock().engines.push(engine.weak());
    }

    /// Wakes the restorer of memories at every tick, too.
    pub(crate) fn nudge(&self, queue: Weak<Queue>) {
        self.0.lock().queues.push(queue);
    }

    /// Registers something that runs from now on.
    pub fn start(&self) -> Ticking {
        self.0.running.fetch_add(1, Ordering::SeqCst);
        // Counted first: if the thread cannot be started below, this is subtracted again.
        let ticking = Ticking(self.0.clone());
        let mut state = self.0.lock();
        // Without the thread no limit would be enforced, so a failure to start it must not go unnoticed: this process
        // ends, and the next one tries again.
        self.ensure(&mut state).expect("the operating system starts a thread");
        if state.asleep {
            self.0.wake.notify_one();
        }
        drop(state);
        ticking
    }

    /// Calls `call` on the ticker's thread at `at`. It must not block: limits and timers of all sessions depend on
    /// the thread.
    pub(crate) fn at(&self, at: Instant, call: impl FnOnce() + Send + 'static) -> Alarm {
        let mut state = self.0.lock();
        let key = state.alarms.add(at, Box::new(call));
        // As above.
        self.ensure(&mut state).expect("the operating system starts a thread");
        if state.looks.is_some_and(|looks| at < looks) {
            self.0.wake.notify_one();
        }
        Alarm { shared: Arc::downgrade(&self.0), key }
    }

    /// Waits until `until`, on the ticker's thread.
    pub fn sleep(&self, until: Instant) -> impl Future<Output = ()> + Send + use<> {
        Sleep { ticker: self.clone(), until, waker: Arc::default(), alarm: None }
    }

    /// Starts the thread now; it runs as long as an engine exists.
    ///
    /// # Errors
    /// The system's: the number of threads may be limited.
    pub(crate) fn ready(&self) -> std::io::Result<()> {
        self.ensure(&mut self.0.lock())
    }

    fn ensure(&self, state: &mut State) -> std::io::Result<()> {
        if !state.thread {
            let shared = self.0.clone();
            std::thread::Builder::new().name("wisp-epochs".to_owned()).spawn(move || tick(&shared))?;
            state.thread = true;
        }
        Ok(())
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        let Some(shared) = self.shared.upgrade() else { return };
        let call = shared.lock().alarms.remove(&self.key);
        // Not under the lock: what the call owns may cancel alarms of its own.
        drop(call);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl State {
    /// Advances the epochs.
    fn tick(&mut self) {
        self.engines.retain(|engine| match engine.upgrade() {
            Some(engine) => {
                engine.increment_epoch();
                true
            }
            None => false,
        });
        self.queues.retain(|queue| queue.upgrade().inspect(|queue| queue.nudge()).is_some());
    }

    /// Returns whether the thread is no longer needed.
    fn is_over(&self) -> bool {
        self.alarms.is_empty() && self.engines.iter().all(|engine| engine.upgrade().is_none())
    }
}

fn tick(shared: &Arc<Shared>) {
    let mut state = shared.lock();
    let (mut next, mut idle) = (Instant::now() + TICK, 0);
    loop {
        let now = Instant::now();
        let busy = shared.running.load(Ordering::SeqCst) > 0;
        if state.asleep && busy {
            (state.asleep, next, idle) = (false, now + TICK, 0);
        }
        if !state.asleep && now >= next {
            state.tick();
            next = now + TICK;
            idle = if busy { 0 } else { idle + 1 };
            state.asleep = idle >= LINGER;
        }
        let due = state.alarms.due(now);
        if !due.is_empty() {
            drop(state);
            due.into_iter().for_each(call);
            state = shared.lock();
            continue;
        }
        if state.is_over() {
            state.thread = false;
            return;
        }
        let looks = if state.asleep { now + LOOK } else { next };
        let looks = state.alarms.first().map_or(looks, |first| first.min(looks));
        state.looks = Some(looks);
        shared.wake.wait_until(&mut state, looks);
        state.looks = None;
    }
}

/// Makes one call. A panic in it is contained, because all sessions share the thread.
fn call(call: Call) {
    if catch_unwind(AssertUnwindSafe(call)).is_err() {
        tracing::error!("a scheduled call panicked");
    }
}

/// Waits for a time, on the ticker's thread.
pub(crate) struct Sleep {
    ticker: Ticker,
    until: Instant,
    waker: Arc<AtomicWaker>,
    alarm: Option<Alarm>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.until {
            return Poll::Ready(());
        }
        self.waker.register(context.waker());
        if self.alarm.is_none() {
            let waker = self.waker.clone();
            self.alarm = Some(self.ticker.at(self.until, move || waker.wake()));
        } else if Instant::now() >= self.until {
            // The call may have been made between the first check and the registration.
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_is_due_is_called_and_what_was_taken_back_is_not() {
        let (ticker, (sender, calls)) = (Ticker::default(), channel());
        let now = Instant::now();
        let alarm = |after: u64, name: &'static str| {
            let sender = sender.clone();
            ticker.at(now + Duration::from_millis(after), move || sender.send(name).expect("the test listens"))
        };
        drop(alarm(1, "taken back"));
        let _kept = [alarm(20, "second"), alarm(10, "first")];
        assert_eq!((calls.recv(), calls.recv()), (Ok("first"), Ok("second")));
    }

    #[test]
    fn a_panic_in_a_call_leaves_the_thread() {
        let (ticker, (sender, calls)) = (Ticker::default(), channel());
        let _panics = ticker.at(Instant::now(), || panic!("on purpose"));
        let _next = ticker.at(Instant::now(), move || sender.send(()).expect("the test listens"));
        assert_eq!(calls.recv(), Ok(()));
    }

    #[test]
    fn a_call_may_ask_for_another_and_give_up_its_own() {
        let (ticker, (sender, calls)) = (Ticker::default(), channel());
        let (inner, kept) = (ticker.clone(), Arc::new(Mutex::new(None)));
        let place = kept.clone();
        let alarm = ticker.at(Instant::now(), move || {
            *place.lock() = Some(inner.at(Instant::now(), move || sender.send(()).expect("the test listens")));
        });
        assert_eq!(calls.recv(), Ok(()));
        drop((alarm, kept));
    }

    #[tokio::test]
    async fn a_sleep_ends_after_its_time_without_timers_of_the_runtime() {
        // The runtime of this test has no time driver: nothing below uses tokio's time.
        let (ticker, until) = (Ticker::default(), Instant::now() + Duration::from_millis(2));
        ticker.sleep(until).await;
        assert!(Instant::now() >= until);
    }
}
