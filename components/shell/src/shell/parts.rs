//! The parts of a shell's state, one struct for each purpose.

use super::interactive::Prompting;
use super::{Frame, History, Options, Specs};
use crate::ast::Function;
use crate::fds::OpenFile;
use crate::parser::Aliases;
use crate::sys::{self, Child};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Paths of programs that were found, and how often each was asked for.
pub type Hashed = BTreeMap<Vec<u8>, (Vec<u8>, u32)>;

/// How the shell was called, and where its commands come from.
#[derive(Clone)]
pub struct Invocation {
    /// `$0`.
    pub(crate) arg0: Rc<[u8]>,
    /// Commands come from `-c`.
    pub(crate) from_string: bool,
    /// Commands come from standard input.
    pub(crate) from_stdin: bool,
    /// A file is being run: it is the outermost frame.
    pub(crate) script: bool,
    /// A person types the commands, or `-i` says so.
    pub(crate) interactive: bool,
    /// When the shell started, in seconds since 1970.
    pub(crate) started: u64,
    /// The file that `exec` put in place of the standard input that the script is read from.
    pub(crate) replaced_stdin: Rc<Cell<Option<Rc<OpenFile>>>>,
}

impl Invocation {
    pub(super) fn new(arg0: &[u8]) -> Self {
        Self {
            arg0: arg0.into(),
            from_string: false,
            from_stdin: false,
            script: false,
            interactive: false,
            started: sys::now() / 1_000_000_000,
            replaced_stdin: Rc::default(),
        }
    }
}

/// What scripts define besides variables.
#[derive(Clone, Default)]
pub struct Definitions {
    /// Functions by name.
    pub(crate) functions: Rc<HashMap<Vec<u8>, Rc<Function>>>,
    /// Functions in the environment of programs: `export -f`.
    pub(crate) exported: Rc<Vec<Vec<u8>>>,
    /// Functions that cannot be changed: `readonly -f`.
    pub(crate) readonly: Rc<Vec<Vec<u8>>>,
    /// Functions that inherit the traps `DEBUG` and `RETURN`: `declare -ft`.
    pub(crate) traced: Rc<Vec<Vec<u8>>>,
    /// Aliases by name.
    pub(crate) aliases: Rc<Aliases>,
}

/// Where in the script the shell is.
#[derive(Clone)]
pub struct Position {
    /// The file; empty if commands come from elsewhere.
    pub(crate) source: Rc<[u8]>,
    /// The line.
    pub(crate) line: u32,
    /// What `shifted` adds to the lines of the tree being run.
    pub(crate) shift: i32,
    /// What line numbers in functions are counted from: in an interactive shell, the function.
    pub(crate) base: u32,
}

impl Default for Position {
    fn default() -> Self {
        Self { source: Rc::default(), line: 1, shift: 0, base: 0 }
    }
}

/// Active calls of functions and sourced files, and the state that they restore when they end.
#[derive(Clone, Default)]
pub struct Calls {
    /// The calls, outermost first.
    pub(crate) frames: Vec<Frame>,
    /// `$1` and on.
    pub(crate) params: Rc<Vec<Vec<u8>>>,
    /// Loops that the current call is in.
    pub(crate) loops: u32,
    /// The options that `local -` put aside, with the depth of the function.
    pub(crate) kept_options: Vec<(usize, Options)>,
    /// The position of `getopts` before a function made `OPTIND` local, with the depth of the function.
    pub(crate) kept_getopts: Vec<(usize, (i64, usize))>,
}

/// Commands by signal or `EXIT`, `ERR`, `DEBUG`, `RETURN`; an empty command ignores the signal.
pub type TrapTable = BTreeMap<String, Vec<u8>>;

/// Traps, and the state of those that run.
#[derive(Clone, Default)]
pub struct Traps {
    /// The traps that are set.
    pub(crate) commands: Rc<TrapTable>,
    /// The traps that `trap -p` shows in a subshell that has set none itself.
    pub(crate) shown: Option<Rc<TrapTable>>,
    /// The traps whose commands are running.
    pub(crate) running: Vec<&'static str>,
    /// How many of them are traps of signals.
    pub(crate) of_signals: u32,
    /// The status before the running trap of `EXIT` or of a signal: what `exit` and `return` without a number mean there.
    pub(crate) status_before: Option<i32>,
    /// The trap of `EXIT` runs: `BASH_COMMAND` is the command that ended the script.
    pub(crate) leaving: bool,
    /// The error that ended the shell also ended its functions: the `EXIT` trap does not see their variables.
    pub(crate) drops_locals: bool,
}

/// The statuses of what ran last.
#[derive(Clone, Default)]
pub struct Last {
    /// `$?`
    pub(crate) status: i32,
    /// `PIPESTATUS`
    pub(crate) pipeline: Vec<i32>,
    /// The status of the last command substitution of the command being expanded.
    pub(crate) substituted: Option<i32>,
    /// `$!`
    pub(crate) background: Option<u32>,
}

/// How deep the shell is in what it runs.
#[derive(Clone, Default)]
pub struct Nesting {
    /// Levels of nesting in use, against the end of the stack.
    pub(crate) depth: u32,
    /// Conditions, in which `set -e` does not apply.
    pub(crate) guarded: u32,
    /// Subshells.
    pub(crate) subshell: u32,
    /// Subshells that `BASH_SUBSHELL` does not count: simple commands of a pipeline.
    pub(crate) uncounted: u32,
    /// How often `set -x` repeats the first character of `PS4`: command substitutions and `eval` nest.
    pub(crate) trace: usize,
}

