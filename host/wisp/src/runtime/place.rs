//! The folders of this user that an engine has without being told.

#![expect(clippy::disallowed_methods, reason = "where the cache is, when the host program does not say")]

use std::path::PathBuf;

/// Returns `$XDG_CACHE_HOME/wisp/NAME`, or below `~/.cache`.
pub(crate) fn default_folder(name: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("wisp").join(name))
}
