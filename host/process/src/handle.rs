//! One process, as others see it: its identity, how it is ended from outside, and how it ended.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::limits::{Bound, Limited, Limits, MemoryGauge};
use super::rights::Rights;
use super::shown::{Activity, Shown};
use super::signals::Signals;
use super::status::{ExitStatus, Signal};

/// Maximum bytes kept of a process's name: it is for listings and messages, and the guest chooses it.
const MAX_NAME: usize = 255;

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// What the processes that a terminal controls share: the process group in its foreground, and the terminal itself as long as
/// one of them has it open. A command without a terminal has one too.
#[derive(Debug, Clone, Default)]
pub struct Foreground(Arc<Controlling>);

#[derive(Debug, Default)]
struct Controlling {
    group: AtomicU32,
    /// The process that came first: the leader of the session, as POSIX calls those that share a terminal.
    leader: AtomicU32,
    /// The open file of the terminal, for `/dev/tty`. Its type is known above.
    terminal: OnceLock<Weak<dyn Any + Send + Sync>>,
}

impl Foreground {
    /// Returns the process group; 0 before there is one.
    pub fn group(&self) -> u32 {
        self.0.group.load(Ordering::Relaxed)
    }

    /// Sets the process group.
    pub fn set(&self, group: u32) {
        self.0.group.store(group, Ordering::Relaxed);
    }

    /// Begins a session of this process.
    pub(super) fn lead(&self, leader: u32) {
        self.0.leader.store(leader, Ordering::Relaxed);
    }

    /// Returns whether there is a terminal, and a program has it open.
    fn has_terminal(&self) -> bool {
        self.0.terminal.get().is_some_and(|terminal| terminal.strong_count() > 0)
    }

    /// Names the open file of the terminal, once. It is not kept open.
    pub fn name_terminal<T: Any + Send + Sync>(&self, terminal: &Arc<T>) {
        let terminal: Arc<dyn Any + Send + Sync> = terminal.clone();
        // A terminal has one open file from its beginning: a second is never named.
        let _ = self.0.terminal.set(Arc::downgrade(&terminal));
    }

    /// Returns the terminal's open file, if a program still holds it.
    pub fn terminal<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.0.terminal.get()?.upgrade()?.downcast().ok()
    }

    /// Returns whether both are the foreground of the same terminal.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// One process: its identity, how it is ended from outside, and how it ended.
pub struct Process {
    pub(super) pid: u32,
    pub(super) parent: u32,
    pub(super) command: u64,
    pub(super) name: Mutex<Arc<str>>,
    pub(super) shown: Shown,
    /// Whether its status has been collected: its parent has read it, or has dropped its handle.
    pub(super) reaped: AtomicBool,
    /// Its process group, as a shell's job control knows it.
    pub(super) group: AtomicU32,
    /// The process group that Ctrl-C interrupts; shared by the processes of its controlling terminal, or of the command.
    pub(super) foreground: Foreground,
    pub(super) umask: AtomicU32,
    pub(super) signals: Signals,
    pub(super) rights: Mutex<Rights>,
    /// A decision from outside: the process ends with this status as soon as it can be interrupted.
    pub(super) doom: watch::Sender<Option<ExitStatus>>,
    /// How it ended.
    pub(super) status: watch::Sender<Option<ExitStatus>>,
    pub(super) cpu: AtomicU64,
    pub(super) children_cpu: AtomicU64,
    pub(super) memory: Arc<MemoryGauge>,
    pub(super) limits: Mutex<Limits>,
    /// The limits of processes that it starts, where they are not its own.
    pub(super) child_limits: Mutex<[Option<Bound>; Limited::ALL.len()]>,
}

impl Process {
    /// Returns its id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns the id of the process that started it; 0 for a command's first.
    pub fn parent(&self) -> u32 {
        self.parent
    }

    /// Returns the command it belongs to.
    pub fn command(&self) -> u64 {
        self.command
    }

    /// Returns the name it was called by.
    pub fn name(&self) -> Arc<str> {
        self.name.lock().clone()
    }

    /// Renames the process when it continues as another program.
    pub fn rename(&self, name: &str) {
        *self.name.lock() = cut(name);
    }

    /// Returns what listings show of it.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// Returns what it does at this moment.
    pub fn activity(&self) -> Activity {
        if self.status().is_some() {
            Activity::Ended
        } else if self.signals.stopped().is_some() {
            Activity::Stopped
        } else if self.shown.computes() {
            Activity::Computes
        } else {
            Activity::Waits
        }
    }

    /// Returns its process group.
    pub fn group(&self) -> u32 {
        self.group.load(Ordering::Relaxed)
    }

    /// Returns the process group of its controlling terminal that Ctrl-C interrupts.
    pub fn foreground(&self) -> u32 {
        self.foreground.group()
    }

    /// Makes Ctrl-C interrupt another process group.
    pub fn set_foreground(&self, group: u32) {
        self.foreground.set(group);
    }

