//! Names and errors as the tools print them.

use std::ffi::OsStr;
use std::io::{Error, ErrorKind};
pub(crate) use wisp_tool::text::{shown, written};

/// Returns an error in the words of glibc's strerror; an end that comes too early in those of the archivers.
pub(crate) fn reason(error: &Error) -> String {
    if error.kind() == ErrorKind::UnexpectedEof { "unexpected end of file".into() } else { wisp_tool::text::reason(error) }
}

/// Returns a path for a message or a listing.
pub(crate) fn show(path: impl AsRef<OsStr>) -> String {
    shown(path.as_ref().as_encoded_bytes())
}

/// Returns whether text is UTF-8: not in the locales `C` and `POSIX`, if those are requested.
fn utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(std::env::var_os).find(|v| !v.is_empty());
    !set.is_some_and(|v| v == "C" || v == "POSIX")
}

/// Returns bytes as GNU tar lists names: controls and what is not of the locale as escapes.
pub(crate) fn escape(name: &[u8]) -> String {
    escape_in(name, utf8())
}

fn escape_in(name: &[u8], utf8: bool) -> String {
    let mut out = String::new();
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out += "\\\\",
                c if c.is_ascii_control() => out += &wisp_tool::text::escape(c as u32),
                c if !c.is_ascii() && !utf8 => {
                    // In the C locale every byte beyond ASCII is escaped.
                    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                        out += &format!("\\{byte:03o}");
                    }
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out += &format!("\\{byte:03o}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escape_in(b"a\nb\\c\xff", true), "a\\nb\\\\c\\377");
        assert_eq!(escape_in("é".as_bytes(), false), "\\303\\251");
        assert_eq!(escape_in("é".as_bytes(), true), "é");
    }
}
