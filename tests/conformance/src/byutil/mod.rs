//! coreutils' by-util tests: Rust, built from the crate `coreutils`, with our tools in place of its own.

pub mod mirror;
