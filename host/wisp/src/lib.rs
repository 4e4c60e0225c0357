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
//!
//! Two pages have no items: [`_defaults`] has what holds unless a caller says otherwise, [`_dropping`] what ends, what goes on and what
//! is lost when a handle or a future is dropped.
//!
//! ```
//! # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let components = wisp_built::components();
//! use wisp::{Command, Engine, Policy};
//!
//! let engine = Engine::new(components)?; // Once in a process.
//! let session = engine.session(&Policy::offline()).build().await?; // Once for each conversation.
//! let outcome = session.run(Command::new("sh").args(["-c", "seq 1 5 | wc -l"])).await?;
//! assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "5\n"));
//! # Ok(()) }
//! ```
//!
//! # What dropping does
//!
//! [`_dropping`] says it for each handle and each future. In short: a future that waits for something which has a handle can be
//! dropped, and nothing ends; what has no other handle ends with its future. The handle that [`Session::start`] returned owns its
//! command, an [`Interpreter`] its evaluation, and the last handle of a [`Session`] everything that runs in it.
//!
//! # Interrupt, kill, close
//!
//! - **Interrupt** is SIGINT to the foreground processes, as Ctrl-C at a terminal. It ends nothing by force: a program can clean up, ignore
//!   it, or go on, and Python raises `KeyboardInterrupt`. [`Running::interrupt`], [`RunningEvaluation::interrupt`],
//!   [`Interrupter::interrupt`], and [`Session::interrupt`] for all of these.
//! - **Kill** ends at once: all processes, those in the background too, with exit code 137. [`Running::kill`],
//!   [`RunningEvaluation::kill`], [`Session::kill_all`].
//! - **Close** also lets nothing start afterwards: [`Session::close`], [`Interpreter::close`].
//!
//! # Defaults
//!
//! [`_defaults`] has all of them, with the numbers. In short: a session has what its policy says, and no policy grants a network, files of
//! the host, functions or secrets unless it says so; a command begins in `/home/user` with an empty standard input and keeps its output
//! for its outcome, and has no limits but the policy's.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests lay out folders of their own"))]

#[cfg(test)]
mod code_tests;
pub mod confine;
mod errors;
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

pub use exec::{Callback, Command, Input, Output, RunError, StdinError, WaitFor};
pub use functions::{FunctionError, FunctionResult, FunctionSource, HostFunction, HostReplay, HostReplayError, SourceAnswer};
pub use interpreter::{
    Code, DisplayEvent, Interpreter, InterpreterError, InterpreterSnapshot, Interrupter, RunningEvaluation, SnapshotFileError,
};
pub use outcome::{Artifacts, EventSink, ReceiptSink};
pub use program::{CompileEvent, SessionError};
pub use runtime::{CacheError, CodeCache, CodeOrigin, MemoryChoice, RuntimeError, SlotBounds, SlotMetrics};
pub use session::{
    Engine, EngineBuilder, EngineError, HttpError, HttpRequest, HttpResponse, Running, Session, SessionBuilder, SessionTemplate, Shell,
    ShellCall, ShellSnapshot, Snapshot,
};
pub use wasi::{HostFailure, HostValue};
pub use wisp_api::{
    Artifact, Display, DisplayChunk, End, ErrorCode, ErrorDocument, Evaluation, Event, EventKind, Exception, Fault, FunctionInfo,
    HttpReceipt, InputRequest, LeftOutReason, Limit, LimitHit, Outcome, OutputChunk, PolicyFinding, PolicyNote, Receipt, ReceiptKind,
    Representation, Stream, TracebackFrame, UnknownErrorCode, Usage, Verdict, WispError,
};
pub use wisp_components::{Component, ComponentError, Components};
pub use wisp_net::{Resolve, SystemResolver};
pub use wisp_policy::Policy;
pub use wisp_process::tty::Size as TerminalSize;
pub use wisp_process::{ExitStatus, Signal, SpawnError};

/// Policies: where they come from, what they have, what the host program changes in them, and what is wrong with them.
pub mod policy {
    pub use crate::policy_files::HostFiles;
    pub use crate::program::{ToolFiles, check_imports, check_mounts, check_tools, code_file, executed};
    pub use wisp_policy::hosts::{Addresses, Host, HostPattern};
    pub use wisp_policy::reference::json_schema;
    pub use wisp_policy::url::{Scheme, Target, UrlPath, UrlPattern};
    pub use wisp_policy::{
        Access, AllowRule, CustomTool, Determinism, Filesystem, Finding, HostGrant, ImportComponent, Limits, Location, McpCommand, McpHttp,
        McpServer, McpTool, McpTransport, Mount, Network, NoFiles, Note, Origin, Output, Overrides, Palette, Policy, PolicyErrors,
        PolicyText, ProtectedPath, Rule, SHIPPED_POLICIES, SecretPlace, SecretRule, Shipped, Source, SourceError, SourceFile, Tools,
        render,
    };
}

/// What a policy allows each component of a session, without starting one.
pub mod explain {
    pub use crate::program::{explain, for_model};
    pub use wisp_policy::capability::{Capability, Decision, Interface, Met};
    pub use wisp_world::report::Explanation;
    pub use wisp_world::{AdapterWorld, ComponentWorld, DenyError, ImportRow, LimitRow, NotAComponent, Provided, SummaryLine, WorldError};
}

/// The files of a session, from outside ([`Session::files`]), and where things are in it.
pub mod fs {
    pub use crate::files::{
        FileReader, FileWatch, Files, FilesError, FilesOperation, FilesReason, GrepOptions, TarBounds, WalkOptions, WriteMode, WriteOptions,
    };
    pub use crate::outcome::is_plain;
    pub use crate::session::{ApplyChange, ApplyError, ApplyOptions, ApplyPlan};
    pub use wisp_api::{
        Applied, ApplyConflict, ApplyDocument, ApplyFile, ApplyLeftOut, ApplyReason, ApplyRefusal, Change, Changed, DiffForm,
        DifferenceKind, FileDiff, FileDifference, FileEntry, FileType, FileVersion, FilesUsage, GrepMatch, GrepMatches, Listing,
        PatchChange, PatchReject, Patched, PatchedFile, Stat, Unpacked,
    };
    pub use wisp_policy::layout::{HOME, PATH, SCRATCH, WORKSPACE};
    pub use wisp_vfs::{ArchiveError, Difference, Differences, EachPiece, FsError, Refused, Version};
}

pub mod _defaults {
    #![doc = include_str!("../docs/defaults.md")]
}

pub mod _dropping {
    #![doc = include_str!("../docs/dropping.md")]
}

/// What the tests, benches and fuzz targets of this workspace use. It may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::mount::open as open_mount;
    pub use crate::runtime::{FailPoint, Ticker, Ticking};

    /// Returns the filesystem of a session: nodes and paths, as guests reach it. It makes mounts that no policy names and no receipt
    /// shows, which is why the library hands out [`Session::files`](crate::Session::files) instead.
    pub fn fs(session: &crate::Session) -> &wisp_vfs::Fs {
        &session.state.fs
    }
}
