//! SQLite for CPython's module `sqlite3`.
//!
//! The extension module `_wisp_sqlite` has all of SQLite in it, of which CPython's own module `_sqlite3` calls the functions in `table.rs`
//! (`components/python/exchange.py` says how). Below SQLite is a file system of ours (`vfs.rs`): bytes go through the C library that
//! CPython has, locks (`locks.rs`) are those of open files of the session, and what connections to a database with a write-ahead log share in
//! memory elsewhere is copied between them (`shared.rs`).

#![cfg_attr(target_family = "wasm", no_std)]

#[cfg(target_family = "wasm")]
extern crate alloc;

#[cfg(target_family = "wasm")]
mod files;
#[cfg(target_family = "wasm")]
mod io;
#[cfg(target_family = "wasm")]
mod libc;
#[cfg(target_family = "wasm")]
mod locks;
#[cfg(target_family = "wasm")]
mod module;
#[cfg(target_family = "wasm")]
mod opened;
#[cfg(target_family = "wasm")]
mod paths;
#[cfg(target_family = "wasm")]
mod shared;
#[cfg(target_family = "wasm")]
mod table;
#[cfg(target_family = "wasm")]
mod vfs;
