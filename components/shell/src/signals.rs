//! Signals: their names and numbers.

/// Names by number, and the message about a program that the signal ended.
const SIGNALS: [(&str, &str); 32] = [
    ("EXIT", ""),
    ("HUP", "Hangup"),
    ("INT", "Interrupt"),
    ("QUIT", "Quit"),
    ("ILL", "Illegal instruction"),
    ("TRAP", "Trace/breakpoint trap"),
    ("ABRT", "Aborted"),
    ("BUS", "Bus error"),
    ("FPE", "Floating point exception"),
    ("KILL", "Killed"),
    ("USR1", "User defined signal 1"),
    ("SEGV", "Segmentation fault"),
    ("USR2", "User defined signal 2"),
    ("PIPE", "Broken pipe"),
    ("ALRM", "Alarm clock"),
    ("TERM", "Terminated"),
    ("STKFLT", "Stack fault"),
    ("CHLD", "Child exited"),
    ("CONT", "Continued"),
    ("STOP", "Stopped (signal)"),
    ("TSTP", "Stopped"),
    ("TTIN", "Stopped (tty input)"),
    ("TTOU", "Stopped (tty output)"),
    ("URG", "Urgent I/O condition"),
    ("XCPU", "CPU time limit exceeded"),
    ("XFSZ", "File size limit exceeded"),
    ("VTALRM", "Virtual timer expired"),
    ("PROF", "Profiling timer expired"),
    ("WINCH", "Window changed"),
    ("IO", "I/O possible"),
    ("PWR", "Power failure"),
    ("SYS", "Bad system call"),
];

/// Real-time signals have names because `kill -l` lists them; no process receives them.
const REAL_TIME: [&str; 31] = [
    "RTMIN", "RTMIN+1", "RTMIN+2", "RTMIN+3", "RTMIN+4", "RTMIN+5", "RTMIN+6", "RTMIN+7", "RTMIN+8", "RTMIN+9", "RTMIN+10", "RTMIN+11",
    "RTMIN+12", "RTMIN+13", "RTMIN+14", "RTMIN+15", "RTMAX-14", "RTMAX-13", "RTMAX-12", "RTMAX-11", "RTMAX-10", "RTMAX-9", "RTMAX-8",
    "RTMAX-7", "RTMAX-6", "RTMAX-5", "RTMAX-4", "RTMAX-3", "RTMAX-2", "RTMAX-1", "RTMAX",
];

/// The number of the first real-time signal.
const FIRST_REAL_TIME: u8 = 34;

pub(crate) const HUP: u8 = 1;
pub(crate) const INT: u8 = 2;
pub(crate) const QUIT: u8 = 3;
pub(crate) const KILL: u8 = 9;
pub(crate) const PIPE: u8 = 13;
pub(crate) const TERM: u8 = 15;
pub(crate) const CHLD: u8 = 17;
pub(crate) const CONT: u8 = 18;

/// Returns a signal's number by name, with or without `SIG`, or by number.
pub fn signal_number(text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return (number < 65).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    let real_time = || REAL_TIME.iter().position(|signal| *signal == name).map(|at| at as u8 + FIRST_REAL_TIME);
    SIGNALS.iter().position(|(signal, _)| *signal == name).map(|at| at as u8).or_else(real_time)
}

/// Returns a signal's name, without `SIG`.
pub fn signal_name(number: u8) -> Option<&'static str> {
    match number {
        FIRST_REAL_TIME.. => REAL_TIME.get(usize::from(number - FIRST_REAL_TIME)).copied(),
        _ => SIGNALS.get(usize::from(number)).map(|(name, _)| *name),
    }
}

/// Returns the message about a program that this signal ended.
pub fn signal_description(number: u8) -> &'static str {
    SIGNALS.get(usize::from(number)).map_or("Unknown signal", |(_, text)| text)
}

/// Returns all signals, in lines of five, as `kill -l` shows them.
pub fn signal_table() -> String {
    let mut out = String::new();
    let numbers = (1..32).chain(FIRST_REAL_TIME..65);
    for (at, number) in numbers.enumerate() {
        let name = signal_name(number).unwrap_or_default();
        out.push_str(&format!("{number:2}) SIG{name}{}", if at % 5 == 4 { "\n" } else { "\t" }));
    }
    out.push('\n');
    out
}

/// Returns a signal's bit in a set.
pub(crate) fn bit(signal: u8) -> u64 {
    1 << (signal.max(1) - 1)
}
