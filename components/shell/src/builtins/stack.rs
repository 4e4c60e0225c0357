//! The stack of directories: `dirs`, `pushd`, `popd`.

use super::text;
use crate::quote::shown;
use crate::shell::{Run, Shell};
use crate::sym;

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
        let list = self.stack();
        let shown: Vec<Vec<u8>> = list.iter().map(|dir| self.tilde_path(dir)).collect();
        let mut out = shown.join(&b' ');
        out.push(b'\n');
        self.print(name, &out)
    }

    /// Reports an argument that is neither a directory nor a place on the stack.
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

    /// Returns the directory that `~N`, `~+N` and `~-N` stand for.
    pub(crate) fn stack_entry(&self, name: &[u8]) -> Option<Vec<u8>> {
        let arg = if name.first().is_some_and(u8::is_ascii_digit) { [b"+", name].concat() } else { name.to_vec() };
        let place = if is_place(&arg) { self.stack_place(&arg)? } else { return None };
        match place.checked_sub(1) {
            None => Some(self.process.cwd.to_vec()),
            Some(behind) => self.process.dirs.iter().rev().nth(behind).cloned(),
        }
    }

    /// Returns the index in the list (0 is the working directory) that `+N` or `-N` names.
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
                let mut list = shell.stack();
                let dir = if long { list.swap_remove(place) } else { shell.tilde_path(&list[place]) };
                let number = if numbers { format!("{place:2}  ") } else { String::new() };
                return shell.print("dirs", &[number.as_bytes(), &dir, b"\n"].concat());
            }
            arg => return shell.bad_place("dirs", arg, "[-clpv] [+N] [-N]"),
        }
    }
    let list = shell.stack();
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
    let rest = if stay || args.get(1).is_some_and(|arg| arg == b"--") { &args[2..] } else { &args[1..] };
    if rest.len() > 1 && !stay {
        shell.error("pushd: too many arguments");
        return Ok(1);
    }
    match rest.first() {
        // Nothing changes places with the working directory.
        None if stay => return Ok(0),
        None => {
            let Some(top) = shell.process.dirs.last().cloned() else {
                shell.error("pushd: no other directory");
                return Ok(1);
            };
            if !shell.push(&top, &top)? {
                return Ok(1);
            }
            // `top` has become the working directory.
            let below = shell.process.dirs.len() - 2;
            shell.process.dirs.remove(below);
        }
        Some(arg) if is_place(arg) => {
            let Some(place) = shell.stack_place(arg) else {
                shell.no_such_place("pushd", arg);
                return Ok(1);
            };
            let mut list = shell.stack();
            list.rotate_left(place);
            let top = list.remove(0);
            if !stay && !shell.push(&top, &top)? {
                return Ok(1);
            }
            list.reverse();
            shell.process.dirs = list;
            if stay {
                return Ok(0);
            }
        }
        Some(arg) if arg.len() > 1 && arg[0] == b'-' => return shell.bad_place("pushd", arg, "[-n] [+N | -N | dir]"),
        Some(arg) if stay => shell.process.dirs.push(arg.clone()),
        Some(arg) => {
            let dir = if arg == b"-" { shell.get(sym::OLDPWD) } else { Some(arg.clone()) };
            let Some(dir) = dir else {
                shell.error("pushd: OLDPWD not set");
                return Ok(1);
            };
            if !shell.push(&dir, arg)? {
                return Ok(1);
            }
            if arg == b"-" {
                // As `cd -` shows it.
                let line = [&shell.process.cwd[..], b"\n"].concat();
                shell.print("pushd", &line)?;
            }
        }
    }
    shell.show_dirs("pushd")
}

impl Shell {
    /// Returns the stack of directories, the working directory first.
    fn stack(&self) -> Vec<Vec<u8>> {
        std::iter::once(self.process.cwd.to_vec()).chain(self.process.dirs.iter().rev().cloned()).collect()
    }

    /// Enters a directory and puts the one before it onto the stack; false if that failed and was reported.
    fn push(&mut self, dir: &[u8], named: &[u8]) -> Run<bool> {
        let old = self.process.cwd.to_vec();
        if let Err(error) = self.enter(dir, false) {
            self.error(format!("pushd: {}: {}", text(&shown(named)), error.message()));
            return Ok(false);
        }
        self.process.dirs.push(old);
        Ok(true)
    }
}

pub(super) fn popd(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let stay = args.get(1).is_some_and(|arg| arg == b"-n");
    let arg = args.get(if stay { 2 } else { 1 });
    if let Some(arg) = arg.filter(|arg| !is_place(arg)) {
        return shell.bad_place("popd", arg, "[-n] [+N | -N]");
    }
    if shell.process.dirs.is_empty() {
        shell.error("popd: directory stack empty");
        return Ok(1);
    }
    let place = match arg {
        Some(arg) => match shell.stack_place(arg) {
            // The working directory stays.
            Some(place) => place.max(usize::from(stay)),
            None => {
                shell.error(format!("popd: {}: directory stack index out of range", text(arg)));
                return Ok(1);
            }
        },
        None => usize::from(stay),
    };
    let count = shell.process.dirs.len();
    if place == 0 {
        if let Some(top) = shell.process.dirs.last().cloned()
            && let Err(error) = shell.enter(&top, false)
        {
            shell.error(format!("popd: {}: {}", text(&top), error.message()));
            return Ok(1);
        }
        shell.process.dirs.pop();
    } else {
        shell.process.dirs.remove(count - place);
    }
    shell.show_dirs("popd")
}
