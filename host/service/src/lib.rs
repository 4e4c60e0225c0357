//! wisp as a service: what every surface needs that keeps sandboxes for others, and no surface should write again.
//!
//! - [`Runtime`] owns the engine and the async runtime that drives its sessions, set up as they must be. It is the first thing here
//!   that makes threads: a program that confines itself ([`wisp::confine`]) opens what it needs and does so before.
//! - [`Service`] holds live sessions: by an id or by a key that the caller chooses, each with its owner, its idle limit and its
//!   expiry. A [`SessionHandle`] has the session's commands, evaluations, shells and checkpoints, which are found again by their
//!   ids; output is read after an offset, with a wait. [`Service::blocking`] has the same for threads without an async runtime.
//! - [`Store`] keeps sessions in a folder, from one program to the next: `wisp run --session` and `wisp session` stand on it. The
//!   example `kept` shows it. [`Service::open_kept`] makes a live session of a kept one.
//!
//! A caller that goes away ends nothing: what it started goes on until it ends by itself, is ended, or its session is closed. Only its
//! calls of functions of the host end with it, since nothing could find them again.
//! Requests and answers are data ([`wisp_api`]). The crate knows no protocol, no HTTP and no command line: a surface translates between
//! those and what is here. Errors have the codes of the library's ([`wisp::ErrorCode`]), and their texts name no command.

mod blocking;
mod builder;
mod checkpoint;
mod clock;
mod command;
mod diff;
mod error;
mod evaluation;
mod functions;
mod interpreter;
mod listener;
mod network;
mod open;
mod output;
mod receipts;
mod registry;
mod runtime;
mod service;
mod session;
mod shell;
mod store;
mod timer;
mod token;
mod watch;
mod work;

pub use blocking::{BlockingCommand, BlockingEvaluation, BlockingService, BlockingSession, BlockingWatch};
pub use builder::{ServiceBuilder, ServiceLimits};
pub use command::CommandHandle;
pub use error::ServiceError;
pub use evaluation::EvaluationHandle;
pub use listener::{ListenError, Listener};
pub use receipts::{ReceiptRead, ReceiptReader};
pub use registry::Owner;
pub use runtime::{Runtime, StartError};
pub use service::Service;
pub use session::SessionHandle;
pub use store::{KeptSession, Saved, Store, StoreError};
pub use token::Token;
pub use watch::WatchHandle;
pub use work::Work;
