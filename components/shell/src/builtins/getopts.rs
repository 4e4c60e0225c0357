//! `getopts`.

use super::getopt::Options;
use super::text;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{self, intern, is_name};

/// Reports an attempt to change a read-only variable, and otherwise ignores it.
fn quietly(result: Run<()>) -> Run<()> {
    match result {
        Err(Flow::Discard(_)) => Ok(()),
        other => other,
    }
}

pub(super) fn getopts(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    const USAGE: &str = "optstring name [arg ...]";
    let mut options = Options::new(args, "", USAGE);
    if options.next(shell)?.is_some() {
        return Ok(2);
    }
    let [spec, name, given @ ..] = options.rest() else {
        shell.warn_raw(format!("getopts: usage: getopts {USAGE}\n").as_bytes());
        return Ok(2);
    };
    let given: Vec<Vec<u8>> = if given.is_empty() { shell.calls.params.to_vec() } else { given.to_vec() };
    let (at, inside) = position(shell);
    let (letter, inside) = match letter_at(&given, at, inside) {
        Ok(found) => found,
        Err(at) => return end(shell, name, at.min(given.len() as i64 + 1)),
    };
    let silent = spec.first() == Some(&b':');
    let place = spec.iter().position(|b| *b == letter).filter(|_| letter != b':');
    let takes_value = place.is_some_and(|place| spec.get(place + 1) == Some(&b':'));
    let rest = &given[at as usize - 1][inside + 1..];
    let mut next = if rest.is_empty() { (at + 1, 0) } else { (at, inside + 1) };
    let mut chosen = letter;
    if place.is_none() {
        chosen = b'?';
        mistake(shell, silent, "illegal option", letter)?;
    } else if !takes_value {
        shell.vars.unset(sym::OPTARG);
    } else if !rest.is_empty() {
        next = (at + 1, 0);
        quietly(shell.set(sym::OPTARG, rest.to_vec()))?;
    } else if let Some(value) = given.get(at as usize) {
        next = (at + 2, 0);
        quietly(shell.set(sym::OPTARG, value.clone()))?;
    } else {
        chosen = if silent { b':' } else { b'?' };
        mistake(shell, silent, "option requires an argument", letter)?;
    }
    shell.set_int(sym::OPTIND, next.0)?;
    shell.builtins.getopts = next;
    if !is_name(name) {
        return Ok(invalid_name(shell, name));
    }
    match shell.set(intern(name), vec![chosen]) {
        Ok(()) => Ok(0),
        Err(Flow::Discard(_)) => Ok(2),
        Err(flow) => Err(flow),
    }
}

/// Returns the argument to continue with, counted from 1, and the letter in it. A new value of `OPTIND` begins there.
fn position(shell: &mut Shell) -> (i64, usize) {
    let (at, inside) = shell.builtins.getopts;
    let now = shell.get(sym::OPTIND).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(1);
    if now != at || at < 1 { (now.max(1), 0) } else { (at, inside) }
}

/// Returns the option letter at a position, and its place in the argument. The error is the first argument after the options.
fn letter_at(given: &[Vec<u8>], at: i64, inside: usize) -> Result<(u8, usize), i64> {
    let Some(arg) = given.get(at as usize - 1) else { return Err(at) };
    if inside == 0 {
        if arg == b"--" {
            return Err(at + 1);
        }
        if arg.len() < 2 || arg[0] != b'-' {
            return Err(at);
        }
    }
    let inside = inside.max(1);
    arg.get(inside).map(|letter| (*letter, inside)).ok_or(at)
}

/// Notes that there are no more options; `at` is the first argument after them.
fn end(shell: &mut Shell, name: &[u8], at: i64) -> Run {
    if is_name(name) {
        shell.set(intern(name), b"?".to_vec())?;
    }
    shell.set_int(sym::OPTIND, at)?;
    shell.builtins.getopts = (at, 0);
    shell.vars.unset(sym::OPTARG);
    if !is_name(name) {
        invalid_name(shell, name);
    }
    Ok(1)
}

/// Reports a wrong option: in `OPTARG` if the script asked for silence, otherwise on standard error.
fn mistake(shell: &mut Shell, silent: bool, what: &str, letter: u8) -> Run<()> {
    if silent {
        return quietly(shell.set(sym::OPTARG, vec![letter]));
    }
    shell.vars.unset(sym::OPTARG);
    if shell.get(sym::OPTERR).is_none_or(|text| text != b"0") {
        let program = text(&shell.invocation.arg0);
        shell.warn_raw(format!("{program}: {what} -- {}\n", letter as char).as_bytes());
    }
    Ok(())
}

/// Refuses the name of the variable, which is checked when the option is stored; returns the status.
fn invalid_name(shell: &mut Shell, name: &[u8]) -> i32 {
    shell.error(format!("getopts: `{}': not a valid identifier", text(name)));
    1
}
