//! The command line of `du`, and the environment variables that it reads.

use crate::options::{Opt, Syntax, flag, maybe, value};
use crate::sys::Stat;
use crate::text;
use std::ffi::OsString;

const OPTIONS: &[Opt] = &[
    flag("0", "null", "end lines with NUL"),
    flag("a", "all", "files too, not only directories"),
    flag("A", "apparent-size", "lengths of files instead of the space they use"),
    value("B", "block-size", "units of VALUE"),
    flag("b", "bytes", "--apparent-size in bytes"),
    flag("c", "total", "a total at the end"),
    value("d", "max-depth", "only to depth VALUE"),
    flag("D", "dereference-args", "follow symbolic links given as arguments"),
    flag("H", "", ""),
    flag("h", "human-readable", "sizes such as 1K 234M 2G"),
    flag("", "inodes", "count files instead of space"),
    flag("k", "", "units of 1024 bytes"),
    flag("L", "dereference", "follow symbolic links"),
    flag("l", "count-links", "count a file as often as it is linked"),
    flag("m", "", "units of 1 MiB"),
    flag("P", "no-dereference", ""),
    flag("S", "separate-dirs", "directories without their subdirectories"),
    flag("", "si", "as -h, powers of 1000"),
    flag("s", "summarize", "only a total for each argument"),
    value("t", "threshold", "leave out what is smaller than VALUE"),
    maybe("", "time", "the time of the last change; atime or ctime: of the last access or status change"),
    value("", "time-style", "full-iso, long-iso, iso, +FORMAT"),
    value("", "exclude", "leave out names that match VALUE"),
    value("X", "exclude-from", "leave out names that match a line of file VALUE"),
    value("", "files0-from", "read the names of the files, ended by NUL, from VALUE"),
    flag("x", "one-file-system", "do not enter mounts"),
];

pub(super) const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Print how much space each FILE uses, directories with all their contents.",
    options: OPTIONS,
    ..Syntax::COMMON
};

const TIMES: &[&[&str]] = &[&["atime", "access", "use"], &["ctime", "status"], &["mtime", "modification"]];
const STYLES: &[&[&str]] = &[&["full-iso"], &["long-iso"], &["iso"]];

/// Takes one of the times of a file.
pub(super) type Clock = fn(&Stat) -> i128;

/// Returns the time that a word of `--time` names; the last change if there is no word.
pub(super) fn clock_of(args: &[OsString], value: &str) -> Result<Clock, u8> {
    let word = if value.is_empty() { "mtime" } else { SYNTAX.word(args, "--time", value, TIMES)? };
    Ok(match word {
        "atime" => |s| s.atime,
        "ctime" => |s| s.ctime,
        _ => |s| s.mtime,
    })
}

/// Returns the patterns in the file of `--exclude-from`, one a line.
pub(super) fn patterns_of(file: &str) -> Result<Vec<String>, u8> {
    match std::fs::read_to_string(file) {
        Ok(patterns) => Ok(patterns.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect()),
        Err(error) => {
            text::complain("du", format!("{}: {}", text::quote_if_needed(file), text::reason(&error)));
            Err(1)
        }
    }
}

/// Returns the format that a style of times stands for.
pub(super) fn style_of(args: &[OsString], value: &str) -> Result<String, u8> {
    if let Some(format) = value.strip_prefix('+') {
        return Ok(format.to_owned());
    }
    Ok(match SYNTAX.word(args, "time style", value, STYLES)? {
        "full-iso" => "%Y-%m-%d %H:%M:%S.%N %z",
        "long-iso" => "%Y-%m-%d %H:%M",
        _ => "%Y-%m-%d",
    }
    .to_owned())
}

/// Returns the unit of blocks when neither an option nor a variable names one.
pub(super) fn unit_of_environment() -> u64 {
    if std::env::var_os("POSIXLY_CORRECT").is_some() { 512 } else { 1024 }
}

/// Returns the unit that the first of these variables that is set names. A wrong unit has no effect.
pub(super) fn human_of_environment() -> Option<(u64, Option<u64>)> {
    let value = ["DU_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"].iter().find_map(|name| std::env::var(name).ok())?;
    match value.as_str() {
        "human-readable" => Some((1024, Some(1024))),
        "si" => Some((1024, Some(1000))),
        value => text::size(value).filter(|s| *s > 0).map(|unit| (unit, None)),
    }
}
