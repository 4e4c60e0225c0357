//! What signals do to a process: what it ignores, what it handles, what waits to be taken, and whether it is stopped.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;

use super::handle::Process;
use super::status::{DefaultAction, Signal};

/// A set of signals: bit n - 1 for signal n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SignalSet(pub u64);

impl SignalSet {
    /// The signals of `bits` that a process can decide about: there are 31, and KILL and STOP are not its to decide.
    pub fn of(bits: u64) -> SignalSet {
        let all = (1 << 31) - 1;
        SignalSet(bits & all).without(Signal::Kill).without(Signal::Stop)
    }

    /// Whether it has this one.
    pub fn has(self, signal: Signal) -> bool {
        self.0 & signal.bit() != 0
    }

    /// With one more.
    pub fn with(self, signal: Signal) -> SignalSet {
        SignalSet(self.0 | signal.bit())
    }

    /// Without one.
    pub fn without(self, signal: Signal) -> SignalSet {
        SignalSet(self.0 & !signal.bit())
    }

    fn minus(self, other: SignalSet) -> SignalSet {
        SignalSet(self.0 & !other.0)
    }
}

/// A process's signals. Whatever is sent, this holds three sets of bits: a flood of signals costs the sender its time and
/// nobody memory.
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
    /// What came while it was stopped, and ends it when it goes on.
    held: SignalSet,
    /// What has stopped it.
    stopped: Option<Signal>,
    /// Whether writing to a broken pipe is an error without a signal.
    quiet_pipes: bool,
    /// Wakes whoever runs it when it goes on.
    resume: Option<Waker>,
}

impl Signals {
    /// Nothing waits, nothing is handled, these are ignored.
    pub(super) fn ignoring(ignored: SignalSet) -> Signals {
        Signals { state: Mutex::new(State { ignored, ..State::default() }), ..Signals::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Sets of bits are never half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is ignored.
    pub fn ignored(&self) -> SignalSet {
        self.lock().ignored
    }

    /// Ignore exactly these. What waits of them is forgotten.
    pub fn ignore(&self, signals: SignalSet) {
        let mut state = self.lock();
        state.ignored = signals;
        state.handled = state.handled.minus(signals);
        state.pending = state.pending.minus(signals);
        state.held = state.held.minus(signals);
    }

    /// Handle exactly these.
    pub fn handle(&self, signals: SignalSet) {
        let mut state = self.lock();
        state.handled = signals;
        state.ignored = state.ignored.minus(signals);
    }

    /// Another program begins: nothing is handled, and nothing waits that was.
    pub fn renew(&self) {
        let mut state = self.lock();
        (state.handled, state.pending) = Default::default();
    }

    /// What waits; nothing does after that.
    pub fn take(&self) -> SignalSet {
        std::mem::take(&mut self.lock().pending)
    }

    /// Wait until a handled signal waits.
    pub async fn waiting(&self) {
        self.until(&self.pending, |state| state.pending != SignalSet::default()).await;
    }

    /// Wait until the condition holds. `told` is notified whenever it may hold.
    async fn until(&self, told: &Notify, so: impl Fn(&State) -> bool) {
        loop {
            let woken = told.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            if so(&self.lock()) {
                return;
            }
            woken.await;
        }
    }

    /// From now on, writing to a broken pipe is an error, and no signal comes of it.
    pub fn set_quiet_pipes(&self, quiet: bool) {
        self.lock().quiet_pipes = quiet;
    }

    /// It wrote to a broken pipe; whether it survives that.
    pub fn broken_pipe(&self) -> bool {
        let quiet = self.lock().quiet_pipes;
        quiet || self.send(Signal::Pipe).is_none()
    }

    /// A signal comes; the one that ends the process, if one does now.
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

    /// A child ended: `tell` makes that known, in one step with the signal, so that nobody sees one without the other.
    pub(super) fn child_ended(&self, tell: impl FnOnce()) {
        let mut state = self.lock();
        if state.handled.has(Signal::Child) {
            state.pending = state.pending.with(Signal::Child);
        }
        tell();
        drop(state);
        self.pending.notify_waiters();
    }

    /// Whether it may run now. If not, the caller is woken when it may.
    fn poll_running(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.stopped.is_none() && state.held == SignalSet::default() {
            return Poll::Ready(());
        }
        state.resume = Some(context.waker().clone());
        Poll::Pending
    }

    /// What has stopped it, if it is stopped.
    pub fn stopped(&self) -> Option<Signal> {
        self.lock().stopped
    }

    /// Wait until it is stopped.
    pub async fn wait_stopped(&self) {
        self.until(&self.halted, |state| state.stopped.is_some()).await;
    }

    /// Whether it handles this one.
    pub fn handles(&self, signal: Signal) -> bool {
        self.lock().handled.has(signal)
    }
}

impl State {
    /// It goes on, unless something came meanwhile that ends it: then it does nothing more until its end is noted.
    fn go_on(&mut self) -> Option<Signal> {
        self.stopped = None;
        let ends = Signal::ALL.into_iter().find(|signal| self.held.has(*signal));
        if let Some(resume) = self.resume.take_if(|_| ends.is_none()) {
            resume.wake();
        }
        ends
    }
}

/// A process's work, which does not go on while the process is stopped.
pub struct Stoppable<F> {
    work: Pin<Box<F>>,
    process: Arc<Process>,
}

impl<F> Stoppable<F> {
    /// `work` of `process`.
    pub fn new(work: F, process: Arc<Process>) -> Stoppable<F> {
        Stoppable { work: Box::pin(work), process }
    }
}

impl<F: Future> Future for Stoppable<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if self.process.signals().poll_running(context).is_pending() {
            return Poll::Pending;
        }
        self.work.as_mut().poll(context)
    }
}

#[cfg(test)]
#[path = "signals_tests.rs"]
mod tests;
