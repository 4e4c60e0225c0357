//! `times`, `ulimit`.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell};
use crate::sys::{self, Bound, Errno, Limited};

pub(super) fn times(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if Options::new(args, "", "").next(shell)?.is_some() {
        return Ok(2);
    }
    let (own, children) = sys::times();
    let show = |ns: u64| format!("{}m{}.{:03}s", ns / 60_000_000_000, ns / 1_000_000_000 % 60, ns / 1_000_000 % 1000);
    let out = format!("{} {}\n{} {}\n", show(own), show(0), show(children), show(0));
    shell.print("times", out.as_bytes())
}

const USAGE: &str = "[-SHabcdefiklmnpqrstuvxPRT] [limit]";

/// A limit that `ulimit` knows.
struct Limit {
    letter: u8,
    what: &'static str,
    unit: &'static str,
    /// Units of the host in one unit of `ulimit`.
    scale: u64,
    kind: Kind,
}

enum Kind {
    /// The host enforces it.
    Enforced(Limited),
    /// It has this value, for this reason; `None` is no limit.
    Fixed(Option<u64>, &'static str),
}

const fn fixed(letter: u8, what: &'static str, unit: &'static str, value: Option<u64>, reason: &'static str) -> Limit {
    Limit { letter, what, unit, scale: 1, kind: Kind::Fixed(value, reason) }
}

const fn enforced(letter: u8, what: &'static str, unit: &'static str, scale: u64, limited: Limited) -> Limit {
    Limit { letter, what, unit, scale, kind: Kind::Enforced(limited) }
}

const NO_PRIORITIES: &str = "there are no priorities";

/// In the order of `ulimit -a`.
const LIMITS: &[Limit] = &[
    fixed(b'R', "real-time non-blocking time", "microseconds", None, NO_PRIORITIES),
    fixed(b'c', "core file size", "blocks", Some(0), "there are no core files"),
    enforced(b'd', "data seg size", "kbytes", 1024, Limited::Memory),
    fixed(b'e', "scheduling priority", "", Some(0), NO_PRIORITIES),
    fixed(b'f', "file size", "blocks", None, "the session's filesystem.quota limits files"),
    fixed(b'i', "pending signals", "", None, "signals do not queue"),
    fixed(b'l', "max locked memory", "kbytes", Some(0), "memory cannot be locked"),
    fixed(b'm', "max memory size", "kbytes", None, "`ulimit -v` limits memory"),
    enforced(b'n', "open files", "", 1, Limited::OpenFiles),
    fixed(b'p', "pipe size", "512 bytes", Some(8), "every pipe has the same size"),
    fixed(b'q', "POSIX message queues", "bytes", Some(0), "there are no message queues"),
    fixed(b'r', "real-time priority", "", Some(0), NO_PRIORITIES),
    // WASM_STACK of host/wisp/src/runtime/config.rs.
    fixed(b's', "stack size", "kbytes", Some(32 << 10), "every program has the same stack"),
    enforced(b't', "cpu time", "seconds", 1, Limited::ProcessorTime),
    enforced(b'u', "max user processes", "", 1, Limited::Processes),
    enforced(b'v', "virtual memory", "kbytes", 1024, Limited::Memory),
    fixed(b'x', "file locks", "", None, "the number of file locks is not limited"),
];

/// Which of the two limits `-S` and `-H` name.
#[derive(Default)]
struct Which {
    soft: bool,
    hard: bool,
}

/// What the words ask for: limits to show or set.
#[derive(Default)]
struct Asked {
    which: Which,
    all: bool,
    limits: Vec<(&'static Limit, Option<String>)>,
}

pub(super) fn ulimit(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let asked = match read(args) {
        Ok(asked) => asked,
        Err(letter) => return shell.misuse("ulimit", &format!("-{letter}: invalid option"), USAGE),
    };
    let mut out = String::new();
    if asked.all {
        for limit in LIMITS {
            out.push_str(&limit.row(shown(shell, limit, &asked.which)));
        }
        return shell.print("ulimit", out.as_bytes());
    }
    for (limit, value) in &asked.limits {
        match value {
            Some(value) => {
                if let Err(message) = set(shell, limit, value, &asked.which) {
                    shell.error(format!("ulimit: {message}"));
                    return Ok(1);
                }
            }
            None if asked.limits.len() > 1 => out.push_str(&limit.row(shown(shell, limit, &asked.which))),
            None => out.push_str(&format!("{}\n", shown(shell, limit, &asked.which))),
        }
    }
    shell.print("ulimit", out.as_bytes())
}

/// Reads the words. A letter takes what follows it, or else the next word if that is no option. The error is a letter
/// that is no limit.
fn read(args: &[Vec<u8>]) -> Result<Asked, char> {
    let mut asked = Asked::default();
    let mut words = args[1..].iter().peekable();
    while let Some(word) = words.next_if(|word| word.len() > 1 && word.starts_with(b"-")) {
        if word == b"--" {
            break;
        }
        for (at, letter) in word.iter().enumerate().skip(1) {
            match letter {
                b'S' => asked.which.soft = true,
                b'H' => asked.which.hard = true,
                b'a' => asked.all = true,
                _ => {
                    let limit = LIMITS.iter().find(|limit| limit.letter == *letter).ok_or(char::from(*letter))?;
                    let attached = &word[at + 1..];
                    let value = match attached {
                        [] => words.next_if(|next| !next.starts_with(b"-")).map(|next| text(next)),
                        _ => Some(text(attached)),
                    };
                    asked.limits.push((limit, value));
                    break;
                }
            }
        }
    }
    if asked.limits.is_empty() {
        let file_size = LIMITS.iter().find(|limit| limit.letter == b'f');
        asked.limits.extend(file_size.map(|limit| (limit, words.next().map(|word| text(word)))));
    }
    Ok(asked)
}

impl Limit {
    /// Returns a row of a list.
    fn row(&self, value: String) -> String {
        let letter = char::from(self.letter);
        let unit = if self.unit.is_empty() { format!("(-{letter}) ") } else { format!("({}, -{letter}) ", self.unit) };
        format!("{:<20} {unit:>20}{value}\n", self.what)
    }

