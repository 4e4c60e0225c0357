//! Starting a shell: its environment, its arguments, its script.

use super::{
    Arithmetic, Builtins, Calls, Current, Definitions, Entry, Flow, Ifs, Invocation, Jobs, Last, Nesting, Options, Place, Position,
    Process, Programs, Run, Shell, Signals, Traps,
};
use crate::ast::List;
use crate::exec::Redirected;
use crate::fds::{Fd, FdTable, OpenFile};
use crate::parser::{Parser, SyntaxError};
use crate::sym::{self, intern, is_name};
use crate::sys;
use crate::vars::{Assoc, Attrs, Indexed, Value, Var, Vars, format_int};
use std::rc::Rc;

/// The version of bash whose language this is.
pub const VERSION: &str = "5.2.15(1)-release";

impl Shell {
    /// Returns a shell with nothing set, which takes over the descriptors of its process.
    pub fn bare(arg0: &[u8]) -> Self {
        let mut shell = Self::empty(arg0);
        for (number, handle) in sys::take_inherited() {
            // Numbers beyond the table are closed.
            let _ = shell.fds.set(number, Fd::File(OpenFile::new(handle)));
        }
        shell
    }

    /// Returns a shell with nothing set, not even descriptors.
    pub(crate) fn empty(arg0: &[u8]) -> Self {
        Self {
            vars: Vars::new(),
            ifs: Ifs::default(),
            opts: Options::default(),
            fds: FdTable::default(),
            jobs: Jobs::default(),
            invocation: Invocation::new(arg0),
            definitions: Definitions::default(),
            position: Position::default(),
            calls: Calls::default(),
            traps: Traps::default(),
            signals: Signals::default(),
            last: Last::default(),
            nesting: Nesting::default(),
            process: Process::new(),
            programs: Programs::default(),
            place: Place::default(),
            current: Current::default(),
            arithmetic: Arithmetic::default(),
            entry: Entry::default(),
            builtins: Builtins::default(),
        }
    }

    /// Creates a shell with the variables of this environment and its own.
    pub fn new(arg0: &[u8], environment: Vec<Vec<u8>>) -> Self {
        let mut shell = Self::bare(arg0);
        for entry in environment {
            let Some(at) = entry.iter().position(|b| *b == b'=') else { continue };
            let (name, value) = (&entry[..at], entry[at + 1..].to_vec());
            if let Some(name) = name.strip_prefix(b"BASH_FUNC_").and_then(|name| name.strip_suffix(b"%%")) {
                let text = [b"function ", name, b" ", &value].concat();
                let parser = shell.parser(text, 0);
                if shell.run_parser(parser, "").is_ok() {
                    Rc::make_mut(&mut shell.definitions.exported).push(name.to_vec());
                }
            } else if is_name(name) {
                shell.vars.put(intern(name), Var { value: Value::Str(value), attrs: Attrs::EXPORT });
            }
        }
        shell.signals.start_ignored = sys::ignored_signals();
        shell.signals.told_ignored = shell.signals.start_ignored;
        shell.own_variables();
        shell
    }

