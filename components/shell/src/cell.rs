//! A shell that goes on where an earlier one stopped: `sh --wisp-cell=N -c TEXT` takes its state from descriptor N, runs the
//! text, and writes its state to descriptor N + 1. The first finds nothing and begins.
//!
//! Variables, functions, aliases, options, the directory, `umask` and the directory stack go on. What belongs to one run does
//! not: `$?`, traps, `set -e`, jobs, redirections of `exec`.

use crate::fds::Fd;
use crate::shell::Shell;
use crate::sys;

/// The argument, with the descriptor's number behind it.
pub const CELL_ARGUMENT: &[u8] = b"--wisp-cell=";

/// Run a cell; the status to exit with.
pub fn run(arg0: &[u8], number: &[u8], text: Vec<u8>) -> i32 {
    let mut shell = Shell::new(arg0);
    let number = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX);
    let ends = (shell.fd(number), shell.fd(number.saturating_add(1)));
    let (Some(Fd::File(from)), Some(Fd::File(to))) = ends else {
        shell.warn_raw(b"sh: the descriptors of --wisp-cell are not open\n");
        return 2;
    };
    let state = from.read_all().unwrap_or_default();
    if !state.is_empty() && crate::state::load(&mut shell, &state).is_none() {
        shell.warn_raw(b"sh: the state of the cells before cannot be read; another build of the shell wrote it\n");
        return 2;
    }
    // Nothing that runs here sees them.
    shell.fds.remove(number);
    shell.fds.remove(number + 1);
    forget(&mut shell);
    shell.from_string = true;
    let parser = shell.parser(text, 1);
    let status = shell.run_script(parser);
    forget(&mut shell);
    let state = crate::state::save(&mut shell, b"", 1);
    shell.fds.sync();
    if let Err(error) = to.handle().write(&state) {
        shell.warn_raw(&[b"sh: what this cell defined is lost: ", error.message().as_bytes(), b"\n"].concat());
        return 1;
    }
    status
}

/// What belongs to one run.
fn forget(shell: &mut Shell) {
    shell.status = 0;
    shell.pipestatus.clear();
    shell.traps = Default::default();
    shell.shown_traps = None;
    shell.frames.clear();
    shell.last_background = None;
    (shell.depth, shell.guarded, shell.subshell) = (0, 0, 0);
    shell.pid = sys::pid();
    shell.own_pid = shell.pid;
    shell.opts.set_letter(b'e', false);
}
