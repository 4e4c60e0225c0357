//! Support for the tests of the whole: running the `wisp` binary, and cases that are files.

#[path = "support/alone.rs"]
pub mod alone;
#[path = "support/container.rs"]
pub mod container;
#[path = "support/engine.rs"]
pub mod engine;
#[path = "support/escape.rs"]
pub mod escape;
#[path = "support/guide.rs"]
pub mod guide;
#[path = "support/kept.rs"]
pub mod kept;
#[path = "support/mcp_http.rs"]
pub mod mcp_http;
#[path = "support/script.rs"]
pub mod script;
#[path = "support/server.rs"]
pub mod server;
#[path = "support/unittest.rs"]
pub mod unittest;
#[path = "support/wheel.rs"]
pub mod wheel;
#[path = "support/wisp.rs"]
pub mod wisp;
