//! wisp: a sandbox for code that language-model agents write.
//!
//! A process has one [`Engine`], a [`Policy`] for each kind of user, and a [`Session`] for each conversation;
//! [`Session::run`] runs a [`Command`] and returns an [`Outcome`]. Guests are WebAssembly components ([`Components`]) on one
//! in-memory filesystem; what a policy does not grant is not linked. See the repository's README and SECURITY.md.
//!
//! Each error has a `code` ([`ErrorCode`]), a stable name for programs, which says whether the caller, the policy, the guest, a limit
//! or the host is at fault ([`Fault`]), and whether trying again can help.
//!
//! Guests that compute are polled for 5 ms at a time. Time limits, guests' timers and request timeouts have a thread
//! of their own, so these polls do not delay them. A runtime's sockets and timers are delayed, because by default it
//! checks them only after 61 polls: build it with `tokio::runtime::Builder::event_interval(1)`. A process that serves
//! only sessions can be confined ([`confine`]).

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests lay out folders of their own"))]

#[cfg(test)]
mod code_tests;
pub mod confine;
mod exec;
mod files;
mod functions;
mod interpreter;
mod meter;
mod mount;
mod outcome;
mod policy_files;
mod program;
mod runtime;
mod session;
mod tasks;
#[expect(unreachable_pub, reason = "bindgen re-exports the types of resources, which must be `pub` for that")]
mod wasi;

pub use exec::{Callback, Command, Input, Output, OutputChunk, RunError, StdinError, Terminal, Typed, WaitFor};
pub use functions::{HostFunction, HostReplay, HostReplayError};
pub use interpreter::{Code, DisplayEvent, Interpreter, InterpreterError, InterpreterSnapshot, Interrupter, SnapshotFileError};
pub use outcome::{EventSink, ReceiptSink};
pub use program::{CompileEvent, SessionError};
pub use runtime::{CacheError, CodeCache, CodeOrigin, MemoryChoice, RuntimeError, SlotBounds, SlotMetrics};
pub use session::{Engine, EngineBuilder, EngineError, Running, Session, SessionBuilder, SessionTemplate, Shell, ShellSnapshot, Snapshot};
pub use wasi::{HostFailure, HostValue};
pub use wisp_api::{
    Artifact, Display, End, ErrorCode, Evaluation, Event, EventKind, Exception, Fault, HttpReceipt, InputRequest, Limit, LimitHit, Outcome,
    Receipt, ReceiptKind, Representation, Stream, TracebackFrame, UnknownErrorCode, Usage, Verdict,
};
pub use wisp_components::Components;
pub use wisp_policy::Policy;
pub use wisp_process::tty::Size as TerminalSize;

/// Policies: where they come from, what they have, what the host program changes in them, and what is wrong with them.
pub mod policy {
    pub use crate::policy_files::HostFiles;
    pub use crate::program::{ToolFiles, check_mounts, check_tools, executed};
    pub use wisp_policy::hosts::{Addresses, Host, HostPattern};
    pub use wisp_policy::url::{Scheme, Target, UrlPath, UrlPattern};
    pub use wisp_policy::{
        Access, AllowRule, CustomTool, Determinism, Filesystem, Finding, HostGrant, Limits, Location, Mount, Network, NoFiles, Note,
        Origin, Output, Overrides, Policy, PolicyErrors, PolicyText, ProtectedPath, Rule, SHIPPED_POLICIES, SecretPlace, SecretRule,
        Shipped, Source, SourceError, SourceFile, Tools,
    };
}

/// What a policy allows each component of a session, without starting one.
pub mod explain {
    pub use crate::program::{explain, for_model};
    pub use wisp_world::ComponentWorld;
    pub use wisp_world::report::Explanation;
}

/// The files of a session: from outside, with paths ([`Session::files`]), and below that, with nodes ([`Session::fs`]).
pub mod fs {
    pub use crate::files::{
        DiffForm, FileDiff, FileEntry, FileReader, FileWatch, Files, FilesError, FilesOperation, FilesReason, GrepMatch, GrepMatches,
        GrepOptions, Listing, PatchChange, PatchReject, Patched, PatchedFile, TarBounds, Unpacked, WalkOptions, WriteMode, WriteOptions,
    };
    pub use wisp_vfs::{
        Change, Changed, Difference, DifferenceKind, Differences, DirEntry, FileType, Fs, FsError, Node, OpenFile, OpenHow, SetTime, Stat,
        Usage, Version, Watch,
    };
}

/// How the names of hosts are looked up ([`EngineBuilder::resolver`], [`SessionBuilder::resolver`]).
pub mod net {
    pub use wisp_net::{Resolve, SystemResolver};
}

/// What [`Components`] consist of.
pub mod components {
    pub use wisp_components::{Component, ComponentError};
}

/// How a process ends, and why it cannot start.
pub mod process {
    pub use wisp_process::{ExitStatus, Signal, SpawnError};
}

/// What the tests, benches and fuzz targets of this workspace use. It may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::mount::open as open_mount;
    pub use crate::outcome::is_plain;
    pub use crate::runtime::{Ticker, Ticking};
}
