//! What coding agents have of wisp in their configuration, put in, taken out, looked up: its MCP server, its hook ([`Hook`]), and for
//! Codex its environment ([`Environment`]); and what the hook answers ([`HookCall`]).
//!
//! [`Client::plan_install`] and [`Client::plan_uninstall`] read a client's configuration and return a [`Change`], which shows what
//! would be different ([`Change::diff`]) and writes it ([`Change::write`]); [`Client::status`] says what is there. Nothing but the
//! entry of the server changes: every other byte of the file stays, comments and the order of keys among them, and a file that the
//! client itself could not read is refused and stays as it is. An entry that has the server's name but starts something else
//! stays too, unless the caller forces it.
//!
//! The crate reads no environment: the caller passes the variables ([`Home`]). It touches the machine in one file (`disk.rs`).
//!
//! ```no_run
//! use wisp_install::{Client, Home, Scope, Server};
//!
//! # fn example() -> Result<(), wisp_install::InstallError> {
//! let home = Home::from_variables(|name| std::env::var_os(name));
//! let server = Server::new("/usr/local/bin/wisp").argument("--policy").argument("/home/me/agent.toml");
//! let change = Client::Claude.plan_install(&home, &Scope::User, &server, false)?;
//! print!("{}", change.diff());
//! change.write()?;
//! # Ok(()) }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests lay out folders of their own"))]

mod change;
mod client;
mod codex;
mod config;
mod diff;
mod disk;
mod entry;
mod error;
mod format;
mod home;
mod hook;
mod json;
mod plan;
mod server;
mod shell;
mod toml;

pub use change::{Change, Kind};
pub use client::{Client, UnknownClient};
pub use codex::{Environment, EnvironmentStatus, Settings};
pub use error::InstallError;
pub use home::{Home, Scope};
pub use hook::{Hook, HookCall, HookError, HookStatus, Sandbox};
pub use plan::{State, Status};
pub use server::Server;

#[cfg(test)]
mod tests;
