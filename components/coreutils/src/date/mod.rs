//! `date`, and the dates that `touch` and `find` read.

mod format;
pub(crate) mod read;
mod tokens;
mod words;

pub(crate) use format::format;

use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use wisp_tool::calendar::{TimeZone, now};

const OPTIONS: &[Opt] = &[
    value("d", "date", "the date VALUE, such as `2 days ago`, instead of now"),
    flag("", "debug", "say which zone a date is read in"),
    value("f", "file", "the date of each line of the file VALUE"),
    maybe("I", "iso-8601", "in the format of ISO 8601: date (the default), hours, minutes, seconds, ns"),
    value("r", "reference", "the last change of the file VALUE"),
    flag("", "resolution", "print the resolution of the clock"),
    flag("R", "rfc-email", "in the format of e-mail"),
    flag("R", "rfc-822", ""),
    flag("R", "rfc-2822", ""),
    value("", "rfc-3339", "in the format of RFC 3339: date, seconds, ns"),
    value("s", "set", "refused: a session cannot set the clock"),
    flag("u", "utc", "in coordinated universal time"),
    flag("u", "uct", ""),
    flag("u", "universal", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [+FORMAT]",
    about: "Print the time in FORMAT: %Y %m %d %H %M %S %N (nanoseconds) %a %b %j %s (since 1970) %z %:z %Z and so on, as in strftime(3);\nbetween % and the letter - (no padding), _ (spaces), 0 (zeros), ^ (upper case), # (the other case) and a width.",
    options: OPTIONS,
    ..Syntax::COMMON
};

const ISO: &[&[&str]] = &[&["hours"], &["minutes"], &["date"], &["seconds"], &["ns"]];
const RFC: &[&[&str]] = &[&["date"], &["seconds"], &["ns"]];

/// Runs `date`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    run(args, &line).unwrap_or_else(|status| status)
}

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("date", message);
    1
}

fn invalid(text: impl AsRef<OsStr>) -> u8 {
    fail(format!("invalid date {}", text::quote(text)))
}

fn unreadable(name: &OsStr, error: &io::Error) -> u8 {
    fail(format!("{}: {}", text::quote_if_needed(name), text::reason(error)))
}

fn run(args: &[OsString], line: &Line) -> Result<u8, u8> {
    let wanted = wanted(args, line)?;
    let utc = ["utc", "uct", "universal"].iter().any(|key| line.has(key));
    let zone = if utc { &TimeZone::Utc } else { TimeZone::local() };
    let Wanted::Print(format) = wanted else {
        let text = line.last_text("set");
        if let Some(text) = text.filter(|text| read::date(text, now(), zone).is_none()) {
            return Err(invalid(&text));
        }
        return Err(fail("cannot set date: Operation not permitted"));
    };
    if line.has("debug") {
        let name = std::env::var("TZ").unwrap_or_default();
        let name = if name.is_empty() || utc { "UTC".to_owned() } else { format!("TZ=\"{name}\"") };
        text::complain("date", format!("input timezone: {name}"));
    }
    print(line, &format, zone)
}

/// What the command line asks for.
enum Wanted {
    /// The time in this format.
    Print(Vec<u8>),
    /// Setting the clock.
    Set,
}

