//! The file system that policies name: the one [`Source`] that does I/O.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::policy::{PolicyText, Source, SourceError, limits};

/// The host's file system, relative paths from the working directory.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostFiles;

impl Source for HostFiles {
    fn read(&self, path: &Path) -> Result<PolicyText, SourceError> {
        let identity = self.file(path)?;
        let mut bytes = Vec::new();
        // One byte more than allowed tells a policy that is too large, however large it is.
        let file = File::open(&identity).map_err(reason)?;
        file.take(limits::POLICY_BYTES + 1).read_to_end(&mut bytes).map_err(reason)?;
        if bytes.len() as u64 > limits::POLICY_BYTES {
            return Err(SourceError::TooLarge(limits::POLICY_BYTES));
        }
        let text = String::from_utf8(bytes).map_err(|_| SourceError::NotText)?;
        Ok(PolicyText { identity, text })
    }

    fn directory(&self, path: &Path) -> Result<PathBuf, SourceError> {
        let found = path.canonicalize().map_err(reason)?;
        if found.is_dir() { Ok(found) } else { Err(SourceError::NotADirectory) }
    }

    fn file(&self, path: &Path) -> Result<PathBuf, SourceError> {
        let found = path.canonicalize().map_err(reason)?;
        // Not a pipe or a device either: opening one could wait for ever.
        if found.is_file() { Ok(found) } else { Err(SourceError::NotAFile) }
    }
}

fn reason(error: std::io::Error) -> SourceError {
    match error.kind() {
        ErrorKind::NotFound => SourceError::NotFound,
        ErrorKind::NotADirectory => SourceError::NotADirectory,
        ErrorKind::PermissionDenied => SourceError::Other("permission denied".into()),
        _ => SourceError::Other(error.to_string()),
    }
}
