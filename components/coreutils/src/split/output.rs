//! The output of parts: to files, or to commands (`--filter`).

use super::names::Suffixes;
use crate::spawn::Command;
use crate::sys::{self, Input, Stat};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// An error that has been reported, and the status of the tool.
pub(super) struct Told(pub u8);

/// Reports an error.
pub(super) fn fail(message: impl std::fmt::Display) -> Told {
    text::complain("split", message);
    Told(1)
}

/// The names of the parts, and where they go.
pub(super) struct Parts {
    /// The start of their names, before the suffix.
    pub prefix: OsString,
    /// The suffixes.
    pub suffixes: Suffixes,
    /// The end of their names, after the suffix.
    pub additional: OsString,
    /// Report each part that is made.
    pub verbose: bool,
    /// The command that receives each part.
    pub filter: Option<OsString>,
    /// The file that is split: no part may overwrite it.
    pub input: Option<Stat>,
}

/// A part in progress.
pub(super) struct Part {
    name: OsString,
    /// Its path; with a command, that of a temporary file.
    path: PathBuf,
    to: BufWriter<File>,
}

impl Parts {
    /// Begins the next part.
    pub(super) fn begin(&mut self) -> Result<Part, Told> {
        let Some(suffix) = self.suffixes.next() else { return Err(fail("output file suffixes exhausted")) };
        let mut name = self.prefix.clone();
        name.push(suffix);
        name.push(&self.additional);
        if self.verbose {
            match self.filter {
                Some(_) => println!("executing with FILE={}", text::quote_if_needed(&name)),
                None => println!("creating file {}", text::quote(&name)),
            }
        }
        let path = if self.filter.is_some() { temporary(&name) } else { PathBuf::from(&name) };
        let there = sys::stat(&path, true).ok();
        if let (Some(there), Some(input)) = (&there, &self.input)
            && there.same(input)
        {
            return Err(fail(format!("{} would overwrite input; aborting", text::quote(&name))));
        }
        if there.is_some_and(|there| there.is_dir()) {
            return Err(fail(format!("{}: Is a directory", text::quote_if_needed(&name))));
        }
        match File::create(&path) {
            Ok(file) => Ok(Part { name, path, to: BufWriter::with_capacity(64 * 1024, file) }),
            Err(error) => Err(fail(format!("{}: {}", text::quote_if_needed(&name), text::reason(&error)))),
        }
    }

    /// Adds to a part.
    pub(super) fn write(&self, part: &mut Part, bytes: &[u8]) -> Result<(), Told> {
        part.to.write_all(bytes).map_err(|error| failed(&part.name, &error))
    }

    /// Ends a part, and runs its command.
    pub(super) fn end(&self, mut part: Part) -> Result<(), Told> {
        part.to.flush().map_err(|error| failed(&part.name, &error))?;
        let Some(filter) = &self.filter else { return Ok(()) };
        drop(part.to);
        let result = run(filter, &part.name, part.path.clone());
        // The file is in the temporary folder, so it does no harm if it stays.
        let _ = std::fs::remove_file(&part.path);
        result
    }
}

fn failed(name: &OsStr, error: &std::io::Error) -> Told {
    fail(format!("{}: {}", text::quote_if_needed(name), text::reason(error)))
}

/// Creates a temporary file for the input of a command.
fn temporary(name: &OsStr) -> PathBuf {
    let folder = std::env::var_os("TMPDIR").filter(|d| !d.is_empty()).unwrap_or_else(|| "/tmp".into());
    let last = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    PathBuf::from(folder).join(format!("split.{}.{last}", sys::pid()))
}

/// Runs the command with the part as its standard input.
fn run(filter: &OsStr, name: &OsStr, part: PathBuf) -> Result<(), Told> {
    let shell = std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into());
    let mut command = Command::new(vec![shell, "-c".into(), filter.to_owned()]);
    command.env.retain(|line| !line.starts_with(b"FILE="));
    command.env.push([b"FILE=", name.as_encoded_bytes()].concat());
    command.stdin = Input::File(part);
    match command.run("split") {
        0 => Ok(()),
        status => {
            let (file, filter) = (name.to_string_lossy(), filter.to_string_lossy());
            text::complain("split", format!("with FILE={file}, exit {status} from command: {filter}"));
            Err(Told(status))
        }
    }
}
