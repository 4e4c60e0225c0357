//! Sessions: an engine for the process, a session for each conversation, a command for each thing it runs.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use wisp::{Command, Engine, Policy};
//!
//! let engine = Engine::new()?;
//! let session = engine.session(&Policy::offline()).build().await?;
//! let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c"])).await?;
//! assert_eq!(outcome.stdout, b"3\n");
//! # Ok(()) }
//! ```

mod artifact;
mod base;
mod builder;
mod cell;
mod check;
mod code;
mod command;
mod commands;
mod document;
mod engine;
mod environment;
mod error;
mod event;
mod explain;
mod for_model;
mod handle;
mod hold;
mod input;
mod kernel;
mod lockstep;
mod members;
mod memory;
mod network;
mod nobody;
mod outcome;
mod output;
mod program;
mod receipt;
mod receipts;
mod refusals;
mod run;
mod running;
mod shell;
mod snapshot;
mod snapshot_file;
mod spawn;
mod state;
mod task;
mod terminal;
mod time;
mod tool;
mod tools;
mod turns;

pub use artifact::{Artifact, is_plain};
pub use builder::SessionBuilder;
pub use cell::Cell;
pub use check::{check_mounts, check_tools};
pub use command::{Command, Input, Output, Terminal, Typed};
pub use document::{FileDocument, LimitDocument, OutcomeDocument, ReceiptDocument, UsageDocument};
pub use engine::{CompileEvent, Engine, EngineBuilder};
pub use error::{EngineError, KernelError, RunError, SessionError};
pub use event::{Event, EventSink, Happening, Stream};
pub use explain::explain;
pub use for_model::for_model;
pub use handle::{Session, Snapshot};
pub use kernel::Kernel;
pub use outcome::{LimitHit, Outcome, Usage};
pub use receipt::{HttpReceipt, Receipt, ReceiptSink, Verdict};
pub use shell::{Shell, ShellSnapshot};
pub use snapshot::KernelSnapshot;
pub use snapshot_file::SnapshotFileError;
