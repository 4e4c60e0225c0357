//! The timer of a process (ITIMER_REAL): sends it the signal ALRM at a time, and then at an interval.
//!
//! The task of the process polls it, so the signal comes in the process's own turn: under `[determinism]`, at the same
//! instruction every time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;

use super::bindings::wisp::sandbox::process::Alarm;
use super::{ProcessClock, Timeline};
use wisp_process::{Process, Signal};

/// The shortest interval, in nanoseconds: 1 ms. Attack: a process that sleeps and ignores ALRM, with an interval of one
/// nanosecond, would keep the host's timers busy.
const SHORTEST: u64 = 1_000_000;

/// What is left of a timer, in nanoseconds; zeros if none is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Setting {
    /// The time until the next signal.
    pub(super) after: u64,
    /// The time between two signals; 0 for only one.
    pub(super) interval: u64,
}

impl From<Alarm> for Setting {
    fn from(Alarm { after, interval }: Alarm) -> Self {
        Self { after, interval }
    }
}

impl From<Setting> for Alarm {
    fn from(Setting { after, interval }: Setting) -> Self {
        Self { after, interval }
    }
}

/// The timer of one process.
#[derive(Default)]
pub struct ProcessAlarm {
    /// Whether one is set, so that a process without one pays for one load.
    set: AtomicBool,
    timer: Mutex<Option<Timer>>,
}

struct Timer {
    timeline: Arc<dyn Timeline>,
    due: u64,
    interval: u64,
    /// Wakes the task of the process when the signal is due.
    wait: Option<BoxFuture<'static, ()>>,
}

impl Timer {
    /// Returns what is left at `now`. A timer that is due has not sent its signal, so it is not over.
    fn left(&self, now: u64) -> Setting {
        Setting { after: self.due.saturating_sub(now).max(1), interval: self.interval }
    }

    /// Returns the timer after its signal at `now`, if there are more signals.
    fn next(self, now: u64) -> Option<Self> {
        let every = self.interval.max(SHORTEST);
        let missed = now.saturating_sub(self.due) / every;
        let due = self.due.saturating_add(every.saturating_mul(missed + 1));
        (self.interval > 0).then_some(Self { due, wait: None, ..self })
    }
}

impl ProcessAlarm {
    /// Sets the timer. Returns what was left of the one before.
    pub(super) fn replace(&self, clock: &ProcessClock, setting: Setting) -> Setting {
        let now = clock.monotonic();
        let timer = (setting.after > 0).then(|| Timer {
            timeline: clock.timeline().clone(),
            due: now.saturating_add(setting.after),
            interval: setting.interval,
            wait: None,
        });
        self.set.store(timer.is_some(), Ordering::Relaxed);
        let before = std::mem::replace(&mut *self.timer.lock(), timer);
        before.map_or_else(Setting::default, |timer| timer.left(now))
    }

    /// Returns what is left of the timer.
    pub(super) fn left(&self) -> Setting {
        let timer = self.timer.lock();
        timer.as_ref().map_or_else(Setting::default, |timer| timer.left(timer.timeline.now()))
    }

    /// Sends the signal if it is due by the clock.
    pub(super) fn look(&self, process: &Process) {
        if self.set.load(Ordering::Relaxed) {
            self.ring_while(process, |timer| timer.timeline.now() >= timer.due);
        }
    }

    /// Sends the signal if it is due; otherwise the caller's task is woken when it is.
    pub fn poll(&self, process: &Process, context: &mut Context<'_>) {
        if self.set.load(Ordering::Relaxed) {
            self.ring_while(process, |timer| {
                let Timer { timeline, due, wait, .. } = timer;
                wait.get_or_insert_with(|| timeline.until(*due)).as_mut().poll(context).is_ready()
            });
        }
    }

