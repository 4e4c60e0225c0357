//! What uutils' `fmt` lets pass and GNU's refuses.

use crate::options::{Opt, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;

const DIGITS: &str = "0123456789";
const OPTIONS: &[Opt] = &[
    flag("c", "crown-margin", ""),
    flag("t", "tagged-paragraph", ""),
    flag("s", "split-only", ""),
    flag("u", "uniform-spacing", ""),
    value("p", "prefix", ""),
    value("w", "width", ""),
    value("g", "goal", ""),
    flag(DIGITS, "", ""),
];
const SYNTAX: Syntax = Syntax { options: OPTIONS, ..Syntax::COMMON };
/// The width without `-w`, and the largest there is.
const WIDTH: u64 = 75;
const LARGEST: u64 = 2500;

/// The status of a width or a goal that cannot be, after its message.
pub fn refused(args: &[OsString]) -> Option<u8> {
    if args.iter().any(|a| matches!(a.to_str(), Some("--help" | "--version" | "-h" | "-V" | "-q" | "-x" | "-m" | "-P" | "-X"))) {
        return None;
    }
    let line = match SYNTAX.parse(args) {
        Ok(line) => line,
        Err(status) => return Some(status),
    };
    let check = |key: &str, most: u64| -> Result<Option<u64>, u8> {
        let Some(text) = line.last_text(key) else { return Ok(None) };
        let why = match text.parse::<u64>() {
            Ok(number) if number <= most => return Ok(Some(number)),
            Ok(_) => ": Numerical result out of range",
            Err(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => ": Value too large for defined data type",
            Err(_) => "",
        };
        text::complain("fmt", format!("invalid width: {}{why}", text::quote(text)));
        Err(1)
    };
    let digits: String = line.options.iter().filter(|o| o.key == DIGITS).filter_map(|o| o.letter).collect();
    let width = match check("width", LARGEST) {
        Ok(width) => width.or(digits.parse().ok()).unwrap_or(WIDTH),
        Err(status) => return Some(status),
    };
    check("goal", width).err()
}
