//! The working directory.

use super::getopt::Options;
use super::text;
use crate::quote::shown;
use crate::shell::{Run, Shell};
use crate::sym;
use crate::sys::{self, Errno, Kind};
use crate::vars::{Attrs, Value};
use std::rc::Rc;

/// Returns a path without `.` and `..`, links not resolved.
fn logical(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let mut out = Vec::new();
    for part in parts {
        out.push(b'/');
        out.extend_from_slice(part);
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}

impl Shell {
    /// Enters a directory, absolute or not.
    pub(crate) fn enter(&mut self, path: &[u8], physical: bool) -> sys::Result<()> {
        if path.is_empty() {
            return Err(Errno::NoEntry);
        }
        let absolute = self.absolute(path);
        let to = if physical { sys::canonicalize(&absolute)? } else { logical(&absolute) };
        let stat = match sys::stat(&absolute, true) {
            // From a directory that has been removed, the way up is still known.
            Err(Errno::NoEntry) if !physical && path.split(|b| *b == b'/').next() == Some(b"..") => sys::stat(&to, true)?,
            other => other?,
        };
        if stat.kind != Kind::Directory {
            return Err(Errno::NotDirectory);
        }
        if !sys::access(&to, 1) {
            return Err(Errno::Access);
        }
        self.process.cwd = Rc::new(to.clone());
        // A read-only PWD keeps its value, but the directory changes; `cd` then reports a failure.
        match self.get(sym::PWD) {
            Some(old) => drop(self.set(sym::OLDPWD, old)),
            None => self.vars.make(sym::OLDPWD).value = Value::Unset,
        }
        let _ = self.set(sym::PWD, to);
        Ok(())
    }

    /// Returns the status of `cd` after it changed the directory.
    fn entered(&self) -> i32 {
        let fixed = |name| self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::READONLY));
        i32::from(fixed(sym::PWD) || fixed(sym::OLDPWD))
    }
}

pub(super) fn cd(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if shell.opts.restricted() {
        shell.error("cd: restricted");
        return Ok(1);
    }
    let mut physical = shell.opts.has(b'P');
    let mut options = Options::new(args, "LPe", "[-L|[-P [-e]] [-@]] [dir]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'P' => physical = true,
            b'L' => physical = false,
            b'e' => {}
            _ => return Ok(2),
        }
    }
    let rest = options.rest();
    if rest.len() > 1 {
        shell.error("cd: too many arguments");
        return Ok(1);
    }
    let mut show = false;
    let target = match rest.first() {
        None => match shell.get(sym::HOME) {
            Some(home) => home,
            None => {
                shell.error("cd: HOME not set");
                return Ok(1);
            }
        },
        Some(arg) if arg == b"-" => match shell.get(sym::OLDPWD) {
            Some(old) => {
                show = true;
                old
            }
            None => {
                shell.error("cd: OLDPWD not set");
                return Ok(1);
            }
        },
        Some(arg) => arg.clone(),
    };
    if target.is_empty() {
        // Stays where it is.
        let here = shell.process.cwd.to_vec();
        shell.set(sym::OLDPWD, here)?;
        return if show { shell.print("cd", b"\n") } else { Ok(0) };
    }
    let plain = !matches!(target.first(), Some(b'/' | b'.'));
    if plain && let Some(cdpath) = shell.get(sym::CDPATH) {
        for dir in cdpath.split(|b| *b == b':') {
            let candidate = if dir.is_empty() { target.clone() } else { [dir, b"/", &target].concat() };
            if shell.enter(&candidate, physical).is_ok() {
                if !dir.is_empty() {
                    let line = [&shell.process.cwd[..], b"\n"].concat();
                    return shell.print("cd", &line);
                }
                return Ok(0);
            }
        }
    }
    if let Err(error) = shell.enter(&target, physical) {
        // With `cdable_vars`, a name that is not a directory may be a variable that holds one.
        let named = (shell.opts.shopt("cdable_vars") && sym::is_name(&target)).then(|| shell.get(sym::intern(&target))).flatten();
        if named.is_none_or(|dir| shell.enter(&dir, physical).is_err()) {
            shell.error(format!("cd: {}: {}", text(&shown(&target)), error.message()));
            return Ok(1);
        }
        show = true;
    }
    if show {
        let line = [&shell.process.cwd[..], b"\n"].concat();
        shell.print("cd", &line)?;
    }
    Ok(shell.entered())
}

pub(super) fn pwd(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut physical = false;
    let mut options = Options::new(args, "LP", "[-LP]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'P' => physical = true,
            b'L' => physical = false,
            _ => return Ok(2),
        }
    }
    let mut path = shell.process.cwd.to_vec();
    if physical {
        path = sys::canonicalize(&path).unwrap_or(path);
    }
    path.push(b'\n');
    shell.print("pwd", &path)
}
