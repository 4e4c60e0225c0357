//! What the extension modules of python3 share (`codecs`, `localtime`, `sqlite`, `threads`): CPython's tables of a module, the C library's
//! allocator, and the end of a panic. Each module declares the functions of CPython that it calls.

#![cfg_attr(target_family = "wasm", no_std)]

#[cfg(target_family = "wasm")]
mod allocator;
#[cfg(target_family = "wasm")]
mod module;

#[cfg(target_family = "wasm")]
pub use allocator::Allocator;
#[cfg(target_family = "wasm")]
pub use module::{END, Function, Method, Module, Object, method};
