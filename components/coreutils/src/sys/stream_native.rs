//! Natively, for tests only, there are no such streams: the tools work as without a terminal.

use super::{Child, Start};
use std::io::{ErrorKind, Result};
use std::time::Duration;
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

/// Cannot be called.
pub fn spawn_at(_: &Start<'_>, programs: &Stream) -> Result<Child> {
    match *programs {}
}

/// Fails.
pub fn spawn_reading(_: &Start<'_>) -> Result<(Child, Stream)> {
    Err(ErrorKind::Unsupported.into())
}

/// What a tool waits for.
#[derive(Default)]
#[allow(missing_docs)]
pub struct Waits<'a> {
    pub child: Option<&'a Child>,
    pub read: [Option<&'a Stream>; 2],
    pub write: Option<&'a Stream>,
    pub time: Option<Duration>,
}

/// What there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Ready {
    pub ended: bool,
    pub read: [bool; 2],
    pub write: bool,
    pub signals: u64,
}

impl Waits<'_> {
    /// Waits for the time only.
    pub fn wait(&self) -> Ready {
        std::thread::sleep(self.time.unwrap_or_default());
        Ready { ended: self.child.is_some(), ..Ready::default() }
    }
}
