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
pub mod engine;
mod meter;
pub mod mount;
pub mod net;
pub mod policy_files;
pub mod session;
pub mod wasi;

pub use wisp_components as components;
pub use wisp_policy as policy;
pub use wisp_process as process;
pub use wisp_vfs as vfs;
pub use wisp_world as world;

pub use engine::{CodeCache, CodeOrigin, MemoryChoice, SlotBounds, SlotMetrics};
pub use net::{Resolve, SystemResolver};
pub use policy::Policy;
pub use session::{
    Artifact, Cell, Command, CompileEvent, Engine, EngineBuilder, EngineError, Event, EventSink, Happening, HttpReceipt, Input, Kernel,
    KernelError, KernelSnapshot, LimitHit, Outcome, Output, Receipt, ReceiptSink, RunError, Session, SessionBuilder, SessionError, Shell,
    ShellSnapshot, Snapshot, SnapshotFileError, Terminal, Typed, Usage, Verdict,
};
