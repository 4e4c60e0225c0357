//! `ed`: the line editor, compatible with GNU's.

mod address;
mod buffer;
mod commands;
mod files;
mod global;
mod input;
mod substitute;

use crate::regex::{Flavor, Options, Regex};
use crate::sys;
use crate::text;
use buffer::Buffer;
use input::{Input, Text};
use std::ffi::OsString;
use std::io::Write;
use std::rc::Rc;
use wisp_tool::options::{Line, Syntax, flag, value};

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It failed.
    Error(String),
    /// The buffer was not written; repeating the command confirms it.
    Modified,
    /// The editor ends.
    Quit,
}

/// The result of a command.
type Result<T> = std::result::Result<T, Stop>;

/// Returns a failure.
fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(Stop::Error(message.into()))
}

const MODIFIED: &str = "Warning: buffer modified";

/// Lines of a screen, for `z`.
const SCREEN: usize = 22;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]",
    about: "Edit FILE line by line, by commands from standard input. A FILE that begins with ! is a shell command whose output is read.",
    options: &[
        flag("E", "extended-regexp", "use extended regular expressions"),
        flag("G", "traditional", "run in compatibility mode"),
        flag("l", "loose-exit-status", "exit with 0 even if a command failed"),
        value("p", "prompt", "print VALUE before each command"),
        flag("q", "quiet", "print no messages about files"),
        flag("", "silent", ""),
        flag("r", "restricted", "edit files of this directory only, run no commands"),
        flag("s", "script", "print no counts of bytes, and no ! after commands"),
        flag("v", "verbose", "say what is wrong, as the command H does"),
        flag("", "strip-trailing-cr", "leave out carriage returns at the ends of lines"),
        flag("", "unsafe-names", ""),
    ],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// The editor.
pub(crate) struct Ed {
    buffer: Buffer,
    input: Input,
    out: std::io::BufWriter<std::fs::File>,
    name: Option<Vec<u8>>,
    /// The last message, for `h`.
    message: Option<String>,
    verbose: bool,
    prompt: Vec<u8>,
    prompted: bool,
    script: bool,
    quiet: bool,
    restricted: bool,
    traditional: bool,
    strip: bool,
    options: Options,
    /// The last expression that was used.
    regex: Option<Rc<Regex>>,
    /// The last substitution.
    substitution: Option<substitute::Substitution>,
    /// The last line that `s` changed.
    last_changed: usize,
    /// The last command of `!`.
    shell: Option<Vec<u8>>,
    /// The last command list of `G` and `V`.
    list: Option<Vec<u8>>,
    /// Whether a command list of `g` is running.
    global: bool,
    /// Whether the file has NUL bytes; a newline missing at its end is then left out again.
    binary: bool,
    unended: bool,
    screen: usize,
    /// Whether the last command was refused because it would have lost changes.
    warned: bool,
    status: u8,
}

/// Runs `ed`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(_: &[OsString], line: Line) -> u8 {
    let utf8 = sys::utf8();
    let flavor = if line.has("extended-regexp") { Flavor::Extended } else { Flavor::Basic };
    let mut ed = Ed {
        buffer: Buffer::default(),
        input: Input::new(),
        out: text::output(),
        name: None,
        message: None,
        verbose: line.has("verbose"),
        prompt: line.last("prompt").map_or(b"*".to_vec(), |prompt| prompt.as_encoded_bytes().to_vec()),
        prompted: line.has("prompt"),
        script: line.has("script"),
        quiet: line.has("quiet") || line.has("silent"),
        restricted: line.has("restricted"),
        traditional: line.has("traditional"),
        strip: line.has("strip-trailing-cr"),
        options: Options { flavor, fold: false, lines: false, utf8, posix: false },
        regex: None,
        substitution: None,
        last_changed: 0,
        shell: None,
        list: None,
        global: false,
        binary: false,
        unended: false,
        screen: SCREEN,
        warned: false,
        status: 0,
    };
    // `-` before the file is the old form of -s.
    let mut files = line.operands.iter().peekable();
    ed.script |= files.next_if(|file| *file == "-").is_some();
    if let Some(file) = files.next() {
        ed.start(file.as_encoded_bytes());
    }
    let status = ed.run();
    let _ = ed.out.flush();
    if line.has("loose-exit-status") && status == 1 { 0 } else { status }
}

