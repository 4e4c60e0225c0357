//! `touch`.

use crate::date::read;
use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::path::Path;
use wisp_tool::calendar;

const OPTIONS: &[Opt] = &[
    flag("a", "", "change the time of the last access only"),
    flag("c", "no-create", "do not create files"),
    value("d", "date", "the date VALUE instead of now"),
    flag("f", "", ""),
    flag("h", "no-dereference", "change links themselves"),
    flag("m", "", "change the time of the last change only"),
    value("r", "reference", "the times of the file VALUE instead of now"),
    value("t", "", "[[CC]YY]MMDDhhmm[.ss] instead of now"),
    value("", "time", "access, atime, use: as -a; modify, mtime: as -m"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... FILE...",
    about: "Set the times of each FILE to now; a FILE that does not exist is created empty.",
    options: OPTIONS,
    ..Syntax::COMMON
};

const TIMES: &[&[&str]] = &[&["atime", "access", "use"], &["mtime", "modify"]];

/// Runs `touch`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let (mut access, mut change) = (line.has("a"), line.has("m"));
    for word in line.options.iter().filter(|given| given.key == "time") {
        match SYNTAX.word(args, "--time", &word.text(), TIMES) {
            Ok("atime") => access = true,
            Ok(_) => change = true,
            Err(status) => return status,
        }
    }
    if !access && !change {
        (access, change) = (true, true);
    }
    let (atime, mtime) = match times(args, &line) {
        Ok(times) => times,
        Err(status) => return status,
    };
    let (atime, mtime, files) = match obsolete(&line) {
        Some(at) => (at, at, &line.operands[1..]),
        None => (atime, mtime, &line.operands[..]),
    };
    if line.operands.is_empty() {
        return SYNTAX.misuse(args, "missing file operand");
    }
    let follow = !line.has("no-dereference");
    let mut status = 0;
    for name in files {
        let path = Path::new(if name == "-" { "/dev/stdout".as_ref() } else { name.as_os_str() });
        let mut opened = Ok(());
        // Opening a named pipe would wait for a reader.
        let pipe = || sys::stat(path, true).is_ok_and(|stat| stat.kind == sys::Kind::Fifo);
        if name.is_empty() {
            opened = Err(std::io::Error::from_raw_os_error(libc::ENOENT));
        } else if name != "-" && follow && !line.has("no-create") && !pipe() {
            opened = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(path).map(drop);
        }
        let done = sys::stat(path, follow).and_then(|stat| {
            let (atime, mtime) = (if access { atime } else { stat.atime }, if change { mtime } else { stat.mtime });
            sys::set_times(path, atime, mtime, follow)
        });
        let Err(error) = done else { continue };
        let shown = text::quote(name);
        let message = match opened {
            Err(error) => format!("cannot touch {shown}: {}", text::reason(&error)),
            Ok(()) if error.kind() == std::io::ErrorKind::NotFound && line.has("no-create") => continue,
            Ok(()) => format!("setting times of {shown}: {}", text::reason(&error)),
        };
        text::complain("touch", message);
        status = 1;
    }
    status
}

/// Reads `MMDDhhmm[YY]` before the files, if the environment chooses the POSIX of 1992.
fn obsolete(line: &Line) -> Option<i128> {
    let version: u32 = std::env::var("_POSIX2_VERSION").ok()?.parse().ok()?;
    let dated = ["date", "reference", "t"].iter().any(|key| line.has(key));
    let stamp = line.operands.first().filter(|_| version < 200_112 && line.operands.len() > 1 && !dated)?.to_str()?;
    let stamp = match stamp.len() {
        8 => stamp.to_owned(),
        10 => format!("{}{}", stamp.get(8..)?, stamp.get(..8)?),
        _ => return None,
    };
    read::stamp(&stamp, calendar::now(), calendar::TimeZone::local())
}

/// Returns the times of the last access and the last change to set.
fn times(args: &[OsString], line: &Line) -> Result<(i128, i128), u8> {
    let (date, reference, stamp) = (line.last_text("date"), line.last("reference"), line.last_text("t"));
    if stamp.is_some() && (date.is_some() || reference.is_some()) {
        return Err(SYNTAX.misuse(args, "cannot specify times from more than one source"));
    }
    let invalid = |text: &str| {
        text::complain("touch", format!("invalid date format {}", text::quote(text)));
        1
    };
    let (atime, mtime) = match reference {
        None => (calendar::now(), calendar::now()),
        Some(name) => {
            let stat = sys::stat(name.as_ref(), !line.has("no-dereference")).map_err(|error| {
                text::complain("touch", format!("failed to get attributes of {}: {}", text::quote(name), text::reason(&error)));
                1
            })?;
            (stat.atime, stat.mtime)
        }
    };
    if let Some(stamp) = stamp {
        let at = read::stamp(&stamp, calendar::now(), calendar::TimeZone::local()).ok_or_else(|| invalid(&stamp))?;
        return Ok((at, at));
    }
    match date {
        Some(date) => {
            let at = |base| read::date(&date, base, calendar::TimeZone::local()).ok_or_else(|| invalid(&date));
            Ok((at(atime)?, at(mtime)?))
        }
        None => Ok((atime, mtime)),
    }
}
