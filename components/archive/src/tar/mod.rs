//! `tar`.

mod change;
mod create;
mod extract;
mod header;
mod list;
mod names;
mod options;
mod read;
mod select;
mod sparse;
mod transform;

use crate::codec::{self, Format, Sink};
use crate::sys;
use crate::text;
use options::{Action, Options};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The names and times of members that are there already.
type Present = Vec<(Vec<u8>, i64)>;

/// Why a run stops at once; what went wrong has been printed.
pub(crate) struct Stop;

/// One run of tar.
pub(crate) struct Tar {
    pub options: Options,
    pub failed: bool,
    /// `-d` found a difference.
    pub differs: bool,
    /// The notes about names that have been printed.
    pub told: Vec<String>,
    /// The folder of `--one-top-level`.
    top: Vec<u8>,
    /// Width of owner and size in a list.
    pub width: usize,
}

/// Runs `tar`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let options = match options::parse(&args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let mut tar = Tar { options, failed: false, differs: false, told: Vec::new(), top: Vec::new(), width: 19 };
    let result = match tar.options.action {
        Action::Create => tar.create(),
        Action::Append | Action::Update => tar.append(),
        Action::Extract | Action::List => tar.read(),
        Action::Compare => tar.compare(),
        Action::Concatenate => tar.concatenate(),
        Action::Delete => tar.delete(),
    };
    match result {
        Err(Stop) => 2,
        Ok(()) if tar.failed => {
            eprintln!("tar: Exiting with failure status due to previous errors");
            2
        }
        Ok(()) => u8::from(tar.differs),
    }
}

impl Tar {
    /// Prints a message and remembers that something failed.
    pub(crate) fn complain(&mut self, message: &str) {
        eprintln!("tar: {message}");
        self.failed = true;
    }

    /// Prints a message and stops.
    pub(crate) fn fatal(&mut self, message: &str) -> Stop {
        eprintln!("tar: {message}\ntar: Error is not recoverable: exiting now");
        Stop
    }

    fn fatal_now(&mut self) -> Stop {
        eprintln!("tar: Error is not recoverable: exiting now");
        Stop
    }

    /// Prints a note once.
    pub(crate) fn note(&mut self, message: &str) {
        if !self.told.iter().any(|told| told == message) {
            self.told.push(message.to_owned());
            eprintln!("tar: {message}");
        }
    }

    fn archive_name(&self) -> String {
        self.options.file.as_ref().map_or("-".into(), text::show)
    }

    /// Returns the archive for reading.
    fn source(&mut self) -> Result<Box<dyn Read>, Stop> {
        let name = self.archive_name();
        let raw: Box<dyn Read> = if name == "-" {
            if sys::is_terminal(0) {
                return Err(self.fatal("Refusing to read archive contents from terminal (missing -f option?)"));
            }
            Box::new(std::io::stdin())
        } else {
            match File::open(&name) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(self.fatal(&format!("{name}: Cannot open: {}", text::reason(&error)))),
            }
        };
        let wanted = self.options.format;
        match codec::detect(raw) {
            // Data in another format than the requested one is an error of the decompressor.
            Ok((found, _)) if wanted.is_some() && found != wanted && self.options.strict => {
                let (said, status) = match wanted {
                    Some(Format::Bzip2) => ("bzip2: (stdin) is not a bzip2 file.", 2),
                    Some(Format::Xz) => ("xz: (stdin): File format not recognized", 1),
                    Some(Format::Lzma) => ("lzma: (stdin): File format not recognized", 1),
                    Some(Format::Zstd) => ("zstd: /*stdin*\\: unsupported format ", 1),
                    _ => ("\ngzip: stdin: not in gzip format", 1),
                };
                eprintln!("{said}\ntar: Child returned status {status}");
                Err(self.fatal_now())
            }
            Ok((_, reader)) => Ok(Box::new(BufReader::with_capacity(64 * 1024, reader))),
            Err(error) => Err(self.fatal(&format!("{name}: Cannot read: {}", text::reason(&error)))),
        }
    }

    /// Creates a new archive for writing.
    fn target(&mut self) -> Result<Box<dyn Sink>, Stop> {
        let name = self.archive_name();
        let raw: Box<dyn Write> = if name == "-" {
            if sys::is_terminal(1) {
                return Err(self.fatal("Refusing to write archive contents to terminal (missing -f option?)"));
            }
            Box::new(std::io::stdout())
        } else {
            match File::create(&name) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(self.fatal(&format!("{name}: Cannot open: {}", text::reason(&error)))),
            }
        };
        let raw = BufWriter::with_capacity(64 * 1024, raw);
        match self.options.format {
            None => Ok(Box::new(codec::Plain(raw))),
            Some(format) => match format.writer(Box::new(raw), self.options.level.unwrap_or(format.usual_level())) {
                Ok(sink) => Ok(sink),
                Err(error) => Err(self.fatal(&format!("{name}: Cannot write: {}", text::reason(&error)))),
            },
        }
    }

    /// Returns an archive for appending, with its write position after the last member.
    fn append_target(&mut self) -> Result<(Box<dyn Sink>, Present), Stop> {
        let name = self.archive_name();
        if self.options.format.is_some() {
            eprintln!("tar: Cannot update compressed archives\nTry 'tar --help' or 'tar --usage' for more information.");
            return Err(Stop);
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&name);
        let mut file = match file {
            Ok(file) => file,
            Err(error) => return Err(self.fatal(&format!("{name}: Cannot open: {}", text::reason(&error)))),
        };
        let mut start = [0; 6];
        let count = file.read(&mut start).unwrap_or(0);
        if Format::of_start(&start[..count]).is_some() {
            return Err(self.fatal("Cannot update compressed archives"));
        }
        let mut members = Vec::new();
        let mut end = 0;
        let walked = file.rewind().and_then(|()| {
            if count == 0 {
                return Ok(());
            }
            let mut reader = read::Reader::new(BufReader::new(&mut file));
            while let Some(member) = reader.next()? {
                members.push((member.name, member.mtime));
            }
            end = reader.end_of_members();
            Ok(())
        });
        let positioned = walked.and_then(|()| file.seek(SeekFrom::Start(end)));
        match positioned {
            Ok(_) => Ok((Box::new(codec::Plain(BufWriter::with_capacity(64 * 1024, file))), members)),
            Err(error) => Err(self.fatal(&format!("{name}: Cannot read: {}", text::reason(&error)))),
        }
    }

    /// Returns the folder for relative names: that of a `-C`.
    pub(crate) fn base(folder: &Option<PathBuf>) -> PathBuf {
        folder.clone().unwrap_or_default()
    }
}

fn program(format: Option<Format>) -> &'static str {
    match format {
        Some(Format::Bzip2) => "bzip2",
        Some(Format::Xz) => "xz",
        Some(Format::Lzma) => "lzma",
        Some(Format::Zstd) => "zstd",
        _ => "gzip",
    }
}
