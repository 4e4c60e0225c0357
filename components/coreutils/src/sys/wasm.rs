//! The system inside wisp.

use super::{Kind, Start, Stat, Usage};
use std::ffi::{CString, OsString};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
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

fn text(path: &Path) -> Result<String> {
    super::absolute(path).into_os_string().into_string().map_err(|_| Error::from_raw_os_error(libc::EILSEQ))
}

fn convert(s: files::Stat) -> Stat {
    Stat {
        dev: s.device,
        ino: s.inode,
        kind: match s.kind {
            files::FileType::Regular => Kind::File,
            files::FileType::Directory => Kind::Dir,
            files::FileType::SymbolicLink => Kind::Link,
            files::FileType::CharacterDevice => Kind::Char,
            files::FileType::Fifo => Kind::Fifo,
        },
        mode: s.mode,
        nlink: s.links,
        uid: s.uid,
        gid: s.gid,
        size: s.size,
        blocks: s.blocks,
        atime: i128::from(s.accessed),
        mtime: i128::from(s.modified),
        ctime: i128::from(s.changed),
    }
}

/// Facts about a file; about the link itself unless `follow`.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    if path.as_os_str().is_empty() {
        return Err(Error::from_raw_os_error(libc::ENOENT));
    }
    files::stat_at(&text(path)?, follow).map(convert).map_err(error)
}

/// chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    files::set_mode(&text(path)?, mode).map_err(error)
}

/// utimensat(2), in nanoseconds since 1970.
pub fn set_times(path: &Path, atime: i128, mtime: i128, follow: bool) -> Result<()> {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
    let spec = |t: i128| {
        // SAFETY: timespec is plain data; zeroed because wasi libc's has padding fields.
        let mut s: libc::timespec = unsafe { std::mem::zeroed() };
        s.tv_sec = t.div_euclid(1_000_000_000) as libc::time_t;
        s.tv_nsec = t.rem_euclid(1_000_000_000) as libc::c_long;
        s
    };
    let times = [spec(atime), spec(mtime)];
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: `path` is NUL-terminated and `times` has the two elements the call reads.
    match unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// symlink(2).
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    let to_c = |p: &Path| CString::new(p.as_os_str().as_encoded_bytes()).map_err(|_| Error::from(ErrorKind::InvalidInput));
    let (target, link) = (to_c(target)?, to_c(link)?);
    // SAFETY: both are NUL-terminated.
    match unsafe { libc::symlink(target.as_ptr(), link.as_ptr()) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Bytes as a file name. WASI's `OsStr` is any bytes, as on Unix; only the safe constructor is unstable.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(os(bytes.to_vec()))
}

fn os(bytes: Vec<u8>) -> OsString {
    // SAFETY: std's OsStr on WASI is a byte string without invariants (`sys/os_str/bytes.rs`), its encoding the identity.
    unsafe { OsString::from_encoded_bytes_unchecked(bytes) }
}

/// The arguments, bytes unchanged.
pub fn args() -> Vec<OsString> {
    process::arguments().into_iter().map(os).collect()
}

/// The environment, `NAME=value` each.
pub fn environment() -> Vec<Vec<u8>> {
    process::environment()
}

/// A started process.
pub struct Child(process::Child);

impl Child {
    /// Wait until it ends; the status a shell sees.
    pub fn wait(&mut self) -> u8 {
        self.0.wait().code
    }
    /// The status, if it has ended.
    pub fn try_wait(&mut self) -> Option<u8> {
        self.0.try_wait().map(|s| s.code)
    }
    /// Whether a signal ended it; only known after the end.
    pub fn signal(&self) -> Option<u8> {
        self.0.try_wait().and_then(|s| s.signal)
    }
    /// Send a signal.
    pub fn kill(&mut self, signal: u8) -> Result<()> {
        process::kill(self.0.pid(), signal).map_err(error)
    }
    /// Wait at most `ns` nanoseconds.
    pub fn wait_for(&mut self, ns: u64) -> Option<u8> {
        // wasi:clocks' pollable is not among wisp-guest's bindings as a timer, so sleep in steps that grow to 5 ms.
        let start = std::time::Instant::now();
        let mut step = 200_000;
        loop {
            if let Some(status) = self.try_wait() {
                return Some(status);
            }
            let left = u128::from(ns).saturating_sub(start.elapsed().as_nanos());
            if left == 0 {
                return None;
            }
            std::thread::sleep(std::time::Duration::from_nanos(left.min(step) as u64));
            step = (step * 2).min(5_000_000);
        }
    }
}

/// Start a program; it inherits our descriptors.
pub fn spawn(start: &Start<'_>) -> Result<Child> {
    let mut open = Vec::new();
    for number in process::descriptors() {
        if number == 0 && start.stdin == super::Input::Null {
            continue;
        }
        if let Ok(file) = process::inherited(number) {
            open.push((number, file));
        }
    }
    if start.stdin == super::Input::Null {
        open.push((0, files::open("/dev/null", files::OpenFlags::READ, 0).map_err(error)?));
    }
    let descriptors = open.iter().map(|(number, file)| process::Descriptor { number: *number, file }).collect();
    process::spawn(&process::Command {
        program: text(start.program)?,
        arguments: start.args.iter().map(|a| a.as_encoded_bytes().to_vec()).collect(),
        environment: start.env.to_vec(),
        working_directory: text(start.cwd)?,
        descriptors,
        ignore_broken_pipe: false,
    })
    .map(Child)
    .map_err(error)
}

/// kill(2).
pub fn kill(pid: u32, signal: u8) -> Result<()> {
    process::kill(pid, signal).map_err(error)
}

/// One row of the process table.
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Parent's id.
    pub parent: u32,
    /// The name it was called by.
    pub name: String,
}

