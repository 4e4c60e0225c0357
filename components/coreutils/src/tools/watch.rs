//! `watch`: runs a command repeatedly.

use crate::options::{Line, Opt, Syntax, flag, maybe_long, value};
use crate::sys::Stream;
use crate::{spawn, sys, text, time};
use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};
use wisp_tool::calendar;

#[path = "watch_screen.rs"]
mod screen;
#[path = "watch_keys.rs"]
mod watch_keys;

const OPTIONS: &[Opt] = &[
    flag("b", "beep", "ring the bell when the command fails"),
    flag("c", "color", "keep colors"),
    maybe_long("d", "differences", "mark what has changed; with =permanent, all that has ever changed"),
    flag("e", "errexit", "end when the command fails; at a terminal, after a key"),
    flag("g", "chgexit", "end when the output changes"),
    value("n", "interval", "seconds between two runs (2)"),
    flag("p", "precise", "count the interval from start to start"),
    value("q", "equexit", "end when the output was the same VALUE times"),
    flag("t", "no-title", "no line above the output"),
    flag("w", "no-wrap", "cut long lines"),
    flag("x", "exec", "run the command itself, not sh -c COMMAND"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... COMMAND...",
    about: "Run COMMAND every two seconds and show its output on the whole screen, until it is interrupted.\nAt a terminal, q ends it and the space bar runs COMMAND at once.",
    options: OPTIONS,
    stop_at_operand: true,
    origin: "wisp",
    ..Syntax::COMMON
};

/// Runs `watch`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

/// What to watch, and how.
struct Watch {
    line: Line,
    /// The command as it is shown, and as it is run.
    shown: OsString,
    words: Vec<OsString>,
    interval: Duration,
    /// The number of equal outputs that ends it.
    same: Option<u64>,
    /// The output before, and how often it was the same.
    last: Option<Vec<u8>>,
    repeated: u64,
}

fn run(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return SYNTAX.misuse(args, "a command is missing");
    }
    let interval = line.last_text("interval").unwrap_or_else(|| "2".into());
    let Some(interval) = time::duration(&interval.replace(',', ".")) else {
        text::complain("watch", format!("failed to parse argument: {}", text::quote(&interval)));
        return 1;
    };
    let shown = line.operands.join(std::ffi::OsStr::new(" "));
    let words: Vec<OsString> = if line.has("exec") { line.operands.clone() } else { vec!["sh".into(), "-c".into(), shown.clone()] };
    let watch = Watch {
        interval: Duration::from_nanos(interval.max(100_000_000)),
        same: line.last_text("equexit").and_then(|n| n.parse().ok()),
        shown,
        words,
        last: None,
        repeated: 0,
        line,
    };
    // Keys are read where the terminal has settings; a terminal whose lines the host edits has none.
    match Stream::inherited(0) {
        Ok(keys) if sys::is_terminal(1) && keys.settings().is_ok() => watch_keys::run(watch, &keys),
        _ => watch.without_keys(),
    }
}

impl Watch {
    /// Prints each output below the one before; on a terminal, in its place.
    fn without_keys(mut self) -> u8 {
        loop {
            let began = Instant::now();
            let (output, status) = match spawn::output(&self.words) {
                Ok(done) => done,
                Err(error) => return self.failed(&error),
            };
            let mut out = text::output();
            let title = if self.line.has("no-title") {
                String::new()
            } else {
                let (left, right) = self.title();
                format!("{left}    {right}\n\n")
            };
            let clear = if sys::is_terminal(1) { "\x1b[H\x1b[2J" } else { "" };
            let bell = if self.rings(status) { "\x07" } else { "" };
            let printed = out.write_all(format!("{clear}{title}").as_bytes()).and_then(|()| out.write_all(&output));
            if printed.and_then(|()| out.write_all(bell.as_bytes())).and_then(|()| out.flush()).is_err() {
                return 1;
            }
            if self.line.has("errexit") && status != 0 {
                return FAILED;
            }
            if self.is_over(output) {
                return 0;
            }
            std::thread::sleep(self.pause(began));
        }
    }

    fn failed(&self, error: &std::io::Error) -> u8 {
        text::complain("watch", format!("{}: {}", self.words[0].to_string_lossy(), text::reason(error)));
        1
    }

    /// Returns the two ends of the title.
    fn title(&self) -> (String, String) {
        let seconds = self.interval.as_secs_f64();
        let left = format!("Every {seconds:.1}s: {}", self.shown.to_string_lossy());
        (left, format!("{}: {}", sys::host_name(), time::format(calendar::now(), "%c")))
    }

    fn rings(&self, status: u8) -> bool {
        self.line.has("beep") && status != 0
    }

    /// Returns whether an output is the last one.
    fn is_over(&mut self, output: Vec<u8>) -> bool {
        let changed = self.last.as_ref().is_some_and(|last| *last != output);
        self.repeated = if self.last.is_some() && !changed { self.repeated + 1 } else { 0 };
        self.last = Some(output);
        (self.line.has("chgexit") && changed) || self.same.is_some_and(|most| self.repeated >= most)
    }

    /// Returns the time until the next run, after one that began then.
    fn pause(&self, began: Instant) -> Duration {
        if self.line.has("precise") { self.interval.saturating_sub(began.elapsed()) } else { self.interval }
    }
}

/// The status after a command that failed.
const FAILED: u8 = 8;
