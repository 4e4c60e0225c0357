//! Names and errors as the tools print them.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// An error in the words of glibc's strerror; an end that comes too early in those of the archivers.
pub fn reason(error: &Error) -> String {
    if error.kind() == ErrorKind::UnexpectedEof { "unexpected end of file".into() } else { wisp_tool::text::reason(error) }
}

/// A path for a message or a listing.
pub fn show(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Bytes as GNU tar lists names: controls and what is not UTF-8 as escapes.
pub fn escape(name: &[u8]) -> String {
    let mut out = String::new();
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out += "\\\\",
                c if c.is_ascii_control() => out += &wisp_tool::text::escape(c as u32),
                c if !c.is_ascii() => {
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
        assert_eq!(escape(b"a\nb\\c\xff"), "a\\nb\\\\c\\377");
        assert_eq!(escape("é".as_bytes()), "\\303\\251");
    }
}