    fn own_variables(&mut self) {
        let text = |shell: &mut Self, name, value: &[u8]| {
            let attrs = shell.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
            shell.vars.put(name, Var { value: Value::Str(value.to_vec()), attrs });
        };
        text(self, sym::IFS, b" \t\n");
        if self.vars.get(sym::PS4).is_none() {
            text(self, sym::PS4, b"+ ");
        }
        self.vars.put(sym::OPTIND, Var { value: Value::Int(1), attrs: Attrs::INTEGER });
        text(self, sym::OPTERR, b"1");
        text(self, sym::BASH_VERSION, VERSION.as_bytes());
        let machine = [(sym::HOSTTYPE, &b"x86_64"[..]), (sym::OSTYPE, b"linux-gnu"), (sym::MACHTYPE, b"x86_64-pc-linux-gnu")];
        for (name, value) in machine.into_iter().chain([(sym::HOSTNAME, &sys::hostname()[..])]) {
            // The environment's value stays.
            if self.vars.get(name).is_none() {
                text(self, name, value);
            }
        }
        let own =
            if self.invocation.arg0.contains(&b'/') { self.absolute(&self.invocation.arg0.clone()) } else { b"/usr/bin/bash".to_vec() };
        text(self, sym::BASH, &own);
        text(self, intern(b"COMP_WORDBREAKS"), b" \t\n\"'@><=;|&(:");
        if self.vars.get(intern(b"SHELL")).is_none() {
            text(self, intern(b"SHELL"), b"/bin/bash");
        }
        // As in the environment: programs started by `exec` at once get it too.
        if self.vars.get(sym::underscore()).is_none() {
            let name = self.invocation.arg0.to_vec();
            self.vars.put(sym::underscore(), Var { value: Value::Str(name), attrs: Attrs::default() });
        }
        if self.vars.get(intern(b"TERM")).is_none() {
            text(self, intern(b"TERM"), b"dumb");
        }
        if self.vars.get(sym::PATH).is_none() {
            text(self, sym::PATH, b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        }
        let version = [&b"5"[..], b"2", b"15", b"1", b"release", b"x86_64-pc-linux-gnu"].map(<[u8]>::to_vec).to_vec();
        self.vars.put(sym::BASH_VERSINFO, Var { value: Value::Indexed(Indexed::from_list(version)), attrs: Attrs::READONLY });
        for (variable, long) in [(sym::SHELLOPTS, true), (sym::BASHOPTS, false)] {
            for name in self.get(variable).unwrap_or_default().split(|b| *b == b':') {
                let name = String::from_utf8_lossy(name);
                if long {
                    self.opts.set_long(&name, true)
                } else {
                    self.opts.set_shopt(&name, true)
                };
            }
        }
        let exports_options = self.vars.get(sym::SHELLOPTS).is_some_and(|var| var.attrs.has(Attrs::EXPORT));
        let level = self.get(sym::SHLVL).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(0) + 1;
        if level > 999 {
            self.warn_raw(
                &[&self.invocation.arg0[..], format!(": warning: shell level ({level}) too high, resetting to 1\n").as_bytes()].concat(),
            );
        }
        self.vars.put(sym::SHLVL, Var { value: Value::Int(if level > 999 { 1 } else { level.max(0) }), attrs: Attrs::EXPORT });
        self.process_variables();
        if exports_options {
            self.vars.make(sym::SHELLOPTS).attrs.set(Attrs::EXPORT, true);
        }
    }

    /// Sets the variables about the process and the computed ones.
    fn process_variables(&mut self) {
        let fixed = Attrs(Attrs::READONLY.0 | Attrs::INTEGER.0);
        for (name, value) in [(sym::UID, sys::uid()), (sym::EUID, sys::uid()), (sym::PPID, sys::parent())] {
            self.vars.put(name, Var { value: Value::Str(format_int(i64::from(value))), attrs: fixed });
        }
        self.vars.put(
            sym::GROUPS,
            Var { value: Value::Indexed(Indexed::from_list(vec![format_int(i64::from(sys::uid()))])), attrs: Attrs::default() },
        );
        for (name, extra) in [
            (sym::RANDOM, Attrs::INTEGER.0),
            (sym::SRANDOM, Attrs::INTEGER.0),
            (sym::SECONDS, Attrs::INTEGER.0),
            (sym::LINENO, 0),
            (sym::BASHPID, Attrs::INTEGER.0),
            (sym::BASH_SUBSHELL, 0),
            (sym::EPOCHSECONDS, 0),
            (sym::EPOCHREALTIME, 0),
            (sym::PIPESTATUS, 0),
            (sym::BASH_ARGV0, 0),
            (sym::BASH_COMMAND, 0),
            (sym::SHELLOPTS, Attrs::READONLY.0),
            (sym::BASHOPTS, Attrs::READONLY.0),
            (sym::DIRSTACK, 0),
            (sym::FUNCNAME, Attrs::BARE.0),
            (sym::BASH_SOURCE, 0),
            (sym::BASH_LINENO, 0),
            (sym::BASH_ARGC, 0),
            (sym::BASH_ARGV, 0),
            (sym::HISTCMD, Attrs::INTEGER.0),
        ] {
            let array = matches!(
                name,
                sym::PIPESTATUS | sym::DIRSTACK | sym::FUNCNAME | sym::BASH_SOURCE | sym::BASH_LINENO | sym::BASH_ARGC | sym::BASH_ARGV
            );
            let value = if array { Value::Indexed(Indexed::default()) } else { Value::Unset };
            self.vars.put(name, Var { value, attrs: Attrs(Attrs::DYNAMIC.0 | extra) });
        }
        for name in [&b"BASH_ALIASES"[..], b"BASH_CMDS"] {
            self.vars.put(intern(name), Var { value: Value::Assoc(Assoc::default()), attrs: Attrs::default() });
        }
        let given = self.get(sym::PWD).filter(|pwd| pwd.first() == Some(&b'/'));
        let cwd = sys::working_directory(given);
        self.process.cwd = Rc::new(cwd.clone());
        self.vars.put(sym::PWD, Var { value: Value::Str(cwd), attrs: Attrs::EXPORT });
        let gone = |dir: &[u8]| !sys::stat(dir, true).is_ok_and(|stat| stat.kind == sys::Kind::Directory);
        if self.get(sym::OLDPWD).is_none_or(|dir| gone(&dir)) {
            self.vars.put(sym::OLDPWD, Var { value: Value::Unset, attrs: Attrs::EXPORT });
        }
    }

    /// Returns the next command to run. Reports the parser's warnings and, under `-v`, shows the text. `None` at the end of the
    /// script; under `-n`, commands are only read.
    fn next_command(&mut self, parser: &mut Parser, main: bool) -> Result<Option<List>, Box<SyntaxError>> {
        loop {
            self.prepare(parser);
            let start = parser.position();
            let next = parser.next_command();
            for (line, warning) in std::mem::take(&mut parser.warnings) {
                self.position.line = line;
                self.error(warning);
            }
            let Some(list) = next? else { return Ok(None) };
            if self.opts.has(b'v') {
                let mut text = parser.text_between(start);
                if !text.ends_with(b"\n") {
                    text.push(b'\n');
                }
                self.warn_raw(&text);
            }
            self.entry.number += 1;
            if main && self.opts.long("history") == Some(true) {
                let text = parser.text_between(start);
                self.remember(text.trim_ascii_start());
            }
            if !self.opts.has(b'n') {
                return Ok(Some(list));
            }
        }
    }

    /// Runs all commands of a parser. `what` is the prefix in syntax errors (`eval: `).
    pub fn run_parser(&mut self, parser: Parser, what: &str) -> Run {
        let shift = std::mem::take(&mut self.position.shift);
        let result = self.run_all(parser, what);
        self.position.shift = shift;
        result
    }

    fn run_all(&mut self, mut parser: Parser, what: &str) -> Run {
        let mut status = 0;
        loop {
            match self.next_command(&mut parser, false) {
                Ok(None) => return Ok(status),
                Ok(Some(list)) => match self.exec_list(&list) {
                    Err(Flow::Discard(failed)) if self.is_strict() => return Err(Flow::Exit(failed)),
                    Err(Flow::Discard(failed)) if self.nesting.subshell == 0 => {
                        status = failed;
                        self.discarded(failed);
                    }
                    result => status = result?,
                },
                Err(error) if error.skips => {
                    self.syntax_error(&error, what);
                    status = 1;
                    self.discarded(1);
                    parser.skip_line();
                }
                Err(error) => {
                    self.syntax_error(&error, what);
                    self.last.status = 2;
                    return if self.is_strict() { Err(Flow::Exit(2)) } else { Ok(2) };
                }
            }
        }
    }

    /// Reports a syntax error.
    pub(crate) fn syntax_error(&mut self, error: &SyntaxError, what: &str) {
        let what = if what.is_empty() && self.invocation.from_string && self.calls.frames.is_empty() { "-c: " } else { what };
        let name = if self.position.source.is_empty() { self.invocation.arg0.to_vec() } else { self.position.source.to_vec() };
        let typed = self.invocation.interactive && self.invocation.from_stdin && self.calls.frames.is_empty() && what.is_empty();
        if typed {
            // At a prompt, the line is visible above.
            let shell = self.invocation.arg0.rsplit(|b| *b == b'/').next().unwrap_or_default();
            let message = error.more.as_ref().map_or(&error.message, |(_, more)| more);
            self.warn_raw(&[shell, b": ", message.as_bytes(), b"\n"].concat());
            return;
        }
        let say = |line: u32, message: &[u8]| {
            let mut text = [&name[..], b": ", what.as_bytes(), format!("line {line}: ").as_bytes(), message].concat();
            text.push(b'\n');
            self.warn_raw(&text);
        };
        if !error.message.is_empty() {
            say(error.line, error.message.as_bytes());
            if self.opts.has(b'e') && self.nesting.guarded == 0 && !self.invocation.interactive {
                // bash ends here.
                return;
            }
        }
        if let Some((line, more)) = &error.more {
            say(*line, more.as_bytes());
        }
        if let Some(text) = &error.text {
            say(error.line, &[b"`", &text[..], b"'"].concat());
        }
    }

    /// Runs a whole script; returns the status that ends the process. After an error that ends only a line, the next
    /// line runs.
    pub fn run_script(&mut self, mut parser: Parser) -> i32 {
        let mut status = 0;
        let mut commands = 0;
        let result = loop {
            if commands > 0 && self.opts.has(b't') {
                break Ok(status);
            }
            commands += 1;
            if self.invocation.from_stdin && self.fds.get(0).is_none() {
                // `exec 0<&-` closes the source of the commands.
                break Ok(status);
            }
            if self.invocation.interactive && self.invocation.from_stdin && self.nesting.subshell == 0 {
                self.before_prompt();
            }
            let next = self.next_command(&mut parser, true);
            if self.entry.prompting.interrupted.take() {
                // The line typed so far was abandoned.
                if let Err(flow) = self.interrupted_at_prompt() {
                    break Err(flow);
                }
                status = self.last.status;
                self.back_at_the_top(status);
                parser.skip_rest();
                continue;
            }
            match next {
                Ok(None) => break Ok(status),
                Ok(Some(list)) if list.items.is_empty() => {}
                Ok(Some(list)) => match self.exec_top(&list, &mut parser, commands == 1) {
                    Ok(result) => status = result,
                    Err(Flow::Discard(result)) if self.is_strict() => {
                        break Err(Flow::Exit(if self.invocation.from_string { 127 } else { result }));
                    }
                    Err(Flow::Discard(result)) => {
                        status = result;
                        self.back_at_the_top(result);
                    }
                    Err(Flow::Abort(result)) if !self.invocation.from_string && self.nesting.subshell == 0 => {
                        status = result;
                        self.back_at_the_top(result);
                    }
                    Err(Flow::Break(_) | Flow::Continue(_)) => {}
                    Err(flow) => break Err(flow),
                },
                Err(error) => {
                    self.syntax_error(&error, "");
                    if error.skips {
                        status = 1;
                        self.back_at_the_top(1);
                        parser.skip_line();
                        continue;
                    }
                    if self.invocation.interactive && self.invocation.from_stdin {
                        status = 2;
                        self.back_at_the_top(2);
                        parser.skip_rest();
                        continue;
                    }
                    break Err(Flow::Exit(if error.status == 0 { self.last.status } else { error.status }));
                }
            }
        };
        self.end(result)
    }

    /// Runs a command of the script itself. The very last command may replace the process.
    fn exec_top(&mut self, list: &List, parser: &mut Parser, first: bool) -> Run {
        if !self.place.execs_last || !self.is_process() || self.invocation.interactive || !parser.is_at_end() {
            return self.exec_list(list);
        }
        if first
            && self.nesting.subshell > 0
            && let Some(command) = crate::exec::sole_subshell(list)
        {
            return self.exec_as_subshell(command);
        }
        self.exec_tail(list, if self.nesting.subshell > 0 { Redirected::Always } else { Redirected::Never })
    }

    /// Returns to the top level after an error that ended a line.
    fn back_at_the_top(&mut self, status: i32) {
        self.discarded(status);
        self.calls.loops = 0;
        self.nesting.guarded = 0;
        self.nesting.depth = 0;
        self.traps.running.clear();
    }

    /// Recovers from an error that ended one command of a text; the next command runs.
    fn discarded(&mut self, status: i32) {
        self.last.status = status;
        self.last.pipeline = vec![status];
    }
}
