//! `sed`: POSIX's stream editor with GNU's additions.

mod actions;
mod delimited;
mod exec;
pub(crate) mod fold;
mod list;
mod parse;
mod replace;
mod run;
mod script;
mod source;
mod streams;
mod subst;

use crate::options::{Line, Syntax, flag, maybe, value};
use crate::{sys, text};
use source::Origin;
use std::ffi::OsString;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... {script-only-if-no-other-script} [input-file]...",
    about: "Edit text line by line.",
    options: &[
        flag("n", "quiet", "do not print lines by themselves"),
        flag("", "silent", "the same as --quiet"),
        value("e", "expression", "add VALUE to the script"),
        value("f", "file", "add the contents of the file to the script"),
        flag("Er", "regexp-extended", "use extended regular expressions"),
        maybe("i", "in-place", "edit files in place, keeping the original with this suffix"),
        value("l", "line-length", "wrap the output of `l' at this width"),
        flag("s", "separate", "files are separate, not one stream"),
        flag("z", "null-data", "lines end with NUL"),
        flag("u", "unbuffered", "write every line at once"),
        flag("", "posix", "no GNU extensions"),
        flag("", "sandbox", "refuse e, r and w"),
        flag("", "follow-symlinks", "edit what a link points to"),
        flag("b", "binary", "accepted: data is always read and written as it is"),
        flag("", "debug", "accepted; prints nothing"),
    ],
    ..Syntax::COMMON
};

/// How a script is run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// `-n`.
    pub quiet: bool,
    /// `-s`, or implied.
    pub separate: bool,
    /// `-i`, with its suffix.
    pub in_place: Option<Vec<u8>>,
    /// What ends a line.
    pub end: u8,
    /// `-u`.
    pub unbuffered: bool,
    /// `-l`.
    pub width: usize,
    /// `--posix`.
    pub posix: bool,
    /// `--follow-symlinks`.
    pub follow: bool,
    /// Characters are UTF-8.
    pub utf8: bool,
}

/// Returns the default width of `l`, from COLS.
fn columns() -> usize {
    let columns = std::env::var("COLS").ok().and_then(|c| c.parse::<usize>().ok());
    columns.filter(|c| *c > 1).map_or(70, |c| c - 1)
}

/// Runs `sed`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], mut line: Line) -> u8 {
    let mut pieces = Vec::new();
    let mut expressions = 0;
    for given in &line.options {
        let Some(value) = &given.value else { continue };
        match given.key {
            "expression" => {
                expressions += 1;
                pieces.push((Origin::Expression(expressions), sys::bytes(value).to_vec()));
            }
            "file" => match text::slurp(value) {
                Ok(mut script) => {
                    // The text of `a\` may be one empty line.
                    if script.last() == Some(&b'\n') && !script.ends_with(b"\\\n") {
                        script.pop();
                    }
                    pieces.push((Origin::File(text::show(value)), script));
                }
                Err(error) => {
                    text::complain("sed", format!("couldn't open file {}: {}", text::show(value), text::reason(&error)));
                    return 4;
                }
            },
            _ => {}
        }
    }
    if pieces.is_empty() {
        if line.operands.is_empty() {
            eprintln!("Usage: sed {}\nTry 'sed --help' for more information.", SYNTAX.usage);
            return 1;
        }
        let script = line.operands.remove(0);
        pieces.push((Origin::Expression(1), sys::bytes(&script).to_vec()));
    }
    let in_place = line.has("in-place");
    let posix = line.has("posix");
    let utf8 = sys::utf8();
    let settings = parse::Settings {
        extended: line.has("regexp-extended"),
        posix,
        sandbox: line.has("sandbox"),
        utf8,
        null_data: line.has("null-data"),
    };
    let script = match parse::parse(pieces, settings) {
        Ok(script) => script,
        Err(message) => {
            let status = if message.starts_with("can't find label") { 4 } else { 1 };
            text::complain("sed", message);
            return status;
        }
    };
    if in_place && line.operands.is_empty() {
        text::complain("sed", "no input files");
        return 4;
    }
    let width = match line.last_text("line-length").map(|w| w.parse::<usize>()) {
        None => columns(),
        Some(Ok(width)) => width,
        Some(Err(_)) => {
            text::complain("sed", format!("invalid line length: {}", line.last_text("line-length").unwrap_or_default()));
            return 1;
        }
    };
    let options = Options {
        quiet: line.has("quiet") || line.has("silent") || script.quiet,
        separate: line.has("separate") || in_place,
        in_place: in_place.then(|| line.last("in-place").map(|s| sys::bytes(s).to_vec()).unwrap_or_default()),
        end: if line.has("null-data") { 0 } else { b'\n' },
        unbuffered: line.has("unbuffered"),
        width,
        posix: posix || std::env::var_os("POSIXLY_CORRECT").is_some(),
        follow: line.has("follow-symlinks"),
        utf8,
    };
    run::run(script, options, line.operands)
}