    /// Sends one signal for all that are due.
    fn ring_while(&self, process: &Process, mut is_due: impl FnMut(&mut Timer) -> bool) {
        let mut timer = self.timer.lock();
        let mut rings = false;
        while let Some(due) = timer.take_if(&mut is_due) {
            rings = true;
            let now = due.timeline.now();
            *timer = due.next(now);
        }
        self.set.store(timer.is_some(), Ordering::Relaxed);
        drop(timer);
        if rings {
            process.send(Signal::Alarm);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::task::Waker;

    use wisp_process::{ProcessTable, Row, SignalSet};

    use super::*;

    /// A time that is moved by hand; waits for it are polled, not woken.
    #[derive(Default)]
    struct ByHand(AtomicU64);

    impl Timeline for ByHand {
        fn now(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }

        fn until(&self, when: u64) -> BoxFuture<'static, ()> {
            let over = self.now() >= when;
            Box::pin(async move {
                if !over {
                    std::future::pending::<()>().await;
                }
            })
        }
    }

    fn process() -> Row {
        let row = Arc::new(ProcessTable::new()).enter(0, 1, "test", 1).expect("room for one");
        row.process().signals().handle(SignalSet::default().with(Signal::Alarm));
        row
    }

    fn came(row: &Row) -> bool {
        row.process().signals().take().has(Signal::Alarm)
    }

    fn setting(after: u64, interval: u64) -> Setting {
        Setting { after, interval }
    }

    const MS: u64 = 1_000_000;

    #[test]
    fn the_signal_comes_once_or_at_every_interval_and_missed_ones_are_one() {
        let (row, time, alarm) = (process(), Arc::new(ByHand::default()), ProcessAlarm::default());
        let clock = ProcessClock::host(time.clone());
        let at = |now: u64| {
            time.0.store(now, Ordering::Relaxed);
            alarm.look(row.process());
            came(&row)
        };
        assert_eq!(alarm.replace(&clock, setting(5 * MS, 0)), setting(0, 0));
        assert_eq!((at(4 * MS), alarm.left()), (false, setting(MS, 0)));
        assert_eq!((at(5 * MS), at(50 * MS), alarm.left()), (true, false, setting(0, 0)));
        alarm.replace(&clock, setting(2 * MS, 10 * MS));
        assert_eq!((at(51 * MS), at(52 * MS), at(53 * MS)), (false, true, false));
        assert_eq!((at(95 * MS), alarm.left()), (true, setting(7 * MS, 10 * MS)));
        assert_eq!(alarm.replace(&clock, setting(0, 7)), setting(7 * MS, 10 * MS));
        assert_eq!((at(u64::MAX), alarm.left()), (false, setting(0, 0)));
    }

    #[test]
    fn an_interval_is_no_shorter_than_a_millisecond_and_reads_as_it_was_set() {
        let (row, time, alarm) = (process(), Arc::new(ByHand::default()), ProcessAlarm::default());
        alarm.replace(&ProcessClock::host(time.clone()), setting(1, 1));
        time.0.store(1, Ordering::Relaxed);
        alarm.look(row.process());
        assert_eq!((came(&row), alarm.left()), (true, setting(MS, 1)));
    }

    #[test]
    fn a_task_that_polls_it_sends_the_signal_when_the_wait_is_over() {
        let (row, time, alarm) = (process(), Arc::new(ByHand::default()), ProcessAlarm::default());
        let mut context = Context::from_waker(Waker::noop());
        alarm.poll(row.process(), &mut context);
        time.0.store(5, Ordering::Relaxed);
        alarm.replace(&ProcessClock::host(time), setting(3, 0));
        alarm.poll(row.process(), &mut context);
        assert!(!came(&row));
        // A time before now has come.
        let past = Arc::new(ByHand(9.into()));
        *alarm.timer.lock() = Some(Timer { timeline: past, due: 8, interval: 0, wait: None });
        alarm.poll(row.process(), &mut context);
        alarm.poll(row.process(), &mut context);
        assert!(came(&row) && !came(&row));
    }
}
