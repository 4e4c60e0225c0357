//! `sh`, also called `bash`.

fn main() {
    let status = run();
    wisp_shell::sys::exit(status)
}

#[cfg(target_family = "wasm")]
fn run() -> i32 {
    wisp_guest::start();
    wisp_shell::invoke::main(wisp_shell::sys::args())
}

/// Runs the shell. Natively, the interpreter runs in a thread whose stack is large enough for its nesting limits, in debug builds too.
#[cfg(not(target_family = "wasm"))]
fn run() -> i32 {
    // Only the interpreter's thread takes signals.
    wisp_shell::sys::block_signals(true);
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(|| {
        wisp_shell::sys::block_signals(false);
        wisp_shell::invoke::main(wisp_shell::sys::args())
    });
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        _ => 134,
    }
}
