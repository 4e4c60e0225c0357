//! What uutils' tools get wrong on WASI before they start, and can be told from the command line alone.

use crate::{sys, text};
use std::ffi::OsString;
use std::path::Path;

/// The status of a call that is over, after its message; nothing for the others, which the tool gets.
pub fn check(name: &str, args: &[OsString]) -> Option<u8> {
    let word = |a: &OsString| a.to_string_lossy().into_owned();
    let words: Vec<String> = args.iter().skip(1).map(word).collect();
    let operands = || args.iter().skip(1).filter(|a| !a.as_encoded_bytes().starts_with(b"-"));
    let fail = |message: String| {
        text::complain(name, message);
        Some(1)
    };
    match name {
        "date" => date(&words),
        "pathchk" if operands().any(|a| a.is_empty()) && !words.iter().any(|w| w == "-p" || w == "-P") => {
            fail("'': No such file or directory".into())
        }
        // It would leave such a name out, and read standard input.
        "od" if operands().any(|a| a.to_str().is_none()) => {
            let bad = operands().find(|a| a.to_str().is_none()).map(text::quote_if_needed).unwrap_or_default();
            fail(format!("{bad}: No such file or directory"))
        }
        // It would take a directory for an empty input.
        "tr" if sys::input_is_directory() => fail("read error: Is a directory".into()),
        "rmdir" => operands().find(|a| link_with_slash(a)).and_then(|a| {
            let ignore = words.iter().any(|w| w.starts_with("--i"));
            if ignore { None } else { fail(format!("failed to remove {}: Symbolic link not followed", text::quote(a))) }
        }),
        _ => None,
    }
}

/// uutils' `date` ends in a panic where WASI has no clock to set or ask.
fn date(words: &[String]) -> Option<u8> {
    let is = |short: &str, long: &str| {
        words.iter().any(|w| w == short || (w.starts_with(long) && long.len() > 2) || (w.starts_with(short) && !w.starts_with("--")))
    };
    if is("-s", "--se") {
        text::complain("date", "cannot set date: Operation not permitted");
        return Some(1);
    }
    if words.iter().any(|w| w.starts_with("--res")) {
        if is("-d", "--da") || is("-f", "--fi") || is("-r", "--ref") {
            text::complain("date", "the options to specify dates for printing are mutually exclusive");
            eprintln!("Try 'date --help' for more information.");
            return Some(1);
        }
        println!("0.000000001");
        return Some(0);
    }
    None
}

/// A name of a symbolic link with a slash behind it.
fn link_with_slash(name: &OsString) -> bool {
    let bytes = name.as_encoded_bytes();
    let end = bytes.iter().rposition(|b| *b != b'/').map_or(0, |at| at + 1);
    end > 0 && end < bytes.len() && sys::stat(Path::new(&sys::path_from_bytes(&bytes[..end])), false).is_ok_and(|s| s.is_link())
}
