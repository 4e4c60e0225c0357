//! `which`: prints where a program is.

use crate::options::{Line, Syntax, flag};
use crate::{spawn, sys, text};
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[-a] NAME...",
    about: "Print the path of each program. Status 1 if one is not found.",
    options: &[flag("a", "all", "all places, not only the first"), flag("s", "", "print nothing, only the status")],
    failure: 2,
    ..Syntax::COMMON
};

/// Runs `which`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let mut out = text::output();
    let mut status = 0;
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into());
    for name in &line.operands {
        let found = if name.as_encoded_bytes().contains(&b'/') {
            spawn::find(name, None, sys::cwd()).ok().map(|_| vec![text::show(name)])
        } else {
            let all = path.split(':').filter_map(|dir| {
                let full = std::path::Path::new(if dir.is_empty() { "." } else { dir }).join(name);
                sys::stat(&full, true).ok().filter(|s| s.is_file() && s.allows(1)).map(|_| text::show(&full))
            });
            let all: Vec<String> = if line.has("all") { all.collect() } else { all.take(1).collect() };
            (!all.is_empty()).then_some(all)
        };
        match found {
            Some(_) if line.has("s") => {}
            Some(paths) => {
                for path in paths {
                    let _ = out.write_all(&text::written(&format!("{path}\n")));
                }
            }
            None => status = 1,
        }
    }
    let _ = out.flush();
    if line.operands.is_empty() { 1 } else { status }
}
