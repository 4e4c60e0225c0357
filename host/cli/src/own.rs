//! What this program is to agents that start it, and where they keep their configuration.

use std::path::PathBuf;

use anyhow::Context;
use wisp_install::Home;

use crate::Failure;

/// Returns the path of this program. It is not resolved: a link to it survives updates.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    let found = std::env::current_exe().context("where is this program?").map_err(Failure::internal)?;
    let named = std::env::args_os().next().map(PathBuf::from).filter(|path| path.is_absolute() && path.exists());
    Ok(named.unwrap_or(found))
}

/// Returns the environment of the user whose configuration it is.
pub(crate) fn home() -> Home {
    Home::from_variables(|name| std::env::var_os(name))
}
