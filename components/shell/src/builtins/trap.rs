//! `trap`.

use super::getopt::Options;
use super::text;
use crate::quote;
use crate::shell::{Run, Shell};
use crate::signals::{QUIT, bit, signal_name, signal_number, signal_table};
use std::rc::Rc;

fn canonical(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    if matches!(upper.as_str(), "ERR" | "DEBUG" | "RETURN") {
        return Some(upper);
    }
    signal_number(name).and_then(signal_name).map(str::to_owned)
}

fn order(name: &str) -> u8 {
    match name {
        "DEBUG" => 65,
        "ERR" => 66,
        "RETURN" => 67,
        name => signal_number(name).unwrap_or(64),
    }
}

fn shown(name: &str, posix: bool) -> String {
    if posix || matches!(name, "EXIT" | "ERR" | "DEBUG" | "RETURN") { name.to_owned() } else { format!("SIG{name}") }
}

pub(super) fn trap(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut print, mut list) = (false, false);
    let mut options = Options::new(args, "lp", "[-lp] [[arg] signal_spec ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'p' => print = true,
            b'l' => list = true,
            _ => return Ok(2),
        }
    }
    if list {
        return shell.print("trap", signal_table().as_bytes());
    }
    let rest = options.rest();
    let mut status = 0;
    if print || rest.is_empty() {
        let mut traps = shell.traps.shown.clone().unwrap_or_else(|| shell.traps.commands.clone());
        // A signal that was ignored at the start is shown as if a trap had ignored it; bash omits QUIT.
        for signal in
            (1..32u8).filter(|signal| (shell.signals.start_ignored | shell.signals.async_ignored) & bit(*signal) & !bit(QUIT) != 0)
        {
            if let Some(name) = signal_name(signal) {
                Rc::make_mut(&mut traps).insert(name.to_owned(), Vec::new());
            }
        }
        let names: Vec<String> = if rest.is_empty() {
            let mut names: Vec<String> = traps.keys().cloned().collect();
            names.sort_by_key(|name| order(name));
            names
        } else {
            let mut names = Vec::new();
            for arg in rest {
                match canonical(&text(arg)) {
                    Some(name) => names.push(name),
                    None => {
                        shell.error(format!("trap: {}: invalid signal specification", text(arg)));
                        status = 1;
                    }
                }
            }
            names
        };
        let mut out = Vec::new();
        for name in names {
            if let Some(command) = traps.get(&name) {
                out.extend_from_slice(
                    &[
                        b"trap -- ",
                        &quote::plain_single(command)[..],
                        b" ",
                        shown(&name, shell.opts.long("posix") == Some(true)).as_bytes(),
                        b"\n",
                    ]
                    .concat(),
                );
            }
        }
        let printed = shell.print("trap", &out)?;
        return Ok(status.max(printed));
    }
    if rest.len() == 1 && rest[0] != b"-" && canonical(&text(&rest[0])).is_none() {
        shell.warn_raw(b"trap: usage: trap [-lp] [[arg] signal_spec ...]\n");
        return Ok(2);
    }
    // A single argument, or a number first: the signals are reset.
    let resets = rest[0] == b"-" || rest.len() == 1 || (!rest[0].is_empty() && rest[0].iter().all(u8::is_ascii_digit));
    let names = if rest[0] == b"-" || (rest.len() > 1 && !resets) { &rest[1..] } else { rest };
    for name in names {
        let Some(canonical) = canonical(&text(name)) else {
            shell.error(format!("trap: {}: invalid signal specification", text(name)));
            status = 1;
            continue;
        };
        shell.traps.shown = None;
        let number = signal_number(&canonical).unwrap_or(0);
        if (1..32).contains(&number) && shell.signals.start_ignored & bit(number) != 0 && !shell.invocation.interactive {
            continue;
        }
        if (1..32).contains(&number) {
            shell.signals.async_ignored &= !bit(number);
        }
        let traps = Rc::make_mut(&mut shell.traps.commands);
        if resets {
            traps.remove(&canonical);
        } else {
            traps.insert(canonical, rest[0].clone());
        }
    }
    shell.settle_signals();
    Ok(status)
}
