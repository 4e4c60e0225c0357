//! A configuration that was read, and the change of it.

use std::path::PathBuf;

use serde_json::Value;

use crate::change::{Change, Kind};
use crate::disk::{self, Target};
use crate::format::{Format, Trouble};
use crate::{Client, InstallError};

/// An agent's configuration.
pub(crate) struct Config {
    pub(crate) client: Client,
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    target: Target,
    /// The mark that some editors put before a text; it stays.
    mark: &'static str,
    /// The text behind the mark, or a blank one.
    pub(crate) text: String,
    pub(crate) value: Value,
    /// What a file says that says nothing.
    blank: &'static str,
}

impl Config {
    /// Reads the file, if it exists. `blank` stands for one that does not.
    pub(crate) fn read(client: Client, path: PathBuf, format: Format, blank: &'static str) -> Result<Self, InstallError> {
        let target = disk::read(&path)?;
        let (mark, text) = target.unmarked(blank);
        let value = format.value(&text).map_err(|trouble| trouble.of(client, format, &path))?;
        Ok(Self { client, path, format, target, mark, text, value, blank })
    }

    /// Returns whether the file exists.
    pub(crate) fn exists(&self) -> bool {
        self.target.text().is_some()
    }

    /// Returns the change to `after`. `mode` is that of a file that does not exist yet.
    pub(crate) fn change(self, kind: Kind, after: &str, mode: u32) -> Change {
        let after = Some(format!("{}{after}", self.mark));
        Change { path: self.path, target: self.target, after, kind, mode }
    }

    /// Returns the change that takes wisp's entry out. A file in which nothing else was is removed, except behind a link: that is not ours.
    pub(crate) fn removal(self, after: &str) -> Change {
        if after.trim() == self.blank.trim() && !self.target.is_linked() {
            return Change { path: self.path, target: self.target, after: None, kind: Kind::Removed, mode: 0 };
        }
        // The file exists, and keeps its mode.
        self.change(Kind::Removed, after, 0)
    }

    /// Returns the change that is none.
    pub(crate) fn unchanged(self) -> Change {
        let after = self.target.text().map(str::to_owned);
        Change { path: self.path, target: self.target, after, kind: Kind::Unchanged, mode: 0 }
    }

    /// Returns the error that an edit meets.
    pub(crate) fn trouble(&self, trouble: Trouble) -> InstallError {
        trouble.of(self.client, self.format, &self.path)
    }
}
