//! `split --filter`: uutils' ignores it on WASI. The parts are split into a folder of their own, and each is then the
//! standard input of the command, in order.

use crate::options::{Opt, Syntax, flag, maybe, value};
use crate::spawn::Command;
use crate::sys::Input;
use crate::text;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const OPTIONS: &[Opt] = &[
    value("a", "suffix-length", "suffixes of VALUE letters"),
    value("", "additional-suffix", "append VALUE to the names"),
    value("b", "bytes", "VALUE bytes in each"),
    value("C", "line-bytes", "whole lines of at most VALUE bytes in each"),
    maybe("d", "numeric-suffixes", "digits instead of letters"),
    maybe("x", "hex-suffixes", "hexadecimal digits instead of letters"),
    flag("e", "elide-empty-files", "no empty files with -n"),
    value("", "filter", "give each to the shell command VALUE; its name is in $FILE"),
    value("l", "lines", "VALUE lines in each"),
    value("n", "number", "VALUE files"),
    value("t", "separator", "what ends a line"),
    flag("u", "unbuffered", ""),
    flag("", "verbose", ""),
];

const SYNTAX: Syntax = Syntax { usage: "[OPTION]... [FILE [PREFIX]]", about: "Split FILE into parts.", options: OPTIONS, ..Syntax::COMMON };

/// Whether a command line of `split` has `--filter`.
pub fn wanted(args: &[OsString]) -> bool {
    args.iter().skip(1).take_while(|a| *a != "--").any(|a| {
        let name = a.as_encoded_bytes().split(|b| *b == b'=').next().unwrap_or_default();
        name.len() > 3 && b"--filter".starts_with(name)
    })
}

/// `split --filter`; `split` splits, given the arguments of a plain call.
pub fn main(args: &[OsString], split: impl Fn(Vec<OsString>) -> u8) -> u8 {
    let line = match SYNTAX.parse(args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let Some(filter) = line.last("filter") else { return 1 };
    let fail = |message: String| {
        text::complain("split", message);
        1
    };
    if line.last_text("number").is_some_and(|n| n.trim_start_matches(|c: char| !c.is_ascii_digit()).contains('/')) {
        return SYNTAX.misuse(args, "--filter does not process a chunk extracted to stdout");
    }
    if let Some(extra) = line.operands.get(2) {
        return SYNTAX.misuse(args, &format!("extra operand {}", text::quote(extra)));
    }
    let prefix = line.operands.get(1).cloned().unwrap_or_else(|| "x".into());
    let folder = PathBuf::from(std::env::var_os("TMPDIR").filter(|d| !d.is_empty()).unwrap_or_else(|| "/tmp".into()))
        .join(format!("split.{}", crate::sys::pid()));
    if let Err(error) = std::fs::create_dir(&folder) {
        return fail(format!("cannot create directory {}: {}", text::quote(&folder), text::reason(&error)));
    }
    let mut call: Vec<OsString> = vec!["split".into()];
    for given in line.options.iter().filter(|o| o.key != "filter") {
        let mut word = OsString::from(format!("--{}", given.key));
        if let Some(value) = &given.value {
            word.push("=");
            word.push(value);
        }
        call.push(word);
    }
    call.push("--".into());
    call.push(line.operands.first().cloned().unwrap_or_else(|| "-".into()));
    call.push(folder.join("p").into_os_string());
    let mut status = split(call);
    if status == 0 {
        status = run_all(&folder, &prefix, filter);
    }
    // What cannot be removed is in the temporary folder.
    let _ = std::fs::remove_dir_all(&folder);
    status
}

/// Give each part to the command, in the order of their names.
fn run_all(folder: &Path, prefix: &OsString, filter: &std::ffi::OsStr) -> u8 {
    let mut parts: Vec<PathBuf> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path()).collect();
    parts.sort();
    let shell = std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into());
    for part in parts {
        let mut name = prefix.clone();
        let suffix = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.push(suffix.strip_prefix('p').unwrap_or(&suffix));
        let mut command = Command::new(vec![shell.clone(), "-c".into(), filter.to_owned()]);
        command.env.retain(|line| !line.starts_with(b"FILE="));
        command.env.push([b"FILE=", name.as_encoded_bytes()].concat());
        command.stdin = Input::File(part);
        let status = command.run("split");
        if status != 0 {
            let (file, filter) = (name.to_string_lossy(), filter.to_string_lossy());
            text::complain("split", format!("with FILE={file}, exit {status} from command: {filter}"));
            return 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_count() {
        let args = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert!(wanted(&args(&["split", "-l1", "--fi=cat"])));
        assert!(wanted(&args(&["split", "--filter", "cat"])));
        assert!(!wanted(&args(&["split", "--", "--filter"])));
        assert!(!wanted(&args(&["split", "-f", "--file"])));
    }
}
