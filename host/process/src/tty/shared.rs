//! What the two ends of a terminal share: the discipline behind a lock, the processes that its signals reach, and the
//! notifications of its changes.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::discipline::{Discipline, Flow, Flushed, Read};
use super::settings::{Settings, Size, flag};
use crate::handle::{Foreground, Process};
use crate::signals::SignalSet;
use crate::status::Signal;
use crate::table::ProcessTable;
use crate::wait::{Awaited, until};

/// The other end of the terminal is gone (EIO).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the other end of the terminal is gone")]
pub struct HungUp;

/// A process in the background used its terminal, and cannot be stopped for it (EIO).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a process in the background used its terminal")]
pub struct Background;

/// How a process uses a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It reads.
    Read,
    /// It writes. In the background that is allowed, unless the settings have TOSTOP.
    Write,
    /// It changes settings, size, queues or foreground.
    Change,
}

/// Whether a process may use a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It may.
    Granted,
    /// It may not, and nothing stops it.
    Refused,
    /// It may not now: its process group has received the signal that stops it.
    Stopping,
}

pub(super) struct State {
    pub(super) discipline: Discipline,
    pub(super) keyboard_gone: bool,
    pub(super) tty_gone: bool,
    /// How many readers wait for input.
    waiting: u32,
}

impl State {
    /// Reads a read as the settings say; at the end of what was typed before a hangup, the end of file.
    pub(super) fn read(&mut self, len: usize, expired: bool) -> Read {
        match self.discipline.read(len, expired) {
            // What was typed before the hangup is still read.
            Read::Wait | Read::Within { .. } if self.keyboard_gone => Read::Ready(self.discipline.read_now(len).unwrap_or_default()),
            read => read,
        }
    }

    fn is_wanted(&self) -> bool {
        self.waiting > 0 && !self.discipline.is_readable() && !self.keyboard_gone && !self.tty_gone
    }
}

pub(super) struct Shared {
    state: Mutex<State>,
    pub(super) processes: Arc<ProcessTable>,
    pub(super) foreground: Foreground,
    /// For programs: input may be readable.
    pub(super) readable: Notify,
    /// For programs: output may be writable, or drained.
    pub(super) writable: Notify,
    /// For the keyboard: more may be typed.
    pub(super) typable: Notify,
    /// For the keyboard: output may be there.
    pub(super) shown: Notify,
    /// A reader begins to wait for input, or has ended its wait.
    pub(super) wanted: Notify,
}

