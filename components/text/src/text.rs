//! Words as GNU tools print them: names, error messages.

use std::ffi::OsStr;
use std::io::{self, Error, Read};
pub use wisp_tool::text::{complain, name, reason};

/// A name for a message, bytes that are no text replaced.
pub fn show(name: impl AsRef<OsStr>) -> String {
    name.as_ref().to_string_lossy().into_owned()
}

/// Read a whole file; `-` is standard input.
pub fn slurp(name: &OsStr) -> io::Result<Vec<u8>> {
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

/// The character at the start of `bytes` and its length; a byte that is no UTF-8 is given as nothing and length 1.
pub fn first_char(bytes: &[u8]) -> (Option<char>, usize) {
    let Some(&lead) = bytes.first() else { return (None, 0) };
    if lead < 0x80 {
        return (Some(char::from(lead)), 1);
    }
    let len = match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return (None, 1),
    };
    match bytes.get(..len).and_then(|b| std::str::from_utf8(b).ok()) {
        Some(text) => (text.chars().next(), len),
        None => (None, 1),
    }
}

/// Standard output with a buffer of our own; std's is buffered by lines.
pub fn output() -> io::BufWriter<std::fs::File> {
    io::BufWriter::with_capacity(64 * 1024, std::mem::ManuallyDrop::into_inner(crate::sys::descriptor(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_cut_from_bytes() {
        assert_eq!(first_char("é!".as_bytes()), (Some('é'), 2));
        assert_eq!(first_char(b"\xc3"), (None, 1));
        assert_eq!(first_char(b"\xffab"), (None, 1));
        assert_eq!(first_char(b""), (None, 0));
    }
}
