//! The system natively, for tests only: nothing here is in the component.

use super::{Kind, Start, Stat, Usage};
use std::ffi::{CString, OsStr, OsString};
use std::io::{Error, Result};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};

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
    let ns = |s: i64, n: i64| i128::from(s) * 1_000_000_000 + i128::from(n);
    Ok(Stat {
        dev: m.dev(),
        ino: m.ino(),
        kind,
        mode: m.mode() & 0o7777,
        nlink: m.nlink(),
        uid: m.uid(),
        gid: m.gid(),
        size: m.size(),
        blocks: m.blocks(),
        atime: ns(m.atime(), m.atime_nsec()),
        mtime: ns(m.mtime(), m.mtime_nsec()),
        ctime: ns(m.ctime(), m.ctime_nsec()),
    })
}

/// chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// utimensat(2).
pub fn set_times(path: &Path, atime: i128, mtime: i128, follow: bool) -> Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let spec = |t: i128| libc::timespec { tv_sec: t.div_euclid(1_000_000_000) as i64, tv_nsec: t.rem_euclid(1_000_000_000) as i64 };
    let times = [spec(atime), spec(mtime)];
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: `path` is NUL-terminated, `times` has the two elements the call reads.
    match unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// symlink(2).
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Bytes as a file name.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// The arguments.
pub fn args() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// The environment.
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

/// A started process.
pub struct Child(std::process::Child, Option<u8>);

fn code(s: std::process::ExitStatus) -> u8 {
    s.code().unwrap_or_else(|| 128 + s.signal().unwrap_or(0)) as u8
}

impl Child {
    /// Wait until it ends.
    pub fn wait(&mut self) -> u8 {
        self.0
            .wait()
            .map(|s| {
                self.1 = s.signal().map(|n| n as u8);
                code(s)
            })
            .unwrap_or(127)
    }
    /// The status, if it has ended.
    pub fn try_wait(&mut self) -> Option<u8> {
        self.0.try_wait().ok().flatten().map(code)
    }
    /// The signal that ended it.
    pub fn signal(&self) -> Option<u8> {
        self.1
    }
    /// Send a signal.
    pub fn kill(&mut self, signal: u8) -> Result<()> {
        kill(self.0.id(), signal)
    }
    /// Wait at most `ns` nanoseconds.
    pub fn wait_for(&mut self, ns: u64) -> Option<u8> {
        let start = std::time::Instant::now();
        loop {
            if let Some(s) = self.try_wait() {
                return Some(s);
            }
            if start.elapsed().as_nanos() >= u128::from(ns) {
                return None;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// Start a program.
pub fn spawn(start: &Start<'_>) -> Result<Child> {
    let mut command = std::process::Command::new(start.program);
    command.arg0(&start.args[0]).args(&start.args[1..]).current_dir(start.cwd).env_clear();
    for line in start.env {
        if let Some(at) = line.iter().position(|b| *b == b'=') {
            command.env(OsStr::from_bytes(&line[..at]), OsStr::from_bytes(&line[at + 1..]));
        }
    }
    if start.stdin == super::Input::Null {
        command.stdin(std::process::Stdio::null());
    }
    command.spawn().map(|c| Child(c, None))
}

/// kill(2).
pub fn kill(pid: u32, signal: u8) -> Result<()> {
    // SAFETY: no memory is involved.
    match unsafe { libc::kill(pid as i32, i32::from(signal)) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
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

/// The running processes: natively only this one.
pub fn processes() -> Vec<Process> {
    vec![Process { pid: pid(), parent: std::os::unix::process::parent_id(), name: "test".to_owned() }]
}

/// This process's id.
pub fn pid() -> u32 {
    std::process::id()
}

/// Usage of the filesystem: fixed numbers.
pub fn usage() -> Usage {
    Usage { bytes: 1 << 20, max_bytes: 1 << 28, files: 100, max_files: 100_000 }
}

/// The mounted filesystems.
pub fn mounts() -> Vec<(String, String)> {
    vec![("/".to_owned(), "memory".to_owned())]
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(number: u32) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::isatty(number as i32) == 1 }
}

/// The user's number.
pub fn uid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::getuid() }
}

/// The machine's name.
pub fn host_name() -> String {
    "wisp".to_owned()
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    use std::io::Write;
    let _ = std::io::stdout().flush();
    std::process::exit(i32::from(status))
}

/// Whether the file at `path` is what standard output writes to.
pub fn is_output(path: &Path) -> bool {
    // SAFETY: fstat fills the struct it is given; zeroed is a valid start for plain data.
    let mut out: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let known = unsafe { libc::fstat(1, &mut out) } == 0 && out.st_mode & libc::S_IFMT == libc::S_IFREG;
    known && stat(path, true).is_ok_and(|s| s.dev == out.st_dev && s.ino == out.st_ino)
}

/// Give back the last `bytes` that were read from standard input.
pub fn unread_input(bytes: u64) {
    // SAFETY: no memory is involved.
    unsafe { libc::lseek(0, -(bytes as i64), libc::SEEK_CUR) };
}

/// Whether standard input is a pipe.
pub fn input_is_stream() -> bool {
    // SAFETY: fstat fills the struct it is given; zeroed is a valid start for plain data.
    let mut input: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let known = unsafe { libc::fstat(0, &mut input) } == 0;
    !known || input.st_mode & libc::S_IFMT == libc::S_IFIFO
}
