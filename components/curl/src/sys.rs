//! The little that differs between wisp and Unix: arguments, terminals, the end.

/// The arguments; what is not UTF-8 is replaced.
pub fn args() -> Vec<String> {
    #[cfg(target_family = "wasm")]
    return wisp_guest::process::arguments().into_iter().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    #[cfg(not(target_family = "wasm"))]
    std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// The name that the program was called by, without its folder.
pub fn tool_name(args: &[String]) -> String {
    args.first().and_then(|name| name.rsplit('/').next()).unwrap_or_default().to_owned()
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(number: u32) -> bool {
    #[cfg(target_family = "wasm")]
    return wisp_guest::process::inherited(number).is_ok_and(|file| file.is_terminal());
    #[cfg(not(target_family = "wasm"))]
    {
        use std::io::IsTerminal;
        if number == 1 { std::io::stdout().is_terminal() } else { std::io::stderr().is_terminal() }
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
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "No such file or directory".into(),
        ErrorKind::PermissionDenied => "Permission denied".into(),
        ErrorKind::AlreadyExists => "File exists".into(),
        ErrorKind::IsADirectory => "Is a directory".into(),
        ErrorKind::NotADirectory => "Not a directory".into(),
        ErrorKind::StorageFull => "No space left on device".into(),
        ErrorKind::ReadOnlyFilesystem => "Read-only file system".into(),
        _ => error.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
    }
}
