//! Backups of files that would be overwritten.

use super::same;
use crate::sys;
use std::path::{Path, PathBuf};

/// The kind of backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Backup {
    /// `NAME~`, or another suffix.
    Simple(String),
    /// `Numbered` if numbered backups exist, else `Simple`.
    Existing(String),
    /// `NAME.~1~`.
    Numbered,
}

impl Backup {
    /// Reads the value of `--backup[=CONTROL]`.
    pub(crate) fn parse(control: &str, suffix: Option<String>) -> Option<Self> {
        let suffix = suffix.or_else(|| std::env::var("SIMPLE_BACKUP_SUFFIX").ok());
        let suffix = suffix.filter(|s| !s.is_empty() && !s.contains('/')).unwrap_or_else(|| "~".into());
        let environment = std::env::var("VERSION_CONTROL").ok();
        match if control.is_empty() { environment.as_deref().unwrap_or("existing") } else { control } {
            "none" | "off" => None,
            "numbered" | "t" => Some(Self::Numbered),
            "simple" | "never" => Some(Self::Simple(suffix)),
            _ => Some(Self::Existing(suffix)),
        }
    }

    /// Returns whether the backup would overwrite the source. In that case nothing is done.
    pub(crate) fn destroys(&self, from: &Path, to: &Path) -> bool {
        let (Self::Simple(suffix) | Self::Existing(suffix)) = self else { return false };
        same::place(&with(to, suffix)).is_some_and(|place| same::place(from) == Some(place))
            && sys::stat(from, false).is_ok_and(|s| !s.is_link())
    }

    /// Returns the name of the backup of `path`.
    pub(crate) fn place(&self, path: &Path) -> PathBuf {
        let mut bare = [path.to_path_buf()];
        crate::operands::strip_slashes(&mut bare);
        let path = &bare[0];
        let with = |suffix: &str| with(path, suffix);
        let numbered = || sys::stat(&with(".~1~"), false).is_ok();
        match self {
            Self::Simple(suffix) => with(suffix),
            Self::Existing(suffix) if !numbered() => with(suffix),
            _ => (1u64..).map(|n| with(&format!(".~{n}~"))).find(|p| sys::stat(p, false).is_err()).unwrap_or_else(|| with("~")),
        }
    }
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
