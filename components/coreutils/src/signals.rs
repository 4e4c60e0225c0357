//! Names of signals.

const NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD",
    "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS",
];

/// Returns the number of `TERM`, `SIGTERM`, `term`, `15`, or the exit status after a signal (`143`).
pub(crate) fn number(text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return (number <= 64).then_some(number).or_else(|| number.checked_sub(128).filter(|n| (1..=64).contains(n)));
    }
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    if name == "EXIT" {
        return Some(0);
    }
    // Real-time signals without a name of their own are counted from both ends.
    let real = |text: &str, first: i16, sign: i16| match text {
        "" => Some(first),
        text => text.parse().ok().map(|n: i16| first + n).filter(|_| text.starts_with(if sign > 0 { '+' } else { '-' })),
    };
    if let Some(number) = name.strip_prefix("RTMIN").map(|n| real(n, 34, 1)).or_else(|| name.strip_prefix("RTMAX").map(|n| real(n, 64, -1)))
    {
        return number.filter(|n| (34..=64).contains(n)).map(|n| n as u8);
    }
    let name = match name {
        "IOT" => "ABRT",
        "CLD" => "CHLD",
        "IO" => "POLL",
        name => name,
    };
    NAMES.iter().position(|n| *n == name).map(|at| at as u8 + 1)
}

/// Returns the name of a signal.
pub(crate) fn name(number: u8) -> String {
    match number {
        0 => "EXIT".into(),
        34 => "RTMIN".into(),
        35..=49 => format!("RTMIN+{}", number - 34),
        50..=63 => format!("RTMAX-{}", 64 - number),
        64 => "RTMAX".into(),
        n => NAMES.get(usize::from(n) - 1).map_or_else(|| n.to_string(), |n| (*n).to_owned()),
    }
}

/// Returns all names, in the order of their numbers.
pub(crate) fn all() -> impl Iterator<Item = (usize, &'static str)> {
    NAMES.iter().enumerate().map(|(at, name)| (at + 1, *name))
}
