//! Tells the program which wasmtime it is built with, for `wisp doctor`. Only the lock file knows the whole version.

#![allow(clippy::disallowed_methods, reason = "a build script reads files")]

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let lock = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let version = text.split("[[package]]\nname = \"wasmtime\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    println!("cargo::rustc-env=WASMTIME_VERSION={}", version.ok_or("Cargo.lock has no wasmtime")?);
    Ok(())
}
