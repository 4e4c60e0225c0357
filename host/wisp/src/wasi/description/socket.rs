//! Sockets inside the session.

use std::sync::Arc;

use bytes::Bytes;

use super::{Description, IoFailure, Kind, OpenDescription};
use wisp_process::{Socket, Stream};
use wisp_vfs::Node;

impl Description {
    /// Returns one end of a connection. Both ends pay for the buffers together; `number` is the inode that `stat` shows.
    pub fn stream(stream: Stream, number: u64) -> OpenDescription {
        Arc::new(Self { kind: Kind::Stream(stream), terminal: false, number, charge: None, lock: None })
    }

    /// Returns a bound socket, and the file that is its name.
    pub fn socket(socket: Arc<Socket>, file: Option<Node>, number: u64) -> OpenDescription {
        Arc::new(Self { kind: Kind::Socket(socket, file), terminal: false, number, charge: None, lock: None })
    }

    /// Returns the connection, if this is an end of one.
    pub fn connection(&self) -> Option<&Stream> {
        match &self.kind {
            Kind::Stream(stream) => Some(stream),
            _ => None,
        }
    }

    /// Returns the bound socket, if this is one.
    pub fn bound(&self) -> Option<&Arc<Socket>> {
        match &self.kind {
            Kind::Socket(socket, _) => Some(socket),
            _ => None,
        }
    }

    /// Returns what a read of `len` bytes found: at the end of a connection, an error if the peer had not read everything.
    pub(super) fn unless_reset(&self, len: usize, bytes: Bytes) -> Result<Bytes, IoFailure> {
        if let (Some(stream), true, true) = (self.connection(), bytes.is_empty(), len > 0) {
            stream.check_reset()?;
        }
        Ok(bytes)
    }
}
