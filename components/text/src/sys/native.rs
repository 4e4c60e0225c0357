//! The system in native builds, for tests only: nothing here is in the component.

use super::{Io, Status};
use std::ffi::OsStr;
use std::io::Result;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// The end of a pipe from which a child's output is read.
pub(super) type Reader = ChildStdout;
/// The end of a pipe to which a child's input is written.
pub(crate) type Writer = ChildStdin;

/// A started command.
pub(crate) struct Child {
    child: std::process::Child,
    /// Its standard input, if that is a pipe.
    pub stdin: Option<Writer>,
    /// Its standard output, if that is a pipe.
    pub stdout: Option<Reader>,
}

impl Child {
    /// Waits until it ends.
    pub(crate) fn wait(&mut self) -> Status {
        match self.child.wait() {
            Ok(status) => {
                let signal = status.signal().map(|n| n as u8);
                Status { code: status.code().map_or(128 + signal.unwrap_or(0), |c| c as u8), signal }
            }
            Err(_) => Status { code: 127, signal: None },
        }
    }
}

/// Starts `sh -c COMMAND` with an environment.
pub(crate) fn spawn_shell(command: &[u8], env: &[Vec<u8>], stdin: Io, stdout: Io) -> Result<Child> {
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

/// Returns whether standard input is a file that has a name; a here-document has none.
pub(crate) fn input_is_file() -> bool {
    use std::os::unix::fs::MetadataExt;
    super::input().metadata().is_ok_and(|facts| facts.is_file() && facts.nlink() > 0)
}

/// Does nothing natively.
pub(crate) fn hear_interrupts(_: bool) {}

/// Reads the next byte of standard input.
pub(crate) fn read_key() -> Result<Option<u8>> {
    let mut byte = [0];
    let count = std::io::Read::read(&mut *super::input(), &mut byte)?;
    Ok(byte.first().copied().filter(|_| count == 1))
}
