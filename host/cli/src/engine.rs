//! The engine of the command line, which uses the machine code shipped beside the binary.

use std::path::PathBuf;

use wisp::{Engine, EngineBuilder};

/// The extension of the folder beside the binary that holds its machine code: `wisp.code` for `wisp`.
const ENDING: &str = ".code";

/// Settings of an engine: the defaults for a user's machine.
pub(crate) fn builder() -> EngineBuilder {
    let builder = Engine::builder();
    match beside() {
        Some(directory) => builder.shipped_code(directory),
        None => builder,
    }
}

/// The folder of the machine code shipped with this binary.
pub(crate) fn beside() -> Option<PathBuf> {
    let mut path = std::env::current_exe().ok()?.into_os_string();
    path.push(ENDING);
    Some(path.into())
}
