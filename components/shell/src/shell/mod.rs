//! The interpreter's state. A subshell is a clone of it: large parts are shared until they change.

mod access;
mod assign;
mod completion;
mod dynamic;
mod editing;
mod files;
mod history;
mod interactive;
mod jobs;
mod options;
mod parts;
mod signals;
mod start;
mod window;

pub use access::nowhere;
pub use completion::{Spec, Specs};
pub(crate) use editing::complete_files;
pub(crate) use files::StartFiles;
pub use history::History;
pub use interactive::Prompting;
pub use jobs::{Job, Jobs};
pub use options::{Options, SET_OPTIONS, SHOPTS, is_set_letter};
pub use parts::{
    Arithmetic, Builtins, Calls, Current, Definitions, Entry, Hashed, Invocation, Last, Nest, Nesting, Place, Position, Process, Programs,
    Tail, TrapTable, Traps,
};
pub use signals::{Listening, Signals};
pub use start::VERSION;

use crate::fds::{Fd, FdTable};
use crate::signals::{PIPE, bit};
use crate::sys::Errno;
use crate::vars::Vars;
use std::rc::Rc;

/// Why the normal flow of commands is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    /// `break N`
    Break(u32),
    /// `continue N`
    Continue(u32),
    /// `return`
    Return(i32),
    /// `exit`, and errors that end the shell.
    Exit(i32),
    /// An error that ends the current line of the script; it has been reported.
    Discard(i32),
    /// The same, but also leaves `eval`, sourced files and traps: a builtin was used wrongly, as with too many
    /// arguments.
    Abort(i32),
}

/// The result of running something.
pub type Run<T = i32> = Result<T, Flow>;

/// One active call: of a function or of a sourced file.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The function's name, or `source`.
    pub name: Rc<[u8]>,
    /// The file its commands are from.
    pub source: Rc<[u8]>,
    /// The line it was called from.
    pub call_line: u32,
    /// Whether it is a function.
    pub function: bool,
    /// Its arguments.
    pub args: Rc<Vec<Vec<u8>>>,
}

/// Characters that split fields.
#[derive(Debug, Clone, Default)]
pub struct Ifs {
    /// All of them.
    pub all: Rc<[u8]>,
}