    /// Returns the value in this shell, in the host's units.
    fn value(&self, shell: &Shell) -> Bound {
        match self.kind {
            Kind::Enforced(limited) => shell.process.limits[limited as usize].unwrap_or_else(|| sys::limit(limited)),
            Kind::Fixed(value, _) => Bound { soft: value, hard: value },
        }
    }
}

fn shown(shell: &Shell, limit: &Limit, which: &Which) -> String {
    let bound = limit.value(shell);
    let value = if which.hard && !which.soft { bound.hard } else { bound.soft };
    value.map_or_else(|| "unlimited".to_owned(), |value| (value / limit.scale).to_string())
}

/// Sets a limit; the error is the message after `ulimit: `.
fn set(shell: &mut Shell, limit: &Limit, value: &str, which: &Which) -> Result<(), String> {
    let now = limit.value(shell);
    let value = match value {
        "unlimited" => None,
        "soft" => now.soft,
        "hard" => now.hard,
        _ if !value.bytes().all(|byte| byte.is_ascii_digit()) => return Err(format!("{value}: invalid number")),
        "" => Some(0),
        _ => {
            let number = value.parse::<u64>().ok().and_then(|number| number.checked_mul(limit.scale));
            Some(number.ok_or_else(|| format!("{value}: limit out of range"))?)
        }
    };
    let both = which.soft == which.hard;
    let wanted = Bound { soft: if both || which.soft { value } else { now.soft }, hard: if both || which.hard { value } else { now.hard } };
    let refused = |why: &str| format!("{}: cannot modify limit: {why}", limit.what);
    let above = |one: Option<u64>, other: Option<u64>| one.unwrap_or(u64::MAX) > other.unwrap_or(u64::MAX);
    if above(wanted.soft, wanted.hard) {
        return Err(refused(Errno::Invalid.message()));
    }
    if above(wanted.hard, now.hard) {
        return Err(refused(Errno::NotPermitted.message()));
    }
    match limit.kind {
        _ if wanted == now => Ok(()),
        Kind::Fixed(_, reason) => Err(refused(reason)),
        Kind::Enforced(limited) if shell.process.own_pid == sys::own_pid() => {
            sys::set_limit(limited, wanted).map_err(|error| refused(error.message()))
        }
        // The process is that of the surrounding shell, which keeps its limits.
        Kind::Enforced(limited) => {
            shell.process.limits[limited as usize] = Some(wanted);
            Ok(())
        }
    }
}
