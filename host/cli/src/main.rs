//! The program `wisp`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use wisp_cli::Invocation;

/// Whether standard output and error were closed when the process began.
static MISSING: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

/// Runs before the standard library, which opens `/dev/null` in the place of what is closed.
#[used]
#[unsafe(link_section = ".init_array")]
static FIRST: extern "C" fn() = look;

/// Finds out which outputs are closed.
extern "C" fn look() {
    for (missing, number) in MISSING.iter().zip([libc::STDOUT_FILENO, libc::STDERR_FILENO]) {
        // SAFETY: the call has plain numbers, and changes nothing.
        missing.store(unsafe { libc::fcntl(number, libc::F_GETFD) } == -1, Ordering::Relaxed);
    }
}

fn main() -> ExitCode {
    let missing = MISSING.each_ref().map(|missing| missing.load(Ordering::Relaxed));
    ExitCode::from(wisp_cli::main(Invocation::of_process(missing)))
}
