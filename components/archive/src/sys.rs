//! The system as the archivers see it: `wisp_tool::sys`, and the names of users.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use wisp_tool::names;
pub(crate) use wisp_tool::sys::{Kind, Stat, args, exit, is_terminal, mkfifo, path_from_bytes, set_mode, set_times, stat, symlink, umask};

/// Returns a user's name.
pub(crate) fn user(id: u32) -> String {
    names::users().name(id).unwrap_or_default().to_owned()
}

/// Returns a group's name.
pub(crate) fn group(id: u32) -> String {
    names::groups().name(id).unwrap_or_default().to_owned()
}

/// Returns the bytes of a path.
pub(crate) fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Returns an argument's bytes.
pub(crate) fn arg_bytes(arg: &OsString) -> &[u8] {
    arg.as_encoded_bytes()
}

/// Returns a path below a folder.
pub(crate) fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(path_from_bytes(name))
}
