//! Ends of terminals, and what job control decides about their use.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{Description, IoFailure, Kind, OpenDescription, nanoseconds};
use crate::wasi::{Charge, Timeline};
use wisp_process::Process;
use wisp_process::tty::{Admission, Control, Keyboard, Tty, Use};
use wisp_vfs::{FsError, MAX_READ};

impl Description {
    /// Returns a terminal, as its programs have it; the processes that it controls find it as `/dev/tty` too. `charge` pays for one
    /// that a guest made; both ends hold it.
    pub fn tty(tty: Tty, timeline: Arc<dyn Timeline>, number: u64, charge: Option<Arc<Charge>>) -> OpenDescription {
        let foreground = tty.control().foreground().clone();
        let description = Arc::new(Self { kind: Kind::Tty(tty, timeline), terminal: true, number, charge, lock: None });
        foreground.name_terminal(&description);
        description
    }

    /// Returns the other end of a terminal that a guest made.
    pub fn keyboard(keyboard: Keyboard, number: u64, charge: Arc<Charge>) -> OpenDescription {
        Arc::new(Self { kind: Kind::Keyboard(keyboard), terminal: false, number, charge: Some(charge), lock: None })
    }

    /// Returns the controlling terminal of a process: what `/dev/tty` is.
    ///
    /// # Errors
    /// `NoDevice` if it has none, or no program has it open any more.
    pub(in crate::wasi) fn controlling(process: &Process) -> Result<OpenDescription, FsError> {
        process.controlling_terminal().ok_or(FsError::NoDevice)
    }

    /// Returns the terminal's settings, size and foreground, if this is an end of a terminal that has them. A terminal whose lines
    /// the host edits has none.
    pub fn control(&self) -> Option<&Control> {
        match &self.kind {
            Kind::Tty(tty, _) => Some(tty.control()),
            Kind::Keyboard(keyboard) => Some(keyboard.control()),
            _ => None,
        }
    }

    /// Returns whether `process` may use this now in one of the ways that job control decides on.
    pub fn admit(&self, process: &Process, how: Use) -> Admission {
        match &self.kind {
            Kind::Tty(tty, _) => tty.control().admit(process, how),
            _ => Admission::Granted,
        }
    }

    /// Waits until `process` may use this in one of the ways that job control decides on.
    ///
    /// # Errors
    /// It is in the background of its terminal, and is not stopped for it.
    pub async fn admitted(&self, process: &Process, how: Use) -> Result<(), IoFailure> {
        if let Kind::Tty(tty, _) = &self.kind {
            tty.control().admitted(process, how).await?;
        }
        Ok(())
    }

    /// Works like [`Description::read`], by a process: in the background of its terminal, it is stopped instead.
    ///
    /// # Errors
    /// Those of [`Description::read`] and [`Description::admitted`].
    pub async fn read_by(self: &Arc<Self>, process: &Process, len: usize) -> Result<Bytes, IoFailure> {
        match &self.kind {
            Kind::Tty(tty, timeline) if len > 0 => {
                let sleep = |time: Duration| timeline.until(timeline.now().saturating_add(nanoseconds(time)));
                Ok(tty.read(Some(process), len.min(MAX_READ), sleep).await?)
            }
            _ => self.read(len).await,
        }
    }

    /// Works like [`Description::write`], by a process: in the background of its terminal, it may be stopped first.
    ///
    /// # Errors
    /// Those of [`Description::write`] and [`Description::admitted`].
    pub async fn write_by(self: &Arc<Self>, process: &Process, bytes: Bytes) -> Result<(), IoFailure> {
        self.admitted(process, Use::Write).await?;
        self.write(bytes).await
    }
}
