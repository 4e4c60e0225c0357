//! The system natively, for tests only: nothing here is in the component.

use super::{Io, Kind, Stat, Status};
use std::ffi::{OsStr, OsString};
use std::io::Result;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// Where a child's output is read.
pub type Reader = ChildStdout;
/// Where a child's input is written.
pub type Writer = ChildStdin;

/// Facts about a file.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    let m = if follow { std::fs::metadata(path)? } else { std::fs::symlink_metadata(path)? };
    let t = m.file_type();
    let kind = match () {
        () if t.is_dir() => Kind::Dir,
        () if t.is_symlink() => Kind::Link,
        () if t.is_char_device() => Kind::Char,
        () if t.is_block_device() => Kind::Block,
        () if t.is_fifo() => Kind::Fifo,
        () if t.is_socket() => Kind::Socket,
        () => Kind::File,
    };
    Ok(Stat {
        kind,
        mode: m.mode() & 0o7777,
        uid: m.uid(),
        gid: m.gid(),
        size: m.size(),
        mtime: i128::from(m.mtime()) * 1_000_000_000 + i128::from(m.mtime_nsec()),
    })
}

/// chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// Bytes as a name.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// The arguments.
pub fn args() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// The environment, `NAME=value` each.
pub fn environment() -> Vec<Vec<u8>> {
    std::env::vars_os()
        .map(|(k, v)| {
            let mut line = k.into_vec();
            line.push(b'=');
            line.extend(v.into_vec());
            line
        })
        .collect()
}

/// A started command.
pub struct Child {
    child: std::process::Child,
    /// Its standard input, if that is a pipe.
    pub stdin: Option<Writer>,
    /// Its standard output, if that is a pipe.
    pub stdout: Option<Reader>,
}

impl Child {
    /// Wait until it ends.
    pub fn wait(&mut self) -> Status {
        match self.child.wait() {
            Ok(status) => {
                let signal = status.signal().map(|n| n as u8);
                Status { code: status.code().map_or(128 + signal.unwrap_or(0), |c| c as u8), signal }
            }
            Err(_) => Status { code: 127, signal: None },
        }
    }
}

/// Start `sh -c COMMAND` with an environment.
pub fn spawn_shell(command: &[u8], env: &[Vec<u8>], stdin: Io, stdout: Io) -> Result<Child> {
    let mut start = Command::new("/bin/sh");
    start.arg("-c").arg(OsStr::from_bytes(command)).env_clear();
    for line in env {
        if let Some(at) = line.iter().position(|b| *b == b'=') {
            start.env(OsStr::from_bytes(&line[..at]), OsStr::from_bytes(&line[at + 1..]));
        }
    }
    if stdin == Io::Pipe {
        start.stdin(Stdio::piped());
    }
    if stdout == Io::Pipe {
        start.stdout(Stdio::piped());
    }
    let mut child = start.spawn()?;
    Ok(Child { stdin: child.stdin.take(), stdout: child.stdout.take(), child })
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(number: i32) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::isatty(number) == 1 }
}

/// This process's id.
pub fn pid() -> u32 {
    std::process::id()
}

/// The parent's id.
pub fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    std::process::exit(i32::from(status))
}

/// Whether writing to a pipe without a reader is an error (true) or the end of the process (false).
pub fn ignore_broken_pipe(ignore: bool) {
    // SAFETY: both dispositions are safe to set at any time.
    unsafe { libc::signal(libc::SIGPIPE, if ignore { libc::SIG_IGN } else { libc::SIG_DFL }) };
}

/// Give back the last bytes read from standard input, where it is a file.
pub fn unread_input(count: usize) {
    // SAFETY: no memory is involved; on a pipe it fails, and nothing can be given back there.
    unsafe { libc::lseek(0, -(count as libc::off_t), libc::SEEK_CUR) };
}
