//! What Rust's std does not offer on WASI: mode bits, times, the names of users. Inside wisp through `wisp:sandbox`;
//! natively through Unix, so that tests can run the tools here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[cfg(not(target_family = "wasm"))]
#[path = "sys_native.rs"]
mod imp;
#[cfg(target_family = "wasm")]
#[path = "sys_wasm.rs"]
mod imp;

pub use imp::{args, exit, is_terminal, path_from_bytes, set_mode, set_times, stat, symlink};

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Dir,
    Link,
    Fifo,
    /// Anything that no archive of ours holds.
    Other,
}

/// Facts about a file; times are nanoseconds since 1970.
#[derive(Debug, Clone)]
pub struct Stat {
    pub dev: u64,
    pub ino: u64,
    pub kind: Kind,
    pub mode: u32,
    pub links: u64,
    pub uid: u32,
    pub gid: u32,
    pub size: u64,
    pub atime: i128,
    pub mtime: i128,
}

impl Stat {
    /// The last change in whole seconds.
    pub fn seconds(&self) -> i64 {
        self.mtime.div_euclid(1_000_000_000) as i64
    }
}

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

/// Whether the environment's mask takes bits from the modes of new files.
pub const UMASK: u32 = 0o022;

/// A path below a folder.
pub fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(path_from_bytes(name))
}
