//! wisp: a sandbox for code that language-model agents write.
//!
//! A process has one [`Engine`], a [`Policy`] for each kind of user, and a [`Session`] for each conversation;
//! [`Session::run`] runs a [`Command`] and returns an [`Outcome`]. Guests are WebAssembly components on one in-memory
//! filesystem; what a policy does not grant is not linked. See the repository's README and SECURITY.md.
//!
//! Guests that compute are polled for 5 ms at a time. Time limits, guests' timers and request timeouts have a thread
//! of their own, so these polls do not delay them. A runtime's sockets and timers are delayed, because by default it
//! checks them only after 61 polls: build it with `tokio::runtime::Builder::event_interval(1)`. A process that serves
//! only sessions can be confined ([`confine`]).

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests lay out folders of their own"))]

pub mod confine;
mod exec;
mod interpreter;
mod meter;
pub mod mount;
pub mod outcome;
pub mod policy_files;
pub mod program;
pub mod runtime;
pub mod session;
pub mod wasi;

pub use wisp_components as components;
pub use wisp_net as net;
pub use wisp_policy as policy;
pub use wisp_process as process;
pub use wisp_vfs as vfs;
pub use wisp_world as world;

pub use exec::{Command, Input, Output, RunError, Terminal, Typed};
pub use interpreter::{Cell, Kernel, KernelError, KernelSnapshot, SnapshotFileError};
pub use net::{Resolve, SystemResolver};
pub use outcome::{Artifact, Event, EventSink, Happening, HttpReceipt, Limit, LimitHit, Outcome, Receipt, ReceiptSink, Usage, Verdict};
pub use policy::Policy;
pub use program::{CompileEvent, SessionError};
pub use runtime::{CodeCache, CodeOrigin, MemoryChoice, SlotBounds, SlotMetrics};
pub use session::{Engine, EngineBuilder, EngineError, Session, SessionBuilder, Shell, ShellSnapshot, Snapshot};
