//! The epoch ticker: one thread that moves the epochs of all engines while processes run, and sleeps otherwise.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::memory::Queue;

/// Time between epochs. A limit is noticed within this much: 5 ms of a 500 ms limit is 1 %.
pub const TICK: Duration = Duration::from_millis(5);

/// Ticks without any process before the thread sleeps, so that call after call does not wake it each time.
const LINGER: u32 = 200;

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
    /// Memories that wait to be restored, looked at at every tick.
    queues: Vec<Weak<Queue>>,
    asleep: bool,
    thread: bool,
}

/// Moves the epochs of the engines it knows while anything runs.
#[derive(Clone, Default)]
pub struct Ticker(Arc<Shared>);

/// While this lives, the ticker ticks.
pub struct Ticking(Arc<Shared>);

impl Ticker {
    /// Tick this engine's epochs too.
    pub fn add(&self, engine: &wasmtime::Engine) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.engines.push(engine.weak());
    }

    /// Nudge whoever restores memories at every tick, too.
    pub(crate) fn nudge(&self, queue: Weak<Queue>) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).queues.push(queue);
    }

    /// Something runs from now on.
    pub fn start(&self) -> Ticking {
        self.0.running.fetch_add(1, Ordering::SeqCst);
        // Made first: should the thread not start below, this is counted out again.
        let ticking = Ticking(self.0.clone());
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.thread {
            let shared = Arc::downgrade(&self.0);
            // Without the thread no limit would hold, so failing to start it must not be survived quietly: this process
            // ends, and the next one tries again.
            std::thread::Builder::new()
                .name("wisp-epochs".to_owned())
                .spawn(move || tick(&shared))
                .expect("the operating system starts a thread");
            state.thread = true;
        } else if state.asleep {
            self.0.wake.notify_one();
        }
        drop(state);
        ticking
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

fn tick(shared: &Weak<Shared>) {
    let mut idle = 0;
    loop {
        std::thread::sleep(TICK);
        let Some(shared) = shared.upgrade() else { return };
        let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.engines.retain(|engine| match engine.upgrade() {
            Some(engine) => {
                engine.increment_epoch();
                true
            }
            None => false,
        });
        state.queues.retain(|queue| queue.upgrade().inspect(|queue| queue.nudge()).is_some());
        if state.engines.is_empty() {
            state.thread = false;
            return;
        }
        idle = if shared.running.load(Ordering::SeqCst) == 0 { idle + 1 } else { 0 };
        if idle >= LINGER {
            state.asleep = true;
            while shared.running.load(Ordering::SeqCst) == 0 {
                // Wakes now and then to see whether all engines are gone.
                let (guard, timeout) = shared.wake.wait_timeout(state, Duration::from_secs(1)).unwrap_or_else(PoisonError::into_inner);
                state = guard;
                if timeout.timed_out() && state.engines.iter().all(|engine| engine.upgrade().is_none()) {
                    state.thread = false;
                    return;
                }
            }
            state.asleep = false;
            idle = 0;
        }
    }
}
