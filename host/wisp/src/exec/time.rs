//! How time passes in a session: as on the host, or, under `[determinism]`, with the actions of its processes.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use parking_lot::{Mutex, MutexGuard};

use crate::runtime::Ticker;
use crate::wasi::Timeline;

/// The host's time since `start`; waits end on the ticker's thread.
pub(crate) struct HostTime {
    pub start: Instant,
    pub ticker: Ticker,
}

impl Timeline for HostTime {
    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn until(&self, when: u64) -> BoxFuture<'static, ()> {
        match self.start.checked_add(Duration::from_nanos(when)) {
            Some(when) => Box::pin(self.ticker.sleep(when)),
            None => Box::pin(std::future::pending()),
        }
    }
}

/// Virtual nanoseconds for each unit of fuel. A unit is about one instruction of wasm.
pub(crate) const PER_FUEL: u64 = 1;

/// How far each reading advances a virtual clock, so that a loop that waits for time to pass ends: 1 µs.
const STEP: u64 = 1_000;

/// Time that advances with the actions of processes: with the instructions that they run, with each reading of a clock,
/// and, when all of them wait, to the first time that one of them waits for.
#[derive(Default)]
pub(crate) struct VirtualTime(Mutex<State>);

#[derive(Default)]
struct State {
    now: u64,
    /// The wakers, by the time that they wait for and the order in which they began to wait.
    timers: BTreeMap<(u64, u64), Waker>,
    numbers: u64,
}

impl VirtualTime {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }

    /// Returns how far the time has come.
    pub(crate) fn elapsed(&self) -> u64 {
        self.lock().now
    }

    /// Advances by `nanoseconds`.
    pub(crate) fn advance(&self, nanoseconds: u64) {
        let now = self.lock().now.saturating_add(nanoseconds);
        self.reach(now);
    }

    /// Advances to `now`, unless it is already later, and wakes everything that waited for that.
    pub(crate) fn reach(&self, now: u64) {
        let mut state = self.lock();
        state.now = state.now.max(now);
        let mut due = Vec::new();
        while let Some(entry) = state.timers.first_entry().filter(|entry| entry.key().0 <= now) {
            due.push(entry.remove());
        }
        drop(state);
        due.into_iter().for_each(Waker::wake);
    }

    /// Returns the first time that is waited for.
    pub(crate) fn next(&self) -> Option<u64> {
        self.lock().timers.first_key_value().map(|((due, _), _)| *due)
    }
}

/// The virtual time of a session, as its processes see it.
impl Timeline for Arc<VirtualTime> {
    fn now(&self) -> u64 {
        let now = self.elapsed();
        self.reach(now.saturating_add(STEP));
        now
    }

    fn until(&self, when: u64) -> BoxFuture<'static, ()> {
        Box::pin(Until { time: self.clone(), when, number: None })
    }
}

/// Waits for a virtual time.
struct Until {
    time: Arc<VirtualTime>,
    when: u64,
    /// Its position among those that wait for the same time.
    number: Option<u64>,
}

impl Future for Until {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let (time, when) = (self.time.clone(), self.when);
        let mut state = time.lock();
        if state.now >= when {
            return Poll::Ready(());
        }
        let number = *self.number.get_or_insert_with(|| {
            state.numbers += 1;
            state.numbers
        });
        state.timers.insert((when, number), context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Until {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            // Dropped after the lock is released.
            let _waker = self.time.lock().timers.remove(&(self.when, number));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn it_moves_by_work_and_readings_and_wakes_who_waited() {
        let time = Arc::new(VirtualTime::default());
        let (mut first, mut second) = (time.until(5_000_000), time.until(5_000_000));
        let mut gone = time.until(1);
        assert!((&mut gone).now_or_never().is_none() && time.next() == Some(1));
        drop(gone);
        assert!((&mut second).now_or_never().is_none() && (&mut first).now_or_never().is_none());
        assert_eq!(time.next(), Some(5_000_000));
        assert_eq!((time.now(), time.now(), time.elapsed()), (0, 1_000, 2_000));
        time.advance(4_997_999);
        assert!((&mut first).now_or_never().is_none());
        time.advance(1);
        assert!(first.now_or_never().is_some() && second.now_or_never().is_some());
        assert_eq!((time.next(), time.elapsed()), (None, 5_000_000));
        // It does not go back.
        time.reach(1);
        assert_eq!(time.elapsed(), 5_000_000);
    }
}
