//! The engine of the command line: with the machine code that came beside the binary.

use std::path::PathBuf;

use wisp::{Engine, EngineBuilder};

/// The ending of the folder beside the binary that holds its machine code: `wisp.code` for `wisp`.
const ENDING: &str = ".code";

/// Settings of an engine, the defaults of a person's machine.
pub(crate) fn builder() -> EngineBuilder {
    let builder = Engine::builder();
    match beside() {
        Some(directory) => builder.shipped_code(directory),
        None => builder,
    }
}

/// Where machine code that came with this binary would be.
pub(crate) fn beside() -> Option<PathBuf> {
    let mut path = std::env::current_exe().ok()?.into_os_string();
    path.push(ENDING);
    Some(path.into())
}