    /// Returns the open file of its controlling terminal, if it has one and a program has it open.
    pub fn controlling_terminal<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.foreground.terminal()
    }

    /// Returns the process that leads its session: the first of its command, or of those that its terminal controls.
    pub fn session(&self) -> u32 {
        self.foreground.0.leader.load(Ordering::Relaxed)
    }

    /// Returns whether it has a controlling terminal that a program has open.
    pub fn has_terminal(&self) -> bool {
        self.foreground.has_terminal()
    }

    /// Returns whether the terminal with this foreground is its controlling terminal.
    pub fn is_controlled_by(&self, foreground: &Foreground) -> bool {
        self.foreground.is(foreground)
    }

    /// Returns the permission bits that files it creates do not get.
    pub fn umask(&self) -> u32 {
        self.umask.load(Ordering::Relaxed)
    }

    /// Sets them and returns the old bits.
    pub fn set_umask(&self, mask: u32) -> u32 {
        self.umask.swap(mask & 0o777, Ordering::Relaxed)
    }

    /// Returns its rights, among those of its session.
    pub fn rights(&self) -> Rights {
        self.rights.lock().clone()
    }

    /// Removes the rights that are not in `rights`. A process cannot get more rights.
    pub fn narrow(&self, rights: &Rights) {
        let mut own = self.rights.lock();
        *own = own.and(rights);
    }

    /// Returns the state of its signals.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Sends it a signal.
    pub fn send(&self, signal: Signal) {
        if let Some(signal) = self.signals.send(signal) {
            self.doom(ExitStatus::Signaled(signal));
        }
    }

    /// Ends it with `status` as soon as it can be interrupted. The first such call decides.
    pub fn doom(&self, status: ExitStatus) {
        self.doom.send_if_modified(|doom| doom.is_none() && doom.replace(status).is_none());
    }

    /// Returns the status decided from outside, if one was.
    pub fn doomed(&self) -> Option<ExitStatus> {
        *self.doom.borrow()
    }

    /// Waits until it is ended from outside.
    pub async fn wait_doom(&self) -> ExitStatus {
        wait_some(&self.doom).await
    }

    /// Returns how it ended, if it has ended.
    pub fn status(&self) -> Option<ExitStatus> {
        *self.status.borrow()
    }

    /// Waits until it has ended.
    pub async fn wait(&self) -> ExitStatus {
        wait_some(&self.status).await
    }

    /// Waits until it has ended or is stopped.
    pub async fn wait_change(&self) {
        tokio::select! {
            _ = self.wait() => {}
            () = self.signals.wait_stopped() => {}
        }
    }

    /// Adds processor time, in nanoseconds. Sends the signal of its limit of processor time: CPU at the soft limit and
    /// after each further second, KILL at the hard limit.
    pub fn add_cpu(&self, nanoseconds: u64) {
        let before = self.cpu.fetch_add(nanoseconds, Ordering::Relaxed);
        let after = before.saturating_add(nanoseconds);
        let Bound { soft, hard } = self.limit(Limited::ProcessorTime);
        let over = |time: u64, seconds: u64| time.checked_sub(seconds.saturating_mul(SECOND)).map(|over| over / SECOND);
        if over(after, hard).is_some() {
            self.send(Signal::Kill);
        } else if over(after, soft) > over(before, soft) {
            self.send(Signal::CpuLimit);
        }
    }

    /// Returns a limit of the process.
    pub fn limit(&self, what: Limited) -> Bound {
        self.limits.lock().of(what)
    }

    /// Sets a limit of the process. The caller has checked it ([`Bound::may_replace`]).
    pub fn set_limit(&self, what: Limited, bound: Bound) {
        self.limits.lock().set(what, bound);
        if what == Limited::Memory {
            self.memory.limit(bound.soft);
        }
    }

    /// Sets a limit of the processes that it starts from now on; `None` gives them the one that it has itself. The
    /// caller has checked it.
    pub fn set_child_limit(&self, what: Limited, bound: Option<Bound>) {
        self.child_limits.lock()[what as usize] = bound;
    }

    /// Returns the limits of the processes that it starts.
    pub(super) fn limits_of_children(&self) -> Limits {
        let mut limits = *self.limits.lock();
        for (what, bound) in Limited::ALL.into_iter().zip(*self.child_limits.lock()) {
            if let Some(bound) = bound {
                limits.set(what, bound.within(limits.of(what).hard));
            }
        }
        limits
    }

    /// Returns the number of bytes of linear memory that it holds.
    pub fn memory(&self) -> u64 {
        self.memory.held()
    }

    /// Returns the gauge in which the limiter of its memory records what it holds.
    pub fn memory_gauge(&self) -> &Arc<MemoryGauge> {
        &self.memory
    }

    /// Returns the processor time so far, in nanoseconds: its own and that of its ended children.
    pub fn times(&self) -> (u64, u64) {
        (self.cpu.load(Ordering::Relaxed), self.children_cpu.load(Ordering::Relaxed))
    }
}

async fn wait_some(channel: &watch::Sender<Option<ExitStatus>>) -> ExitStatus {
    let mut receiver = channel.subscribe();
    loop {
        if let Some(status) = *receiver.borrow_and_update() {
            return status;
        }
        if receiver.changed().await.is_err() {
            // Unreachable, because the sender lives as long as the borrowed process; `killed` is the safe value.
            return ExitStatus::Signaled(Signal::Kill);
        }
    }
}

/// Returns the start of a name, truncated at a character boundary.
pub(super) fn cut(name: &str) -> Arc<str> {
    name[..name.floor_char_boundary(MAX_NAME)].into()
}
