//! The server of the Model Context Protocol, through the lines that a client writes and reads.

mod bounds;
mod files;
mod functions;
mod http;
mod kit;
mod messages;
mod protocol;
mod resources;
mod run;
mod sessions;
mod stop;
mod structured;
