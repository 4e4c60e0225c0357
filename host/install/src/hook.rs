//! A hook of a coding agent: before the agent runs a shell command, it asks `wisp hooks run`, which answers with a command that runs
//! it in a sandbox.

mod asked;
mod call;
mod entry;
mod plan;
mod plugin;

use std::path::{Path, PathBuf};

pub use call::{HookCall, HookError, Sandbox};
pub use plan::HookStatus;

use crate::{Client, InstallError};

/// The hook that an agent is to ask: `wisp hooks run`, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    program: PathBuf,
    arguments: Vec<String>,
}

impl Hook {
    /// Describes the hook of `program`, an absolute path: an agent that is started from a menu has another `PATH` than a shell.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: Vec::new() }
    }

    /// Adds an argument after `hooks run CLIENT` and those before it.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Returns the words of the command that `client` starts.
    fn words(&self, client: Client) -> Result<Vec<String>, InstallError> {
        let program = self.program.to_str().ok_or_else(|| InstallError::NotText { value: self.program.clone() })?;
        if self.program.is_relative() {
            return Err(InstallError::RelativeCommand { command: program.to_owned() });
        }
        let fixed = [program, "hooks", "run", client.as_str()].map(str::to_owned);
        let words: Vec<String> = fixed.into_iter().chain(self.arguments.iter().cloned()).collect();
        // What OpenCode reads is a program of ours, in which nothing is replaced.
        let marks: &[&'static str] = if client == Client::OpenCode { &[] } else { client.marks() };
        for text in &words {
            if let Some(mark) = marks.iter().copied().find(|mark| text.contains(*mark)) {
                return Err(InstallError::Mark { client, text: text.clone(), mark });
            }
            if client == Client::Cursor && text.contains("://") {
                return Err(InstallError::HookAddress { client, text: text.clone() });
            }
        }
        Ok(words)
    }

    /// Returns whether a command is one that wisp wrote, now or in an older version: it starts `wisp hooks run`, wherever that `wisp`
    /// was. A binary with another name counts if it is this one.
    fn is_called_by(&self, words: &[String]) -> bool {
        let [program, first, second, ..] = words else { return false };
        let name = Path::new(program).file_name();
        let known = name == Some("wisp".as_ref()) || name.is_some_and(|name| self.program.file_name() == Some(name));
        known && (first.as_str(), second.as_str()) == ("hooks", "run")
    }
}
