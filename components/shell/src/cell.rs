//! A shell that continues where an earlier one stopped: `sh --wisp-cell=N -c TEXT` reads its state from descriptor N,
//! runs the text, and writes its state to descriptor N + 1. Such a call is a cell; the first one finds an empty
//! state. Without `-c TEXT`, a person types the commands at the terminal.
//!
//! Variables, functions, aliases, options, the directory, `umask`, `ulimit` and the directory stack are kept. State that
//! belongs to one run is not: `$?`, traps, `set -e`, jobs, redirections of `exec`, and what a shell has because a person
//! types.

use crate::fds::Fd;
use crate::shell::{Shell, StartFiles};
use crate::sym::{self, intern};
use crate::sys::{self, Bound, Limited};
use crate::vars::Attrs;

/// The argument, followed by the descriptor's number.
pub(crate) const CELL_ARGUMENT: &[u8] = b"--wisp-cell=";

/// Runs a cell: `text`, or without one what a person types. Returns the status to exit with.
pub(crate) fn run(arg0: &[u8], environment: Vec<Vec<u8>>, number: &[u8], text: Option<Vec<u8>>) -> i32 {
    let mut shell = Shell::new(arg0, environment);
    let term = shell.vars.get(intern(b"TERM")).cloned();
    let number = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX);
    let ends = (shell.fd(number), shell.fd(number.saturating_add(1)));
    let (Some(Fd::File(from)), Some(Fd::File(to))) = ends else {
        shell.warn_raw(b"sh: the descriptors of --wisp-cell are not open\n");
        return 2;
    };
    let state = from.read_all().unwrap_or_default();
    let goes_on = !state.is_empty();
    if goes_on && let Err(why) = crate::serialize::load(&mut shell, &state) {
        shell.warn_raw(format!("sh: cannot read the state that the previous call left: {why}\n").as_bytes());
        return 2;
    }
    // Programs that the text starts must not see them.
    shell.fds.remove(number);
    shell.fds.remove(number + 1);
    forget(&mut shell);
    if let Some(term) = term.filter(|_| shell.at_terminal()) {
        // The terminal of this cell may be of another kind than that of an earlier one.
        shell.vars.put(intern(b"TERM"), term);
    }
    let began = Limited::ALL.map(sys::limit);
    limit(&mut shell, &began);
    let status = match text {
        Some(text) => {
            shell.invocation.from_string = true;
            let parser = shell.parser(text, 1);
            shell.run_script(parser)
        }
        None => interact(&mut shell, goes_on),
    };
    forget(&mut shell);
    for (limited, began) in Limited::ALL.into_iter().zip(began) {
        let now = sys::limit(limited);
        shell.process.limits[limited as usize] = (now != began).then_some(now);
    }
    let state = crate::serialize::save(&shell, b"", 1);
    shell.fds.sync();
    if let Err(error) = to.handle().write(&state) {
        shell.warn_raw(&[b"sh: cannot keep the state for the next call: ", error.message().as_bytes(), b"\n"].concat());
        return 1;
    }
    status
}

/// Runs what a person types, until that ends; returns the status. A shell that goes on has read its start file before.
fn interact(shell: &mut Shell, goes_on: bool) -> i32 {
    let options = shell.opts;
    (shell.invocation.interactive, shell.invocation.from_stdin) = (true, true);
    let files = StartFiles { rc: !goes_on, ..StartFiles::default() };
    let status = match shell.begin(&files) {
        Some(status) => status,
        None => crate::invoke::typed(shell),
    };
    shell.leave_stopped_jobs();
    for option in ["emacs", "vi", "history", "histexpand"] {
        shell.opts.set_long(option, options.long(option) == Some(true));
    }
    shell.opts.set_shopt("expand_aliases", options.shopt("expand_aliases"));
    for name in [sym::LINES, sym::COLUMNS] {
        if shell.vars.get(name).is_some_and(|var| !var.attrs.any(Attrs::EXPORT.0 | Attrs::READONLY.0)) {
            shell.vars.unset(name);
        }
    }
    status
}

/// Limits this process as an earlier cell limited its own, below the limits that this one `began` with.
fn limit(shell: &mut Shell, began: &[Bound]) {
    let lower = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
    let kept = std::mem::take(&mut shell.process.limits);
    for ((limited, began), kept) in Limited::ALL.into_iter().zip(began).zip(kept) {
        let Some(kept) = kept else { continue };
        let bound = Bound { soft: lower(kept.soft, began.soft), hard: lower(kept.hard, began.hard) };
        if let Err(error) = sys::set_limit(limited, bound) {
            shell.warn_raw(format!("sh: cannot set a limit of the previous call: {}\n", error.message()).as_bytes());
        }
    }
}

/// Resets the state that belongs to one run.
fn forget(shell: &mut Shell) {
    let invocation = &mut shell.invocation;
    (invocation.from_string, invocation.from_stdin, invocation.interactive) = (false, false, false);
    shell.last.status = 0;
    shell.last.pipeline.clear();
    shell.traps.commands = Default::default();
    shell.traps.shown = None;
    shell.calls.frames.clear();
    shell.last.background = None;
    (shell.nesting.depth, shell.nesting.guarded, shell.nesting.subshell) = (0, 0, 0);
    shell.process.pid = sys::pid();
    shell.process.own_pid = shell.process.pid;
    shell.opts.set_letter(b'e', false);
}
