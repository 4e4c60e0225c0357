//! A pseudo-terminal. Ownership is the protocol, as with a pipe: dropping the keyboard's end hangs up, dropping the last
//! program's end is the end of the output.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, Bytes};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::discipline::{COST, Discipline, Flow, Flushed, Read};
use super::settings::{Settings, Size, flag};
use crate::handle::{Foreground, Process};
use crate::signals::SignalSet;
use crate::status::Signal;
use crate::table::ProcessTable;

/// Maximum host memory of a pseudo-terminal, whatever is typed and written.
pub const TTY_COST: u64 = COST as u64;

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

struct State {
    discipline: Discipline,
    keyboard_gone: bool,
    tty_gone: bool,
    /// Readers that wait for input, and how often a wait has begun.
    waiting: u32,
    waits: u64,
}

impl State {
    fn read(&mut self, len: usize, expired: bool) -> Read {
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

struct Shared {
    state: Mutex<State>,
    processes: Arc<ProcessTable>,
    foreground: Foreground,
    /// For programs: input may be readable.
    readable: Notify,
    /// For programs: output may be writable, or drained.
    writable: Notify,
    /// For the keyboard: more may be typed.
    typable: Notify,
    /// For the keyboard: output may be there.
    shown: Notify,
    /// A reader begins to wait for input, or has ended its wait.
    wanted: Notify,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change of the discipline is complete before its caller can panic.
        self.state.lock()
    }

    /// Anything may have changed: what waits looks again.
    fn changed(&self) {
        for told in [&self.readable, &self.writable, &self.typable, &self.shown] {
            told.notify_waiters();
        }
    }

    /// Sends signals to the foreground. The lock is not held.
    fn send(&self, signals: SignalSet) {
        let group = self.foreground.group();
        for signal in Signal::ALL.into_iter().filter(|signal| signals.has(*signal)) {
            self.processes.send_to_group(group, signal);
        }
    }

    /// Waits until `so` holds. `told` is notified whenever it may hold.
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
}

/// A reader waits while this lives.
struct Wait<'a>(&'a Shared);

impl<'a> Wait<'a> {
    fn begin(shared: &'a Shared) -> Self {
        let mut state = shared.lock();
        state.waiting += 1;
        state.waits += 1;
        drop(state);
        shared.wanted.notify_waiters();
        Wait(shared)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
        self.0.wanted.notify_waiters();
    }
}

/// The settings, the size and the foreground of a terminal. It is not an end: it keeps nothing open.
#[derive(Clone)]
pub struct Control(Arc<Shared>);

/// The end at which bytes are typed and the output is seen. Dropping it hangs up.
pub struct Keyboard(Control);

/// The end of the programs.
pub struct Tty(Control);

/// Observes when a program waits for input, without being an end of the terminal.
pub struct TtyWatch(Arc<Shared>);

/// A new terminal of this size. Its signals go to the processes of `processes` that are in its foreground.
pub fn pair(processes: &Arc<ProcessTable>, size: Size) -> (Keyboard, Tty) {
    let state = State { discipline: Discipline::new(size), keyboard_gone: false, tty_gone: false, waiting: 0, waits: 0 };
    let control = Control(Arc::new(Shared {
        state: Mutex::new(state),
        processes: processes.clone(),
        foreground: Foreground::default(),
        readable: Notify::new(),
        writable: Notify::new(),
        typable: Notify::new(),
        shown: Notify::new(),
        wanted: Notify::new(),
    }));
    (Keyboard(control.clone()), Tty(control))
}

impl Control {
    /// The settings.
    pub fn settings(&self) -> Settings {
        self.0.lock().discipline.settings()
    }

    /// Replaces the settings.
    pub fn set(&self, settings: Settings) {
        self.0.lock().discipline.set(settings);
        self.0.changed();
    }

    /// The size.
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

    /// The number of typed bytes that can be read now.
    pub fn available(&self) -> usize {
        self.0.lock().discipline.available()
    }

    /// The process group that the keyboard's signals reach. A process that this terminal controls shares it.
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

    /// An observer of the programs that wait for input.
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

impl Keyboard {
    /// The terminal's settings, size and foreground.
    pub fn control(&self) -> &Control {
        &self.0
    }

    fn shared(&self) -> &Shared {
        &self.0.0
    }

