//! The server that a client is to start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{InstallError, Scope};

/// Maximum characters of a server's name. Clients make a tool's name of it (`mcp__wisp__run_python`), for which some models allow 64.
const NAME: usize = 32;

/// The server that a client is to start: `wisp mcp`, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    name: String,
    command: PathBuf,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    longest_call: Option<Duration>,
}

impl Server {
    /// Describes the server `wisp`: `command` with the argument `mcp`.
    ///
    /// `command` is an absolute path: a client that is started from a menu has another `PATH` than a shell. In the file of a project,
    /// which others share, it may be the name alone, `wisp`.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self {
            name: "wisp".to_owned(),
            command: command.into(),
            arguments: vec!["mcp".to_owned()],
            environment: BTreeMap::new(),
            longest_call: None,
        }
    }

    /// Gives the server another name than `wisp`, so that a client can have several, with a policy each.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Adds an argument after those before it.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets a variable of the server's environment.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// Says how long a call can take, which is what the policy allows. Codex ends a call after a minute unless it is told.
    #[must_use]
    pub fn longest_call(mut self, longest: Duration) -> Self {
        self.longest_call = Some(longest);
        self
    }

    pub(crate) fn named(&self) -> &str {
        &self.name
    }

    pub(crate) fn path(&self) -> &Path {
        &self.command
    }

    /// Returns the command as text, which is all that a configuration can hold.
    pub(crate) fn command(&self, scope: &Scope) -> Result<&str, InstallError> {
        let text = self.command.to_str().ok_or_else(|| InstallError::NotText { value: self.command.clone() })?;
        let by_name = matches!(scope, Scope::Project(_)) && self.command.components().count() == 1;
        if self.command.is_relative() && !by_name {
            return Err(InstallError::RelativeCommand { command: text.to_owned() });
        }
        Ok(text)
    }

    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    pub(crate) fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    pub(crate) fn longest(&self) -> Option<Duration> {
        self.longest_call
    }
}

/// Checks a name: what every client takes, and what needs no quotes in TOML.
pub(crate) fn check_name(name: &str) -> Result<(), InstallError> {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if plain && (1..=NAME).contains(&name.len()) { Ok(()) } else { Err(InstallError::Name { name: name.to_owned(), max: NAME }) }
}
