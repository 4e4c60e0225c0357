//! The system as the archivers see it: `wisp_tool::sys`, and the names of users.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
pub use wisp_tool::sys::{Kind, Stat, args, exit, is_terminal, path_from_bytes, set_mode, set_times, stat, symlink, umask};

/// The name of a user or group in `/etc/passwd` or `/etc/group`.
fn name_in(file: &str, id: u32) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    })
}

/// A user's name.
pub fn user(id: u32) -> String {
    name_in("/etc/passwd", id).unwrap_or_default()
}

/// A group's name.
pub fn group(id: u32) -> String {
    name_in("/etc/group", id).unwrap_or_default()
}

/// The bytes of a path.
pub fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// An argument's bytes.
pub fn arg_bytes(arg: &OsString) -> &[u8] {
    arg.as_encoded_bytes()
}

/// A path below a folder.
pub fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(path_from_bytes(name))
}
