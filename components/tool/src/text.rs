//! Names and errors as GNU tools print them.

use std::ffi::OsString;
use std::io::{self, Error, ErrorKind, Write};

/// The name a tool calls itself in messages: its first argument without the directory.
pub fn name(args: &[OsString]) -> String {
    let name = args.first().map(|a| a.to_string_lossy().into_owned()).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Print `NAME: MESSAGE` to standard error.
pub fn complain(name: &str, message: impl std::fmt::Display) {
    // One write, so that messages of several processes do not mix; nobody can be told if it fails.
    let _ = io::stderr().write_all(format!("{name}: {message}\n").as_bytes());
}

/// An error in the words of glibc's strerror.
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
