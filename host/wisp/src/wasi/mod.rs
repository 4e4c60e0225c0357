//! The host's side of every interface that a component may import, one file for each interface.
//!
//! Nothing here knows a session or a store. A process can reach what its [`ProcessCtx`] holds, and nothing else: there
//! is no ambient authority. Each interface sees only its own part of that, which is the type that its generated trait
//! is implemented on: `link` narrows the [`WasiView`] of the store by `context::Part` before a function runs, so that
//! `wasi:random` cannot name a file.
//!
//! | interface | sees |
//! | --- | --- |
//! | `wasi:random` | the generator |
//! | `wasi:clocks` | the clock; for timers also the handles |
//! | `wasi:cli/environment`, `exit` | arguments, environment, working directory; nothing |
//! | `wasi:cli` streams and terminals | the descriptors from the start, the handles |
//! | `wasi:http` | the network, the process's number for receipts, the handles |
//! | `wasi:filesystem`, `wisp:sandbox/files` | the files, their locks, named pipes and descriptors, the generator (`/dev/random`), the handles |
//! | `wisp:sandbox/process`, `terminal` | the process table, the spawner, the clock, what the process was started with, the policy's limits, the handles |
//! | `wisp:sandbox/host` | the functions that this process may call, the handles |
//! | `wisp:sandbox/session`, `artifacts`, `network` | the facts; the labels; the last failure of a request |
//! | `wisp:sandbox/frontend` | the front end of the evaluation that runs; the account for host memory |
//! | `wisp:sandbox/threads` | the numbers of its threads; the account for host memory |
//! | `wasi:io` | the handles |
//!
//! All interfaces share one table of handles, and with it the account that pays for host memory: `wasi:io` reads a
//! stream that files or HTTP made, and one poll may wait for a timer and a child. Each handle has a type, so no
//! interface can use another's.
//!
//! # Why not `wasmtime-wasi`
//!
//! `wasi:io` is wasmtime's own (`wasmtime-wasi-io`). For the rest, this table compares `wasmtime-wasi` 48.0.8,
//! interface by interface:
//!
//! | interface | what it lets an embedder plug | enough? |
//! | --- | --- | --- |
//! | `wasi:filesystem` | nothing: `enum Descriptor { File, Dir }` (`src/filesystem.rs`) are files of the host | no: files here are in memory, with quotas, overlays and snapshots |
//! | `wasi:cli` streams | traits for standard input and output | yes |
//! | `wasi:cli/environment` | arguments and variables as UTF-8 | nearly: other bytes are lost |
//! | `wasi:clocks` | both clocks for reading; waiting uses tokio's | no: under `[determinism]`, time must also pass by waiting |
//! | `wasi:random` | the generators | yes |
//! | `wasi:sockets` | a check of addresses | not needed: never granted |
//! | `wasi:http` | `WasiHttpHooks::send_request` (`wasmtime-wasi-http`) | no, see the module `http` here |
//!
//! The filesystem decides it. Since ours is needed, using the four interfaces that fit would put a second context with
//! its own table of authority (preopens, sockets) beside [`ProcessCtx`] in every process, to save some 300 lines.

pub mod bindings;

mod alarm;
mod artifacts;
mod charge;
mod cli;
mod clocks;
mod context;
mod description;
mod end;
mod fifos;
mod files;
mod filesystem;
mod frontend;
mod handles;
mod host;
mod http;
mod limits;
mod link;
mod locks;
mod loopback;
mod outside;
mod proc_files;
mod proc_texts;
mod process;
mod random;
mod session;
mod signal_flags;
mod signals;
mod streams;
mod terminal;
mod threads;

pub use alarm::ProcessAlarm;
pub use artifacts::{Label, Labels};
#[cfg(test)]
pub(crate) use charge::tests::Account;
pub use charge::{Charge, Charged, HostMemory, NoMemory, Weigh};
pub use clocks::{ProcessClock, Timeline, unix_time};
pub use context::{OpenFiles, ProcessCtx, Refusals, WasiState, WasiView};
pub use description::{Description, IoFailure, OpenDescription, OutputSink};
pub use end::{ProcessEnd, ProcessReplaced};
pub use files::OpenFileHandle;
pub use frontend::{Answer, Frontend};
pub(crate) use frontend::{check_representations, size_of_display};
pub use handles::{Handles, Held};
pub use host::{Asker, CallError, HostAnswer, HostCalls, HostDescription, HostFailure, HostItem, HostItems, HostValue};
pub use http::HttpCtx;
pub use limits::open_files;
pub use link::{link, link_denials};
pub use locks::SharedLock;
pub use outside::{Gated, Outside, outside};
pub use proc_files::{HOST_NAME, PROC_FILES, PROC_LINKS, ProcView};
pub use random::{ProcessRandom, StreamPosition};
pub use session::Facts;
pub use signal_flags::{OwnMemory, SignalFlags};
pub use threads::{THREAD_COST, ThreadTable};
