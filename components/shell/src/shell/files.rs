//! The files that a shell reads before its script: those of a login shell, those of an interactive shell, and
//! `BASH_ENV`.

use super::{Flow, Shell};
use crate::sym::{self, intern};
use crate::vars::Attrs;

/// Which files are read, from the command line.
pub(crate) struct StartFiles {
    /// Not `--norc`.
    pub(crate) rc: bool,
    /// `--rcfile`
    pub(crate) rcfile: Option<Vec<u8>>,
    /// Not `--noprofile`.
    pub(crate) profile: bool,
    /// Not `--noediting`.
    pub(crate) editing: bool,
    /// Whether the shell is restricted after they have been read.
    pub(crate) restricted: bool,
}

impl Default for StartFiles {
    fn default() -> Self {
        Self { rc: true, rcfile: None, profile: true, editing: true, restricted: false }
    }
}

impl Shell {
    /// Reads the files before the script. Returns the status if that ended the shell.
    pub(crate) fn begin(&mut self, files: &StartFiles) -> Option<i32> {
        let posix = self.opts.long("posix") == Some(true);
        if self.invocation.interactive {
            self.begin_interactive(files.editing);
        }
        let login = self.opts.shopt("login_shell");
        let mut wanted: Vec<Vec<u8>> = Vec::new();
        if login && files.profile {
            wanted.push(b"/etc/profile".to_vec());
            let own: &[&[u8]] = if posix { &[b".profile"] } else { &[b".bash_profile", b".bash_login", b".profile"] };
            let paths: Vec<Vec<u8>> = own.iter().map(|name| self.at_home(name)).collect();
            wanted.extend(paths.into_iter().find(|path| crate::sys::access(path, 4)));
        }
        if self.opts.has(b'p') {
            // A privileged shell reads no files that its caller names.
        } else if !self.invocation.interactive || posix {
            let name: &[u8] = if posix { b"ENV" } else { b"BASH_ENV" };
            if self.invocation.interactive == posix
                && let Some(path) = self.get(intern(name)).filter(|path| !path.is_empty())
            {
                wanted.push(self.expand_text(&path).unwrap_or_default());
            }
        } else if files.rc && !login {
            wanted.push(files.rcfile.clone().unwrap_or_else(|| self.at_home(b".bashrc")));
        }
        for path in wanted {
            if let Some(status) = self.read_start_file(path) {
                return Some(status);
            }
        }
        if self.invocation.interactive {
            self.recall();
        }
        if files.restricted {
            self.restrict();
        }
        None
    }

    fn at_home(&mut self, name: &[u8]) -> Vec<u8> {
        [&self.get(sym::HOME).unwrap_or_default()[..], b"/", name].concat()
    }

    /// Runs the commands of a file if it exists. Returns the status if they ended the shell.
    pub(crate) fn read_start_file(&mut self, path: Vec<u8>) -> Option<i32> {
        let how = crate::sys::OpenHow { read: true, ..Default::default() };
        let text = self.open_file(&path, how).and_then(|fd| fd.file()?.read_all()).ok()?;
        let outer = std::mem::replace(&mut self.position.source, path.into());
        let remembers = self.opts.long("history") == Some(true);
        self.opts.set_long("history", false);
        let line = self.position.line;
        let parser = self.parser(text, 1);
        let result = self.run_parser(parser, "");
        self.position.source = outer;
        self.position.line = line;
        self.opts.set_long("history", remembers);
        match result {
            Err(Flow::Exit(status)) => Some(self.end(Err(Flow::Exit(status)))),
            _ => None,
        }
    }

    /// Runs the file of a login shell that exits.
    pub(crate) fn leave_login(&mut self) {
        if self.opts.shopt("login_shell") && self.is_process() && self.nesting.subshell == 0 {
            let path = self.at_home(b".bash_logout");
            // The shell ends in either case.
            let _ = self.read_start_file(path);
        }
    }

    /// Restricts the shell, for `-r` and `set -r`: the variables that it may not change are read-only from now on.
    pub(crate) fn restrict(&mut self) {
        self.opts.set_shopt("restricted_shell", true);
        for name in [&b"PATH"[..], b"SHELL", b"HISTFILE", b"ENV", b"BASH_ENV"] {
            self.vars.make(intern(name)).attrs.set(Attrs::READONLY, true);
        }
    }
}
