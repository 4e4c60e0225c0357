//! The signals of a process: what it ignores, what it handles, what is pending, and whether it is stopped.

use std::task::{Context, Poll, Waker};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::status::{DefaultAction, Signal};
use super::wait::until;

/// A set of signals: bit n - 1 for signal n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SignalSet(pub u64);

impl SignalSet {
    /// Returns the signals of `bits` that a process can ignore or handle: there are 31 signals, without KILL and STOP.
    pub fn of(bits: u64) -> Self {
        let all = (1 << 31) - 1;
        Self(bits & all).without(Signal::Kill).without(Signal::Stop)
    }

    /// Returns whether the set contains this signal.
    pub fn has(self, signal: Signal) -> bool {
        self.0 & signal.bit() != 0
    }

    /// Returns the set with one more signal.
    pub fn with(self, signal: Signal) -> Self {
        Self(self.0 | signal.bit())
    }

    /// Returns the set without one signal.
    pub fn without(self, signal: Signal) -> Self {
        Self(self.0 & !signal.bit())
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The signals of a process. Whatever is sent, this holds three sets of bits: a flood of signals costs the sender's
/// time and no memory.
#[derive(Default)]
pub struct Signals {
    state: Mutex<State>,
    pending: Notify,
    halted: Notify,
}

#[derive(Default)]
struct State {
    ignored: SignalSet,
    handled: SignalSet,
    pending: SignalSet,
    /// The signal that came while the process was stopped and ends it when it continues.
    held: SignalSet,
    /// The signal that has stopped it.
    stopped: Option<Signal>,
    /// Whether a write to a broken pipe is an error without a signal.
    quiet_pipes: bool,
    /// Wakes the task of the process when it continues.
    resume: Option<Waker>,
}

impl Signals {
    /// Creates a state in which `ignored` is ignored and nothing is pending or handled.
    pub(super) fn ignoring(ignored: SignalSet) -> Self {
        Self { state: Mutex::new(State { ignored, ..State::default() }), ..Self::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Sets of bits are never half changed.
        self.state.lock()
    }

    /// Returns the ignored signals.
    pub fn ignored(&self) -> SignalSet {
        self.lock().ignored
    }

    /// Ignores exactly these. Pending ones among them are discarded.
    pub fn ignore(&self, signals: SignalSet) {
        let mut state = self.lock();
        state.ignored = signals;
        state.handled = state.handled.minus(signals);
        state.pending = state.pending.minus(signals);
        state.held = state.held.minus(signals);
    }

    /// Handles exactly these.
    pub fn handle(&self, signals: SignalSet) {
        let mut state = self.lock();
        state.handled = signals;
        state.ignored = state.ignored.minus(signals);
    }

    /// Prepares for another program: no signal is handled, and pending handled ones are discarded.
    pub fn renew(&self) {
        let mut state = self.lock();
        (state.handled, state.pending) = Default::default();
    }

    /// Takes the pending signals; none is pending afterwards.
    pub fn take(&self) -> SignalSet {
        std::mem::take(&mut self.lock().pending)
    }

    /// Discards a pending signal.
    pub fn discard(&self, signal: Signal) {
        let mut state = self.lock();
        state.pending = state.pending.without(signal);
    }

    /// Returns whether a handled signal is pending.
    pub fn has_pending(&self) -> bool {
        self.lock().pending != SignalSet::default()
    }

    /// Waits until a handled signal is pending.
    pub async fn waiting(&self) {
        until(&self.pending, || self.has_pending().then_some(())).await;
    }

    /// Makes a write to a broken pipe an error without a signal, from now on.
    pub fn set_quiet_pipes(&self, quiet: bool) {
        self.lock().quiet_pipes = quiet;
    }

    /// Notes that the process wrote to a broken pipe. Returns whether it survives that.
    pub fn broken_pipe(&self) -> bool {
        let quiet = self.lock().quiet_pipes;
        quiet || self.send(Signal::Pipe).is_none()
    }

    /// Delivers a signal. Returns the one that ends the process, if one does now.
    pub(super) fn send(&self, signal: Signal) -> Option<Signal> {
        let mut state = self.lock();
        if signal == Signal::Kill {
            return Some(signal);
        }
        let mut ends = None;
        if signal == Signal::Continue {
            ends = state.go_on();
        }
        if state.ignored.has(signal) {
        } else if state.handled.has(signal) {
            state.pending = state.pending.with(signal);
            drop(state);
            self.pending.notify_waiters();
        } else {
            match signal.default_action() {
                DefaultAction::Nothing => {}
                DefaultAction::Stop => {
                    state.stopped = Some(signal);
                    drop(state);
                    self.halted.notify_waiters();
                }
                DefaultAction::End if state.stopped.is_some() => state.held = state.held.with(signal),
                DefaultAction::End => ends = Some(signal),
            }
        }
        ends
    }

    /// Notes that a child ended. `tell` publishes that in one step with the signal, so that neither is visible without the
    /// other.
    pub(super) fn child_ended(&self, tell: impl FnOnce()) {
        let mut state = self.lock();
        if state.handled.has(Signal::Child) {
            state.pending = state.pending.with(Signal::Child);
        }
        tell();
        drop(state);
        self.pending.notify_waiters();
    }

    /// Returns `Ready` if it may run now. If not, the caller is woken when it may.
    pub(super) fn poll_running(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.stopped.is_none() && state.held == SignalSet::default() {
            return Poll::Ready(());
        }
        state.resume = Some(context.waker().clone());
        Poll::Pending
    }

    /// Returns the signal that has stopped it, if it is stopped.
    pub fn stopped(&self) -> Option<Signal> {
        self.lock().stopped
    }

    /// Waits until it is stopped.
    pub(crate) async fn wait_stopped(&self) {
        until(&self.halted, || self.stopped()).await;
    }

    /// Returns whether it handles this signal.
    pub fn handles(&self, signal: Signal) -> bool {
        self.lock().handled.has(signal)
    }
}

impl State {
    /// Lets it continue, unless a signal that ends it came in the meantime: then it does nothing more until its end is
    /// recorded.
    fn go_on(&mut self) -> Option<Signal> {
        self.stopped = None;
        let ends = Signal::ALL.into_iter().find(|signal| self.held.has(*signal));
        if let Some(resume) = self.resume.take_if(|_| ends.is_none()) {
            resume.wake();
        }
        ends
    }
}

#[cfg(test)]
#[path = "signals_tests.rs"]
mod tests;
