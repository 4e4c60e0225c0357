//! `unzip 'A*.zip'`: many archives at once.

use super::extract::{TABLE, one_archive};
use super::options::parse;
use crate::{sys, text};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use wisp_tool::wildcard::{How, matches};

/// Returns the archives that a pattern means, if it is one and no file is called like it.
pub(super) fn archives(pattern: &[u8]) -> Option<Vec<Vec<u8>>> {
    if !pattern.iter().any(|b| b"*?[".contains(b)) || sys::path_from_bytes(pattern).exists() {
        return None;
    }
    let cut = pattern.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    let (folder, last) = pattern.split_at(cut);
    let place = if folder.is_empty() { PathBuf::from(".") } else { sys::path_from_bytes(folder) };
    let names = std::fs::read_dir(place).ok()?.flatten().map(|e| sys::arg_bytes(&e.file_name()).to_vec());
    let mut all: Vec<Vec<u8>> = names.filter(|n| matches(last, n, How::default())).map(|n| [folder, &n].concat()).collect();
    all.sort();
    (!all.is_empty()).then_some(all)
}

/// Handles one archive after the other; returns the worst status.
pub(super) fn run(args: &[OsString], pattern: &[u8], all: &[Vec<u8>]) -> u8 {
    let mut statuses = Vec::new();
    let mut piped = false;
    for name in all {
        let args: Vec<OsString> =
            args.iter().map(|arg| if sys::arg_bytes(arg) == pattern { sys::path_from_bytes(name).into() } else { arg.clone() }).collect();
        let mut line = parse(&args, &TABLE);
        piped = line.has('p');
        if !statuses.is_empty() && !piped && !line.has('q') {
            println!();
        }
        let name = line.operands.remove(0);
        statuses.push(one_archive(line, &name, &text::shown(&name)));
    }
    let worst = statuses.iter().copied().max().unwrap_or(0);
    if piped {
        return worst;
    }
    let _ = std::io::stdout().flush();
    let count = |wanted: &dyn Fn(u8) -> bool| statuses.iter().filter(|status| wanted(**status)).count();
    let say = |number: usize, one: &str, many: &str, what: &str| {
        if number > 0 {
            eprintln!("{number} {} {what}.", if number == 1 { one } else { many });
        }
    };
    eprintln!();
    say(count(&|s| s == 0), "archive was", "archives were", "successfully processed");
    say(count(&|s| s == 1), "archive", "archives", "had warnings but no fatal errors");
    say(count(&|s| s > 1 && s != 9), "archive", "archives", "had fatal errors");
    say(count(&|s| s == 9), "file", "files", "had no zipfile directory");
    worst
}
