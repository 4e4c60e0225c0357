//! Processor time used for a process, on whatever thread; and whether work for it panicked.
//!
//! While a process's task is polled, its meter belongs to this thread; work handed to another thread takes the meter
//! along. [`blocking`] is the only way to a blocking thread (`tests/tree/house.rs` checks that), so that all such work is
//! charged.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::time::{ClockId, clock_gettime};
use tokio::task::JoinHandle;

/// Receives the processor time that was used for a process.
pub(crate) trait CpuMeter: Send + Sync {
    /// Notes that `nanoseconds` more were used.
    fn used(&self, nanoseconds: u64);
    /// Notes that what the host did for it panicked.
    fn panicked(&self) {}
}

thread_local! {
    /// The meter of the process that this thread works for.
    static METER: RefCell<Option<Arc<dyn CpuMeter>>> = const { RefCell::new(None) };
}

/// Cost of handing work to another thread, in nanoseconds, in addition to the work: waking that thread, and being
/// woken by it, which no thread's clock shows. Measured at 10 to 30 µs.
const HANDOVER: u64 = 10_000;

/// Restores the previous meter, also when the work panics.
struct Restore(Option<Arc<dyn CpuMeter>>);

impl Drop for Restore {
    fn drop(&mut self) {
        METER.set(self.0.take());
    }
}

/// Tells the meter if the work panics.
struct Watched<'m>(&'m Arc<dyn CpuMeter>);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.panicked();
        }
    }
}

/// Returns this thread's processor time in nanoseconds.
pub(crate) fn thread_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64)
}

/// Does `work` on this thread, and reports to `meter` what it used.
pub(crate) fn metered<R>(meter: &Arc<dyn CpuMeter>, work: impl FnOnce() -> R) -> R {
    let restore = Restore(METER.replace(Some(meter.clone())));
    let before = thread_time();
    let watched = Watched(meter);
    let result = work();
    drop(watched);
    let used = thread_time().saturating_sub(before);
    drop(restore);
    meter.used(used);
    result
}

/// Does `work` on a thread that may block, charged to the process that this thread works for, if any. Must be called
/// within a tokio runtime.
pub(crate) fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let meter = METER.with_borrow(Clone::clone);
    #[expect(clippy::disallowed_methods, reason = "the place through which all others go")]
    tokio::task::spawn_blocking(move || match meter {
        Some(meter) => {
            meter.used(HANDOVER);
            metered(&meter, work)
        }
        None => work(),
    })
}

/// Does `work` on a thread that may block, as [`blocking`] does, and waits for its result. If the work panics, so does the caller.
pub(crate) async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match blocking(work).await {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}

/// Sets a flag when it is dropped: whoever waited does not any more, and the work on the other thread may stop.
pub(crate) struct SetOnDrop(pub(crate) Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Adds up the reports.
    #[derive(Default)]
    pub(crate) struct Sum(AtomicU64, AtomicU64);

    impl CpuMeter for Sum {
        fn used(&self, nanoseconds: u64) {
            self.0.fetch_add(nanoseconds, Ordering::Relaxed);
        }

        fn panicked(&self) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Sum {
        pub(crate) fn get(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// Uses this much of the thread's processor time; returns how much it was.
    pub(crate) fn burn(nanoseconds: u64) -> u64 {
        let before = thread_time();
        while thread_time() - before < nanoseconds {}
        thread_time() - before
    }

    const MS: u64 = 1_000_000;

    #[test]
    fn work_is_told_to_the_innermost_meter_and_the_outer_one_comes_back() {
        let (outer, inner) = (Arc::new(Sum::default()), Arc::new(Sum::default()));
        let (first, second): (Arc<dyn CpuMeter>, Arc<dyn CpuMeter>) = (outer.clone(), inner.clone());
        metered(&first, || {
            metered(&second, || burn(2 * MS));
            METER.with_borrow(|meter| assert!(meter.as_ref().is_some_and(|meter| Arc::ptr_eq(meter, &first))));
        });
        assert!(inner.get() >= 2 * MS && outer.get() >= inner.get());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| metered(&first, || panic!("as it may"))));
        assert!(panicked.is_err());
        assert_eq!((outer.1.load(Ordering::Relaxed), inner.1.load(Ordering::Relaxed)), (1, 0));
        METER.with_borrow(|meter| assert!(meter.is_none()));
    }

    #[tokio::test]
    async fn work_on_another_thread_is_the_askers() {
        let sum = Arc::new(Sum::default());
        let meter: Arc<dyn CpuMeter> = sum.clone();
        let work = metered(&meter, || blocking(|| burn(5 * MS)));
        let here = sum.get();
        let burnt = work.await.unwrap();
        assert!(sum.get() - here >= burnt, "{} and {burnt}", sum.get() - here);
        // Work that belongs to no process is charged to none.
        let before = sum.get();
        blocking(|| burn(MS)).await.unwrap();
        assert_eq!(sum.get(), before);
    }
}