fn wanted(args: &[OsString], line: &Line) -> Result<Wanted, u8> {
    let formats = formats(args, line)?;
    let sources = ["date", "file", "reference", "resolution"].iter().filter(|key| line.has(key)).count();
    if sources > 1 {
        return Err(SYNTAX.misuse(args, "the options to specify dates for printing are mutually exclusive"));
    }
    if sources > 0 && line.has("set") {
        return Err(SYNTAX.misuse(args, "the options to print and set the time may not be used together"));
    }
    let mut format = formats.first().map(|format| format.as_bytes().to_vec());
    let mut setting = line.has("set");
    if let Some(operand) = line.operands.first() {
        if let Some(extra) = line.operands.get(1) {
            return Err(SYNTAX.misuse(args, &format!("extra operand {}", text::quote(extra))));
        }
        match operand.as_encoded_bytes().strip_prefix(b"+") {
            Some(_) if format.is_some() => return Err(fail("multiple output formats specified")),
            Some(own) => format = Some(own.to_vec()),
            None if sources > 0 || setting => {
                let message = format!(
                    "the argument {} lacks a leading '+';\nwhen using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'",
                    text::quote(operand)
                );
                return Err(SYNTAX.misuse(args, &message));
            }
            // `MMDDhhmm[[CC]YY][.ss]` sets the clock.
            None if format::setting(&operand.to_string_lossy()) => setting = true,
            None => return Err(invalid(operand)),
        }
    }
    if formats.len() > 1 {
        return Err(fail("multiple output formats specified"));
    }
    if setting {
        return Ok(Wanted::Set);
    }
    let usual: &[u8] = if line.has("resolution") { b"%s.%N" } else { b"%a %b %e %H:%M:%S %Z %Y" };
    Ok(Wanted::Print(format.unwrap_or_else(|| usual.to_vec())))
}

/// Returns the formats that options name.
fn formats(args: &[OsString], line: &Line) -> Result<Vec<&'static str>, u8> {
    let mut formats = Vec::new();
    for given in &line.options {
        formats.push(match given.key {
            "iso-8601" => {
                let word = given.value.as_ref().map(|_| SYNTAX.word(args, "--iso-8601", &given.text(), ISO)).transpose()?;
                match word {
                    Some("hours") => "%Y-%m-%dT%H%:z",
                    Some("minutes") => "%Y-%m-%dT%H:%M%:z",
                    Some("seconds") => "%Y-%m-%dT%H:%M:%S%:z",
                    Some("ns") => "%Y-%m-%dT%H:%M:%S,%N%:z",
                    _ => "%Y-%m-%d",
                }
            }
            "rfc-3339" => match SYNTAX.word(args, "--rfc-3339", &given.text(), RFC)? {
                "seconds" => "%Y-%m-%d %H:%M:%S%:z",
                "ns" => "%Y-%m-%d %H:%M:%S.%N%:z",
                _ => "%Y-%m-%d",
            },
            "rfc-email" | "rfc-822" | "rfc-2822" => "%a, %d %b %Y %H:%M:%S %z",
            _ => continue,
        });
    }
    Ok(formats)
}

/// Prints the moments that the command line names.
fn print(line: &Line, format: &[u8], zone: &TimeZone) -> Result<u8, u8> {
    let mut out = text::output();
    let mut print = |at: i128| {
        let mut shown = format::format(format, at, zone).map_err(io::Error::other)?;
        shown.push(b'\n');
        out.write_all(&shown)
    };
    let mut status = 0;
    let done = if let Some(text) = line.last_text("date") {
        print(read::date(&text, now(), zone).ok_or_else(|| invalid(&text))?)
    } else if let Some(name) = line.last("reference") {
        print(sys::stat(name.as_ref(), true).map_err(|error| unreadable(name, &error))?.mtime)
    } else if let Some(name) = line.last("file") {
        let mut all = Vec::new();
        let read = text::open(name).and_then(|mut file| file.read_to_end(&mut all));
        read.map_err(|error| unreadable(name, &error))?;
        let all = String::from_utf8_lossy(&all).into_owned();
        all.lines().try_for_each(|text| match read::date(text, now(), zone) {
            Some(at) => print(at),
            None => {
                status = invalid(text);
                Ok(())
            }
        })
    } else {
        print(if line.has("resolution") { 1 } else { now() })
    };
    match done.and_then(|()| out.flush()) {
        // The format is wrong, not the output.
        Err(error) if error.kind() == io::ErrorKind::Other => Err(fail(error)),
        done => Ok(text::finish("date", done) | status),
    }
}
