//! Processes without wasm: the table, bounded pipes, named ones, sockets, pseudo-terminals, file locks, limits, exit statuses and the one
//! upward call, [`Spawn`].
//!
//! Nothing here knows wasmtime or the filesystem. A process is a row of the [`ProcessTable`]; the session's
//! implementation of [`Spawn`] runs it.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests have tasks of their own"))]

mod child;
mod debug;
mod fifo;
mod handle;
mod limits;
mod lock;
mod pipe;
mod rights;
mod shown;
mod signals;
mod socket;
mod spawn;
mod status;
mod stoppable;
mod table;
pub mod tty;
mod wait;

pub use child::ChildHandle;
pub use fifo::{FifoEnd, FifoFile, Fifos, Opening, Side};
pub use handle::{Foreground, Process};
pub use limits::{Bound, LimitError, Limited, Limits, MemoryGauge};
pub use lock::{FileLock, FileLocks, LOCK_COST, LockConflict, LockKind, LockWait, LockedFile};
pub use pipe::{BrokenPipe, PIPE_ATOMIC, PIPE_CAPACITY, PIPE_COST, PipeReader, PipeWatch, PipeWriter, pipe};
pub use rights::{Rights, Withheld};
pub use shown::{Activity, Shown};
pub use signals::{SignalSet, Signals};
pub use socket::{
    Address, BACKLOG, BOUND_COST, CONNECTION_COST, Loopback, MAX_BOUND, MAX_CONNECTIONS, Place, Reset, Socket, SocketError, Stream,
};
pub use spawn::{Attributes, Spawn, SpawnError, SpawnRequest};
pub use status::{ExitStatus, Signal};
pub use stoppable::Stoppable;
pub use table::{ProcessTable, Row};
pub use wait::until;
