//! Aliases.

use super::getopt::Options;
use super::text;
use crate::quote;
use crate::shell::{Run, Shell};
use crate::sym::intern;
use crate::vars::{Assoc, Value};
use std::rc::Rc;

pub(super) fn alias(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut print = false;
    let mut options = Options::new(args, "p", "[-p] [name[=value] ... ]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'p' => print = true,
            _ => return Ok(2),
        }
    }
    let rest = options.rest();
    let mut status = 0;
    let mut out = Vec::new();
    let command: &[u8] = if shell.opts.long("posix") == Some(true) && !print { b"" } else { b"alias " };
    let show = |name: &[u8], value: &[u8]| [command, name, b"=", &quote::single(value), b"\n"].concat();
    if rest.is_empty() {
        let mut all: Vec<_> = shell.definitions.aliases.iter().collect();
        all.sort();
        for (name, value) in all {
            out.extend_from_slice(&show(name, value));
        }
    }
    for arg in rest {
        match arg.iter().position(|b| *b == b'=').filter(|at| *at > 0) {
            Some(at) if arg[..at].iter().any(|b| b.is_ascii_whitespace() || b"$`/\\\"'|&;()<>".contains(b)) => {
                shell.error(format!("alias: `{}': invalid alias name", text(&arg[..at])));
                status = 1;
            }
            Some(at) => {
                Rc::make_mut(&mut shell.definitions.aliases).insert(arg[..at].to_vec(), arg[at + 1..].to_vec());
            }
            None => match shell.definitions.aliases.get(arg) {
                Some(value) => out.extend_from_slice(&show(arg, value)),
                None => {
                    shell.error(format!("alias: {}: not found", text(arg)));
                    status = 1;
                }
            },
        }
    }
    shell.show_aliases();
    shell.print("alias", &out)?;
    Ok(status)
}

pub(super) fn unalias(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    const USAGE: &str = "[-a] name [name ...]";
    let mut all = false;
    let mut options = Options::new(args, "a", USAGE);
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'a' => all = true,
            _ => return Ok(2),
        }
    }
    if all {
        shell.definitions.aliases = Rc::default();
    } else if options.rest().is_empty() {
        shell.warn_raw(format!("unalias: usage: unalias {USAGE}\n").as_bytes());
        return Ok(2);
    }
    let mut status = 0;
    for arg in options.rest() {
        if Rc::make_mut(&mut shell.definitions.aliases).remove(arg).is_none() {
            shell.error(format!("unalias: {}: not found", text(arg)));
            status = 1;
        }
    }
    shell.show_aliases();
    Ok(status)
}

impl Shell {
    /// Updates `BASH_ALIASES` from the aliases.
    fn show_aliases(&mut self) {
        let mut array = Assoc::default();
        for (name, value) in self.definitions.aliases.iter() {
            array.set(name.clone(), value.clone());
        }
        self.vars.make(intern(b"BASH_ALIASES")).value = Value::Assoc(array);
    }
}
