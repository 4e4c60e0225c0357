//! The server of the Model Context Protocol, through the lines that a client writes and reads.

mod bounds;
mod files;
mod http;
mod kit;
mod protocol;
mod resources;
mod run;
mod sessions;
mod stop;
