//! `wasi:clocks`: the host's clocks, or virtual ones under `[determinism]`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use wasmtime::component::Resource;
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use super::{Held, WasiView};

/// How far a virtual clock moves at each reading, so that a loop that waits for time to pass ends.
const VIRTUAL_STEP: u64 = 1_000;

/// The clocks of a process.
#[derive(Clone)]
pub struct ProcessClock(Source);

#[derive(Clone)]
enum Source {
    Host { start: Instant },
    Virtual { epoch: u64, elapsed: Arc<AtomicU64> },
}

impl ProcessClock {
    /// The host's clocks; the monotonic one starts at the session's start, so that it tells nothing about the host.
    pub fn host(start: Instant) -> ProcessClock {
        ProcessClock(Source::Host { start })
    }

    /// Clocks that start at `epoch` (nanoseconds since 1970) and move 1 µs with each reading, and by what is slept.
    pub fn virtual_from(epoch: u64) -> ProcessClock {
        ProcessClock(Source::Virtual { epoch, elapsed: Arc::new(AtomicU64::new(0)) })
    }

    /// Virtual clocks that have come as far as [`ProcessClock::elapsed`] said.
    pub fn virtual_at(epoch: u64, elapsed: u64) -> ProcessClock {
        ProcessClock(Source::Virtual { epoch, elapsed: Arc::new(AtomicU64::new(elapsed)) })
    }

    /// How far a virtual clock has come; the host's cannot be set, and have no answer.
    pub fn elapsed(&self) -> Option<u64> {
        match &self.0 {
            Source::Host { .. } => None,
            Source::Virtual { elapsed, .. } => Some(elapsed.load(Ordering::Relaxed)),
        }
    }

    /// Clocks that go on from where these are, by themselves.
    pub fn fork(&self) -> ProcessClock {
        match &self.0 {
            Source::Host { start } => ProcessClock(Source::Host { start: *start }),
            Source::Virtual { epoch, elapsed } => {
                let elapsed = Arc::new(AtomicU64::new(elapsed.load(Ordering::Relaxed)));
                ProcessClock(Source::Virtual { epoch: *epoch, elapsed })
            }
        }
    }

    /// Nanoseconds since 1970.
    pub fn wall(&self) -> u64 {
        match &self.0 {
            Source::Host { .. } => since_1970(),
            Source::Virtual { epoch, .. } => epoch.saturating_add(self.monotonic()),
        }
    }

    /// Nanoseconds since the start.
    pub fn monotonic(&self) -> u64 {
        match &self.0 {
            Source::Host { start } => u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX),
            Source::Virtual { elapsed, .. } => elapsed.fetch_add(VIRTUAL_STEP, Ordering::Relaxed),
        }
    }

    fn slept(&self, nanoseconds: u64) {
        if let Source::Virtual { elapsed, .. } = &self.0 {
            elapsed.fetch_add(nanoseconds, Ordering::Relaxed);
        }
    }
}

/// The host's wall clock, in nanoseconds since 1970.
fn since_1970() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

struct Timer {
    clock: ProcessClock,
    duration: u64,
    /// When it was set, on the host's clock.
    since: Instant,
    told: bool,
}

impl Held for Timer {
    const CHARGED: &'static str = "nothing but itself";
}

#[async_trait]
impl Pollable for Timer {
    async fn ready(&mut self) {
        let passed = self.since.elapsed();
        let whole = Duration::from_nanos(self.duration);
        if let Some(rest) = whole.checked_sub(passed).filter(|rest| !rest.is_zero()) {
            tokio::time::sleep(rest).await;
        }
        if !self.told {
            self.told = true;
            self.clock.slept(self.duration);
        }
    }
}

impl WasiView<'_> {
    fn timer(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let timer = Timer { clock: self.ctx.clock.clone(), duration, since: Instant::now(), told: false };
        self.table.push_pollable(timer)
    }
}

impl monotonic_clock::Host for WasiView<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.ctx.clock.monotonic())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(1)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.ctx.clock.monotonic();
        self.timer(when.saturating_sub(now))
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.timer(duration)
    }
}

fn datetime(nanoseconds: u64) -> wall_clock::Datetime {
    wall_clock::Datetime { seconds: nanoseconds / 1_000_000_000, nanoseconds: (nanoseconds % 1_000_000_000) as u32 }
}

impl wall_clock::Host for WasiView<'_> {
    fn now(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        Ok(datetime(self.ctx.clock.wall()))
    }

    fn resolution(&mut self) -> wasmtime::Result<wall_clock::Datetime> {
        Ok(datetime(1))
    }
}

#[cfg(test)]
mod tests {
    use super::ProcessClock;

    #[test]
    fn a_virtual_clock_starts_where_it_is_told_and_moves_when_read() {
        let clock = ProcessClock::virtual_from(1_000_000_000);
        assert_eq!(clock.wall(), 1_000_000_000);
        assert_eq!(clock.wall(), 1_000_001_000);
        clock.slept(5_000_000_000);
        assert_eq!(clock.wall(), 6_000_002_000);
        let again = ProcessClock::virtual_at(1_000_000_000, clock.elapsed().expect("it is virtual"));
        assert_eq!((again.wall(), again.wall()), (clock.wall(), clock.wall()));
    }
}
