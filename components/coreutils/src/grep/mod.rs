//! `grep`, `egrep`, `fgrep`: GNU's options and messages. The expressions are `wisp-regex`'s, but those of `-P`.

mod colors;
mod matcher;
mod options;
mod output;
mod pcre;
mod search;
mod walk;

use crate::text;
pub use matcher::{Matcher, Narrow, Style};
use options::Options;
use std::ffi::OsString;
use std::io::Write;
use wisp_regex::{Flavor, Regex, Whole};

fn how(flavor: Flavor, ignore_case: bool, lines: bool) -> wisp_regex::Options {
    wisp_regex::Options { flavor, fold: ignore_case, lines, utf8: !text::locale_is_c(), posix: false }
}

/// Returns a basic expression for other tools (`tac -r`, `csplit`).
pub fn simple(source: &str) -> Result<Regex, String> {
    Regex::any(&[source], how(Flavor::Grep, false, true), Whole::Part)
}

/// Returns a basic expression as a pattern of the `regex` crate, whose texts are UTF-8 in any locale.
pub fn translated(source: &str) -> Result<String, String> {
    Regex::as_rust(source.as_bytes(), wisp_regex::Options { utf8: true, ..how(Flavor::Grep, false, true) })
}

/// Returns an expression that must match the whole of a text, in which newlines are ordinary characters.
pub fn whole(source: &str, extended: bool, ignore_case: bool) -> Result<Regex, String> {
    let flavor = if extended { Flavor::Egrep } else { Flavor::Grep };
    Regex::any(&[source], how(flavor, ignore_case, false), Whole::Line)
}

/// Runs `grep`.
pub fn main(args: Vec<OsString>) -> u8 {
    let options = match Options::read(&args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    // Nothing can be selected: neither patterns nor files are looked at.
    if options.selects_nothing() {
        return 1;
    }
    let matcher = match Matcher::new(&options.patterns, options.style, options.narrow) {
        Ok(matcher) => matcher,
        Err(message) => {
            text::complain("grep", message);
            return 2;
        }
    };
    let mut out = text::output();
    let mut run = walk::Walk::new(&options, &matcher);
    for file in &options.files {
        run.argument(file, &mut out);
        if options.quiet && run.matched {
            break;
        }
    }
    let _ = out.flush();
    if matcher.gave_up() {
        text::complain("grep", "exceeded the limit for backtracking: some lines count as not matching");
        run.failed = true;
    }
    match (run.matched, run.failed) {
        (true, _) if options.quiet => 0,
        (_, true) => 2,
        (true, false) => 0,
        (false, false) => 1,
    }
}
