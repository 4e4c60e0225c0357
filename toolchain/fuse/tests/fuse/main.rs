//! Tests that fuse components and run them, before and after, in wasmtime.

mod command;
mod fusing;
mod linked;
mod refusals;
mod support;
mod wire;
