//! The server of Codex's execution environment, through the messages that Codex writes and reads.

mod blocks;
mod bounds;
mod denied;
mod files;
mod http;
mod input;
mod kit;
mod processes;
mod protocol;
mod sessions;
mod websocket;
