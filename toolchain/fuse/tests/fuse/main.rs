//! Tests that fuse components and run them, before and after, in wasmtime.

mod fusing;
mod refusals;
mod support;
