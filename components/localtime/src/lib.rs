//! Local time for CPython: the C library of WASI knows no time zone.
//!
//! The extension module `_wisp_localtime` (`module.rs`) exports `localtime_r`, `mktime` and `wcsftime`. CPython is linked with them in
//! place of the C library's (`components/python/reproducible.py` renames those), so `time`, `datetime` and what else is written in C show
//! the same time. Python reads the zone and gives it as a table (`components/python/_wisp/zones.py`), which [`zone`] looks up.

#![cfg_attr(target_family = "wasm", no_std)]

#[cfg(target_family = "wasm")]
mod module;
pub mod zone;
