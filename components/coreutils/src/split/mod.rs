//! `split`: writes a file in parts.

mod names;
mod options;
mod output;
mod ways;

use crate::options::Line;
use crate::{sys, text};
use options::{SYNTAX, Settings};
use output::fail;
use std::ffi::{OsStr, OsString};
use std::io::{BufReader, Error, Read};

/// Runs `split`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let (settings, file) = match options::read(args, &line) {
        Ok(read) => read,
        Err(status) => return status,
    };
    match run(settings, &file) {
        Ok(()) => 0,
        Err(told) => told.0,
    }
}

fn run(settings: Settings, file: &OsStr) -> Result<(), output::Told> {
    let Settings { way, separator, elide, mut parts } = settings;
    let stat = if file == "-" { sys::stat_input() } else { sys::stat(file.as_ref(), true) };
    let directory = stat.as_ref().is_ok_and(wisp_tool::sys::Stat::is_dir);
    parts.input = stat.ok().filter(wisp_tool::sys::Stat::is_file);
    let shown = text::quote_if_needed(file);
    let input: Box<dyn Read> = if directory {
        return Err(fail(format!("{shown}: Is a directory")));
    } else if file == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let opened = std::fs::File::open(file);
        Box::new(opened.map_err(|error| fail(format!("cannot open {} for reading: {}", text::quote(file), text::reason(&error))))?)
    };
    let mut work = ways::Work { parts, separator, elide, name: &shown };
    work.run(way, BufReader::with_capacity(64 * 1024, input))
}

/// Reports an input that cannot be read.
fn unread(name: &str, error: &Error) -> output::Told {
    fail(format!("{name}: {}", text::reason(error)))
}
