//! The library, as a service uses it: commands with handles and terminals, sessions from a template, functions of the host,
<<<<<<< HEAD
//! interpreters that stay alive and their files, codes of errors, the end of a session; and what attacks through it meet.
=======
//! interpreters that stay alive and their files, codes of errors, failures of the host; and what attacks through it meet.
>>>>>>> 5322bd1b (Tests of each failure of the host, and of what else ends a command)

mod close;
mod commands;
mod ends;
// Beside the attacks that are files.
mod errors;
#[path = "../escape/mod.rs"]
mod escape;
mod faults;
mod functions;
mod interpreter;
mod interrupt;
mod kit;
mod send;
mod snapshot_file;
mod templates;
mod terminals;
