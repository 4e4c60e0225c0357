//! `sleep`.

use crate::options::{Line, Syntax};
use crate::{text, time};
use std::ffi::OsString;
use std::time::Duration;

const SYNTAX: Syntax = Syntax {
    usage: "NUMBER[SUFFIX]...",
    about: "Pause for the sum of the NUMBERs of seconds, which may have fractions. SUFFIX is s, m (minutes), h (hours) or d (days).",
    ..Syntax::COMMON
};

/// Runs `sleep`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return SYNTAX.misuse(args, "missing operand");
    }
    let (mut total, mut wrong) = (0u64, Vec::new());
    for operand in &line.operands {
        match operand.to_str().and_then(|text| time::duration(text.trim_ascii_start())) {
            Some(ns) => total = total.saturating_add(ns),
            None => wrong.push(format!("invalid time interval {}", text::quote(operand))),
        }
    }
    if let Some(last) = wrong.pop() {
        wrong.iter().for_each(|message| text::complain("sleep", message));
        return SYNTAX.misuse(args, &last);
    }
    std::thread::sleep(Duration::from_nanos(total));
    0
}
