//! What every surface of wisp says in the same words, as data: a library in Rust, a server, a package for another language, the
//! command.
//!
//! What is asked ([`SessionRequest`], [`CommandRequest`], [`CodeRequest`]), results ([`Outcome`], [`Evaluation`], with [`End`] for how
//! they ended, [`Listing`] and others of files), what is told while they come about ([`Event`], [`Receipt`], [`Change`]), what a service
//! holds ([`SessionInfo`], [`FunctionInfo`]), and why a call failed ([`ErrorDocument`], [`ErrorCode`], [`Fault`]). Each type has one form in JSON, which it is written to and read
//! from, and a JSON schema. The crate is the lowest of wisp's: it has no runtime, knows no protocol, and builds for WebAssembly; an
//! HTTP server, for example, keeps its own table from codes to statuses.

mod apply;
mod change;
mod code;
mod content;
mod end;
mod error;
mod evaluation;
mod event;
mod fault;
mod file;
mod finding;
mod function;
mod info;
mod kept;
mod left_out;
mod limit;
mod outcome;
mod output;
mod patch;
mod receipt;
mod request;

pub use apply::{Applied, ApplyConflict, ApplyDocument, ApplyFile, ApplyLeftOut, ApplyReason, ApplyRefusal};
pub use change::{Change, Changed, DiffForm, DifferenceKind, FileDiff, FileDifference, FileVersion};
pub use code::{ErrorCode, UnknownErrorCode};
pub use end::End;
pub use error::{ErrorDocument, WispError, shown};
pub use evaluation::{Display, Evaluation, Exception, InputRequest, Representation, TracebackFrame};
pub use event::{Event, EventKind, Stream};
pub use fault::Fault;
pub use file::{FileEntry, FileType, FilesUsage, GrepMatch, GrepMatches, Listing, Stat, Unpacked};
pub use finding::{PolicyFinding, PolicyNote};
pub use function::FunctionInfo;
pub use info::{
    CheckpointId, CheckpointInfo, CommandInfo, EvaluationInfo, FileChange, InterpreterInfo, SessionDiff, SessionId, SessionInfo,
};
pub use kept::KeptSessionInfo;
pub use left_out::LeftOutReason;
pub use limit::{Limit, LimitHit};
pub use outcome::{Artifact, Outcome, Usage};
pub use output::{DisplayChunk, OutputChunk, Outputs};
pub use patch::{PatchChange, PatchReject, Patched, PatchedFile};
pub use receipt::{HttpReceipt, Receipt, ReceiptKind, Verdict};
pub use request::{Blob, CodeRequest, CommandEnd, CommandRequest, DiffRequest, OutputRequest, SessionRequest, TerminalRequest};

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod tests;
