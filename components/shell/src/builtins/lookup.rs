//! What a name stands for: `type`, `command`, `builtin`, `which`, `hash`.

use super::getopt::Options;
use super::{Builtin, find, text};
use crate::exec::Declared;
use crate::shell::{Run, Shell};
use std::rc::Rc;

pub(super) const KEYWORDS: [&str; 22] = [
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in", "function", "time", "{",
    "}", "!", "[[", "]]", "coproc",
];

pub(super) fn builtin(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Run {
    let mut options = Options::new(args, "", "[shell-builtin [arg ...]]");
    if options.next(shell)?.is_some() {
        return Ok(2);
    }
    let rest = options.rest();
    let Some(name) = rest.first() else { return Ok(0) };
    if let Some(helped) = shell.help_wanted(rest) {
        return helped;
    }
    match find(name).filter(|_| !shell.builtins.disabled.contains(name)) {
        Some(builtin) => run(shell, builtin, rest, assigns, args.len() - rest.len()),
        None => {
            shell.error(format!("builtin: {}: not a shell builtin", text(name)));
            Ok(1)
        }
    }
}

fn run(shell: &mut Shell, builtin: Builtin, args: &[Vec<u8>], assigns: &[Declared<'_>], shift: usize) -> Run {
    match builtin {
        Builtin::Plain(run) => run(shell, args),
        Builtin::Declare(run) => {
            let moved: Vec<Declared<'_>> = assigns.iter().map(|(at, assign, value)| (at - shift, *assign, value.clone())).collect();
            run(shell, args, &moved)
        }
    }
}

pub(super) fn command(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Run {
    let (mut short, mut long, mut standard) = (false, false, false);
    let mut options = Options::new(args, "pvV", "[-pVv] command [arg ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'v' => short = true,
            b'V' => long = true,
            b'p' if shell.opts.restricted() => {
                shell.error("command: -p: restricted");
                return Ok(1);
            }
            b'p' => standard = true,
            _ => return Ok(2),
        }
    }
    let rest = options.rest();
    if rest.is_empty() {
        return Ok(0);
    }
    if short || long {
        let mut status = 1;
        let mut out = Vec::new();
        for name in rest {
            let found = match standard.then(|| shell.search_in(STANDARD_PATH, name)).and_then(|found| found.into_iter().next()) {
                Some(path) if find(name).is_none() => vec![("file", if long { [name, &b" is "[..], &path].concat() } else { path })],
                _ => describe(shell, name, long, false),
            };
            match found.into_iter().next() {
                Some(line) => {
                    status = 0;
                    out.extend_from_slice(&line.1);
                    out.push(b'\n');
                }
                None if long => shell.error(format!("command: {}: not found", text(name))),
                None => {}
            }
        }
        shell.print("command", &out)?;
        return Ok(status);
    }
    if let Some(builtin) = find(&rest[0]).filter(|_| !shell.builtins.disabled.contains(&rest[0])) {
        let outer = std::mem::replace(&mut shell.current.lenient, true);
        let result = run(shell, builtin, rest, assigns, args.len() - rest.len());
        shell.current.lenient = outer;
        return result;
    }
    if standard && !rest[0].contains(&b'/') {
        let Some(path) = shell.search_in(STANDARD_PATH, &rest[0]).into_iter().next() else {
            shell.error(format!("{}: command not found", text(&rest[0])));
            return Ok(127);
        };
        return shell.run_program_at(path, rest.to_vec());
    }
    if shell.is_last() { shell.run_last(rest.to_vec()) } else { shell.run_program(rest.to_vec()) }
}

/// The directories that `command -p` searches: POSIX's default `PATH`.
const STANDARD_PATH: &[u8] = b"/bin:/usr/bin";

/// Returns the meanings of a name, in the order of lookup: kind, and text for `command -v` or `type`.
fn describe(shell: &mut Shell, name: &[u8], long: bool, all: bool) -> Vec<(&'static str, Vec<u8>)> {
    let mut found = Vec::new();
    let say = |text: &str| [name, text.as_bytes()].concat();
    if shell.opts.shopt("expand_aliases")
        && let Some(value) = shell.definitions.aliases.get(name)
    {
        let line = if long {
            [name, b" is aliased to `", value, b"'"].concat()
        } else {
            [b"alias ", name, b"=", &crate::quote::single(value)].concat()
        };
        found.push(("alias", line));
    }
    if KEYWORDS.iter().any(|known| known.as_bytes() == name) {
        found.push(("keyword", if long { say(" is a shell keyword") } else { name.to_vec() }));
    }
    if let Some(function) = shell.definitions.functions.get(name) {
        let line = if long { [name, b" is a function\n", &crate::print::function_text(function)].concat() } else { name.to_vec() };
        found.push(("function", line));
    }
    if find(name).is_some() && name != b"which" && !shell.builtins.disabled.iter().any(|off| off == name) {
        found.push(("builtin", if long { say(" is a shell builtin") } else { name.to_vec() }));
    }
    if name.contains(&b'/') {
        let path = shell.absolute(name);
        if crate::sys::stat(&path, true).is_ok_and(|stat| stat.kind != crate::sys::Kind::Directory) && crate::sys::access(&path, 1) {
            found.push(("file", if long { [name, b" is ", name].concat() } else { name.to_vec() }));
        }
    } else if let Some(path) = shell.programs.hash.get(name).map(|(path, _)| path.clone())
        && !all
    {
        // A lookup counts as a use.
        if let Some(entry) = Rc::make_mut(&mut shell.programs.hash).get_mut(name) {
            entry.1 += u32::from(long);
        }
        found.push(("file", if long { [name, b" is hashed (", &path, b")"].concat() } else { path }));
    } else {
        for path in shell.search_path(name) {
            found.push(("file", if long { [name, b" is ", &path].concat() } else { path }));
        }
    }
    found
}

pub(super) fn type_(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut all, mut kind, mut path, mut force, mut no_functions) = (false, false, false, false, false);
    let mut options = Options::new(args, "afptP", "[-afptP] name [name ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'a' => all = true,
            b't' => kind = true,
            b'p' => path = true,
            b'P' => force = true,
            b'f' => no_functions = true,
            _ => return Ok(2),
        }
    }
    let mut status = 0;
    let mut out = Vec::new();
    for name in options.rest() {
        let mut found = describe(shell, name, !(path || force), all);
        if no_functions {
            found.retain(|(kind, _)| *kind != "function");
        }
        if force && let Some((path, _)) = shell.programs.hash.get(name) {
            found = vec![("file", path.clone())];
        } else if force && !name.contains(&b'/') {
            found = shell.search_path(name).into_iter().map(|path| ("file", path)).collect();
        }
        if found.is_empty() {
            if !(kind || path || force) {
                shell.print("type", &std::mem::take(&mut out))?;
                shell.error(format!("type: {}: not found", text(name)));
            }
            status = 1;
            continue;
        }
        for (what, line) in found.iter().take(if all { usize::MAX } else { 1 }) {
            if kind {
                out.extend_from_slice(what.as_bytes());
            } else if path && *what != "file" {
                continue;
            } else {
                out.extend_from_slice(line);
            }
            out.push(b'\n');
        }
    }
    shell.print("type", &out)?;
    Ok(status)
}

pub(super) fn which(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let all = args.iter().any(|arg| arg == b"-a");
    let mut status = 0;
    let mut out = Vec::new();
    for name in args[1..].iter().filter(|arg| !arg.starts_with(b"-")) {
        let found = if name.contains(&b'/') {
            let path = shell.absolute(name);
            if crate::sys::access(&path, 1) { vec![name.clone()] } else { Vec::new() }
        } else {
            shell.search_path(name)
        };
        if found.is_empty() {
            status = 1;
        }
        for path in found.iter().take(if all { usize::MAX } else { 1 }) {
            out.extend_from_slice(path);
            out.push(b'\n');
        }
    }
    shell.print("which", &out)?;
    Ok(status)
}
