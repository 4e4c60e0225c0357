//! Tools of other servers inside the sandbox: what a policy names in `[[host.mcp]]` becomes functions of the host
//! (`from host import github_search_issues`).
//!
//! A [`Connector`] starts each server as a program outside the sandbox and speaks the Model Context Protocol with it, over its standard
//! input and output; with a server at a URL it speaks it over HTTP. It is the [`FunctionSource`](wisp::FunctionSource) of an engine:
//!
//! ```no_run
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use wisp::{Components, Engine};
//! use wisp_mcp_client::Connector;
//!
//! let components = Components::from_folder("/usr/lib/service/components")?;
//! let engine = Engine::builder(components).function_source(Arc::new(Connector::new())).build()?;
//! # Ok(()) }
//! ```
//!
//! The library's gate decides on each call as on any other: `allow`, the limits of `[host]`, one receipt a call, recorded answers. What a
//! server says is not trusted here: its messages are bounded, its schemas and texts are made plain before a guest or a model sees them, and a
//! server that ends, or is silent, fails the calls that wait for it and nothing else.
//!
//! Only what tools need of the protocol is here, `initialize`, `tools/list` and `tools/call`, so it needs no library of it: results pass from
//! a message to the guest as the text that they are. How messages travel is in `lines` and `http`, and nothing else depends on it.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests are servers, and look whether a program has ended"))]

mod call;
mod connection;
mod connector;
mod error;
mod events;
mod http;
#[cfg(test)]
mod http_tests;
mod lines;
mod process;
mod reach;
mod schema;
mod server;
#[cfg(test)]
mod tests;
mod time;
mod wire;

pub use connector::Connector;
pub use error::ConnectError;
