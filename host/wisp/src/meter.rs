//! Processor time of what is done for a process, on whatever thread it is done.
//!
//! While a process's task is polled, its meter is this thread's; work that it hands to another thread takes the meter along.
//! [`blocking`] is the one way to a blocking thread (`tests/house.rs` sees to that), so that no such work is nobody's.

use std::cell::RefCell;
use std::sync::Arc;

use rustix::time::{ClockId, clock_gettime};
use tokio::task::JoinHandle;

/// Told how much processor time was used for somebody.
pub trait CpuMeter: Send + Sync {
    /// `nanoseconds` more were used.
    fn used(&self, nanoseconds: u64);
}

thread_local! {
    /// Whose work this thread does.
    static METER: RefCell<Option<Arc<dyn CpuMeter>>> = const { RefCell::new(None) };
}

/// What handing work to another thread costs besides the work, in nanoseconds: waking that thread, and being woken by it, which
/// no clock of a thread's shows. Measured at 10 to 30 µs.
const HANDOVER: u64 = 10_000;

/// Puts back the meter there was, also when the work panics.
struct Restore(Option<Arc<dyn CpuMeter>>);

impl Drop for Restore {
    fn drop(&mut self) {
        METER.set(self.0.take());
    }
}

/// This thread's processor time in nanoseconds.
pub(crate) fn thread_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64)
}

/// Do `work` here, and tell `meter` what it used.
pub(crate) fn metered<R>(meter: &Arc<dyn CpuMeter>, work: impl FnOnce() -> R) -> R {
    let restore = Restore(METER.replace(Some(meter.clone())));
    let before = thread_time();
    let result = work();
    let used = thread_time().saturating_sub(before);
    drop(restore);
    meter.used(used);
    result
}

/// Do `work` on a thread that may block, for the process whose work this thread does, if it does one's. Must be called
/// within a tokio runtime.
pub(crate) fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let meter = METER.with_borrow(Clone::clone);
    tokio::task::spawn_blocking(move || match meter {
        Some(meter) => {
            meter.used(HANDOVER);
            metered(&meter, work)
        }
        None => work(),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Adds up what is reported to it.
    #[derive(Default)]
    pub(crate) struct Sum(AtomicU64);

    impl CpuMeter for Sum {
        fn used(&self, nanoseconds: u64) {
            self.0.fetch_add(nanoseconds, Ordering::Relaxed);
        }
    }

    impl Sum {
        pub(crate) fn get(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// Use this much of the thread's processor time; answers how much it was.
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
        // Nobody's work is nobody's.
        let before = sum.get();
        blocking(|| burn(MS)).await.unwrap();
        assert_eq!(sum.get(), before);
    }
}
