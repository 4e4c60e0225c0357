//! The little that differs between wisp and Unix: arguments, terminals, the end.

use std::ffi::OsString;

/// The arguments, bytes unchanged.
#[cfg(target_family = "wasm")]
pub fn args() -> Vec<OsString> {
    // SAFETY: std's OsStr on WASI is a byte string without invariants, its encoding the identity.
    wisp_guest::process::arguments().into_iter().map(|bytes| unsafe { OsString::from_encoded_bytes_unchecked(bytes) }).collect()
}

/// The arguments.
#[cfg(not(target_family = "wasm"))]
pub fn args() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// The name that the program was called by, without its folder.
pub fn tool_name(args: &[OsString]) -> String {
    let name = args.first().map(|a| a.to_string_lossy().into_owned()).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Whether a descriptor is a terminal.
#[cfg(target_family = "wasm")]
pub fn is_terminal(number: u32) -> bool {
    wisp_guest::process::inherited(number).is_ok_and(|f| f.is_terminal())
}

/// Whether a descriptor is a terminal.
#[cfg(not(target_family = "wasm"))]
pub fn is_terminal(number: u32) -> bool {
    use std::io::IsTerminal;
    match number {
        0 => std::io::stdin().is_terminal(),
        _ => std::io::stdout().is_terminal(),
    }
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    #[cfg(target_family = "wasm")]
    wisp_guest::exit(status);
    #[cfg(not(target_family = "wasm"))]
    std::process::exit(i32::from(status))
}

/// The words of an error, as the C library has them.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    if error.kind() == std::io::ErrorKind::NotFound {
        return "No such file or directory".into();
    }
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
