//! The engine of the command line: with the components in the binary, and the machine code shipped beside it.

use std::path::PathBuf;

use wisp::{ComponentError, Components, Engine, EngineBuilder};

use crate::invocation;

/// The extension of the folder beside the binary that holds its machine code: `wisp.code` for `wisp`.
const ENDING: &str = ".code";

/// Returns the components of the folder that `WISP_COMPONENTS` names, otherwise those in this binary.
pub(crate) fn components() -> Result<Components, ComponentError> {
    Components::from_env()?.map_or_else(wisp_embedded::components, Ok)
}

/// Returns the settings of an engine: the defaults for a user's machine.
pub(crate) fn builder(components: Components) -> EngineBuilder {
    let builder = Engine::builder(components);
    match beside() {
        Some(directory) => builder.shipped_code(directory),
        None => builder,
    }
}

/// Returns the folder of the machine code shipped with this binary.
pub(crate) fn beside() -> Option<PathBuf> {
    let mut path = invocation::code()?.into_os_string();
    path.push(ENDING);
    Some(path.into())
}
