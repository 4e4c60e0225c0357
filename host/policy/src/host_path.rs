//! Paths of the host in a layer.

use std::path::{Path, PathBuf};

use super::limits;
use super::read::{Reader, Set};
use super::schema::Key;

/// A path of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HostPath {
    /// As written, and the directory to which it is relative.
    Asked { text: PathBuf, base: PathBuf },
    /// Resolved: absolute, links followed.
    Found(PathBuf),
}

/// Checks a path of the host as written: not empty, no NUL.
pub(super) fn host_path(reader: &Reader, key: Key, text: Set<String>, base: &Path) -> Option<Set<HostPath>> {
    let problem = if text.value.is_empty() {
        "a path must not be empty"
    } else if text.value.contains('\0') {
        "a path has no NUL"
    } else if text.value.len() > limits::PATH_BYTES {
        "this path is longer than 4096 bytes"
    } else {
        let value = HostPath::Asked { text: PathBuf::from(text.value), base: base.to_owned() };
        return Some(Set { value, rule: text.rule });
    };
    reader.find(text.rule.finding(format!("`{}` is not valid", key.path())).label(problem).help(reader.example(key)));
    None
}
