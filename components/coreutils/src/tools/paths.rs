//! `basename` and `dirname`.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::Write;

const BASENAME: Syntax = Syntax {
    usage: "NAME [SUFFIX]\nOPTION... NAME...",
    about: "Print NAME without the directories before it, and without SUFFIX at its end.",
    options: &[
        flag("a", "multiple", "every operand is a NAME"),
        value("s", "suffix", "remove VALUE from the end of each NAME; implies -a"),
        flag("z", "zero", "end each line with NUL"),
    ],
    stop_at_operand: true,
    ..Syntax::COMMON
};

const DIRNAME_OPTIONS: &[Opt] = &[flag("z", "zero", "end each line with NUL")];

const DIRNAME: Syntax = Syntax {
    usage: "[OPTION] NAME...",
    about: "Print each NAME without its last part; `.` if nothing is left.",
    options: DIRNAME_OPTIONS,
    ..Syntax::COMMON
};

/// Runs `basename`.
pub(crate) fn basename(args: Vec<OsString>) -> u8 {
    BASENAME.run(&args, run_basename)
}

fn run_basename(args: &[OsString], line: Line) -> u8 {
    let many = line.has("multiple") || line.has("suffix");
    let (names, suffix) = match line.operands.as_slice() {
        [] => return BASENAME.misuse(args, "missing operand"),
        all if many => (all, line.last("suffix")),
        [name] => (std::slice::from_ref(name), None),
        [name, suffix] => (std::slice::from_ref(name), Some(suffix.as_os_str())),
        [_, _, extra, ..] => return BASENAME.misuse(args, &format!("extra operand {}", text::quote(extra))),
    };
    let suffix = suffix.map_or(&b""[..], |suffix| suffix.as_encoded_bytes());
    print("basename", line.has("zero"), names.iter().map(|name| base(name.as_encoded_bytes(), suffix)))
}

/// Runs `dirname`.
pub(crate) fn dirname(args: Vec<OsString>) -> u8 {
    DIRNAME.run(&args, run_dirname)
}

fn run_dirname(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return DIRNAME.misuse(args, "missing operand");
    }
    print("dirname", line.has("zero"), line.operands.iter().map(|name| directory(name.as_encoded_bytes())))
}

fn print<'a>(tool: &str, zero: bool, names: impl Iterator<Item = &'a [u8]>) -> u8 {
    let mut out = text::output();
    let end: &[u8] = if zero { b"\0" } else { b"\n" };
    let mut names = names;
    let written = names.try_for_each(|name| out.write_all(name).and_then(|()| out.write_all(end)));
    text::finish(tool, written.and_then(|()| out.flush()))
}

/// Returns a name without the slashes at its end. Of a name that is only slashes, the first is left.
fn bare(name: &[u8]) -> &[u8] {
    let end = name.iter().rposition(|byte| *byte != b'/').map_or(1, |at| at + 1);
    &name[..end.min(name.len())]
}

fn base<'a>(name: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    let name = bare(name);
    if name == b"/" {
        return name;
    }
    let last = name.iter().rposition(|byte| *byte == b'/').map_or(name, |at| &name[at + 1..]);
    last.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(last)
}

fn directory(name: &[u8]) -> &[u8] {
    match bare(name).iter().rposition(|byte| *byte == b'/') {
        Some(at) => bare(&name[..=at]),
        None => b".",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_parts() {
        let base = |name: &str, suffix: &str| String::from_utf8_lossy(base(name.as_bytes(), suffix.as_bytes())).into_owned();
        let cases = [("/a/b.c", "", "b.c"), ("/a/b.c", ".c", "b"), (".c", ".c", ".c"), ("a//", "", "a"), ("///", "/", "/"), ("", "x", "")];
        for (name, suffix, want) in cases {
            assert_eq!(base(name, suffix), want, "{name} {suffix}");
        }
    }

    #[test]
    fn what_is_before_them() {
        for (name, want) in [("/a/b", "/a"), ("a", "."), ("", "."), ("/", "/"), ("//a", "/"), ("a//b//", "a"), ("/a/", "/"), ("a/.", "a")] {
            assert_eq!(String::from_utf8_lossy(directory(name.as_bytes())), want, "{name}");
        }
    }
}
