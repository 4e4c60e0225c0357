//! What a service asks of the library beside `Session::run`: commands with handles, sessions from a template.

#[path = "library/commands.rs"]
mod commands;
#[path = "library/kit.rs"]
mod kit;
#[path = "library/templates.rs"]
mod templates;