    /// Types as many of `bytes` as there is room for, and leaves the rest in it. Returns the number taken.
    ///
    /// # Errors
    /// [`HungUp`] when the programs' end is gone.
    pub fn try_type(&self, bytes: &mut Bytes) -> Result<usize, HungUp> {
        let mut state = self.shared().lock();
        if state.tty_gone || state.keyboard_gone {
            return Err(HungUp);
        }
        let received = state.discipline.receive(bytes);
        drop(state);
        bytes.advance(received.taken);
        if received.taken > 0 {
            self.shared().changed();
            self.shared().send(received.signals);
        }
        Ok(received.taken)
    }

    /// Types all of `bytes`, and waits while there is no room.
    ///
    /// # Errors
    /// [`HungUp`] when the programs' end is dropped before all bytes were taken.
    pub async fn type_all(&self, mut bytes: Bytes) -> Result<(), HungUp> {
        while !bytes.is_empty() {
            if self.try_type(&mut bytes)? == 0 {
                self.typable().await;
            }
        }
        Ok(())
    }

    /// Waits until a byte can be typed, or the programs' end is gone.
    pub async fn typable(&self) {
        let shared = self.shared();
        shared.until(&shared.typable, |state| state.tty_gone || state.keyboard_gone || !state.discipline.is_full()).await;
    }

    /// How many bytes can be typed now, at least.
    ///
    /// # Errors
    /// [`HungUp`] when the programs' end is gone.
    pub fn room(&self) -> Result<usize, HungUp> {
        let state = self.shared().lock();
        if state.tty_gone || state.keyboard_gone { Err(HungUp) } else { Ok(state.discipline.room_to_type()) }
    }

    /// At most `len` bytes of output without waiting: `None` if there is nothing yet, empty at the end.
    pub fn try_take(&self, len: usize) -> Option<Bytes> {
        let mut state = self.shared().lock();
        if state.tty_gone {
            // Nothing can release the output any more.
            return Some(state.discipline.take_all(len));
        }
        let bytes = state.discipline.take(len);
        drop(state);
        if bytes.is_empty() {
            return None;
        }
        self.shared().writable.notify_waiters();
        Some(bytes)
    }

    /// At most `len` bytes of output, `len` at least 1; waits for the first. Empty at the end.
    pub async fn take(&self, len: usize) -> Bytes {
        loop {
            self.showing().await;
            if let Some(bytes) = self.try_take(len) {
                return bytes;
            }
        }
    }

    /// Waits until `take` would not wait.
    pub async fn showing(&self) {
        let shared = self.shared();
        shared.until(&shared.shown, |state| state.tty_gone || state.discipline.shows()).await;
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.hang_up();
    }
}

impl Keyboard {
    /// Ends the terminal, once: the processes that it controls receive HUP, reads return what is left and then an end of
    /// file, and writes fail. What was written before can still be taken.
    pub fn hang_up(&self) {
        let shared = self.shared();
        if std::mem::replace(&mut shared.lock().keyboard_gone, true) {
            return;
        }
        shared.changed();
        shared.wanted.notify_waiters();
        for signal in [Signal::Hangup, Signal::Continue] {
            shared.processes.send_to_terminal(&shared.foreground, signal);
        }
    }
}

impl Tty {
    /// The terminal's settings, size and foreground.
    pub fn control(&self) -> &Control {
        &self.0
    }

    fn shared(&self) -> &Shared {
        &self.0.0
    }

    /// Up to `len` typed bytes that are there, `len` at least 1: `None` if there are none, empty at an end of file.
    pub fn try_read(&self, len: usize) -> Option<Bytes> {
        let mut state = self.shared().lock();
        let bytes = state.discipline.read_now(len);
        let gone = state.keyboard_gone;
        drop(state);
        if bytes.is_some() {
            self.shared().typable.notify_waiters();
        }
        bytes.or_else(|| gone.then(Bytes::new))
    }

