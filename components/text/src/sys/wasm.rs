//! The system inside wisp.

use super::{Io, Kind, Stat, Status};
use std::ffi::OsString;
use std::io::{self, Error, Result};
use std::path::Path;
use wisp_guest::{files, process};

/// WASI's number for an error, so that libc's words come out.
fn error(code: files::ErrorCode) -> Error {
    use files::ErrorCode as E;
    Error::from_raw_os_error(match code {
        E::Access => libc::EACCES,
        E::NotPermitted => libc::EPERM,
        E::NoEntry => libc::ENOENT,
        E::Exist => libc::EEXIST,
        E::IsDirectory => libc::EISDIR,
        E::NotDirectory => libc::ENOTDIR,
        E::NotEmpty => libc::ENOTEMPTY,
        E::Loop => libc::ELOOP,
        E::NameTooLong => libc::ENAMETOOLONG,
        E::IllegalByteSequence => libc::EILSEQ,
        E::BadDescriptor => libc::EBADF,
        E::Invalid => libc::EINVAL,
        E::FileTooLarge => libc::EFBIG,
        E::InsufficientSpace => libc::ENOSPC,
        E::TooManyOpenFiles => libc::EMFILE,
        E::ReadOnly => libc::EROFS,
        E::CrossDevice => libc::EXDEV,
        E::BrokenPipe => libc::EPIPE,
        E::IllegalSeek => libc::ESPIPE,
        E::Busy => libc::EBUSY,
        E::WouldBlock => libc::EAGAIN,
        E::NoProcess => libc::ESRCH,
        E::NotExecutable => libc::ENOEXEC,
        E::ArgumentsTooLong => libc::E2BIG,
        E::InsufficientMemory => libc::ENOMEM,
        E::Unsupported => libc::ENOTSUP,
        E::Io => libc::EIO,
    })
}

/// Where a child's output is read.
pub struct Reader(files::OpenFile);

impl io::Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let part = self.0.read(buffer.len().min(1 << 20) as u32).map_err(error)?;
        buffer[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}

/// Where a child's input is written.
pub struct Writer(files::OpenFile);

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let part = &bytes[..bytes.len().min(1 << 20)];
        self.0.write(part).map_err(error)?;
        Ok(part.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Facts about a file; about the link itself unless `follow`.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    if path.as_os_str().is_empty() {
        return Err(Error::from_raw_os_error(libc::ENOENT));
    }
    let s = files::stat_at(&text(path)?, follow).map_err(error)?;
    Ok(Stat {
        kind: match s.kind {
            files::FileType::Regular => Kind::File,
            files::FileType::Directory => Kind::Dir,
            files::FileType::SymbolicLink => Kind::Link,
            files::FileType::CharacterDevice => Kind::Char,
            files::FileType::Fifo => Kind::Fifo,
        },
        mode: s.mode,
        uid: s.uid,
        gid: s.gid,
        size: s.size,
        mtime: i128::from(s.modified),
    })
}

fn cwd() -> std::path::PathBuf {
    std::env::current_dir().unwrap_or_else(|_| "/".into())
}

fn text(path: &Path) -> Result<String> {
    cwd().join(path).into_os_string().into_string().map_err(|_| Error::from_raw_os_error(libc::EILSEQ))
}

/// chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    files::set_mode(&text(path)?, mode).map_err(error)
}

/// Bytes as a name.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    // SAFETY: std's OsStr on WASI is a byte string without invariants (`sys/os_str/bytes.rs`), its encoding the identity.
    unsafe { OsString::from_encoded_bytes_unchecked(bytes) }
}

/// The arguments, bytes unchanged.
pub fn args() -> Vec<OsString> {
    process::arguments().into_iter().map(os_string).collect()
}

/// The environment, `NAME=value` each.
pub fn environment() -> Vec<Vec<u8>> {
    process::environment()
}

/// A started command.
pub struct Child {
    child: process::Child,
    /// Its standard input, if that is a pipe.
    pub stdin: Option<Writer>,
    /// Its standard output, if that is a pipe.
    pub stdout: Option<Reader>,
}

impl Child {
    /// Wait until it ends.
    pub fn wait(&mut self) -> Status {
        let status = self.child.wait();
        Status { code: status.code, signal: status.signal }
    }
}

/// Start `sh -c COMMAND` with an environment; what is not a pipe it inherits.
pub fn spawn_shell(command: &[u8], env: &[Vec<u8>], stdin: Io, stdout: Io) -> Result<Child> {
    let mut open = Vec::new();
    for number in process::descriptors() {
        if (number == 0 && stdin == Io::Pipe) || (number == 1 && stdout == Io::Pipe) {
            continue;
        }
        if let Ok(file) = process::inherited(number) {
            open.push((number, file));
        }
    }
    let (mut ours_in, mut ours_out) = (None, None);
    if stdin == Io::Pipe {
        let (read, write) = process::pipe().map_err(error)?;
        open.push((0, read));
        ours_in = Some(Writer(write));
    }
    if stdout == Io::Pipe {
        let (read, write) = process::pipe().map_err(error)?;
        open.push((1, write));
        ours_out = Some(Reader(read));
    }
    let descriptors = open.iter().map(|(number, file)| process::Descriptor { number: *number, file }).collect();
    let child = process::spawn(&process::Command {
        program: "/usr/bin/sh".to_owned(),
        arguments: vec![b"sh".to_vec(), b"-c".to_vec(), command.to_vec()],
        environment: env.to_vec(),
        working_directory: text(&cwd())?,
        descriptors,
        ignore_broken_pipe: false,
    })
    .map_err(error)?;
    Ok(Child { child, stdin: ours_in, stdout: ours_out })
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(number: i32) -> bool {
    process::inherited(number as u32).is_ok_and(|file| file.is_terminal())
}

/// This process's id.
pub fn pid() -> u32 {
    process::pid()
}

/// The parent's id.
pub fn parent() -> u32 {
    process::parent()
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    wisp_guest::exit(status)
}

/// Whether writing to a pipe without a reader is an error (true) or the end of the process (false).
pub fn ignore_broken_pipe(ignore: bool) {
    process::ignore_broken_pipe(ignore);
}

/// Give back the last bytes read from standard input, where it is a file.
pub fn unread_input(count: usize) {
    if let (Ok(file), Ok(back)) = (process::inherited(0), i64::try_from(count)) {
        // On a pipe it fails, and nothing can be given back there.
        let _ = file.seek(files::Whence::Current, -back);
    }
}
