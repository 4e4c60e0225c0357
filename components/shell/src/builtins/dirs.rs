//! The working directory.

use super::getopt::Options;
use super::text;
use crate::quote::shown;
use crate::shell::{Run, Shell};
use crate::sym;
use crate::sys::{self, Errno, Kind};
use std::rc::Rc;

/// A path without `.` and `..`, links not resolved.
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
    /// Enter a directory, absolute or not.
    pub(crate) fn enter(&mut self, path: &[u8], physical: bool) -> sys::Result<()> {
        if path.is_empty() {
            return Err(Errno::NoEntry);
        }
        let absolute = self.absolute(path);
        let to = if physical { sys::canonicalize(&absolute)? } else { logical(&absolute) };
        let stat = match sys::stat(&absolute, true) {
            // From a directory that has been removed, the way up is still known.
            Err(Errno::NoEntry) if !physical && path.split(|b| *b == b'/').all(|part| part == b"..") => sys::stat(&to, true)?,
            other => other?,
        };
        if stat.kind != Kind::Directory {
            return Err(Errno::NotDirectory);
        }
        if !sys::access(&to, 1) {
            return Err(Errno::Access);
        }
        let old = self.process.cwd.to_vec();
        self.process.cwd = Rc::new(to.clone());
        // A read-only PWD keeps its value, but the directory changes.
        let _ = self.set(sym::OLDPWD, old);
        let _ = self.set(sym::PWD, to);
        Ok(())
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
        return shell.print("cd", &line);
    }
    Ok(0)
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

impl Shell {
    pub(crate) fn tilde_path(&mut self, path: &[u8]) -> Vec<u8> {
        if let Some(home) = self.get(sym::HOME).filter(|home| home.len() > 1)
            && let Some(rest) = path.strip_prefix(&home[..])
            && (rest.is_empty() || rest[0] == b'/')
        {
            return [b"~", rest].concat();
        }
        path.to_vec()
    }

    fn show_dirs(&mut self, name: &str) -> Run {
        let mut list = vec![self.process.cwd.to_vec()];
        list.extend(self.process.dirs.iter().rev().cloned());
        let shown: Vec<Vec<u8>> = list.iter().map(|dir| self.tilde_path(dir)).collect();
        let mut out = shown.join(&b' ');
        out.push(b'\n');
        self.print(name, &out)
    }

    /// An argument that is neither a directory nor a place on the stack.
    fn bad_place(&mut self, name: &str, arg: &[u8], usage: &str) -> Run {
        let what = if arg.first() == Some(&b'-') || arg.first() == Some(&b'+') {
            "invalid number"
        } else if name == "popd" {
            "invalid argument"
        } else {
            "invalid option"
        };
        self.misuse(name, &format!("{}: {what}", text(arg)), usage)
    }

    fn no_such_place(&mut self, name: &str, arg: &[u8]) {
        if self.process.dirs.is_empty() {
            self.error(format!("{name}: directory stack empty"));
        } else {
            self.error(format!("{name}: {}: directory stack index out of range", text(arg)));
        }
    }

    /// The directory that `~N`, `~+N` and `~-N` stand for.
    pub(crate) fn stack_entry(&self, name: &[u8]) -> Option<Vec<u8>> {
        let arg = if name.first().is_some_and(u8::is_ascii_digit) { [b"+", name].concat() } else { name.to_vec() };
        let place = if is_place(&arg) { self.stack_place(&arg)? } else { return None };
        match place.checked_sub(1) {
            None => Some(self.process.cwd.to_vec()),
            Some(behind) => self.process.dirs.iter().rev().nth(behind).cloned(),
        }
    }

    /// The index in the list (0 is the working directory) that `+N` or `-N` names.
    fn stack_place(&self, arg: &[u8]) -> Option<usize> {
        let number: usize = std::str::from_utf8(&arg[1..]).ok()?.parse().ok()?;
        let count = self.process.dirs.len() + 1;
        if number >= count {
            return None;
        }
        Some(if arg[0] == b'+' { number } else { count - 1 - number })
    }
}

fn is_place(arg: &[u8]) -> bool {
    arg.len() > 1 && matches!(arg[0], b'+' | b'-') && arg[1..].iter().all(u8::is_ascii_digit)
}

