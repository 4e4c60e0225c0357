//! Natively, for tests only, there are no such streams: the tools work as without a terminal.

use super::{Child, Ready, Start, Waits};
use std::io::{ErrorKind, Result};
use wisp_tool::sys::terminal::Settings;

/// An open file: never one.
pub enum Stream {}

#[allow(missing_docs, clippy::unused_self)]
impl Stream {
    pub fn inherited(_: u32) -> Result<Self> {
        Err(ErrorKind::Unsupported.into())
    }
    pub fn read(&self) -> Result<Vec<u8>> {
        match *self {}
    }
    pub fn write_some(&self, _: &mut Vec<u8>) -> Result<()> {
        match *self {}
    }
    pub fn settings(&self) -> Result<Settings> {
        match *self {}
    }
    pub fn set_settings(&self, _: &Settings) -> Result<()> {
        match *self {}
    }
    pub fn set_size(&self, _: u16, _: u16) -> Result<()> {
        match *self {}
    }
}

/// Fails.
pub fn new_terminal(_: u16, _: u16) -> Result<(Stream, Stream)> {
    Err(ErrorKind::Unsupported.into())
}

/// Panics: cannot be called.
pub fn spawn_at(_: &Start<'_>, programs: &Stream) -> Result<Child> {
    match *programs {}
}

/// Fails.
pub fn spawn_reading(_: &Start<'_>) -> Result<(Child, Stream)> {
    Err(ErrorKind::Unsupported.into())
}

impl Waits<'_> {
    /// Waits for the time only.
    pub fn wait(&self) -> Ready {
        std::thread::sleep(self.time.unwrap_or_default());
        Ready { ended: self.child.is_some(), ..Ready::default() }
    }
}
