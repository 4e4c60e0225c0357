//! Names and error messages as GNU tools print them.

use std::ffi::OsStr;
use std::io::{self, Error, Read};
pub(crate) use wisp_tool::text::{first_char, name, reason, shell_quoted, shown, written};

/// Returns a name for a message; [`written`] gives its bytes again.
pub(crate) fn show(name: impl AsRef<OsStr>) -> String {
    shown(name.as_ref().as_encoded_bytes())
}

/// Prints `NAME: MESSAGE` to standard error, with the bytes of names that [`show`] made.
pub(crate) fn complain(name: &str, message: impl std::fmt::Display) {
    // As one write; a failure cannot be reported.
    let _ = io::Write::write_all(&mut io::stderr(), &written(&format!("{name}: {message}\n")));
}

/// Reads a whole file; `-` is standard input.
pub(crate) fn slurp(name: &OsStr) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    if name == "-" {
        crate::sys::input().read_to_end(&mut all)?;
    } else {
        if std::fs::metadata(name)?.is_dir() {
            return Err(Error::from_raw_os_error(libc::EISDIR));
        }
        std::fs::File::open(name)?.read_to_end(&mut all)?;
    }
    Ok(all)
}

/// Returns standard output with a full buffer; that of std is flushed at every line.
pub(crate) fn output() -> io::BufWriter<std::fs::File> {
    io::BufWriter::with_capacity(64 * 1024, std::mem::ManuallyDrop::into_inner(crate::sys::descriptor(1)))
}