thread_local! {
    /// Whether a script that names `BASH_COMMAND` has been read: only then the texts of commands are kept, because that
    /// costs time.
    pub(crate) static COMMAND_TEXT_WANTED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The interpreter.
#[derive(Clone)]
pub struct Shell {
    /// Variables, in scopes.
    pub(crate) vars: Vars,
    /// The characters that split fields.
    pub(crate) ifs: Ifs,
    /// Options: `set` and `shopt`.
    pub(crate) opts: Options,
    /// Open descriptors.
    pub(crate) fds: FdTable,
    /// Background jobs.
    pub(crate) jobs: Jobs,
    /// How the shell was called.
    pub(crate) invocation: Invocation,
    /// Functions and aliases.
    pub(crate) definitions: Definitions,
    /// Where in the script it is.
    pub(crate) position: Position,
    /// Calls of functions.
    pub(crate) calls: Calls,
    /// Traps.
    pub(crate) traps: Traps,
    /// Signals.
    pub(crate) signals: Signals,
    /// The statuses of what ran last.
    pub(crate) last: Last,
    /// How deep it is.
    pub(crate) nesting: Nesting,
    /// Its process.
    pub(crate) process: Process,
    /// How programs are started.
    pub(crate) programs: Programs,
    /// Where it is among shells.
    pub(crate) place: Place,
    /// The command being run.
    pub(crate) current: Current,
    /// The state of arithmetic.
    pub(crate) arithmetic: Arithmetic,
    /// Commands that are entered at a prompt.
    pub(crate) entry: Entry,
    /// State of builtins.
    pub(crate) builtins: Builtins,
}

impl Shell {
    /// Prints an error of the shell: `NAME: line N: MESSAGE`.
    pub fn error(&mut self, message: impl AsRef<[u8]>) {
        let mut text = self.error_prefix();
        text.extend_from_slice(message.as_ref());
        text.push(b'\n');
        self.warn_raw(&text);
    }

    /// Prints raw text to standard error; if that fails, there is no way to report it.
    pub fn warn_raw(&self, text: &[u8]) {
        if let Some(fd) = self.fds.get(2) {
            let _ = fd.write(text);
        }
    }

    pub(crate) fn error_prefix(&self) -> Vec<u8> {
        let mut text = if self.position.source.is_empty() || self.invocation.interactive {
            self.invocation.arg0.to_vec()
        } else {
            self.position.source.to_vec()
        };
        if self.opts.shopt("gnu_errfmt") && !self.invocation.interactive {
            text.extend_from_slice(format!(":{}: ", self.position.line).as_bytes());
            return text;
        }
        text.extend_from_slice(b": ");
        if !self.invocation.interactive {
            text.extend_from_slice(format!("line {}: ", self.position.line).as_bytes());
        }
        text
    }

    /// Prints `text` to standard output for builtin `name`; returns its status. A pipe without a reader ends the shell.
    pub fn print(&mut self, name: &str, text: &[u8]) -> Run {
        if text.is_empty() {
            return Ok(0);
        }
        let result = match self.fds.get(1) {
            Some(fd) => fd.write(text),
            None => Err(Errno::BadDescriptor),
        };
        match result {
            Ok(()) => Ok(0),
            Err(Errno::BrokenPipe) if !self.traps.commands.contains_key("PIPE") && self.signals.start_ignored & bit(PIPE) == 0 => {
                Err(Flow::Exit(141))
            }
            Err(error) => {
                if error == Errno::BrokenPipe && self.traps.commands.get("PIPE").is_some_and(|text| !text.is_empty()) && self.is_process() {
                    self.signals.arrived.came(PIPE);
                }
                self.error(format!("{name}: write error: {}", error.message()));
                Ok(1)
            }
        }
    }

    /// Returns a descriptor for reading or writing.
    pub fn fd(&self, number: u32) -> Option<Fd> {
        self.fds.get(number).cloned()
    }

    /// Returns the absolute path of `path`.
    pub fn absolute(&self, path: &[u8]) -> Vec<u8> {
        if path.first() == Some(&b'/') {
            return path.to_vec();
        }
        let mut absolute = self.process.cwd.to_vec();
        if !absolute.ends_with(b"/") {
            absolute.push(b'/');
        }
        absolute.extend_from_slice(path);
        absolute
    }

    /// Becomes a subshell of the shell from which this was cloned.
    pub fn enter_subshell(&mut self) {
        self.nesting.subshell += 1;
        for job in &mut self.jobs.list {
            job.inherited = true;
        }
        self.process.own_pid = self.process.pid.wrapping_mul(100).wrapping_add(self.nesting.subshell) | 0x4000_0000;
        self.calls.loops = 0;
        self.place.announced = false;
        // A command within the shell's last command is not the last command itself.
        self.place.tail = Tail::default();
        if self.traps.of_signals > 0 {
            self.traps.status_before = None;
        }
        self.traps.of_signals = 0;
        self.traps.leaving = false;
        self.signals.reaped = 0;
        self.builtins.random ^= (crate::sys::random() as u32) | 1;
        if self.traps.shown.is_none() && !self.traps.commands.is_empty() {
            self.traps.shown = Some(self.traps.commands.clone());
        }
        let traps: TrapTable = self.traps.commands.iter().filter(|(_, t)| t.is_empty()).map(|(k, v)| (k.clone(), v.clone())).collect();
        let keep_err = self.opts.has(b'E');
        let mut traps = traps;
        for (name, on) in [("ERR", keep_err), ("DEBUG", self.opts.has(b'T')), ("RETURN", self.opts.has(b'T'))] {
            if on && let Some(text) = self.traps.commands.get(name) {
                traps.insert(name.into(), text.clone());
            }
        }
        self.traps.commands = Rc::new(traps);
    }

    /// Returns a parser with the settings of the shell's options.
    pub fn parser(&self, text: Vec<u8>, line: u32) -> crate::parser::Parser {
        let mut parser = crate::parser::Parser::new(text, line, self.function_source());
        self.prepare(&mut parser);
        parser
    }

    /// Returns the file name for functions that are defined now, as `BASH_SOURCE` shows it.
    pub fn function_source(&self) -> Rc<[u8]> {
        match (self.position.source.is_empty(), self.invocation.from_stdin || self.invocation.interactive) {
            (false, _) => self.position.source.clone(),
            (true, true) => b"main"[..].into(),
            (true, false) => b"environment"[..].into(),
        }
    }

    /// Gives a parser the current options.
    pub fn prepare(&self, parser: &mut crate::parser::Parser) {
        parser.extglob = self.opts.shopt("extglob");
        parser.posix = self.opts.long("posix") == Some(true);
        parser.aliases = self.opts.shopt("expand_aliases").then(|| self.definitions.aliases.clone());
    }
}
