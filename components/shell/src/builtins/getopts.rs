//! `getopts`.

use super::getopt::Options;
use super::text;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{self, intern, is_name};

/// An attempt to change a read-only variable is reported and otherwise ignored.
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
    // An invalid name is detected when the option is stored.
    let wrong = (!is_name(name)).then(|| text(name));
    let name = if wrong.is_some() { crate::shell::nowhere() } else { intern(name) };
    let given: Vec<Vec<u8>> = if given.is_empty() { shell.calls.params.to_vec() } else { given.to_vec() };
    let silent = spec.first() == Some(&b':');
    let errors = shell.get(sym::OPTERR).is_none_or(|text| text != b"0");
    let (mut at, mut inside) = shell.builtins.getopts;
    let now = shell.get(sym::OPTIND).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(1);
    if now != at || at < 1 {
        at = now.max(1);
        inside = 0;
    }
    let end = |shell: &mut Shell, at: i64| -> Run {
        let at = at.min(given.len() as i64 + 1);
        if wrong.is_none() {
            shell.set(name, b"?".to_vec())?;
        }
        shell.set_int(sym::OPTIND, at)?;
        shell.builtins.getopts = (at, 0);
        shell.vars.unset(sym::OPTARG);
        if let Some(wrong) = &wrong {
            shell.error(format!("getopts: `{wrong}': not a valid identifier"));
        }
        Ok(1)
    };
    let Some(arg) = given.get(at as usize - 1) else { return end(shell, at) };
    if inside == 0 {
        if arg == b"--" {
            return end(shell, at + 1);
        }
        if arg.len() < 2 || arg[0] != b'-' {
            return end(shell, at);
        }
        inside = 1;
    }
    let Some(letter) = arg.get(inside).copied() else { return end(shell, at) };
    let mut next = (at, inside + 1);
    if inside + 1 >= arg.len() {
        next = (at + 1, 0);
    }
    let place = spec.iter().position(|b| *b == letter).filter(|_| letter != b':');
    let prefix = text(&shell.invocation.arg0);
    let mut chosen = vec![letter];
    match place {
        None => {
            chosen = b"?".to_vec();
            if silent {
                quietly(shell.set(sym::OPTARG, vec![letter]))?;
            } else {
                shell.vars.unset(sym::OPTARG);
                if errors {
                    shell.warn_raw(format!("{prefix}: illegal option -- {}\n", letter as char).as_bytes());
                }
            }
        }
        Some(place) if spec.get(place + 1) == Some(&b':') => {
            if inside + 1 < arg.len() {
                let value = arg[inside + 1..].to_vec();
                quietly(shell.set(sym::OPTARG, value))?;
                next = (at + 1, 0);
            } else if let Some(value) = given.get(at as usize) {
                let value = value.clone();
                quietly(shell.set(sym::OPTARG, value))?;
                next = (at + 2, 0);
            } else {
                next = (at + 1, 0);
                if silent {
                    chosen = b":".to_vec();
                    quietly(shell.set(sym::OPTARG, vec![letter]))?;
                } else {
                    chosen = b"?".to_vec();
                    shell.vars.unset(sym::OPTARG);
                    if errors {
                        shell.warn_raw(format!("{prefix}: option requires an argument -- {}\n", letter as char).as_bytes());
                    }
                }
            }
        }
        Some(_) => shell.vars.unset(sym::OPTARG),
    }
    shell.set_int(sym::OPTIND, next.0)?;
    shell.builtins.getopts = next;
    if let Some(wrong) = wrong {
        shell.error(format!("getopts: `{wrong}': not a valid identifier"));
        return Ok(1);
    }
    match shell.set(name, chosen) {
        Ok(()) => Ok(0),
        Err(Flow::Discard(_)) => Ok(2),
        Err(flow) => Err(flow),
    }
}
