//! The interpreter's state. A subshell is a clone of it: what is large is shared until it is changed.

mod access;
mod assign;
mod dynamic;
mod files;
mod interactive;
mod options;
mod start;

pub use access::nowhere;
pub(crate) use files::StartFiles;
pub use interactive::Prompting;
pub use options::{Options, SET_OPTIONS, SHOPTS, is_set_letter};
pub use start::VERSION;

use crate::ast::Function;
use crate::exec::{Jobs, PIPE, bit};
use crate::fds::{Fd, FdTable, OpenFile};
use crate::parser::Aliases;
use crate::sys::Errno;
use crate::vars::Vars;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Why the flow of commands is left.
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
    /// The same, past `eval`, sourced files and traps: a builtin called wrongly, as with too many arguments.
    Abort(i32),
}

/// What running something answers.
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
    /// What it was given.
    pub args: Rc<Vec<Vec<u8>>>,
}

/// Characters that split fields.
#[derive(Debug, Clone, Default)]
pub struct Ifs {
    /// All of them.
    pub all: Rc<[u8]>,
}

/// Paths of programs that were found, and how often they were asked for.
pub type Hashed = BTreeMap<Vec<u8>, (Vec<u8>, u32)>;

thread_local! {
    /// A script was read that names `BASH_COMMAND`: its commands' texts are kept, which costs time, for it alone.
    pub(crate) static COMMAND_TEXT_WANTED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The interpreter.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct Shell {
    pub vars: Vars,
    pub params: Rc<Vec<Vec<u8>>>,
    pub arg0: Rc<[u8]>,
    pub functions: Rc<HashMap<Vec<u8>, Rc<Function>>>,
    pub exported_functions: Rc<Vec<Vec<u8>>>,
    pub readonly_functions: Rc<Vec<Vec<u8>>>,
    /// The status before the running trap of `EXIT` or of a signal: what `exit` and `return` there mean by none.
    pub before_trap: Option<i32>,
    /// The trap of `EXIT` runs: `BASH_COMMAND` is what ended the script.
    pub leaving: bool,
    /// What ended the shell ended the functions too: the `EXIT` trap does not see their variables.
    pub drops_locals: bool,
    /// What `local -` put aside, with the depth of the function.
    pub kept_options: Vec<(usize, Options)>,
    /// Where `getopts` was when a function made `OPTIND` its own, by depth.
    pub kept_getopts: Vec<(usize, (i64, usize))>,
    /// A builtin runs behind `command`: its failure ends nothing in POSIX mode either.
    pub lenient: bool,
    /// Functions that inherit the traps `DEBUG` and `RETURN`: `declare -ft`.
    pub traced_functions: Rc<Vec<Vec<u8>>>,
    pub aliases: Rc<Aliases>,
    pub opts: Options,
    /// Commands by signal or `EXIT`, `ERR`, `DEBUG`, `RETURN`; empty ones are ignored signals.
    pub traps: Rc<BTreeMap<String, Vec<u8>>>,
    pub cwd: Rc<Vec<u8>>,
    pub umask: u32,
    pub fds: FdTable,
    pub dirs: Vec<Vec<u8>>,
    pub status: i32,
    pub pipestatus: Vec<i32>,
    /// The status of the last command substitution of the command being expanded.
    pub substituted: Option<i32>,
    pub last_background: Option<u32>,
    pub frames: Vec<Frame>,
    pub source: Rc<[u8]>,
    pub line: u32,
    /// What `shifted` adds to the lines of the tree being run.
    pub line_shift: i32,
    pub loops: u32,
    /// Depth of conditions, in which `set -e` does not apply.
    pub guarded: u32,
    /// Levels of nesting in use, against the stack's end.
    pub depth: u32,
    pub subshell: u32,
    pub pid: u32,
    pub own_pid: u32,
    pub hash: Rc<Hashed>,
    pub getopts: (i64, usize),
    pub jobs: Jobs,
    pub ifs: Ifs,
    pub started: u64,
    pub random: u32,
    /// What `line N:` messages begin with when commands come from `-c`.
    pub from_string: bool,
    /// Whether a file is being run: it is the outermost frame then.
    pub script: bool,
    /// Whether commands are read from standard input.
    pub from_stdin: bool,
    /// The traps whose commands are running.
    pub in_trap: Vec<&'static str>,
    /// What `trap -p` shows in a subshell that has set none itself.
    pub shown_traps: Option<Rc<BTreeMap<String, Vec<u8>>>>,
    pub command_text: Rc<Vec<u8>>,
    /// How often `set -x` repeats the first character of `PS4`: command substitutions and `eval` nest.
    pub trace_level: usize,
    /// Substituted processes of the command being run, to be waited for or let go.
    pub process_fds: Vec<u32>,
    /// Descriptors opened or closed by `{name}>`, which outlive their command.
    pub kept_fds: Vec<u32>,
    /// Levels of subshells that `BASH_SUBSHELL` does not count: simple commands of a pipeline.
    pub uncounted: u32,
    /// What came to this process by signals; its subshells in the same process share it.
    pub signals: Rc<crate::exec::Listening>,
    /// Signals that were ignored when the shell started, and stay so.
    pub start_ignored: u64,
    /// Signals that this shell ignores because it runs in the background; what it starts does not.
    pub async_ignored: u64,
    /// Whether what is started now runs in the background.
    pub spawns_async: bool,
    /// The process group of programs started now; 0 is one of their own.
    pub spawn_group: Option<u32>,
    /// What `exec` has put in the place of the standard input that the script is read from.
    pub replaced_stdin: Rc<std::cell::Cell<Option<Rc<OpenFile>>>>,
    /// Where the program is that runs next, past `PATH`: for `command -p`.
    pub at_path: Option<Vec<u8>>,
    /// Within a stage that reads a pipe, or a compound command whose input was redirected: what runs in the background
    /// there reads that.
    pub stdin_given: bool,
    /// Whether the last command of the script, if it is a program, takes the shell's place.
    pub execs_last: bool,
    /// The last command of this shell, when bash would run it in the shell's place.
    pub tail: crate::exec::Tail,
    /// Where it stands among shells within shells, as `SHLVL` counts them.
    pub nest: crate::exec::Nest,
    /// What the host was told to ignore.
    pub told_ignored: u64,
    /// Traps of signals that run.
    pub signal_traps: u32,
    /// The signal that ends this shell.
    pub dying: Option<u8>,
    /// What a person is shown and does while commands are read.
    pub prompting: Rc<Prompting>,
    /// The program that a signal has ended last: its id and the signal, to be told.
    pub died: Option<(u32, u8)>,
    /// Programs of the foreground that were stopped and are no job yet.
    pub halted: Vec<Rc<crate::sys::Child>>,
    /// Children that have ended since `CHLD` was answered.
    pub reaped: u32,
    /// What line numbers in functions are counted from: in an interactive shell, the function.
    pub line_base: u32,
    pub arith_depth: u32,
    /// The last error was one of arithmetic, not of what is expanded for it.
    pub arith_failed: bool,
    /// A regular expression of the present condition cannot be one.
    pub cond_broken: bool,
    /// What errors of arithmetic begin with: the command, or the parameter, that it is for.
    pub arith_for: std::borrow::Cow<'static, [u8]>,
    /// Commands entered, for `history` and prompts.
    pub history: crate::builtins::History,
    pub command_number: u32,
    /// What `complete` was told.
    pub completions: crate::builtins::Specs,
    /// Whether `complete` ever kept one.
    pub completed: bool,
    /// Builtins that `enable -n` switched off.
    pub disabled: Rc<Vec<Vec<u8>>>,
    pub interactive: bool,
}

impl Shell {
    /// Print an error of the shell: `NAME: line N: MESSAGE`.
    pub fn error(&mut self, message: impl AsRef<[u8]>) {
        let mut text = self.error_prefix();
        text.extend_from_slice(message.as_ref());
        text.push(b'\n');
        self.warn_raw(&text);
    }

    /// Print raw text to standard error; nobody can be told if that fails.
    pub fn warn_raw(&self, text: &[u8]) {
        if let Some(fd) = self.fds.get(2) {
            let _ = fd.write(text);
        }
    }

    pub(crate) fn error_prefix(&self) -> Vec<u8> {
        let mut text = if self.source.is_empty() || self.interactive { self.arg0.to_vec() } else { self.source.to_vec() };
        if self.opts.shopt("gnu_errfmt") && !self.interactive {
            text.extend_from_slice(format!(":{}: ", self.line).as_bytes());
            return text;
        }
        text.extend_from_slice(b": ");
        if !self.interactive {
            text.extend_from_slice(format!("line {}: ", self.line).as_bytes());
        }
        text
    }

    /// Print `text` to standard output for builtin `name`; its status. A pipe without a reader ends the shell.
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
            Err(Errno::BrokenPipe) if !self.traps.contains_key("PIPE") && self.start_ignored & bit(PIPE) == 0 => Err(Flow::Exit(141)),
            Err(error) => {
                if error == Errno::BrokenPipe && self.traps.get("PIPE").is_some_and(|text| !text.is_empty()) && self.is_process() {
                    self.signals.came(PIPE);
                }
                self.error(format!("{name}: write error: {}", error.message()));
                Ok(1)
            }
        }
    }

    /// A descriptor for reading or writing.
    pub fn fd(&self, number: u32) -> Option<Fd> {
        self.fds.get(number).cloned()
    }

    /// The absolute path of `path`.
    pub fn absolute(&self, path: &[u8]) -> Vec<u8> {
        if path.first() == Some(&b'/') {
            return path.to_vec();
        }
        let mut absolute = self.cwd.to_vec();
        if !absolute.ends_with(b"/") {
            absolute.push(b'/');
        }
        absolute.extend_from_slice(path);
        absolute
    }

    /// Become a subshell of what this is a clone of.
    pub fn enter_subshell(&mut self) {
        self.subshell += 1;
        for job in &mut self.jobs.list {
            job.inherited = true;
        }
        self.own_pid = self.pid.wrapping_mul(100).wrapping_add(self.subshell) | 0x4000_0000;
        self.loops = 0;
        // A command within the shell's last one is not that one.
        self.tail = crate::exec::Tail::default();
        if self.signal_traps > 0 {
            self.before_trap = None;
        }
        self.signal_traps = 0;
        self.leaving = false;
        self.reaped = 0;
        self.random ^= (crate::sys::random() as u32) | 1;
        if self.shown_traps.is_none() && !self.traps.is_empty() {
            self.shown_traps = Some(self.traps.clone());
        }
        let traps: BTreeMap<String, Vec<u8>> =
            self.traps.iter().filter(|(_, t)| t.is_empty()).map(|(k, v)| (k.clone(), v.clone())).collect();
        let keep_err = self.opts.has(b'E');
        let mut traps = traps;
        for (name, on) in [("ERR", keep_err), ("DEBUG", self.opts.has(b'T')), ("RETURN", self.opts.has(b'T'))] {
            if on && let Some(text) = self.traps.get(name) {
                traps.insert(name.into(), text.clone());
            }
        }
        self.traps = Rc::new(traps);
    }

    /// A parser set up as the shell's options say.
    pub fn parser(&self, text: Vec<u8>, line: u32) -> crate::parser::Parser {
        let mut parser = crate::parser::Parser::new(text, line, self.function_source());
        self.prepare(&mut parser);
        parser
    }

    /// The file that functions defined now are from, as `BASH_SOURCE` names it.
    pub fn function_source(&self) -> Rc<[u8]> {
        match (self.source.is_empty(), self.from_stdin || self.interactive) {
            (false, _) => self.source.clone(),
            (true, true) => b"main"[..].into(),
            (true, false) => b"environment"[..].into(),
        }
    }

    /// Give a parser the options as they are now.
    pub fn prepare(&self, parser: &mut crate::parser::Parser) {
        parser.extglob = self.opts.shopt("extglob");
        parser.posix = self.opts.long("posix") == Some(true);
        parser.aliases = self.opts.shopt("expand_aliases").then(|| self.aliases.clone());
    }
}
