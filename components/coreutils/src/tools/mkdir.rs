//! `mkdir`. The version of uutils ignores `-m` on WASI.

use crate::mode::Change;
use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::path::Path;

const OPTIONS: &[Opt] = &[
    value("m", "mode", "set the mode, as chmod does"),
    flag("p", "parents", "no error if it exists; make parents as needed"),
    flag("v", "verbose", "say what is made"),
    flag("Z", "context", ""),
];

const SYNTAX: Syntax = Syntax { usage: "[OPTION]... DIRECTORY...", about: "Make directories.", options: OPTIONS, ..Syntax::COMMON };

/// Runs `mkdir`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return SYNTAX.misuse(args, "missing operand");
    }
    let mode = match line.last_text("mode") {
        None => None,
        Some(text) => match Change::parse(&text) {
            Some(change) => Some(change.apply(0o777, true)),
            None => {
                text::complain("mkdir", format!("invalid mode {}", text::quote(text)));
                return 1;
            }
        },
    };
    let mut status = 0;
    for operand in &line.operands {
        let path = Path::new(operand);
        if let Err((at, error)) = make("mkdir", path, line.has("parents"), line.has("verbose"), mode) {
            text::complain("mkdir", format!("cannot create directory {}: {}", text::quote(&at), text::reason(&error)));
            status = 1;
        }
    }
    status
}

/// Makes a directory for `tool`, with `parents` those above it too. The error names the directory that failed.
pub(crate) fn make(tool: &str, path: &Path, parents: bool, verbose: bool, mode: Option<u32>) -> Result<(), (OsString, std::io::Error)> {
    let fail = |path: &Path, error| (path.as_os_str().to_owned(), error);
    if path.as_os_str().is_empty() {
        return Err(fail(path, std::io::Error::from_raw_os_error(libc::ENOENT)));
    }
    if parents {
        if sys::stat(path, true).is_ok_and(|s| s.is_dir()) {
            return Ok(());
        }
        // `a/.` is `a`.
        let bytes = path.as_os_str().as_encoded_bytes();
        let end = bytes.len() - bytes.iter().rev().take_while(|b| **b == b'/').count();
        if let Some(bare) = bytes[..end].strip_suffix(b"/.") {
            return make(tool, &sys::path_from_bytes(bare), true, verbose, mode);
        }
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            // The owner can always enter the directories made on the way, whatever the umask is.
            let mask = sys::umask();
            make(tool, parent, true, verbose, (mask & 0o300 != 0).then_some(0o777 & !mask | 0o300))?;
        }
        // `a/.` and `a/..` exist once `a` does.
        if sys::stat(path, true).is_ok_and(|s| s.is_dir()) {
            return Ok(());
        }
    }
    std::fs::create_dir(path).map_err(|error| fail(path, error))?;
    if let Some(mode) = mode {
        sys::set_mode(path, mode).map_err(|error| fail(path, error))?;
    }
    if verbose {
        // GNU's install has another message than its mkdir.
        let doing = if tool == "install" { "creating" } else { "created" };
        println!("{tool}: {doing} directory {}", text::quote(path));
    }
    Ok(())
}
