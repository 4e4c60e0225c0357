//! `watch`: runs a command repeatedly.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{spawn, sys, text, time};
use std::ffi::OsString;
use std::io::Write;
use wisp_tool::calendar;

const OPTIONS: &[Opt] = &[
    flag("b", "beep", "ring the bell when the command fails"),
    flag("c", "color", "keep colors"),
    flag("d", "differences", "accepted; differences are not marked here"),
    flag("e", "errexit", "end when the command fails"),
    flag("g", "chgexit", "end when the output changes"),
    value("n", "interval", "seconds between two runs (2)"),
    flag("p", "precise", "count the interval from start to start"),
    value("q", "equexit", "end when the output was the same VALUE times"),
    flag("t", "no-title", "no line above the output"),
    flag("w", "no-wrap", ""),
    flag("x", "exec", "run the command itself, not sh -c COMMAND"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... COMMAND...",
    about: "Run COMMAND every two seconds and show its output on the whole screen, until it is interrupted.",
    options: OPTIONS,
    stop_at_operand: true,
    origin: "wisp",
    ..Syntax::COMMON
};

/// `watch`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
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
    let interval = std::time::Duration::from_nanos(interval.max(100_000_000));
    let same = line.last_text("equexit").and_then(|n| n.parse::<u64>().ok());
    let shown = line.operands.join(std::ffi::OsStr::new(" "));
    let words: Vec<OsString> = if line.has("exec") { line.operands.clone() } else { vec!["sh".into(), "-c".into(), shown.clone()] };
    let (mut last, mut repeated): (Option<Vec<u8>>, u64) = (None, 0);
    loop {
        let began = std::time::Instant::now();
        let (output, status) = match spawn::output(&words) {
            Ok(done) => done,
            Err(error) => {
                text::complain("watch", format!("{}: {}", words[0].to_string_lossy(), text::reason(&error)));
                return 1;
            }
        };
        let mut out = text::output();
        let title = if line.has("no-title") {
            String::new()
        } else {
            let seconds = interval.as_secs_f64();
            format!("Every {seconds:.1}s: {}    {}: {}\n\n", shown.to_string_lossy(), sys::host_name(), time::format(calendar::now(), "%c"))
        };
        let clear = if sys::is_terminal(1) { "\x1b[H\x1b[2J" } else { "" };
        let bell = if line.has("beep") && status != 0 { "\x07" } else { "" };
        let printed = out.write_all(format!("{clear}{title}").as_bytes()).and_then(|()| out.write_all(&output));
        if printed.and_then(|()| out.write_all(bell.as_bytes())).and_then(|()| out.flush()).is_err() {
            return 1;
        }
        if line.has("errexit") && status != 0 {
            return 8;
        }
        let changed = last.as_ref().is_some_and(|last| *last != output);
        if line.has("chgexit") && changed {
            return 0;
        }
        repeated = if last.is_some() && !changed { repeated + 1 } else { 0 };
        if same.is_some_and(|most| repeated >= most) {
            return 0;
        }
        last = Some(output);
        let pause = if line.has("precise") { interval.saturating_sub(began.elapsed()) } else { interval };
        std::thread::sleep(pause);
    }
}
