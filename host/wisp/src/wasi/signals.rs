//! Signals in the terms of `wisp:sandbox/process`: numbers, and waiting for one.

use std::sync::Arc;

use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::Pollable;

use super::bindings::wisp::sandbox::files::ErrorCode;
use super::process::ProcessView;
use super::{Held, ProcessEnd};
use wisp_process::{Process, Signal};

/// The last of Linux's real-time signals, which wisp does not have.
const LAST: u8 = 64;

/// Returns the signal that a guest named by its number; `None` for 0, which only checks that the process exists.
pub(super) fn signal(number: u8) -> Result<Option<Signal>, ErrorCode> {
    match number {
        0 => Ok(None),
        1..=LAST => Signal::from_number(number).map(Some).ok_or(ErrorCode::Unsupported),
        _ => Err(ErrorCode::Invalid),
    }
}

/// Ready while a handled signal is pending.
pub(super) struct Waiting(pub(super) Arc<Process>);

impl Held for Waiting {
    const CHARGED: &'static str = "nothing: it is the caller's own row";
}

#[async_trait]
impl Pollable for Waiting {
    async fn ready(&mut self) {
        self.0.signals().waiting().await;
    }
}

/// Ends the process here if it was ended from outside.
pub(super) fn end_if_doomed(process: &Process) -> wasmtime::Result<()> {
    Ok(ProcessEnd::if_doomed(process)?)
}

impl ProcessView<'_> {
    /// Returns the process with this id, or the caller for 0.
    pub(super) fn process_or_self(&self, pid: u32) -> Option<Arc<Process>> {
        if pid == 0 { Some(self.process.clone()) } else { self.processes.get(pid) }
    }
}
