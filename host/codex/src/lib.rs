//! wisp as the execution environment of OpenAI's Codex: its processes, files and requests go to a sandbox.
//!
//! A [`Server`] translates the calls of Codex's exec-server protocol, in the version of Codex 0.171.0, to a
//! [`wisp_service::Service`]: each client has one session. It has no authority of its own: what a process may do is the policy's, whatever
//! sandbox Codex itself asks for.
//!
//! [`Server::serve`] serves one client, [`Server::serve_stdio`] that of standard input and output, [`Server::serve_websocket`] any
//! number over WebSocket. Whatever the client does, its calls are bounded, and when it is gone nothing of it is left running; its session
//! is saved in a store ([`Options::store`]), and can be gone on with.
//!
//! Parts of the protocol that wisp does not offer, and says so: the capabilities of plugins on the host, configuration of the
//! environment, watching for files, snapshots of shells, and Codex's own network proxy.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests start the other side of a connection"))]

mod bounds;
mod connection;
mod ends;
mod environment;
mod error;
mod files;
mod handles;
mod http;
mod intent;
mod lines;
mod log;
mod message;
mod methods;
mod outbox;
mod process;
mod processes;
mod protocol;
mod sandbox;
mod server;
mod tasks;
mod timer;
mod uri;
mod url;
mod walk;
mod websocket;

pub use error::ServeError;
pub use message::unserved;
pub use server::{Options, Server};
pub use websocket::WebSocketOptions;
