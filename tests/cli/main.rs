//! The command, `wisp`: started as a user starts it.

mod apply;
mod changes;
mod failures;
mod first_start;
mod interrupts;
mod mcp;
mod results;
mod servers;
mod servers_http;
mod sessions;
mod terminal;
mod usage;
