//! The library, as a service uses it: commands with handles and terminals, sessions from a template, functions of the host,
//! interpreters that stay alive and their files, codes of errors, failures of the host, the end of a session; and what attacks
//! through it meet.

mod close;
mod codex;
mod commands;
mod ends;
// Beside the attacks that are files.
mod errors;
#[path = "../escape/mod.rs"]
mod escape;
mod faults;
mod function_calls;
mod functions;
mod interpreter;
mod interrupt;
mod kept;
mod kit;
mod mcp;
mod mcp_tools;
mod mcp_tools_http;
mod names;
mod peer;
mod send;
mod service;
mod snapshot_file;
mod templates;
mod terminals;
