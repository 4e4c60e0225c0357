//! Bindings to `wisp:sandbox` and the start-up every guest of ours shares: enter the working directory, keep the exit
//! code. A tool author may use it too; see `wit/README.md`.

#[allow(missing_docs)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "wisp:sandbox/shell",
        generate_all,
    });
}

/// The name of the machine there is none of, wherever a tool prints one; `/proc/sys/kernel/hostname` says the same.
pub const HOST_NAME: &str = "wisp";

pub use bindings::wasi::cli::environment;
pub use bindings::wasi::clocks::monotonic_clock;
pub use bindings::wasi::io::poll::poll;
pub use bindings::wisp::sandbox::{files, process, session};

mod start;
pub use start::{exit, start};