impl Ed {
    /// Reads the file of the command line. A file that does not exist is created when the buffer is written.
    fn start(&mut self, file: &[u8]) {
        if file.is_empty() {
            return;
        }
        let wrong = match self.check_name(file) {
            Ok(()) => {
                if !file.starts_with(b"!") {
                    self.name = Some(file.to_vec());
                }
                self.read(file, 0).err()
            }
            Err(stop) => Some(stop),
        };
        self.buffer.forget();
        self.buffer.modified = false;
        if let Some(Stop::Error(message)) = wrong {
            self.message = Some(message);
            if !std::path::Path::new(&files::path(file)).exists() {
                return;
            }
            self.status = 2;
            self.warn();
        }
    }

    fn warn(&mut self) {
        self.put(b"?\n");
        if self.verbose
            && let Some(message) = self.message.clone()
        {
            self.put(format!("{message}\n").as_bytes());
        }
    }

    /// Runs the commands of standard input; returns the exit status.
    fn run(&mut self) -> u8 {
        let is_file = sys::input_is_file();
        loop {
            if self.prompted {
                let prompt = self.prompt.clone();
                self.put(&prompt);
            }
            let _ = self.out.flush();
            let done = match self.input.line() {
                Ok(Some(line)) => self.command(&mut Text::new(line)),
                Ok(None) if !self.buffer.modified || self.warned => Err(Stop::Quit),
                Ok(None) => {
                    self.status = 2;
                    Err(Stop::Modified)
                }
                Err(error) => fail(text::reason(&error)),
            };
            let warned = matches!(done, Err(Stop::Modified));
            let message = match done {
                Ok(()) => {
                    self.warned = false;
                    continue;
                }
                Err(Stop::Quit) => return self.status,
                Err(Stop::Modified) => MODIFIED.to_owned(),
                Err(Stop::Error(message)) => message,
            };
            self.warned = warned;
            self.message = Some(message);
            self.global = false;
            self.warn();
            if self.status == 0 {
                self.status = 1;
            }
            if is_file && !warned {
                if self.verbose {
                    let _ = self.out.flush();
                    eprintln!("script, line {}: {}", self.input.count, self.message.as_deref().unwrap_or_default());
                }
                return self.status;
            }
        }
    }

    /// Writes to standard output.
    fn put(&mut self, bytes: &[u8]) {
        // An error here has no remedy: when the output is closed, a signal ends the process.
        let _ = self.out.write_all(bytes);
    }

    /// Reads the expression up to `delimiter` or the end of the line; an empty one means the last one. The delimiter is not taken.
    fn pattern(&mut self, text: &mut Text, delimiter: u8) -> Result<Rc<Regex>> {
        let source = expression(text, delimiter)?;
        self.compile(&source, false)
    }

    fn compile(&mut self, source: &[u8], fold: bool) -> Result<Rc<Regex>> {
        if source.is_empty() {
            return self.regex.clone().map_or_else(|| fail("No previous pattern"), Ok);
        }
        let regex = Regex::new(source, Options { fold, ..self.options }).or_else(fail)?;
        let regex = Rc::new(regex);
        self.regex = Some(regex.clone());
        Ok(regex)
    }
}

/// Returns the text of an expression up to `delimiter`, which is not taken.
fn expression(text: &mut Text, delimiter: u8) -> Result<Vec<u8>> {
    let mut source = Vec::new();
    while text.peek() != delimiter && text.peek() != b'\n' {
        if text.peek() == b'[' {
            let Some(length) = crate::regex::bracket::end(text.rest(), 0) else { return fail("Unbalanced brackets ([])") };
            source.extend((0..length).map(|_| text.next()));
            continue;
        }
        let byte = text.next();
        if byte == b'\\' {
            if text.peek() == b'\n' {
                return fail("Trailing backslash (\\)");
            }
            if text.peek() != delimiter {
                source.push(byte);
            }
            source.push(text.next());
        } else {
            source.push(byte);
        }
    }
    Ok(source)
}
