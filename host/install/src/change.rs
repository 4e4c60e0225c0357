//! A change of one file, before it is made.

use std::path::{Path, PathBuf};

use crate::disk::Target;
use crate::{InstallError, diff};

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The entry is new.
    Added,
    /// wisp's entry was there and says something else now.
    Updated,
    /// Another entry of the name was there, and goes.
    Replaced,
    /// The entry goes.
    Removed,
    /// Everything is as it should be.
    Unchanged,
}

impl Kind {
    /// Returns the name, as JSON has it: `added`, `updated`, `replaced`, `removed` or `unchanged`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Replaced => "replaced",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
        }
    }
}

/// A change of one file, planned and not made. It is one entry, and every other byte stays.
#[derive(Debug)]
#[must_use = "nothing is written until `write` is called"]
pub struct Change {
    pub(crate) path: PathBuf,
    pub(crate) target: Target,
    pub(crate) after: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) mode: u32,
}

impl Change {
    /// Returns the file, by the name that the client has for it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what the change does.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the text that is there, or nothing if there is no file.
    pub fn before(&self) -> Option<&str> {
        self.target.text()
    }

    /// Returns the text that will be there, or nothing if there will be no file.
    pub fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// Returns the change as a unified diff, for `--dry-run`. It is empty if nothing changes.
    pub fn diff(&self) -> String {
        diff::unified(&self.path, self.before(), self.after())
    }

    /// Makes the change, as a whole or not at all: a crash leaves the old file or the new one, so there is no backup.
    ///
    /// A symbolic link stays, and the file that it leads to changes. Its mode and owner stay as well. Extended attributes and access
    /// lists do not: the file is a new one. If the file has changed since the change was planned, nothing is written.
    pub fn write(&self) -> Result<(), InstallError> {
        match self.kind {
            Kind::Unchanged => Ok(()),
            _ => self.target.write(&self.path, self.after.as_deref(), self.mode),
        }
    }
}
