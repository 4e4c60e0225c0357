//! What a service asks of the library beside `Session::run`: commands with handles and terminals, sessions from a
//! template, functions of the host.

#[path = "library/commands.rs"]
mod commands;
#[path = "library/functions.rs"]
mod functions;
#[path = "library/kit.rs"]
mod kit;
#[path = "library/templates.rs"]
mod templates;
#[path = "library/terminals.rs"]
mod terminals;
