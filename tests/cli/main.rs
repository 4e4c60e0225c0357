//! The command, `wisp`: started as a user starts it.

mod apply;
mod changes;
mod codex;
mod failures;
mod first_hour;
mod first_start;
mod hooks;
mod interrupts;
mod losses;
mod mcp;
mod resident;
mod results;
mod servers;
mod servers_http;
mod sessions;
mod terminal;
mod usage;