pub(super) fn dirs(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut long, mut lines, mut numbers) = (false, false, false);
    for arg in &args[1..] {
        match &arg[..] {
            b"--" => break,
            b"-c" => {
                shell.process.dirs.clear();
                return Ok(0);
            }
            b"-l" => long = true,
            b"-p" => lines = true,
            b"-v" => {
                lines = true;
                numbers = true;
            }
            arg if is_place(arg) => {
                let Some(place) = shell.stack_place(arg) else {
                    shell.no_such_place("dirs", arg.strip_prefix(b"+").unwrap_or(arg));
                    return Ok(1);
                };
                let mut list = vec![shell.process.cwd.to_vec()];
                list.extend(shell.process.dirs.iter().rev().cloned());
                let dir = if long { list.swap_remove(place) } else { shell.tilde_path(&list[place]) };
                let number = if numbers { format!("{place:2}  ") } else { String::new() };
                return shell.print("dirs", &[number.as_bytes(), &dir, b"\n"].concat());
            }
            arg => return shell.bad_place("dirs", arg, "[-clpv] [+N] [-N]"),
        }
    }
    let mut list = vec![shell.process.cwd.to_vec()];
    list.extend(shell.process.dirs.iter().rev().cloned());
    let mut out = Vec::new();
    for (number, dir) in list.iter().enumerate() {
        if numbers {
            out.extend_from_slice(format!("{number:2}  ").as_bytes());
        } else if number > 0 && !lines {
            out.push(b' ');
        }
        let dir = if long { dir.clone() } else { shell.tilde_path(dir) };
        out.extend_from_slice(&dir);
        if lines {
            out.push(b'\n');
        }
    }
    if !lines {
        out.push(b'\n');
    }
    shell.print("dirs", &out)
}

pub(super) fn pushd(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let stay = args.get(1).is_some_and(|arg| arg == b"-n");
    let old = shell.process.cwd.to_vec();
    let rest = if args.get(1).is_some_and(|arg| arg == b"--") { &args[1..] } else { args };
    if rest.len() > if stay { 3 } else { 2 } {
        shell.error("pushd: too many arguments");
        return Ok(1);
    }
    match rest.get(if stay { 2 } else { 1 }) {
        None => {
            let Some(top) = shell.process.dirs.pop() else {
                shell.error("pushd: no other directory");
                return Ok(1);
            };
            if let Err(error) = shell.enter(&top, false) {
                shell.error(format!("pushd: {}: {}", text(&top), error.message()));
                shell.process.dirs.push(top);
                return Ok(1);
            }
            shell.process.dirs.push(old);
        }
        Some(arg) if is_place(arg) => {
            let Some(place) = shell.stack_place(arg) else {
                shell.no_such_place("pushd", arg);
                return Ok(1);
            };
            let mut list = vec![old];
            list.extend(shell.process.dirs.iter().rev().cloned());
            list.rotate_left(place);
            let top = list.remove(0);
            if let Err(error) = shell.enter(&top, false) {
                shell.error(format!("pushd: {}: {}", text(&top), error.message()));
                return Ok(1);
            }
            list.reverse();
            shell.process.dirs = list;
        }
        Some(arg) if arg.len() > 1 && arg[0] == b'-' => return shell.bad_place("pushd", arg, "[-n] [+N | -N | dir]"),
        Some(arg) if stay => shell.process.dirs.push(arg.clone()),
        Some(arg) => {
            let dir = if arg == b"-" { shell.get(sym::OLDPWD) } else { Some(arg.clone()) };
            let Some(dir) = dir else {
                shell.error("pushd: OLDPWD not set");
                return Ok(1);
            };
            if let Err(error) = shell.enter(&dir, false) {
                shell.error(format!("pushd: {}: {}", text(&shown(arg)), error.message()));
                return Ok(1);
            }
            shell.process.dirs.push(old);
        }
    }
    shell.show_dirs("pushd")
}

pub(super) fn popd(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let stay = args.get(1).is_some_and(|arg| arg == b"-n");
    if let Some(arg) = args.get(if stay { 2 } else { 1 }).filter(|arg| !is_place(arg)) {
        return shell.bad_place("popd", arg, "[-n] [+N | -N]");
    }
    if shell.process.dirs.is_empty() {
        shell.error("popd: directory stack empty");
        return Ok(1);
    }
    let place = match args.get(if stay { 2 } else { 1 }) {
        Some(arg) if is_place(arg) => match shell.stack_place(arg) {
            Some(place) => place,
            None => {
                shell.error(format!("popd: {}: directory stack index out of range", text(arg)));
                return Ok(1);
            }
        },
        _ => usize::from(stay),
    };
    let count = shell.process.dirs.len();
    if place == 0 {
        if let Some(top) = shell.process.dirs.pop()
            && let Err(error) = shell.enter(&top, false)
        {
            shell.error(format!("popd: {}: {}", text(&top), error.message()));
            return Ok(1);
        }
    } else {
        shell.process.dirs.remove(count - place);
    }
    shell.show_dirs("popd")
}
