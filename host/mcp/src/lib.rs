//! wisp as a server of the Model Context Protocol: any agent that speaks MCP gets a sandbox.
//!
//! A [`Server`] translates the calls of a client to a [`wisp_service::Service`]: tools that run Python and shell commands, read,
//! write, edit and search files, take checkpoints and fork sessions, and explain the policy; the functions of the host that the policy
//! grants are tools too, and the files of the sandbox its resources. It has no authority of its own: what a session may do is the policy's.
//!
//! [`Server::serve`] serves one connection, [`Server::serve_stdio`] that of standard input and output, [`Server::serve_http`] any
//! number over HTTP. Whatever the client does, its calls are bounded ([`Options`]), and when it is gone nothing of it is left running.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests start the other side of a connection"))]

mod arguments;
mod bounds;
mod call;
mod connection;
mod error;
mod handler;
mod http;
mod log;
mod report;
mod resources;
mod server;
mod sessions;
mod structured;
mod subscriptions;
mod text;
mod timer;
mod tools;
mod transport;

pub use error::ServeError;
pub use http::HttpOptions;
pub use server::{Keep, Options, Server};
