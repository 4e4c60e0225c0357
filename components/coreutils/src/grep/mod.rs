//! `grep`, `egrep`, `fgrep`: GNU's options and messages over the `regex` crate.

mod colors;
mod matcher;
mod options;
mod output;
mod pcre;
mod search;
mod syntax;
mod walk;

use crate::text;
pub use matcher::{Matcher, Narrow, Style};
use options::Options;
use std::ffi::OsString;
use std::io::Write;

/// A basic expression for other tools (`tac -r`, `find -regex`).
pub fn simple(source: &str) -> Result<regex::bytes::Regex, String> {
    let translated = syntax::translate(source, false, syntax::Dialect::Linear, false)?;
    regex::bytes::Regex::new(&format!("(?m){}", translated.pattern)).map_err(|error| error.to_string())
}

/// A basic expression as a pattern of the `regex` crate.
pub fn translated(source: &str) -> Result<String, String> {
    Ok(syntax::translate(source, false, syntax::Dialect::Linear, false)?.pattern)
}

/// An expression that must match the whole of a text, in which newlines are ordinary characters.
pub fn whole(source: &str, extended: bool, ignore_case: bool) -> Result<regex::bytes::Regex, String> {
    let translated = syntax::translate(source, extended, syntax::Dialect::Linear, true)?;
    let flags = if ignore_case { "(?si)" } else { "(?s)" };
    regex::bytes::Regex::new(&format!("{flags}\\A(?:{})\\z", translated.pattern)).map_err(|error| error.to_string())
}

/// `grep`.
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
