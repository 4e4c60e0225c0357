//! Where a user's configuration is, from variables that the caller passes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::InstallError;

/// The variables that say where the clients keep their configuration.
const VARIABLES: [&str; 4] = ["HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"];

/// Whom an entry is for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The user, in every project.
    User,
    /// Everyone who works in this folder: the file belongs to the project.
    Project(PathBuf),
}

/// The environment of the user whose configuration it is.
#[derive(Debug, Clone, Default)]
pub struct Home {
    variables: BTreeMap<&'static str, PathBuf>,
}

impl Home {
    /// Asks `variable` for `HOME`, `XDG_CONFIG_HOME`, `CLAUDE_CONFIG_DIR` and `CODEX_HOME`. An empty one counts as not set.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &'static str| variable(name).filter(|value| !value.is_empty()).map(|value| (name, PathBuf::from(value)));
        Self { variables: VARIABLES.into_iter().filter_map(set).collect() }
    }

    /// Returns the folder that `name` names, if it is set.
    pub(crate) fn variable(&self, name: &'static str) -> Result<Option<&Path>, InstallError> {
        match self.variables.get(name) {
            Some(path) if path.is_relative() => Err(InstallError::RelativeVariable { name, value: path.clone() }),
            found => Ok(found.map(PathBuf::as_path)),
        }
    }

    /// Returns the user's home.
    pub(crate) fn home(&self) -> Result<&Path, InstallError> {
        self.variable("HOME")?.ok_or(InstallError::NoHome)
    }

    /// Returns the folder for configuration: `$XDG_CONFIG_HOME`, or `~/.config`. A relative `XDG_CONFIG_HOME` does not count, as the
    /// specification of these folders has it.
    pub(crate) fn config(&self) -> Result<PathBuf, InstallError> {
        match self.variables.get("XDG_CONFIG_HOME").filter(|path| path.is_absolute()) {
            Some(path) => Ok(path.clone()),
            None => Ok(self.home()?.join(".config")),
        }
    }
}