/// What a shell has as a process.
#[derive(Clone)]
pub struct Process {
    /// `$$`: the id of the outermost shell.
    pub(crate) pid: u32,
    /// `BASHPID`: the id of this shell; a subshell in the same process has an invented one.
    pub(crate) own_pid: u32,
    /// The file mode creation mask.
    pub(crate) umask: u32,
    /// The limits that `ulimit` set in a subshell, which is no process of its own. In the state between two cells: those
    /// that `ulimit` set.
    pub(crate) limits: sys::Limits,
    /// The working directory.
    pub(crate) cwd: Rc<Vec<u8>>,
    /// The stack of directories below it: `pushd`.
    pub(crate) dirs: Vec<Vec<u8>>,
}

impl Process {
    pub(super) fn new() -> Self {
        let pid = sys::pid();
        Self { pid, own_pid: pid, umask: sys::umask(), limits: sys::Limits::default(), cwd: Rc::new(b"/".to_vec()), dirs: Vec::new() }
    }
}

/// How programs are found and started.
#[derive(Clone, Default)]
pub struct Programs {
    /// Paths that were found: `hash`.
    pub(crate) hash: Rc<Hashed>,
    /// The path of the program that runs next, found without `PATH`: for `command -p`.
    pub(crate) at_path: Option<Vec<u8>>,
    /// Programs started now run in the background.
    pub(crate) in_background: bool,
    /// The process group of programs started now; 0 is one of their own.
    pub(crate) group: Option<u32>,
    /// Programs of the foreground that were stopped and are no job yet.
    pub(crate) halted: Vec<Rc<Child>>,
}

/// Where this shell is among shells and pipes, and whether its last program takes its place.
#[derive(Clone, Default)]
pub struct Place {
    /// Whether the last command of the script, if it is a program, takes the shell's place.
    pub(crate) execs_last: bool,
    /// `DEBUG` and `ERR` do not run for the next command: they ran in the shell that started this one, or bash runs them
    /// only there.
    pub(crate) announced: bool,
    /// The last command of this shell, when bash would run it in the shell's place.
    pub(crate) tail: Tail,
    /// The enclosing shells, as `SHLVL` counts them.
    pub(crate) nest: Nest,
    /// In a stage that reads a pipe, or in a compound command whose input was redirected: background commands there read
    /// that input.
    pub(crate) stdin_given: bool,
}

/// The command that may run in a shell's place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tail {
    /// Where it is in memory: the tree outlives its walk. 0 for none.
    pub(crate) at: usize,
    /// Whether the program is as deep as the shell was.
    pub(crate) level: bool,
    /// It runs now, through a builtin that may run a program.
    pub(crate) reached: bool,
    /// Programs started now are as deep as the shell was.
    pub(crate) lowers: bool,
}

impl Tail {
    /// Returns whether it is this one.
    pub(crate) fn is(self, command: &crate::ast::Command) -> bool {
        self.at == std::ptr::from_ref(command) as usize
    }
}

/// What a shell is within, as far as `SHLVL` is concerned.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nest {
    /// In `( )`, where `exec` counts as another level.
    pub parentheses: bool,
    /// In a stage of a pipeline, where the last program of a substitution cannot take the shell's place.
    pub piped: bool,
}

/// The command being run.
#[derive(Clone, Default)]
pub struct Current {
    /// Its text, for `BASH_COMMAND`.
    pub(crate) text: Rc<Vec<u8>>,
    /// Its process substitutions: when it ends, the shell waits for them or abandons them.
    pub(crate) process_fds: Vec<u32>,
    /// Descriptors opened or closed by `{name}>`, which outlive it.
    pub(crate) kept_fds: Vec<u32>,
    /// It is a builtin run by `command`: its failure does not end the shell in POSIX mode either.
    pub(crate) lenient: bool,
    /// It is a condition whose regular expression is invalid.
    pub(crate) bad_regex: bool,
}

/// The evaluation of arithmetic.
#[derive(Clone, Default)]
pub struct Arithmetic {
    /// Variables within variables that are being evaluated.
    pub(crate) depth: u32,
    /// The last error was one of arithmetic, not of an expansion in it.
    pub(crate) failed: bool,
    /// What error messages begin with: the command, or the parameter, that the arithmetic is for.
    pub(crate) subject: Cow<'static, [u8]>,
}

/// Commands as a person enters them.
#[derive(Clone, Default)]
pub struct Entry {
    /// Commands entered, for `history` and prompts.
    pub(crate) history: History,
    /// The number of the current command.
    pub(crate) number: u32,
    /// The prompt, shared with the reader of commands.
    pub(crate) prompting: Rc<Prompting>,
}

/// What builtins remember from call to call.
#[derive(Clone)]
pub struct Builtins {
    /// Builtins that `enable -n` switched off.
    pub(crate) disabled: Rc<Vec<Vec<u8>>>,
    /// Where `getopts` is: the argument, and the letter in it.
    pub(crate) getopts: (i64, usize),
    /// The specifications that `complete` was given.
    pub(crate) completions: Specs,
    /// Whether `complete` ever kept one.
    pub(crate) completed: bool,
    /// The state of `RANDOM`.
    pub(crate) random: u32,
}

impl Default for Builtins {
    fn default() -> Self {
        let random = (sys::random() as u32) | 1;
        Self { disabled: Rc::default(), getopts: (1, 0), completions: Vec::new(), completed: false, random }
    }
}
