//! How a process ends.

/// The signals, with their numbers on Linux.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Signal {
    /// SIGHUP: the terminal is gone.
    Hangup = 1,
    /// SIGINT: Ctrl-C.
    Interrupt = 2,
    /// SIGQUIT: Ctrl-\\.
    Quit = 3,
    /// SIGILL: an illegal instruction.
    Illegal = 4,
    /// SIGTRAP: a debugger's trap.
    Trap = 5,
    /// SIGABRT: the program aborted (a trap of wasm, a panic).
    Abort = 6,
    /// SIGBUS: a bus error.
    Bus = 7,
    /// SIGFPE: an arithmetic error.
    Float = 8,
    /// SIGKILL: always ends a process.
    Kill = 9,
    /// SIGUSR1: for the programs' own use.
    User1 = 10,
    /// SIGSEGV: an access outside the program's memory, or a stack that ran out.
    Segfault = 11,
    /// SIGUSR2: for the programs' own use.
    User2 = 12,
    /// SIGPIPE: a write to a pipe without a reader.
    Pipe = 13,
    /// SIGALRM: a timer.
    Alarm = 14,
    /// SIGTERM: a request to end.
    Terminate = 15,
    /// SIGSTKFLT: unused.
    StackFault = 16,
    /// SIGCHLD: a child has ended.
    Child = 17,
    /// SIGCONT: continues a stopped process.
    Continue = 18,
    /// SIGSTOP: always stops a process.
    Stop = 19,
    /// SIGTSTP: Ctrl-Z.
    TerminalStop = 20,
    /// SIGTTIN: a process in the background read the terminal.
    TerminalInput = 21,
    /// SIGTTOU: a process in the background wrote to the terminal.
    TerminalOutput = 22,
    /// SIGURG: urgent data.
    Urgent = 23,
    /// SIGXCPU: too much processor time.
    CpuLimit = 24,
    /// SIGXFSZ: a file too large.
    FileLimit = 25,
    /// SIGVTALRM: a timer.
    VirtualAlarm = 26,
    /// SIGPROF: a timer.
    Profile = 27,
    /// SIGWINCH: the terminal has another size.
    Window = 28,
    /// SIGIO: a descriptor is ready.
    Io = 29,
    /// SIGPWR: the power fails.
    Power = 30,
    /// SIGSYS: a bad system call.
    System = 31,
}

/// What a signal does to a process that neither ignores nor handles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefaultAction {
    /// It ends.
    End,
    /// It continues.
    Nothing,
    /// It stops until it is continued.
    Stop,
}

impl Signal {
    /// All signals, by number.
    pub const ALL: [Self; 31] = [
        Self::Hangup,
        Self::Interrupt,
        Self::Quit,
        Self::Illegal,
        Self::Trap,
        Self::Abort,
        Self::Bus,
        Self::Float,
        Self::Kill,
        Self::User1,
        Self::Segfault,
        Self::User2,
        Self::Pipe,
        Self::Alarm,
        Self::Terminate,
        Self::StackFault,
        Self::Child,
        Self::Continue,
        Self::Stop,
        Self::TerminalStop,
        Self::TerminalInput,
        Self::TerminalOutput,
        Self::Urgent,
        Self::CpuLimit,
        Self::FileLimit,
        Self::VirtualAlarm,
        Self::Profile,
        Self::Window,
        Self::Io,
        Self::Power,
        Self::System,
    ];

    /// Returns the signal's number on Linux.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns its bit in a set of signals.
    pub fn bit(self) -> u64 {
        1 << (self.number() - 1)
    }

    /// Returns the signal with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Returns its default action (signal(7)).
    pub(crate) fn default_action(self) -> DefaultAction {
        match self {
            Self::Child | Self::Continue | Self::Urgent | Self::Window => DefaultAction::Nothing,
            Self::Stop | Self::TerminalStop | Self::TerminalInput | Self::TerminalOutput => DefaultAction::Stop,
            _ => DefaultAction::End,
        }
    }
}

/// How a process ended: by its exit code, or by a signal.
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
    /// Returns the status that a shell sees in `$?`.
    pub fn code(self) -> u8 {
        match self {
            Self::Exited(code) => code,
            Self::Signaled(signal) => 128 + signal.number(),
            Self::TimedOut => 124,
        }
    }

    /// Returns the number of the signal that ended the process, if one did.
    pub fn signal(self) -> Option<u8> {
        match self {
            Self::Signaled(signal) => Some(signal.number()),
            Self::Exited(_) | Self::TimedOut => None,
        }
    }

    /// Returns whether the program reported success.
    pub fn success(self) -> bool {
        self == Self::Exited(0)
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
        for number in 1..=31 {
            assert_eq!(Signal::from_number(number).map(Signal::number), Some(number));
        }
        assert_eq!((Signal::from_number(0), Signal::from_number(32), Signal::from_number(255)), (None, None, None));
        assert_eq!((Signal::Terminate.number(), Signal::Child.number(), Signal::Stop.number()), (15, 17, 19));
    }
}
