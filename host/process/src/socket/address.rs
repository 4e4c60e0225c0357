//! Addresses of sockets, the places to which they are bound, and why an operation on one fails.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::fifo::FifoFile;

/// Why an operation on a socket failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SocketError {
    /// Nothing in this session listens there, or its queue is full (ECONNREFUSED).
    #[error("connection refused")]
    Refused,
    /// Another socket of the session has the address (EADDRINUSE).
    #[error("address already in use")]
    InUse,
    /// The address is not one of the loopback interface (EADDRNOTAVAIL).
    #[error("not an address of this session")]
    NotAvailable,
    /// The session has as many sockets as it may (ENOBUFS).
    #[error("too many sockets")]
    TooMany,
    /// There is no room for the buffers (ENOMEM).
    #[error("out of memory")]
    NoMemory,
}

/// The address of one end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A port of the loopback interface.
    Tcp(SocketAddr),
    /// The path that a Unix socket was bound to, as the program gave it.
    Unix(Arc<str>),
    /// A Unix socket without a path.
    Unnamed,
}

/// What a socket can be bound and connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A port of the loopback interface; port 0 to bind to any that is free. The unspecified address stands for all of its family.
    Tcp(SocketAddr),
    /// The file that is the name of a Unix socket: its path, and its device and inode numbers.
    File(Arc<str>, FifoFile),
}
