//! Threads for CPython: what of a thread cannot be written in Python.
//!
//! The host gives each thread a stack of the machine; beside it, code of C and Rust keeps what has an address on a stack in memory, and
//! CPython keeps a state for each thread. The extension module `_wisp_threads` (`module.rs`) makes both and exchanges them where one
//! thread lets another run. `components/python/_wisp/threads.py` decides which.

#![cfg_attr(target_family = "wasm", no_std)]

#[cfg(target_family = "wasm")]
mod module;
