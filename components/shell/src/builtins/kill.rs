//! `kill`.

use super::text;
use crate::shell::{Run, Shell};
use crate::signals::{CONT, HUP, TERM, signal_name, signal_number, signal_table};
use crate::sys;

/// Returns the signal that the options name and the index of the first argument, or the status that ends the builtin.
fn signal_and_place(shell: &mut Shell, args: &[Vec<u8>]) -> Result<(u8, usize), i32> {
    let Some(arg) = args.get(1) else { return Ok((15, 1)) };
    let option = text(arg);
    let (name, at) = match &*option {
        "-s" | "-n" => match args.get(2) {
            Some(name) => (text(name), 3),
            None => {
                shell.error(format!("kill: {option}: option requires an argument"));
                return Err(1);
            }
        },
        "--" => return Ok((15, 2)),
        _ => match option.strip_prefix('-') {
            Some(name) if !name.is_empty() => {
                let attached = name.strip_prefix(['s', 'n']).filter(|rest| signal_number(name).is_none() && signal_number(rest).is_some());
                (attached.unwrap_or(name).to_owned(), 2)
            }
            _ => return Ok((15, 1)),
        },
    };
    let Some(signal) = signal_number(&name) else {
        shell.error(format!("kill: {name}: invalid signal specification"));
        return Err(1);
    };
    Ok((signal, at + usize::from(args.get(at).is_some_and(|arg| arg == b"--"))))
}

pub(super) fn kill(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if args.get(1).is_some_and(|arg| arg == b"-l" || arg == b"-L") {
        return list_signals(shell, &args[2..]);
    }
    let (signal, at) = match signal_and_place(shell, args) {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    if at >= args.len() {
        shell.warn_raw(b"kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n");
        return Ok(2);
    }
    let mut status = 1;
    for arg in &args[at..] {
        let mut job = None;
        if shell.jobs.is_ambiguous(arg) {
            shell.error(format!("kill: {}: ambiguous job spec", text(&arg[1..])));
            continue;
        }
        let pid = match shell.jobs.find(arg) {
            Some(at) => {
                job = Some(shell.jobs.list[at].clone()).filter(|_| arg.starts_with(b"%"));
                i64::from(shell.jobs.list[at].child.pid())
            }
            None if arg.first() == Some(&b'%') => {
                shell.error(format!("kill: {}: no such job", text(arg)));
                continue;
            }
            None => match std::str::from_utf8(arg).ok().and_then(|text| text.parse::<i64>().ok()) {
                Some(pid) => pid,
                None if arg.is_empty() => {
                    shell.error("kill: `': not a pid or valid job spec");
                    continue;
                }
                None => {
                    shell.error(format!("kill: {}: arguments must be process or job IDs", text(arg)));
                    continue;
                }
            },
        };
        if shell.signal_self(pid, signal)? {
            status = 0;
            continue;
        }
        let sent = match &job {
            Some(job) => {
                let stopped = job.stopped().is_some();
                job.kill(signal).inspect(|()| {
                    if stopped && matches!(signal, HUP | TERM) {
                        // It can end only after it continues.
                        let _ = job.kill(CONT);
                    }
                })
            }
            None => sys::kill(pid, signal),
        };
        match sent {
            Ok(()) => status = 0,
            Err(error) => shell.error(format!("kill: ({pid}) - {}", error.message())),
        }
    }
    // A signal to its own group has arrived here too.
    shell.signals.arrived.listen();
    Ok(status)
}

fn list_signals(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if args.is_empty() {
        return shell.print("kill", signal_table().as_bytes());
    }
    let mut out = String::new();
    let mut status = 0;
    for arg in args {
        let shown = text(arg);
        let found = match shown.parse::<u32>() {
            // The status of a program that a signal ended names that signal too.
            Ok(number) => u8::try_from(if number > 128 { number - 128 } else { number }).ok().and_then(signal_name).map(str::to_owned),
            Err(_) => signal_number(&shown).map(|number| number.to_string()),
        };
        match found {
            Some(found) => out.push_str(&format!("{found}\n")),
            None => {
                shell.print("kill", std::mem::take(&mut out).as_bytes())?;
                shell.error(format!("kill: {shown}: invalid signal specification"));
                status = 1;
            }
        }
    }
    shell.print("kill", out.as_bytes())?;
    Ok(status)
}
