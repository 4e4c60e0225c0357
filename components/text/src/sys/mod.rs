//! What only these tools need from the system: commands with pipes. The rest is `wisp_tool::sys`. Inside wisp this is
//! `wisp:sandbox`; in native builds, which are for tests, it is Unix.

use std::ffi::OsStr;

#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod imp;
#[cfg(target_family = "wasm")]
#[path = "wasm.rs"]
mod imp;

pub(crate) use imp::{Child, Writer, hear_interrupts, input_is_file, read_key, spawn_shell};
pub(crate) use wisp_tool::sys::{
    Kind, Stat, args, descriptor, environment, exit, ignore_broken_pipe, input, is_terminal, os_string, parent, pid, set_mode, stat,
    terminal, unread_input,
};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status {
    /// The status a shell sees: the exit code, or 128 + the signal's number.
    pub code: u8,
    /// The signal that ended it.
    pub signal: Option<u8>,
}

/// One end of a child's standard input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Io {
    /// The one that this process has.
    Inherit,
    /// A pipe whose other end this process has.
    Pipe,
}

/// Returns the descriptor that a name such as `/dev/stdout` stands for. Others (`/dev/fd/63` of `<(…)`) are opened by their path:
/// only these three are descriptors of the C library.
pub(crate) fn device(name: &[u8]) -> Option<i32> {
    match name {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        _ => std::str::from_utf8(name.strip_prefix(b"/dev/fd/")?).ok()?.parse().ok().filter(|number| (0..3).contains(number)),
    }
}

/// Returns the bytes of an argument or a name.
pub(crate) fn bytes(text: &OsStr) -> &[u8] {
    text.as_encoded_bytes()
}

static UTF8: std::sync::OnceLock<bool> = std::sync::OnceLock::new();

/// Makes every byte a character from here on, unless `utf8` was called before.
pub(crate) fn bytes_only() {
    let _ = UTF8.set(false);
}

/// Returns whether text is UTF-8: not in the locales `C` and `POSIX`, if the environment asks for one.
pub(crate) fn utf8() -> bool {
    *UTF8.get_or_init(|| {
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(std::env::var_os).find(|v| !v.is_empty());
        !set.is_some_and(|v| v == "C" || v == "POSIX")
    })
}
