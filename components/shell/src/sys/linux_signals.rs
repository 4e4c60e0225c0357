//! Signals on Linux, as in the sandbox: kept until they are taken. An eventfd makes them pollable.

use super::{Errno, Result};
use std::os::fd::RawFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Handled signals that arrived: bit n - 1 for signal n.
static CAME: AtomicU64 = AtomicU64::new(0);

/// Returns the descriptor that is readable while a signal is pending.
fn bell() -> RawFd {
    static BELL: OnceLock<RawFd> = OnceLock::new();
    *BELL.get_or_init(|| {
        // SAFETY: plain numbers; the descriptor stays open for the life of the process.
        unsafe {
            let fd = libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK);
            let high = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 900);
            libc::close(fd);
            high
        }
    })
}

extern "C" fn handler(signal: libc::c_int) {
    CAME.fetch_or(1 << (signal - 1), Ordering::SeqCst);
    let one = 1u64;
    // SAFETY: write(2) is async-signal-safe; the descriptor was made before the handler was set.
    unsafe { libc::write(bell(), (&raw const one).cast(), 8) };
}

/// Returns the signals that were ignored when this process started. Rust ignores SIGPIPE before we can check.
pub fn ignored_signals() -> u64 {
    (1..32).filter(|signal| !matches!(*signal, libc::SIGPIPE | libc::SIGKILL | libc::SIGSTOP)).fold(0, |set, signal| {
        // SAFETY: only a query, into a zeroed local.
        let ignored = unsafe {
            let mut now: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
        };
        set | (u64::from(ignored) << (signal - 1))
    })
}

/// Handles one set of signals and ignores another.
pub fn set_signals(handled: u64, _before: u64, ignored: u64) {
    bell();
    for signal in (1..32).filter(|signal| !matches!(*signal, libc::SIGPIPE | libc::SIGKILL | libc::SIGSTOP)) {
        let bit = 1u64 << (signal - 1);
        let action = if ignored & bit != 0 {
            libc::SIG_IGN
        } else if handled & bit != 0 {
            handler as *const () as usize
        } else {
            libc::SIG_DFL
        };
        // SAFETY: the handler only makes async-signal-safe calls.
        unsafe { libc::signal(signal, action) };
    }
}

/// Takes the handled signals that arrived.
pub fn take_signals() -> u64 {
    let mut count = 0u64;
    // SAFETY: reads a number into a local; the descriptor does not block.
    unsafe { libc::read(bell(), (&raw mut count).cast(), 8) };
    CAME.swap(0, Ordering::SeqCst)
}

/// Waits until one of these can be read or a signal arrives, whose index comes after theirs; `None` after this many
/// milliseconds, if they are not negative.
pub(super) fn wait(descriptors: &[RawFd], signals: bool, time: i32) -> Option<usize> {
    let mut polled: Vec<libc::pollfd> =
        descriptors.iter().copied().chain(signals.then(bell)).map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 }).collect();
    // SAFETY: the list has as many entries as its length says.
    while unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, time) } < 0 {}
    polled.iter().position(|entry| entry.revents != 0)
}

/// Sets the signals of a new process: it handles none and ignores these.
///
/// # Safety
/// Only between fork and exec.
pub(super) unsafe fn in_child(ignored: u64) {
    for signal in (1..32).filter(|signal| !matches!(*signal, libc::SIGKILL | libc::SIGSTOP)) {
        let action = if ignored & (1 << (signal - 1)) != 0 { libc::SIG_IGN } else { libc::SIG_DFL };
        // SAFETY: async-signal-safe.
        unsafe { libc::signal(signal, action) };
    }
}

/// Blocks all signals in this thread, or none.
pub fn block_signals(block: bool) {
    // SAFETY: a set in a local.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(if block { libc::SIG_BLOCK } else { libc::SIG_UNBLOCK }, &all, std::ptr::null_mut());
    }
}

/// Ends by a signal, as its default action does.
pub fn die(signal: u8) {
    // SAFETY: plain numbers.
    unsafe {
        libc::signal(i32::from(signal), libc::SIG_DFL);
        libc::kill(libc::getpid(), i32::from(signal));
        libc::usleep(100_000);
    }
}

/// Sends a signal.
pub fn kill(pid: i64, signal: u8) -> Result<()> {
    let (id, number) = (pid as i32, i32::from(signal));
    // A signal to this process: this thread receives it before it continues.
    // SAFETY: plain numbers.
    if unsafe { if id == libc::getpid() { libc::raise(number) } else { libc::kill(id, number) } } == 0 {
        return Ok(());
    }
    Err(match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::ESRCH) => Errno::NoProcess,
        Some(libc::EPERM) => Errno::NotPermitted,
        _ => Errno::Invalid,
    })
}
