use std::sync::Arc;

use super::*;

fn set(signals: &[Signal]) -> SignalSet {
    signals.iter().fold(SignalSet::default(), |set, signal| set.with(*signal))
}

#[test]
fn a_signal_ends_is_ignored_or_waits() {
    let signals = Signals::default();
    assert_eq!(signals.send(Signal::Terminate), Some(Signal::Terminate));
    for harmless in [Signal::Child, Signal::Continue, Signal::Urgent, Signal::Window] {
        assert_eq!(signals.send(harmless), None);
    }
    signals.ignore(set(&[Signal::Terminate]));
    assert_eq!((signals.send(Signal::Terminate), signals.take()), (None, SignalSet::default()));
    signals.handle(set(&[Signal::Terminate, Signal::User1]));
    assert_eq!((signals.send(Signal::Terminate), signals.send(Signal::Terminate), signals.send(Signal::User1)), (None, None, None));
    assert_eq!(signals.ignored(), SignalSet::default(), "a handled signal is no longer ignored");
    assert_eq!(signals.take(), set(&[Signal::Terminate, Signal::User1]));
    assert_eq!(signals.take(), SignalSet::default());
    signals.handle(SignalSet::default());
    assert_eq!(signals.send(Signal::User1), Some(Signal::User1));
}

#[test]
fn kill_and_stop_are_not_the_processs_to_decide() {
    let everything = SignalSet::of(u64::MAX);
    assert!(!everything.has(Signal::Kill) && !everything.has(Signal::Stop) && everything.has(Signal::System));
    assert_eq!(everything.0.count_ones(), 29);
    let signals = Signals::default();
    signals.ignore(everything);
    assert_eq!(signals.send(Signal::Kill), Some(Signal::Kill));
    assert_eq!((signals.send(Signal::Stop), signals.stopped()), (None, Some(Signal::Stop)));
}

#[test]
fn what_comes_to_a_stopped_process_ends_it_when_it_goes_on() {
    let signals = Signals::default();
    signals.send(Signal::Stop);
    assert_eq!(signals.send(Signal::Terminate), None);
    assert_eq!(signals.send(Signal::Kill), Some(Signal::Kill), "KILL is never pending");
    assert_eq!(signals.send(Signal::Continue), Some(Signal::Terminate));
    assert_eq!(signals.stopped(), None);
    let context = &Context::from_waker(Waker::noop());
    assert!(signals.poll_running(context).is_pending(), "it must not run before its end is recorded");
    let signals = Signals::default();
    signals.send(Signal::Stop);
    assert!(signals.poll_running(context).is_pending());
    assert_eq!(signals.send(Signal::Continue), None);
    assert!(signals.poll_running(context).is_ready());
}

#[test]
fn a_childs_end_and_its_signal_are_there_together() {
    let signals = Signals::default();
    let told = std::cell::Cell::new(0);
    signals.child_ended(|| told.set(1));
    assert_eq!((told.get(), signals.take()), (1, SignalSet::default()), "it has no handler");
    signals.handle(set(&[Signal::Child]));
    // Under the lock: a concurrent query for signals waits.
    signals.child_ended(|| assert!(signals.state.try_lock().is_none()));
    assert_eq!(signals.take(), set(&[Signal::Child]));
}

#[tokio::test]
async fn a_signal_wakes_the_task_that_waits_for_it() {
    let signals = Arc::new(Signals::default());
    signals.handle(set(&[Signal::Hangup]));
    let waiter = tokio::spawn({
        let signals = signals.clone();
        async move {
            signals.waiting().await;
            signals.take()
        }
    });
    tokio::task::yield_now().await;
    signals.send(Signal::Hangup);
    assert_eq!(waiter.await.unwrap(), set(&[Signal::Hangup]));
}

#[tokio::test]
async fn a_stop_wakes_the_task_that_waits_for_it() {
    let signals = Arc::new(Signals::default());
    let waiter = tokio::spawn({
        let signals = signals.clone();
        async move {
            signals.wait_stopped().await;
            signals.stopped()
        }
    });
    tokio::task::yield_now().await;
    signals.send(Signal::TerminalStop);
    assert_eq!(waiter.await.unwrap(), Some(Signal::TerminalStop));
    signals.send(Signal::Continue);
    assert_eq!(signals.stopped(), None);
}
