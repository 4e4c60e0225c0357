//! `wasi:clocks`: the host's clocks, or virtual ones under `[determinism]`.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use wasmtime::component::{HasData, Resource};
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use super::context::{Part, WasiView};
use super::{Handles, Held};

/// How time passes for the processes of a session, in nanoseconds since it began.
pub trait Timeline: Send + Sync {
    /// Returns how far it has come. A virtual timeline may advance with each reading, so that a loop that waits for time to
    /// pass ends.
    fn now(&self) -> u64;
    /// Waits until it has reached `when`.
    fn until(&self, when: u64) -> BoxFuture<'static, ()>;
}

/// The clocks of a process. The monotonic clock starts with the session, so it reveals nothing about the host.
#[derive(Clone)]
pub struct ProcessClock {
    timeline: Arc<dyn Timeline>,
    /// Where a virtual wall clock begins, in nanoseconds since 1970; `None` reads the host's.
    epoch: Option<u64>,
}

impl ProcessClock {
    /// Returns the host's wall clock, and a monotonic clock that follows `timeline`.
    pub fn host(timeline: Arc<dyn Timeline>) -> Self {
        Self { timeline, epoch: None }
    }

    /// Creates clocks that follow `timeline` alone; the wall clock begins at `epoch`, in nanoseconds since 1970.
    pub fn virtual_from(epoch: u64, timeline: Arc<dyn Timeline>) -> Self {
        Self { timeline, epoch: Some(epoch) }
    }

    /// Returns the wall clock's time, in nanoseconds since 1970.
    pub fn wall(&self) -> u64 {
        self.epoch.map_or_else(unix_time, |epoch| epoch.saturating_add(self.monotonic()))
    }

    /// Returns how its time passes.
    pub(super) fn timeline(&self) -> &Arc<dyn Timeline> {
        &self.timeline
    }

    /// Returns the monotonic clock's time, in nanoseconds since the session's start.
    pub fn monotonic(&self) -> u64 {
        self.timeline.now()
    }
}

/// Returns the host's wall clock, in nanoseconds since 1970.
pub fn unix_time() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

/// A pollable that is ready from a time on.
enum Timer {
    /// Not waited for yet.
    Set {
        timeline: Arc<dyn Timeline>,
        due: u64,
    },
    /// Kept, so that a waiter may give up and wait again.
    Waited(BoxFuture<'static, ()>),
    Over,
}

impl Held for Timer {
    const CHARGED: &'static str = "nothing but itself";
}

#[async_trait]
impl Pollable for Timer {
    async fn ready(&mut self) {
        if let Self::Set { timeline, due } = self {
            *self = Self::Waited(timeline.until(*due));
        }
        if let Self::Waited(waiting) = self {
            waiting.await;
            *self = Self::Over;
        }
    }
}

/// The part of a process that `wasi:clocks/wall-clock` sees.
pub(super) struct HasWallClock;

impl HasData for HasWallClock {
    type Data<'a> = &'a mut ProcessClock;
}

impl Part for HasWallClock {
    fn of(view: WasiView<'_>) -> &mut ProcessClock {
        &mut view.ctx.clock
    }
}

/// The part of a process that `wasi:clocks/monotonic-clock` sees.
pub(super) struct HasMonotonicClock;

impl HasData for HasMonotonicClock {
    type Data<'a> = TimerView<'a>;
}

impl Part for HasMonotonicClock {
    fn of(view: WasiView<'_>) -> TimerView<'_> {
        TimerView { table: view.table, clock: &view.ctx.clock }
    }
}

/// A clock, and the table that holds its timers' handles.
pub(super) struct TimerView<'a> {
    table: &'a mut Handles,
    clock: &'a ProcessClock,
}

impl TimerView<'_> {
    fn timer(&mut self, due: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.table.push_pollable(Timer::Set { timeline: self.clock.timeline.clone(), due })
    }
}

impl monotonic_clock::Host for TimerView<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.clock.monotonic())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(1)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.timer(when)
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.clock.monotonic();
        self.timer(now.saturating_add(duration))
    }
}

fn datetime(nanoseconds: u64) -> wall_clock::Datetime {
    wall_clock::Datetime { seconds: nanoseconds / 1_000_000_000, nanoseconds: (nanoseconds % 1_000_000_000) as u32 }
}

impl wall_clock::Host for ProcessClock {
    fn now(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        Ok(datetime(self.wall()))
    }

    fn resolution(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        Ok(datetime(1))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A timeline that is moved by hand, and by one nanosecond with each reading.
    struct ByHand(AtomicU64);

    impl Timeline for ByHand {
        fn now(&self) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed)
        }

        fn until(&self, when: u64) -> BoxFuture<'static, ()> {
            self.0.fetch_max(when, Ordering::Relaxed);
            Box::pin(std::future::ready(()))
        }
    }

    #[tokio::test]
    async fn a_virtual_clock_starts_where_it_is_told_and_goes_by_its_timeline() {
        let timeline = Arc::new(ByHand(0.into()));
        let clock = ProcessClock::virtual_from(1_000, timeline.clone());
        assert_eq!((clock.wall(), clock.wall(), clock.monotonic()), (1_000, 1_001, 2));
        let mut timer = Timer::Set { timeline, due: 5_000 };
        timer.ready().await;
        timer.ready().await;
        assert_eq!(clock.wall(), 6_000);
    }
}