/// The running processes.
pub fn processes() -> Vec<Process> {
    process::processes().into_iter().map(|p| Process { pid: p.pid, parent: p.parent, name: p.name }).collect()
}

/// This process's id.
pub fn pid() -> u32 {
    process::pid()
}

/// Usage of the filesystem.
pub fn usage() -> Usage {
    let u = files::space_usage();
    Usage { bytes: u.bytes, max_bytes: u.max_bytes, files: u.files, max_files: u.max_files }
}

/// The mounted filesystems: path and access.
pub fn mounts() -> Vec<(String, String)> {
    files::mounts().into_iter().map(|m| (m.path, m.access)).collect()
}

/// Whether a descriptor of the start is the terminal.
pub fn is_terminal(number: u32) -> bool {
    process::inherited(number).is_ok_and(|f| f.is_terminal())
}

/// The user's number: the sandbox has one user.
pub fn uid() -> u32 {
    1000
}

/// The machine's name.
pub fn host_name() -> String {
    std::env::var("HOSTNAME").unwrap_or_else(|_| "wisp".to_owned())
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    wisp_guest::exit(status)
}

/// Whether the file at `path` is what standard output writes to.
pub fn is_output(path: &Path) -> bool {
    let Ok(Ok(out)) = process::inherited(1).map(|f| f.stat()) else { return false };
    out.kind == files::FileType::Regular && stat(path, true).is_ok_and(|s| s.dev == out.device && s.ino == out.inode)
}

/// Give back the last `bytes` that were read from standard input, where it can be done (a regular file).
pub fn unread_input(bytes: u64) {
    if let (Ok(file), Ok(back)) = (process::inherited(0), i64::try_from(bytes)) {
        let _ = file.seek(files::Whence::Current, -back);
    }
}

/// Whether standard input is a pipe or a terminal: a short read is no sign of its end.
pub fn input_is_stream() -> bool {
    process::inherited(0).ok().and_then(|f| f.stat().ok()).is_none_or(|s| s.kind == files::FileType::Fifo)
}
