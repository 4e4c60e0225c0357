//! A pseudo-terminal. Ownership is the protocol, as with a pipe: dropping the keyboard's end hangs up, dropping the last
//! program's end is the end of the output.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, Bytes};

use super::discipline::{COST, Read};
use super::settings::Size;
use super::shared::{Background, Control, HungUp, Shared, State, Use};
use crate::handle::Process;
use crate::status::Signal;
use crate::table::ProcessTable;
use crate::wait::Wait;

/// Maximum host memory of a pseudo-terminal, whatever is typed and written.
pub const TTY_COST: u64 = COST as u64;

/// The end at which bytes are typed and the output is seen. Dropping it hangs up.
pub struct Keyboard(Control);

/// The end of the programs.
pub struct Tty(Control);

/// Creates a new terminal of this size. Its signals go to the processes of `processes` that are in its foreground.
pub fn pair(processes: &Arc<ProcessTable>, size: Size) -> (Keyboard, Tty) {
    let control = Control(Shared::new(processes.clone(), size));
    (Keyboard(control.clone()), Tty(control))
}

impl Keyboard {
    /// Returns the terminal's settings, size and foreground.
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

    /// Returns how many bytes can be typed now, at least.
    ///
    /// # Errors
    /// [`HungUp`] when the programs' end is gone.
    pub fn room(&self) -> Result<usize, HungUp> {
        let state = self.shared().lock();
        if state.tty_gone || state.keyboard_gone { Err(HungUp) } else { Ok(state.discipline.room_to_type()) }
    }

    /// Takes at most `len` bytes of output without waiting: `None` if there is nothing yet, empty at the end.
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

    /// Takes at most `len` bytes of output, `len` at least 1; waits for the first. Empty at the end.
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

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.hang_up();
    }
}

impl Tty {
    /// Returns the terminal's settings, size and foreground.
    pub fn control(&self) -> &Control {
        &self.0
    }

    fn shared(&self) -> &Shared {
        &self.0.0
    }

    /// Reads up to `len` typed bytes that are there, `len` at least 1: `None` if there are none, empty at an end of file.
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

    /// Reads up to `len` typed bytes, `len` at least 1. Waits as the settings say: for a line, or for VMIN bytes within VTIME,
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
        let mut timer: Option<(usize, Pin<Box<S>>)> = None;
        let mut expired = false;
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

    /// Returns how many bytes a write takes now, at least.
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

#[cfg(test)]
#[path = "pair_tests.rs"]
mod tests;
