//! How a process ends.

/// A signal that wisp knows: each ends the process that gets it, unless the process ignores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signal {
    /// SIGHUP, 1.
    Hangup,
    /// SIGINT, 2.
    Interrupt,
    /// SIGABRT, 6: the program aborted (a trap, a panic).
    Abort,
    /// SIGKILL, 9.
    Kill,
    /// SIGSEGV, 11: an access outside the program's memory, or a stack that ran out.
    Segfault,
    /// SIGPIPE, 13: a write to a pipe without a reader.
    Pipe,
    /// SIGTERM, 15.
    Terminate,
}

impl Signal {
    /// The signal's number on Linux.
    pub fn number(self) -> u8 {
        match self {
            Signal::Hangup => 1,
            Signal::Interrupt => 2,
            Signal::Abort => 6,
            Signal::Kill => 9,
            Signal::Segfault => 11,
            Signal::Pipe => 13,
            Signal::Terminate => 15,
        }
    }

    /// The signal with this number, if it can be sent to a process here.
    pub fn from_number(number: u8) -> Option<Signal> {
        [Signal::Hangup, Signal::Interrupt, Signal::Abort, Signal::Kill, Signal::Segfault, Signal::Pipe, Signal::Terminate]
            .into_iter()
            .find(|signal| signal.number() == number)
    }
}

/// How a process ended: by itself with a code, or by a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitStatus {
    /// It exited with this code.
    Exited(u8),
    /// A signal ended it.
    Signaled(Signal),
    /// The wall-clock limit ended it; a shell sees 124, as from timeout(1).
    TimedOut,
}

impl ExitStatus {
    /// The status a shell sees in `$?`.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Exited(code) => code,
            ExitStatus::Signaled(signal) => 128 + signal.number(),
            ExitStatus::TimedOut => 124,
        }
    }

    /// The number of the signal that ended the process, if one did.
    pub fn signal(self) -> Option<u8> {
        match self {
            ExitStatus::Signaled(signal) => Some(signal.number()),
            ExitStatus::Exited(_) | ExitStatus::TimedOut => None,
        }
    }

    /// Whether the program reported success.
    pub fn success(self) -> bool {
        self == ExitStatus::Exited(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_a_shell_sees() {
        assert_eq!(ExitStatus::Exited(42).code(), 42);
        assert_eq!(ExitStatus::Signaled(Signal::Kill).code(), 137);
        assert_eq!(ExitStatus::Signaled(Signal::Pipe).code(), 141);
        assert_eq!(ExitStatus::Signaled(Signal::Abort).code(), 134);
        assert_eq!(ExitStatus::TimedOut.code(), 124);
    }

    #[test]
    fn signal_numbers_round_trip() {
        for number in 0..=64 {
            if let Some(signal) = Signal::from_number(number) {
                assert_eq!(signal.number(), number);
            }
        }
        assert_eq!(Signal::from_number(0), None);
    }
}
