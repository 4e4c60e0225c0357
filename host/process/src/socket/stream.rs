//! One end of a connection: what it reads is one pipe, what it writes is another.

use std::any::Any;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::address::Address;
use crate::pipe::{PipeReader, PipeWriter, pipe};

/// The peer closed its end before it had read everything (ECONNRESET).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("connection reset by peer")]
pub struct Reset;

/// One more connection of the session, and what pays for its buffers.
pub(super) struct Counted {
    pub(super) connections: Arc<AtomicUsize>,
    /// Released on drop.
    pub(super) held: Box<dyn Any + Send + Sync>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One end of a connection; closed when dropped.
pub struct Stream {
    /// `None` for an end that only writes what was left.
    reader: Option<PipeReader>,
    writer: PipeWriter,
    local: Address,
    peer: Address,
    /// Set by the peer.
    reset: Arc<AtomicBool>,
    /// Set for the peer.
    resets: Arc<AtomicBool>,
    counted: Arc<Counted>,
}

impl Stream {
    /// Returns both ends of a connection: the one at `one`, then the one at `other`.
    pub(super) fn pair(one: Address, other: Address, counted: &Arc<Counted>) -> (Self, Self) {
        let ((in_one, to_one), (in_other, to_other)) = (pipe(), pipe());
        let (reset, resets) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let near = Self {
            reader: Some(in_one),
            writer: to_other,
            local: one.clone(),
            peer: other.clone(),
            reset: reset.clone(),
            resets: resets.clone(),
            counted: counted.clone(),
        };
        let far = Self {
            reader: Some(in_other),
            writer: to_one,
            local: other,
            peer: one,
            reset: resets,
            resets: reset,
            counted: counted.clone(),
        };
        (near, far)
    }

    /// Returns the pipe from which it reads.
    pub fn reader(&self) -> Option<&PipeReader> {
        self.reader.as_ref()
    }

    /// Returns the pipe to which it writes.
    pub fn writer(&self) -> &PipeWriter {
        &self.writer
    }

    /// Returns the address of this end.
    pub fn local(&self) -> &Address {
        &self.local
    }

    /// Returns the address of the other end.
    pub fn peer(&self) -> &Address {
        &self.peer
    }

    /// Shuts down the reading side; further writes by the peer fail.
    pub fn shut_read(&self) {
        if let Some(reader) = &self.reader {
            reader.shut();
        }
    }

    /// Shuts down the writing side; the peer reads what there is and then the end of the file.
    pub fn shut_write(&self) {
        self.writer.shut();
    }

    /// Checks whether the peer has closed its end before it had read everything; reports that once.
    ///
    /// # Errors
    /// [`Reset`].
    pub fn check_reset(&self) -> Result<(), Reset> {
        if self.reset.swap(false, Ordering::Relaxed) { Err(Reset) } else { Ok(()) }
    }

    /// Returns another end of this side that only writes.
    #[must_use]
    pub fn write_only(&self) -> Self {
        Self {
            reader: None,
            writer: self.writer.another(),
            local: self.local.clone(),
            peer: self.peer.clone(),
            reset: self.reset.clone(),
            resets: self.resets.clone(),
            counted: self.counted.clone(),
        }
    }

    /// Shows the peer that its connection was not accepted.
    pub(super) fn refuse(&self) {
        self.resets.store(true, Ordering::Relaxed);
    }

    pub(super) fn map_addresses(&mut self, map: impl Fn(IpAddr) -> IpAddr) {
        for address in [&mut self.local, &mut self.peer] {
            if let Address::Tcp(at) = address {
                at.set_ip(map(at.ip()));
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Before the pipes are closed, so that the peer finds it with the end of the file.
        if self.reader.as_ref().is_some_and(|reader| !reader.peek(1).is_empty()) {
            self.resets.store(true, Ordering::Relaxed);
        }
    }
}
