//! `time` as a program: runs a command and reports how long it took.

use crate::options::{Line, Syntax, flag, value};
use crate::spawn::{Command, FAILED, status};
use crate::{sys, text};
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... COMMAND [ARG]...",
    about: "Run COMMAND and report on standard error how long it took. A FORMAT has %e %E (passed time), %U (processor time), %P (share of\na processor), %C (the command), %x (its status), %n and \\n, \\t. Values that a session does not measure (%S, %M, pages and the like) are 0.",
    options: &[
        value("f", "format", "use this format; TIME in the environment does the same"),
        flag("p", "portability", "the format of POSIX: real, user, sys"),
        flag("v", "verbose", "a line for each fact"),
        value("o", "output", "write to this file"),
        flag("a", "append", "append to the file"),
        flag("q", "quiet", "nothing about a command that failed"),
    ],
    stop_at_operand: true,
    failure: FAILED,
    letters: ("h", "V"),
    ..Syntax::COMMON
};

const USUAL: &str =
    "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps";
const POSIX: &str = "real %e\nuser %U\nsys %S";
const VERBOSE: &str = "\tCommand being timed: \"%C\"\n\tUser time (seconds): %U\n\tSystem time (seconds): %S\n\tPercent of CPU this job got: %P\n\tElapsed (wall clock) time (h:mm:ss or m:ss): %E\n\tMaximum resident set size (kbytes): %M\n\tExit status: %x";

struct Facts {
    command: String,
    wall: u64,
    user: u64,
    code: u8,
}

/// Runs `time`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let name = args.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if line.operands.is_empty() {
        return SYNTAX.misuse(args, "missing program to run");
    }
    let format = match line.last_of(&["format", "portability", "verbose"]) {
        Some("format") => line.last_text("format").unwrap_or_default(),
        Some("portability") => POSIX.into(),
        Some(_) => VERBOSE.into(),
        None => std::env::var("TIME").unwrap_or_else(|_| USUAL.into()),
    };
    let mut report: Box<dyn Write> = match line.last("output") {
        None => Box::new(std::io::stderr()),
        Some(file) => {
            let append = line.has("append");
            match std::fs::File::options().write(true).create(true).append(append).truncate(!append).open(file) {
                Ok(file) => Box::new(file),
                Err(error) => {
                    text::complain(&name, format!("{}: {}", file.to_string_lossy(), text::reason(&error)));
                    return FAILED;
                }
            }
        }
    };
    let command = Command::new(line.operands.clone());
    let shown = line.operands.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let (began, before) = (std::time::Instant::now(), sys::child_time());
    let (code, signal) = match command.start() {
        Ok(mut child) => (child.wait(), child.signal()),
        Err(error) => {
            text::complain(&name, format!("cannot run {}: {}", line.operands[0].to_string_lossy(), text::reason(&error)));
            (status(&error), None)
        }
    };
    let wall = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let failure = match signal {
        _ if line.has("quiet") || line.has("portability") => None,
        Some(signal) => Some(format!("Command terminated by signal {signal}\n")),
        None => (code != 0).then(|| format!("Command exited with non-zero status {code}\n")),
    };
    let facts =
        Facts { command: shown, wall, user: sys::child_time().saturating_sub(before), code: if signal.is_some() { 0 } else { code } };
    let written = report.write_all((failure.unwrap_or_default() + &facts.shown(&format) + "\n").as_bytes());
    if written.is_err() && code == 0 { FAILED } else { code }
}

/// Returns the seconds with two decimals.
fn seconds(nanoseconds: u64) -> String {
    let hundredths = nanoseconds / 10_000_000;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

impl Facts {
    fn shown(&self, format: &str) -> String {
        let mut out = String::new();
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '%' => match letters.next() {
                    Some(letter) => out += &self.fact(letter),
                    None => out += "?",
                },
                '\\' => match letters.next() {
                    Some('n') => out += "\n",
                    Some('t') => out += "\t",
                    Some('\\') => out += "\\",
                    Some(other) => out.extend(['?', '\\', other]),
                    None => out += "?\\",
                },
                other => out.push(other),
            }
        }
        out
    }

    fn fact(&self, letter: char) -> String {
        match letter {
            '%' => "%".into(),
            'C' => self.command.clone(),
            'e' => seconds(self.wall),
            'E' => {
                let whole = self.wall / 1_000_000_000;
                let (hours, minutes) = (whole / 3600, whole / 60 % 60);
                match hours {
                    0 => format!("{minutes}:{:02}.{:02}", whole % 60, self.wall / 10_000_000 % 100),
                    _ => format!("{hours}:{minutes:02}:{:02}", whole % 60),
                }
            }
            'U' => seconds(self.user),
            'S' => "0.00".into(),
            'P' => format!("{}%", self.user.saturating_mul(100).checked_div(self.wall).unwrap_or(0)),
            'x' => self.code.to_string(),
            'Z' => "65536".into(),
            'M' | 't' | 'K' | 'D' | 'p' | 'X' | 'F' | 'R' | 'W' | 'c' | 'w' | 'I' | 'O' | 'r' | 's' | 'k' => "0".into(),
            other => format!("?{other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let facts = Facts { command: "a b".into(), wall: 3_723_456_000_000, user: 1_250_000_000, code: 3 };
        assert_eq!(facts.shown("%C|%e|%E|%U|%S|%x|%%|%q|\\t|\\q|%"), "a b|3723.45|1:02:03|1.25|0.00|3|%|?q|\t|?\\q|?");
        assert_eq!(Facts { wall: 61_230_000_000, ..facts }.shown("%E %P"), "1:01.23 2%");
    }
}
