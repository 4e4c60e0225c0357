//! The host's side of every interface a component may import, one file an interface.
//!
//! Each implements the generated traits on [`WasiView`], a borrowed view of one process; nothing here knows a session
//! or a store. What a process can reach is what its [`ProcessCtx`] holds: there is no ambient authority to forget.
//!
//! # Why not `wasmtime-wasi`
//!
//! `wasi:io` is wasmtime's own (`wasmtime-wasi-io`). For the rest, `wasmtime-wasi` 48.0.8 was looked at, interface by
//! interface:
//!
//! | interface | what it lets an embedder plug | enough? |
//! | --- | --- | --- |
//! | `wasi:filesystem` | nothing: `enum Descriptor { File, Dir }` (`src/filesystem.rs`) are files of the host | no: files here are in memory, with quotas, overlays and snapshots |
//! | `wasi:cli` streams | traits for standard input and output | yes |
//! | `wasi:cli/environment` | arguments and variables as UTF-8 | nearly: other bytes are lost |
//! | `wasi:clocks` | both clocks for reading; waiting goes to tokio's | no: under `[determinism]` time that is waited passes too |
//! | `wasi:random` | the generators | yes |
//! | `wasi:sockets` | a check of addresses | not needed: never granted |
//! | `wasi:http` | `WasiHttpHooks::send_request` (`wasmtime-wasi-http`) | no, see the module `http` here |
//!
//! The filesystem decides it. With that ours, taking the four that fit would put a second context with its own table of
//! authority (preopens, sockets) beside [`ProcessCtx`] in every process, to save some 300 lines.

pub mod bindings;

mod artifacts;
mod charge;
mod cli;
mod clocks;
mod context;
mod description;
mod end;
mod files;
mod filesystem;
mod handles;
mod http;
mod link;
mod locks;
mod outside;
mod proc_files;
mod process;
mod random;
mod session;
mod signals;
mod streams;

pub use artifacts::{Label, Labels};
pub use charge::{Charge, Charged, HostMemory, NoMemory, Weigh};
pub use cli::Terminal;
pub use clocks::{ProcessClock, Timeline, unix_time};
pub use context::{OpenFiles, ProcessCtx, Refusals, WasiState, WasiView};
pub use description::{Description, IoFailure, OpenDescription, OutputSink};
pub use end::{ProcessEnd, ProcessReplaced};
pub use files::OpenFileHandle;
pub use filesystem::{Descriptor, DirectoryEntries, FsFailure};
pub use handles::{HANDLE_COST, Handles, Held};
pub use http::HttpCtx;
pub use link::{link, link_denials};
pub use locks::SharedLock;
pub use outside::{Gated, Outside, outside};
pub use proc_files::{HOST_NAME, PROC_FILES, PROC_LINKS, ProcView};
pub use process::Child;
pub use random::{ProcessRandom, StreamPosition};
pub use session::Facts;