    /// Up to `len` typed bytes, `len` at least 1. Waits as the settings say: for a line, or for VMIN bytes within VTIME,
    /// which `sleep` measures. Empty at an end of file. `reader` is the process that reads: it takes nothing while it is in
    /// the background, even if it began to wait in the foreground.
    ///
    /// # Errors
    /// [`Background`] if it is in the background and cannot be stopped.
    pub async fn read<S: Future<Output = ()>>(
        &self,
        reader: Option<&Process>,
        len: usize,
        sleep: impl Fn(Duration) -> S,
    ) -> Result<Bytes, Background> {
        let shared = self.shared();
        let (mut timer, mut expired): (Option<(usize, Pin<Box<S>>)>, bool) = (None, false);
        loop {
            let woken = shared.readable.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            if let Some(reader) = reader {
                self.0.admitted(reader, Use::Read).await?;
            }
            let read = shared.lock().read(len, expired);
            match read {
                Read::Ready(bytes) => {
                    shared.typable.notify_waiters();
                    return Ok(bytes);
                }
                Read::Wait => {
                    (timer, expired) = (None, false);
                    let _wait = Wait::begin(shared);
                    woken.await;
                }
                Read::Within { time, typed } => {
                    let mut running = match timer.take() {
                        Some((before, running)) if before == typed => running,
                        _ => Box::pin(sleep(time)),
                    };
                    let _wait = Wait::begin(shared);
                    expired = tokio::select! {
                        biased;
                        () = woken => false,
                        () = &mut running => true,
                    };
                    timer = Some((typed, running)).filter(|_| !expired);
                }
            }
        }
    }

    /// Waits until a read would not wait.
    pub async fn readable(&self) {
        let shared = self.shared();
        let so = |state: &State| state.discipline.is_readable() || state.keyboard_gone;
        if !so(&shared.lock()) {
            let _wait = Wait::begin(shared);
            shared.until(&shared.readable, so).await;
        }
    }

    /// How many bytes a write takes now, at least.
    ///
    /// # Errors
    /// [`HungUp`] when the keyboard's end is gone.
    pub fn room(&self) -> Result<usize, HungUp> {
        let state = self.shared().lock();
        if state.keyboard_gone { Err(HungUp) } else { Ok(state.discipline.room()) }
    }

    /// Writes as many of `bytes` as there is room for, and leaves the rest in it. Returns the number written.
    ///
    /// # Errors
    /// [`HungUp`] when the keyboard's end is gone.
    pub fn try_write(&self, bytes: &mut Bytes) -> Result<usize, HungUp> {
        let mut state = self.shared().lock();
        if state.keyboard_gone {
            return Err(HungUp);
        }
        let count = state.discipline.write(bytes);
        drop(state);
        if count > 0 {
            bytes.advance(count);
            self.shared().shown.notify_waiters();
        }
        Ok(count)
    }

    /// Writes all of `bytes`, and waits while there is no room.
    ///
    /// # Errors
    /// [`HungUp`] when the keyboard's end is dropped before all bytes were taken.
    pub async fn write_all(&self, mut bytes: Bytes) -> Result<(), HungUp> {
        while !bytes.is_empty() {
            if self.try_write(&mut bytes)? == 0 {
                self.writable().await;
            }
        }
        Ok(())
    }

    /// Waits until a write would take at least one byte or fail.
    pub async fn writable(&self) {
        let shared = self.shared();
        shared.until(&shared.writable, |state| state.keyboard_gone || state.discipline.room() > 0).await;
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        let shared = self.shared();
        shared.lock().tty_gone = true;
        shared.changed();
        shared.wanted.notify_waiters();
    }
}

impl TtyWatch {
    /// Whether a program waits for input, and there is none.
    pub fn is_wanted(&self) -> bool {
        self.0.lock().is_wanted()
    }

    /// Waits until that is so, or no more so. Never ends when an end of the terminal has been dropped.
    pub async fn until(&self, wanted: bool) {
        let over = |state: &State| state.keyboard_gone || state.tty_gone;
        self.0.until(&self.0.wanted, |state| !over(state) && state.is_wanted() == wanted).await;
    }

    /// Waits until a program waits for input, and there is none. Returns how often a wait has begun, or `None` when an
    /// end of the terminal is dropped.
    pub async fn wanted(&self) -> Option<u64> {
        let over = |state: &State| state.keyboard_gone || state.tty_gone;
        self.0.until(&self.0.wanted, |state| over(state) || state.is_wanted()).await;
        let state = self.0.lock();
        (!over(&state)).then_some(state.waits)
    }
}

#[cfg(test)]
#[path = "pair_tests.rs"]
mod tests;
