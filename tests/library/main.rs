//! The library, as a service uses it: commands with handles and terminals, sessions from a template, functions of the host,
//! interpreters that stay alive and their files, codes of errors; and what attacks through it meet.

mod commands;
// Beside the attacks that are files.
mod errors;
#[path = "../escape/mod.rs"]
mod escape;
mod functions;
mod interpreter;
mod kit;
mod send;
mod snapshot_file;
mod templates;
mod terminals;
