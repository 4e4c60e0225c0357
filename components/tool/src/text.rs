//! Names and errors as GNU tools print them.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Arguments;
use std::io::{self, Error, ErrorKind, Write};

/// Returns the name that a tool uses in messages: its first argument without the directory.
pub fn name(args: &[OsString]) -> String {
    let name = args.first().map(|a| a.to_string_lossy().into_owned()).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Prints `NAME: MESSAGE` to standard error.
pub fn complain(name: &str, message: impl std::fmt::Display) {
    // One write, so that messages of several processes do not mix; a failure cannot be reported.
    let _ = io::stderr().write_all(format!("{name}: {message}\n").as_bytes());
}

/// Returns a name as text for a message. Bytes that are not UTF-8 are spelled: [`written`] gives them again, and so do [`print`] and
/// [`print_error`].
pub fn shown(name: &[u8]) -> String {
    wisp_spelling::spell(name).into_owned()
}

/// Returns the bytes of a message with names that [`shown`] made.
pub fn written(message: &str) -> Cow<'_, [u8]> {
    wisp_spelling::read(message)
}

/// Prints a message to standard output, as `print!` does, with the bytes of its names.
///
/// # Panics
/// When it cannot be written, as `print!` does.
pub fn print(message: Arguments<'_>) {
    if let Err(error) = io::stdout().write_all(&written(&std::fmt::format(message))) {
        panic!("failed printing to stdout: {error}");
    }
}

/// Prints a message to standard error, as `eprint!` does, with the bytes of its names.
///
/// # Panics
/// When it cannot be written, as `eprint!` does.
pub fn print_error(message: Arguments<'_>) {
    if let Err(error) = io::stderr().write_all(&written(&std::fmt::format(message))) {
        panic!("failed printing to stderr: {error}");
    }
}

/// Returns an error in glibc's words (strerror).
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => return "No such file or directory".into(),
        ErrorKind::IsADirectory => return "Is a directory".into(),
        ErrorKind::InvalidFilename => return "File name too long".into(),
        ErrorKind::ResourceBusy => return "Device or resource busy".into(),
        ErrorKind::CrossesDevices => return "Invalid cross-device link".into(),
        ErrorKind::Unsupported => return "Operation not supported".into(),
        ErrorKind::UnexpectedEof => return "Unexpected end of file".into(),
        _ => {}
    }
    let text = error.to_string();
    let text = match text.rfind(" (os error ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    };
    match text.as_str() {
        "Symbolic link loop" => "Too many levels of symbolic links".into(),
        "Illegal byte sequence" => "Invalid or incomplete multibyte or wide character".into(),
        "Not a tty" => "Inappropriate ioctl for device".into(),
        "Filename too long" => "File name too long".into(),
        _ => text,
    }
}

/// Returns a word in single quotes, which a shell takes as it is.
pub fn shell_quoted(word: &[u8]) -> Vec<u8> {
    let mut out = vec![b'\''];
    for byte in word {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            byte => out.push(*byte),
        }
    }
    out.push(b'\'');
    out
}

/// Returns the word as it is if each of its characters is `plain`; else in single quotes, as messages of diff and patch have it.
pub fn quoted_unless(word: &str, plain: impl Fn(char) -> bool) -> String {
    if word.chars().all(plain) { word.to_owned() } else { String::from_utf8_lossy(&shell_quoted(word.as_bytes())).into_owned() }
}

/// Parses digits with one of `units` after them, each with its factor; without a unit the number itself. None if it is not of this
/// form or too large for an `u64`.
pub fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor = if unit.is_empty() { 1 } else { units.iter().find(|(name, _)| *name == unit)?.1 };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

/// Returns the character at the start of `bytes` and its length; a byte that is no UTF-8 is given as nothing and length 1.
#[inline]
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

/// Returns whether these bytes are the start of a character that is incomplete.
pub fn unfinished(bytes: &[u8]) -> bool {
    bytes.len() < 4 && std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Returns a control character, or any other by its code, as C writes it: `\n`, and `\033` where there is no letter.
pub fn escape(code: u32) -> String {
    let letter = match code {
        0x07 => 'a',
        0x08 => 'b',
        0x09 => 't',
        0x0a => 'n',
        0x0b => 'v',
        0x0c => 'f',
        0x0d => 'r',
        _ => return format!("\\{code:03o}"),
    };
    format!("\\{letter}")
}

/// Fills words into lines of about `width` columns, indented by two; a line ends before the first.
pub fn fill(words: impl IntoIterator<Item = String>, width: usize) -> String {
    let (mut text, mut column) = (String::new(), usize::MAX);
    for word in words {
        if column > width.saturating_sub(word.len()) {
            text += "\n ";
            column = 1;
        }
        column += word.len() + 1;
        text += " ";
        text += &word;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_bytes() {
        for name in [&b"caf\xe9"[..], "é".as_bytes(), "\u{f7e9}".as_bytes()] {
            assert_eq!(*written(&format!("{}: no such file", shown(name))), [name, b": no such file"].concat());
        }
    }

    #[test]
    fn characters_are_cut_from_bytes() {
        assert_eq!(first_char("é!".as_bytes()), (Some('é'), 2));
        assert_eq!(first_char(b"\xc3"), (None, 1));
        assert_eq!(first_char(b"\xffab"), (None, 1));
        assert_eq!(first_char(b""), (None, 0));
        assert!(unfinished(b"\xe6\x97") && !unfinished(b"\xe6a") && !unfinished(b"\xff") && !unfinished(b"a\xe6"));
    }

    #[test]
    fn numbers_have_units() {
        let units: &[(&str, u64)] = &[("K", 1024), ("kB", 1000)];
        assert_eq!(["10", "2K", "3kB"].map(|text| with_unit(text, units)), [Some(10), Some(2048), Some(3000)]);
        assert_eq!(["", "K", "1KB", "-1", "18446744073709551615K"].map(|text| with_unit(text, units)), [None; 5]);
    }

    #[test]
    fn words_are_quoted_where_they_must_be() {
        let quoted = |word| quoted_unless(word, char::is_alphanumeric);
        assert_eq!(["ab1", "a b", "it's", ""].map(quoted), ["ab1", "'a b'", "'it'\\''s'", ""]);
    }

    #[test]
    fn codes_are_escaped_as_c_does() {
        assert_eq!([7, 10, 13, 27, 0x85].map(escape), ["\\a", "\\n", "\\r", "\\033", "\\205"]);
    }

    #[test]
    fn words_fill_lines() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(fill(words("aa bb cc"), 6), "\n  aa bb\n  cc\n");
        assert_eq!(fill(words("longer"), 3), "\n  longer\n");
    }
}