impl Shared {
    /// Creates a terminal with both ends.
    pub(super) fn new(processes: Arc<ProcessTable>, size: Size) -> Arc<Self> {
        let state = State { discipline: Discipline::new(size), keyboard_gone: false, tty_gone: false, waiting: 0 };
        Arc::new(Self {
            state: Mutex::new(state),
            processes,
            foreground: Foreground::default(),
            readable: Notify::new(),
            writable: Notify::new(),
            typable: Notify::new(),
            shown: Notify::new(),
            wanted: Notify::new(),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // Every change of the discipline is complete before its caller can panic.
        self.state.lock()
    }

    /// Wakes what waits to look again, as anything may have changed.
    pub(super) fn changed(&self) {
        for told in [&self.readable, &self.writable, &self.typable, &self.shown] {
            told.notify_waiters();
        }
    }

    /// Sends signals to the foreground. The lock is not held.
    pub(super) fn send(&self, signals: SignalSet) {
        let group = self.foreground.group();
        for signal in Signal::ALL.into_iter().filter(|signal| signals.has(*signal)) {
            if signal == Signal::TerminalStop && !self.can_continue(group) {
                continue;
            }
            self.processes.send_to_group(group, signal);
        }
    }

    /// Returns whether anything could continue a process group that Ctrl-Z stops. As in POSIX, the signal is discarded in an
    /// orphaned group: one whose members have no parent in another group of this terminal. A process that handles the
    /// signal, such as a shell, is its own judge of it.
    fn can_continue(&self, group: u32) -> bool {
        let members = self.processes.of_group(group);
        members.iter().any(|process| match self.processes.get(process.parent()) {
            Some(parent) if parent.is_controlled_by(&self.foreground) => parent.group() != group,
            _ => process.signals().handles(Signal::TerminalStop),
        })
    }

    /// Waits until `so` holds. `told` is notified whenever it may hold.
    pub(super) async fn until(&self, told: &Notify, so: impl Fn(&State) -> bool) {
        until(told, || so(&self.lock()).then_some(())).await;
    }
}

impl Awaited for Shared {
    fn count(&self, change: impl FnOnce(&mut u32)) {
        change(&mut self.lock().waiting);
    }

    fn wanted(&self) -> &Notify {
        &self.wanted
    }
}

/// The settings, the size and the foreground of a terminal. It is not an end: it keeps nothing open.
#[derive(Clone)]
pub struct Control(pub(super) Arc<Shared>);

/// Observes when a program waits for input, without being an end of the terminal.
pub struct TtyWatch(Arc<Shared>);

impl Control {
    /// Returns the settings.
    pub fn settings(&self) -> Settings {
        self.0.lock().discipline.settings()
    }

    /// Replaces the settings.
    pub fn set(&self, settings: Settings) {
        self.0.lock().discipline.set(settings);
        self.0.changed();
    }

    /// Returns the size.
    pub fn size(&self) -> Size {
        self.0.lock().discipline.size()
    }

    /// Sets the size. If it changed, the foreground receives the signal WINCH.
    pub fn resize(&self, size: Size) {
        let changed = self.0.lock().discipline.resize(size);
        if changed {
            self.0.send(SignalSet::default().with(Signal::Window));
        }
    }

    /// Empties queues.
    pub fn flush(&self, what: Flushed) {
        self.0.lock().discipline.flush(what);
        self.0.changed();
    }

    /// Holds output back, releases it, or sends a character.
    pub fn flow(&self, what: Flow) {
        self.0.lock().discipline.flow(what);
        self.0.changed();
    }

    /// Waits until everything that was written has been shown, or the keyboard's end is gone.
    pub async fn drained(&self) {
        self.0.until(&self.0.writable, |state| state.discipline.is_drained() || state.keyboard_gone).await;
    }

    /// Returns the number of typed bytes that can be read now.
    pub fn available(&self) -> usize {
        self.0.lock().discipline.available()
    }

    /// Returns the process group that the keyboard's signals reach. A process that this terminal controls shares it.
    pub fn foreground(&self) -> &Foreground {
        &self.0.foreground
    }

    /// Decides whether `process` may use the terminal now, as the job control of POSIX does: a process group in the
    /// background that reads receives TTIN; one that writes under TOSTOP, or changes the terminal, receives TTOU. A
    /// terminal that does not control the process does not concern itself with groups.
    pub fn admit(&self, process: &Process, how: Use) -> Admission {
        let shared = &self.0;
        let (foreground, group) = (shared.foreground.group(), process.group());
        if !process.is_controlled_by(&shared.foreground) || foreground == group || foreground == 0 {
            return Admission::Granted;
        }
        let signal = match how {
            Use::Read => Signal::TerminalInput,
            Use::Write if !self.settings().local_has(flag::TOSTOP) => return Admission::Granted,
            Use::Write | Use::Change => Signal::TerminalOutput,
        };
        if process.signals().ignored().has(signal) {
            return if how == Use::Read { Admission::Refused } else { Admission::Granted };
        }
        shared.processes.send_to_group(group, signal);
        if process.signals().handles(signal) { Admission::Refused } else { Admission::Stopping }
    }

    /// Waits until `process` may use the terminal: while it is stopped, what it does is not polled.
    ///
    /// # Errors
    /// [`Background`] if it may not and is not stopped, or is being ended.
    pub async fn admitted(&self, process: &Process, how: Use) -> Result<(), Background> {
        loop {
            match self.admit(process, how) {
                Admission::Granted => return Ok(()),
                Admission::Stopping if process.doomed().is_none() => give_way().await,
                Admission::Refused | Admission::Stopping => return Err(Background),
            }
        }
    }

    /// Returns an observer of the programs that wait for input.
    pub fn watch(&self) -> TtyWatch {
        TtyWatch(self.0.clone())
    }
}

/// Lets others run. A process that was stopped goes on only when it continues.
async fn give_way() {
    let mut gave_way = false;
    poll_fn(|context| {
        if std::mem::replace(&mut gave_way, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl TtyWatch {
    /// Returns whether a program waits for input, and there is none.
    pub fn is_wanted(&self) -> bool {
        self.0.lock().is_wanted()
    }

    /// Waits until a program waits for input (`wanted`), or until none does. Never ends once an end of the terminal is gone.
    pub async fn until(&self, wanted: bool) {
        let over = |state: &State| state.keyboard_gone || state.tty_gone;
        self.0.until(&self.0.wanted, |state| !over(state) && state.is_wanted() == wanted).await;
    }
}
