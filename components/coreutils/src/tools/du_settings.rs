//! The command line of `du`, and what the environment says to it.

use crate::options::{Opt, Syntax, flag, maybe, value};
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
    about: "Print how much space each FILE uses, directories with all they hold.",
    options: OPTIONS,
    ..Syntax::COMMON
};

pub(super) const TIMES: &[&[&str]] = &[&["atime", "access", "use"], &["ctime", "status"], &["mtime", "modification"]];
const STYLES: &[&[&str]] = &[&["full-iso"], &["long-iso"], &["iso"]];

/// The format that a style of times stands for.
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

/// The unit of blocks without any other word.
pub(super) fn unit_of_environment() -> u64 {
    if std::env::var_os("POSIXLY_CORRECT").is_some() { 512 } else { 1024 }
}

/// The unit of the first of these variables that is there; one that is wrong counts for nothing.
pub(super) fn human_of_environment() -> Option<(u64, Option<u64>)> {
    let value = ["DU_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"].iter().find_map(|name| std::env::var(name).ok())?;
    match value.as_str() {
        "human-readable" => Some((1024, Some(1024))),
        "si" => Some((1024, Some(1000))),
        value => text::size(value).filter(|s| *s > 0).map(|unit| (unit, None)),
    }
}
