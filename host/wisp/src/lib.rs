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
//! # What dropping does
//!
//! A future that waits for something which has a handle can be dropped: nothing ends, and another call waits again. What has no
//! other handle ends with its future. What takes long and is for all sessions, such as machine code, is finished.
//!
//! | dropped | what happens |
//! | --- | --- |
//! | [`Engine`] | With the last handle, of a session too, its machine code, memories and thread are given back. |
//! | [`Session`] | Nothing, while there is another handle: a clone, [`Running`], [`Shell`] or [`Interpreter`]. With the last one, all that runs in it ends. |
//! | [`Session::close`], [`Interpreter::close`] | Nothing: what was closed ends without a waiter. |
//! | [`Session::run`] | The command ends with all its processes: it has no other handle. |
//! | [`Session::start`] | The command does not start, or ends. |
//! | [`Session::http`], [`HttpResponse`] | The request ends, and its connection. |
//! | [`Session::call_function`] | The call ends: it has no other handle. |
//! | [`Running`], the handle that `start` returned | The command ends with all its processes, unless it was [detached](Running::detach). |
//! | [`Running`], any other | Nothing. |
//! | [`Running::wait`], [`exited`](Running::exited), [`next_output`](Running::next_output) | Nothing; the output can be read again. |
//! | [`Running::write_stdin`] | What was not written yet is not written. |
//! | [`Shell`] | Its state is gone. Nothing runs between two calls. |
//! | [`Shell::eval`] | The command ends as with `Session::run`; the shell's state is that before the call. |
//! | [`ShellCall`], [`Shell::finish`] | As the handle that `start` returned: the command ends, unless it was detached. The shell's state is that before the call. |
//! | [`Interpreter`] | It ends, with its evaluation and the processes that it started. |
//! | [`Interpreter::eval`] | The evaluation goes on, and [`Interpreter::last`] has it. Until it has ended, another one is refused. Without a tokio runtime, the interpreter ends. |
//! | [`RunningEvaluation`], its [`wait`](RunningEvaluation::wait) | Nothing. |
//! | [`Interpreter::snapshot`], [`fork`](Interpreter::fork), [`restore`](Interpreter::restore), [`reset`](Interpreter::reset) | The interpreter ends; of a `fork` that has taken its snapshot, only the forks. |
//! | [`Snapshot`], [`ShellSnapshot`], [`InterpreterSnapshot`], [`SessionTemplate`] | Nothing else. They keep nothing running; all but [`Snapshot`] can start sessions after theirs has ended. |
//! | [`SessionBuilder::build`], [`Engine::warm`] | The session is not made. |
//! | [`Session::prepare`], [`compile`](Session::compile), [`compile_ahead`](Session::compile_ahead) | The tool that is being compiled is finished, and no other begins. |
//! | [`Session::artifacts`] | Nothing: the files are read to the end. |
//! | functions of [`fs::Files`] | What was done stays. Long ones (`walk`, `grep`, `pack`, …) stop at the next file; one file is finished. |
//! | [`fs::FileWatch`] | The watch ends. Dropping its `next` loses no change. |
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
//! - An engine keeps machine code in `$XDG_CACHE_HOME/wisp/code` or `~/.cache/wisp/code`, runs at most 1,000 processes at once, and asks
//!   the system for addresses of hosts ([`EngineBuilder`]).
//! - A session has what its policy says; [`Policy::offline`] has no network, no mounts and no functions of the host.
//! - A command begins in `/home/user` with the policy's environment, reads an empty standard input, keeps both outputs for its
//!   outcome, ends when its first process has ended and nothing holds its output, and has the policy's limits only ([`Command`]).
//! - Code has the policy's limits only, and 2 s to end after a [time limit](Code::timeout) of its own interrupted it.

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
    HttpReceipt, InputRequest, Limit, LimitHit, Outcome, OutputChunk, PolicyFinding, PolicyNote, Receipt, ReceiptKind, Representation,
    Stream, TracebackFrame, UnknownErrorCode, Usage, Verdict, WispError,
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
        Access, AllowRule, CustomTool, Determinism, Filesystem, Finding, HostGrant, ImportComponent, Limits, Location, McpCommand, McpHttp, McpServer,
        McpTool, McpTransport, Mount, Network, NoFiles, Note, Origin, Output, Overrides, Palette, Policy, PolicyErrors, PolicyText,
        ProtectedPath, Rule, SHIPPED_POLICIES, SecretPlace, SecretRule, Shipped, Source, SourceError, SourceFile, Tools, render,
    };
}

/// What a policy allows each component of a session, without starting one.
pub mod explain {
    pub use crate::program::{explain, for_model};
    pub use wisp_policy::capability::{Capability, Decision, Interface, Met};
    pub use wisp_world::report::Explanation;
    pub use wisp_world::{AdapterWorld, ComponentWorld, DenyError, ImportRow, NotAComponent, Provided, WorldError};
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
