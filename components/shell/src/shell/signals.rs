//! The signals that the host keeps for the shell, and those that arrived.

use crate::signals::{INT, bit};
use crate::sys;
use std::cell::Cell;
use std::rc::Rc;

/// Commands between two checks for signals, while the shell does not wait: a check is a call to the host.
const COMMANDS: u32 = 32;

/// The signals that a process of the shell listens to. Subshells in the same process share this: the signals are sent
/// to the process, and the outermost shell handles them.
#[derive(Default)]
pub struct Listening {
    /// The signals that the host keeps for us.
    pub(crate) handled: Cell<u64>,
    /// Those of them that end the process, because they have no trap.
    pub(crate) fatal: Cell<u64>,
    /// The signals that arrived.
    pub(crate) pending: Cell<u64>,
    /// Commands until the next check.
    pub(crate) quiet: Cell<u32>,
}

impl Listening {
    /// Takes the signals that arrived.
    pub(crate) fn listen(&self) {
        self.quiet.set(COMMANDS);
        if self.handled.get() != 0 {
            self.pending.set(self.pending.get() | sys::take_signals());
        }
    }

    /// Records a signal, whatever its source.
    pub(crate) fn came(&self, signal: u8) {
        self.pending.set(self.pending.get() | bit(signal));
    }

    /// Tells the host the settings again.
    pub(crate) fn tell(&self, ignored: u64) {
        sys::set_signals(self.handled.get(), ignored, ignored);
    }

    /// Returns whether signals may interrupt a wait.
    pub(crate) fn listens(&self) -> bool {
        self.handled.get() != 0
    }

    /// Returns whether this signal arrived.
    pub(crate) fn has(&self, signal: u8) -> bool {
        self.pending.get() & bit(signal) != 0
    }

    /// Drops a Ctrl-C that was handled otherwise.
    pub(crate) fn forget_interrupt(&self) {
        self.take(INT);
    }

    pub(crate) fn take(&self, signal: u8) {
        self.pending.set(self.pending.get() & !bit(signal));
    }
}

/// The signals of a shell.
#[derive(Clone, Default)]
pub struct Signals {
    /// The signals that arrived at this process. Subshells in the same process share it.
    pub(crate) arrived: Rc<Listening>,
    /// Signals that were ignored when the shell started, and stay ignored.
    pub(crate) start_ignored: u64,
    /// Signals that this shell ignores because it runs in the background; the programs that it starts do not.
    pub(crate) async_ignored: u64,
    /// The signals that the host was last asked to ignore.
    pub(crate) told_ignored: u64,
    /// The signal that ends this shell.
    pub(crate) dying: Option<u8>,
    /// The program that a signal ended last (its id and the signal), until it is reported.
    pub(crate) died: Option<(u32, u8)>,
    /// Children that have ended since the `CHLD` trap last ran.
    pub(crate) reaped: u32,
}
