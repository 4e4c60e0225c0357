//! Bindings to `wisp:sandbox`, and the start-up code that our guests share: it enters the working directory and keeps
//! the exit code. Tool authors may use it too; see `wit/README.md`.

#[allow(missing_docs)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "wisp:sandbox/shell",
        generate_all,
    });
}

/// The name of the virtual machine, wherever a tool prints one; `/proc/sys/kernel/hostname` has the same.
pub const HOST_NAME: &str = "wisp";

pub use bindings::wasi::cli::environment;
pub use bindings::wasi::clocks::monotonic_clock;
pub use bindings::wasi::io::poll::{Pollable, poll};
pub use bindings::wisp::sandbox::{files, host, process, session, terminal};

/// The host's strings that are names of files: [`spelling::spell`] what a call is given, [`spelling::read`] what it returns. What goes
/// through libc is bytes (`toolchain/fuse/src/wire.rs`).
pub use wisp_spelling as spelling;

mod start;
pub use start::{exit, start};
