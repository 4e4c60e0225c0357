//! What the programs share: the course of one, its help text, the files that it reads and writes.

use crate::options::{Asked, Line, Opt, parse};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use wisp_tool::{sys, text};

/// The status of a program that wrote a picture which is not whole, as libjpeg's have it.
const INCOMPLETE: u8 = 2;

/// A program's texts.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) options: &'static [Opt],
}

/// What a program made of a file.
pub(crate) struct Made {
    /// What comes first; beside `body`, so that pixels are not copied for it.
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<u8>,
    /// What is wrong with it, although there is something.
    pub(crate) warning: Option<&'static str>,
}

impl Made {
    fn write(&self, mut to: impl Write) -> io::Result<()> {
        to.write_all(&self.head)?;
        to.write_all(&self.body)
    }
}

impl Program {
    /// Runs the program: `settings` reads the command line, `work` makes of a file's bytes what is written.
    pub(crate) fn run<S>(
        &self,
        args: &[OsString],
        settings: impl FnOnce(&Line) -> Result<S, String>,
        work: impl FnOnce(Vec<u8>, &S) -> Result<Made, String>,
    ) -> u8 {
        let parsed = parse(self.options, args).and_then(|asked| match asked {
            Asked::Work(line) => settings(&line).map(|settings| Some((line, settings))),
            Asked::Help => {
                print!("{}", self.help());
                Ok(None)
            }
            Asked::Version => {
                println!("{} (wisp, with the options of libjpeg-turbo) {}", self.name, env!("CARGO_PKG_VERSION"));
                Ok(None)
            }
        });
        let (line, settings) = match parsed {
            Ok(Some(found)) => found,
            Ok(None) => return 0,
            Err(message) => {
                text::complain(self.name, format!("{message}\nTry '{} --help' for more information.", self.name));
                return 1;
            }
        };
        let shown = line.file.as_ref().map_or(Cow::Borrowed("standard input"), |file| file.to_string_lossy());
        let made = read(&line).and_then(|bytes| if bytes.is_empty() { Err("the file is empty".into()) } else { work(bytes, &settings) });
        let made = match made {
            Ok(made) => made,
            Err(message) => {
                text::complain(self.name, format!("{shown}: {message}"));
                return 1;
            }
        };
        if let Err(message) = write(&line, &made) {
            text::complain(self.name, message);
            return 1;
        }
        match made.warning {
            Some(warning) => {
                text::complain(self.name, format!("{shown}: {warning}"));
                INCOMPLETE
            }
            None => 0,
        }
    }

    fn help(&self) -> String {
        let mut text = format!("Usage: {} [OPTION]... [FILE]\n{}\n\n", self.name, self.about);
        for option in self.options.iter().filter(|option| !option.help.is_empty()) {
            let left = format!("-{} {}", option.name, option.value);
            text += &format!("  {left:<20} {}\n", option.help);
        }
        text + "  -help                print this help\n  -version             print the version\n"
    }
}

fn read(line: &Line) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let done = match &line.file {
        Some(file) => File::open(file).and_then(|mut file| file.read_to_end(&mut bytes)),
        None => sys::input().read_to_end(&mut bytes),
    };
    done.map(|_| bytes).map_err(|error| text::reason(&error))
}

/// Writes what was made. A file is not opened before there is something for it.
fn write(line: &Line, made: &Made) -> Result<(), String> {
    match line.value("outfile") {
        Some(path) => File::create(path)
            .and_then(|file| made.write(file))
            .map_err(|error| format!("{}: {}", path.to_string_lossy(), text::reason(&error))),
        None => made.write(&*sys::descriptor(1)).map_err(|error| format!("standard output: {}", text::reason(&error))),
    }
}

/// Returns how a file of another format begins, for a message.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(2).map(|byte| format!("0x{byte:02x}")).collect();
    format!("it starts with {}", shown.join(" "))
}
