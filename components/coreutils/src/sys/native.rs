//! The system natively, for tests only: nothing here is in the component.

use super::{Start, Usage, stat};
use std::ffi::OsStr;
use std::io::{Error, Result};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::Command;

/// A started process.
pub struct Child(std::process::Child, Option<u8>);

fn code(s: std::process::ExitStatus) -> u8 {
    s.code().unwrap_or_else(|| 128 + s.signal().unwrap_or(0)) as u8
}

impl Child {
    /// Waits until it ends.
    pub fn wait(&mut self) -> u8 {
        self.0.wait().map_or(127, |s| {
            self.1 = s.signal().map(|n| n as u8);
            code(s)
        })
    }
    /// Returns the status, if it has ended.
    pub fn try_wait(&mut self) -> Option<u8> {
        self.0.try_wait().ok().flatten().map(code)
    }
    /// Returns the signal that ended it.
    pub fn signal(&self) -> Option<u8> {
        self.1
    }
    /// Sends a signal.
    pub fn kill(&mut self, signal: u8) -> Result<()> {
        kill(self.0.id(), signal)
    }
    /// Waits at most `ns` nanoseconds. Natively it never reports signals.
    pub fn wait_event(&mut self, ns: Option<u64>) -> Event {
        let start = std::time::Instant::now();
        loop {
            if let Some(s) = self.try_wait() {
                return Event::Ended(s);
            }
            if ns.is_some_and(|ns| start.elapsed().as_nanos() >= u128::from(ns)) {
                return Event::Time;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    /// Waits at most `ns` nanoseconds.
    pub fn wait_for(&mut self, ns: u64) -> Option<u8> {
        match self.wait_event(Some(ns)) {
            Event::Ended(status) => Some(status),
            Event::Signals(_) | Event::Time => None,
        }
    }
    /// Returns its process id.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }
}

/// The reason why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The child ended with this status.
    Ended(u8),
    /// These signals arrived: bit n - 1 is signal n.
    #[allow(dead_code)]
    Signals(u64),
    /// The time passed.
    Time,
}

fn prepare(start: &Start<'_>) -> Result<Command> {
    let mut command = Command::new(start.program);
    command.arg0(&start.args[0]).args(&start.args[1..]).current_dir(start.cwd).env_clear();
    for line in start.env {
        if let Some(at) = line.iter().position(|b| *b == b'=') {
            command.env(OsStr::from_bytes(&line[..at]), OsStr::from_bytes(&line[at + 1..]));
        }
    }
    match start.stdin {
        super::Input::Inherit => {}
        super::Input::Null => _ = command.stdin(std::process::Stdio::null()),
        super::Input::File(path) => _ = command.stdin(std::fs::File::open(path)?),
    }
    if start.own_group {
        command.process_group(0);
    }
    if let Some(LockFile(file)) = start.file {
        let number = std::os::fd::AsRawFd::as_raw_fd(file);
        // SAFETY: changes a flag of a descriptor that is open as long as `start` exists.
        unsafe { libc::fcntl(number, libc::F_SETFD, 0) };
    }
    Ok(command)
}

/// Starts a program.
pub fn spawn(start: &Start<'_>) -> Result<Child> {
    prepare(start)?.spawn().map(|c| Child(c, None))
}

/// Replaces this process with a program. Returns only if that fails.
pub fn exec(start: &Start<'_>) -> Error {
    match prepare(start) {
        Ok(mut command) => command.exec(),
        Err(error) => error,
    }
}

/// Runs a program and waits. Returns its output and its status.
pub fn output(start: &Start<'_>) -> Result<(Vec<u8>, u8)> {
    let done = Command::new(start.program).arg0(&start.args[0]).args(&start.args[1..]).stdin(std::process::Stdio::null()).output()?;
    Ok(([done.stdout, done.stderr].concat(), code(done.status)))
}

/// An open file that can be locked.
pub struct LockFile(std::fs::File);

impl LockFile {
    /// Opens a file or a directory. Creates the file if it does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        let made = std::fs::OpenOptions::new().append(true).create(true).open(path);
        made.or_else(|_| std::fs::File::open(path)).map(LockFile)
    }

    /// Returns one of the descriptors with which this process was started.
    pub fn inherited(number: u32) -> Result<Self> {
        // SAFETY: only duplicates the descriptor; for a number that is not one, the call fails.
        let copy = unsafe { libc::dup(number as i32) };
        if copy < 0 {
            return Err(Error::last_os_error());
        }
        // SAFETY: the descriptor was just created, so nothing else owns it.
        Ok(Self(unsafe { std::os::fd::FromRawFd::from_raw_fd(copy) }))
    }

    /// Takes or releases the lock, and waits at most this many nanoseconds for it. Returns whether that was possible.
    pub fn lock(&self, lock: super::Lock, ns: Option<u64>) -> Result<bool> {
        let begun = std::time::Instant::now();
        loop {
            let tried = match lock {
                super::Lock::Shared => self.0.try_lock_shared(),
                super::Lock::Exclusive => self.0.try_lock(),
                super::Lock::None => return self.0.unlock().map(|()| true),
            };
            match tried {
                Ok(()) => return Ok(true),
                Err(std::fs::TryLockError::Error(error)) => return Err(error),
                Err(std::fs::TryLockError::WouldBlock) => {}
            }
            if ns.is_some_and(|ns| begun.elapsed().as_nanos() >= u128::from(ns)) {
                return Ok(false);
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// Returns the ignored signals; natively always none.
pub fn ignored_signals() -> u64 {
    0
}

/// Ignores these signals, in child processes too.
pub fn ignore_signals(signals: u64) {
    for number in (1..=31).filter(|n| signals & (1 << (n - 1)) != 0) {
        // SAFETY: does not access memory.
        unsafe { libc::signal(number, libc::SIG_IGN) };
    }
}

/// Does nothing natively: signals keep their effect.
pub fn handle_signals(_: u64) {}

/// Sends a signal to a whole process group.
pub fn kill_group(group: u32, signal: u8) -> Result<()> {
    // SAFETY: does not access memory.
    match unsafe { libc::killpg(group as i32, i32::from(signal)) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Returns the processor time of the children that have ended, in nanoseconds; natively always zero.
pub fn child_time() -> u64 {
    0
}

/// Makes this process the leader of a new process group.
pub fn lead_group() {
    // SAFETY: does not access memory.
    unsafe { libc::setpgid(0, 0) };
}

/// Implements kill(2).
pub fn kill(pid: u32, signal: u8) -> Result<()> {
    // SAFETY: does not access memory.
    match unsafe { libc::kill(pid as i32, i32::from(signal)) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Returns the usage of the filesystem; natively fixed numbers.
pub fn usage() -> Usage {
    Usage { bytes: 1 << 20, max_bytes: 1 << 28, files: 100, max_files: 100_000 }
}

/// Returns the mounted filesystems.
pub fn mounts() -> Vec<(String, String)> {
    vec![("/".to_owned(), "memory".to_owned())]
}

/// Returns the machine's name.
pub fn host_name() -> String {
    "wisp".to_owned()
}

/// Returns whether standard output writes to a file.
pub fn is_output_file(file: &super::Stat) -> bool {
    // SAFETY: fstat fills the struct it is given; zeroed is a valid start for plain data.
    let mut out: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let known = unsafe { libc::fstat(1, &mut out) } == 0 && out.st_mode & libc::S_IFMT == libc::S_IFREG;
    known && file.dev == out.st_dev && file.ino == out.st_ino
}

/// Returns facts about standard input.
pub fn stat_input() -> Result<super::Stat> {
    stat(Path::new("/proc/self/fd/0"), true)
}

fn input_kind() -> Option<u32> {
    // SAFETY: fstat fills the struct it is given; zeroed is a valid start for plain data.
    let mut input: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    (unsafe { libc::fstat(0, &mut input) } == 0).then_some(input.st_mode & libc::S_IFMT)
}

/// Returns whether standard input is a pipe.
pub fn input_is_stream() -> bool {
    input_kind().is_none_or(|kind| kind == libc::S_IFIFO)
}

/// Returns whether standard input is a directory.
pub fn input_is_directory() -> bool {
    input_kind() == Some(libc::S_IFDIR)
}

/// Moves the position of standard output forward. With `fill`, extends the file to it.
pub fn seek_output(bytes: u64, fill: bool) -> Result<()> {
    use std::io::{Seek, SeekFrom};
    let mut output = wisp_tool::sys::descriptor(1);
    let at = output.seek(SeekFrom::Current(i64::try_from(bytes).unwrap_or(i64::MAX)))?;
    if fill && output.metadata()?.len() < at { output.set_len(at) } else { Ok(()) }
}

/// Writes to standard output.
pub fn write_output(bytes: &[u8]) -> Result<()> {
    use std::io::Write;
    wisp_tool::sys::descriptor(1).write_all(bytes)
}
