//! Children on Linux, and waiting for them.

use std::cell::Cell;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// A started process.
pub struct Child {
    pid: i32,
    status: Cell<Option<i32>>,
    stopped: Cell<Option<u8>>,
    handle: OwnedFd,
}

fn decode(status: i32) -> i32 {
    if libc::WIFSIGNALED(status) { 128 + libc::WTERMSIG(status) } else { libc::WEXITSTATUS(status) }
}

impl Child {
    pub(super) fn new(pid: i32, handle: OwnedFd) -> Self {
        Self { pid, status: Cell::new(None), stopped: Cell::new(None), handle }
    }
    /// Returns its id.
    pub fn pid(&self) -> u32 {
        self.pid as u32
    }
    /// Waits until it ends; returns the status as in `$?`.
    pub fn wait(&self) -> i32 {
        loop {
            if let Some(status) = self.try_wait() {
                return status;
            }
            super::linux_signals::wait(&[self.handle.as_raw_fd()], false, -1);
        }
    }
    /// Waits until it ends or a handled signal is pending.
    pub fn wait_or_signal(&self) -> Option<i32> {
        if let Some(status) = self.try_wait() {
            return Some(status);
        }
        super::linux_signals::wait(&[self.handle.as_raw_fd()], true, -1);
        self.try_wait()
    }
    /// Returns its status if it has ended.
    pub fn try_wait(&self) -> Option<i32> {
        self.raw().map(decode)
    }
    /// Returns the signal that ended it, if one did.
    pub fn signal(&self) -> Option<u8> {
        self.raw().filter(|status| libc::WIFSIGNALED(*status)).map(|status| libc::WTERMSIG(status) as u8)
    }
    /// Returns the signal that has stopped it, if it is stopped.
    pub fn stopped(&self) -> Option<u8> {
        self.raw().map_or_else(|| self.stopped.get(), |_| None)
    }
    /// Records that it was continued: Linux reports that a little later.
    pub fn goes_on(&self) {
        self.stopped.set(None);
    }
    /// Waits until it ends or is stopped or, on request, until a handled signal is pending.
    pub fn wait_change(&self, signals: bool) -> Option<i32> {
        wait_any(&[self], signals, true);
        self.try_wait()
    }
    fn raw(&self) -> Option<i32> {
        while self.status.get().is_none() {
            let mut status = 0;
            // SAFETY: a pointer to a local.
            match unsafe { libc::waitpid(self.pid, &mut status, libc::WNOHANG | libc::WUNTRACED | libc::WCONTINUED) } {
                0 => break,
                _ if libc::WIFSTOPPED(status) => self.stopped.set(Some(libc::WSTOPSIG(status) as u8)),
                _ if libc::WIFCONTINUED(status) => self.stopped.set(None),
                got if got == self.pid => self.status.set(Some(status)),
                // The status was taken elsewhere: the shell cannot know it.
                _ => self.status.set(Some(127 << 8)),
            }
        }
        self.status.get()
    }
}

/// Interval of the checks for a stopped child, in milliseconds: a descriptor reports only its end.
const STOPS: i32 = 5;

/// Waits until one of them has ended or, with `stops`, is stopped; returns its index. `None` if a handled signal came
/// first and `signals` is set.
pub fn wait_any(children: &[&Child], signals: bool, stops: bool) -> Option<usize> {
    let handles: Vec<_> = children.iter().map(|child| child.handle.as_raw_fd()).collect();
    loop {
        if stops && let Some(at) = children.iter().position(|child| child.stopped().is_some()) {
            return Some(at);
        }
        match super::linux_signals::wait(&handles, signals, if stops { STOPS } else { -1 }) {
            Some(at) if at < children.len() => return Some(at),
            Some(_) => return None,
            None if !stops => return None,
            None => {}
        }
    }
}

/// Returns all descendants of a process. Not used natively.
pub fn descendants(_pid: u32) -> Vec<u32> {
    Vec::new()
}

/// Makes a process group the target of Ctrl-C and Ctrl-Z; 0 is ours. Natively the terminal's group is left unchanged.
pub fn set_foreground(_group: u32) {}
