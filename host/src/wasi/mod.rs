//! The host's side of every interface a component may import, one file an interface.
//!
//! Each implements the generated traits on [`WasiView`], a borrowed view of one process; nothing here knows a session
//! or a store. What a process can reach is what its [`ProcessCtx`] holds: there is no ambient authority to forget.

pub mod bindings;

mod artifacts;
mod cli;
mod clocks;
mod context;
mod description;
mod end;
mod files;
mod filesystem;
mod http;
mod link;
mod outside;
mod process;
mod random;
mod session;
mod signals;
mod streams;

pub use artifacts::{Label, Labels};
pub use cli::Terminal;
pub use clocks::{ProcessClock, Timeline, unix_time};
pub use context::{Charge, HasWasi, HostMemory, OpenFiles, ProcessCtx, WasiState, WasiView};
pub use description::{Description, IoFailure, OpenDescription, OutputSink};
pub use end::{ProcessEnd, ProcessReplaced};
pub use files::OpenFileHandle;
pub use filesystem::{Descriptor, DirectoryEntries, FsFailure};
pub use http::HttpCtx;
pub use link::link;
pub use outside::{Gated, Outside, outside};
pub use process::Child;
pub use random::{ProcessRandom, StreamPosition};
pub use session::Facts;
