//! Linux, so that the same interpreter can be compared with bash in `cargo test`. Not shipped.

use super::{Bound, DirEntry, Errno, Kind, Limited, OpenHow, Result, Spawn, Stat, Whence};
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use wisp_tool::sys::terminal::{self, Settings};

/// Returns the program to start for another process of this shell.
pub fn shell_program() -> Vec<u8> {
    std::env::current_exe().map_or_else(|_| b"/bin/sh".to_vec(), |path| path.into_os_string().into_vec())
}

fn errno() -> Errno {
    from_io(&std::io::Error::last_os_error())
}

fn from_io(error: &std::io::Error) -> Errno {
    match error.raw_os_error().unwrap_or(libc::EIO) {
        libc::EACCES => Errno::Access,
        libc::EPERM => Errno::NotPermitted,
        libc::ENOENT => Errno::NoEntry,
        libc::ENXIO => Errno::NoDevice,
        libc::EEXIST => Errno::Exist,
        libc::EISDIR => Errno::IsDirectory,
        libc::ENOTDIR => Errno::NotDirectory,
        libc::ENOTEMPTY => Errno::NotEmpty,
        libc::ELOOP => Errno::Loop,
        libc::ENAMETOOLONG => Errno::NameTooLong,
        libc::EBADF => Errno::BadDescriptor,
        libc::EINVAL => Errno::Invalid,
        libc::ENOSPC => Errno::NoSpace,
        libc::EMFILE => Errno::TooManyOpenFiles,
        libc::EPIPE => Errno::BrokenPipe,
        libc::ESPIPE => Errno::IllegalSeek,
        libc::ESRCH => Errno::NoProcess,
        libc::ENOEXEC => Errno::NotExecutable,
        libc::E2BIG => Errno::ArgumentsTooLong,
        libc::ENOMEM => Errno::NoMemory,
        libc::EROFS => Errno::ReadOnly,
        _ => Errno::Io,
    }
}

fn path(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

fn stat_from(meta: &std::fs::Metadata) -> Stat {
    let kind = meta.file_type();
    Stat {
        device: meta.dev(),
        inode: meta.ino(),
        kind: if kind.is_dir() {
            Kind::Directory
        } else if kind.is_symlink() {
            Kind::Symlink
        } else if kind.is_fifo() {
            Kind::Fifo
        } else if kind.is_char_device() {
            Kind::CharDevice
        } else if kind.is_block_device() {
            Kind::BlockDevice
        } else if kind.is_socket() {
            Kind::Socket
        } else {
            Kind::Regular
        },
        mode: meta.mode() & 0o7777,
        uid: meta.uid(),
        gid: meta.gid(),
        size: meta.size(),
        accessed: (meta.atime() as u64) * 1_000_000_000 + meta.atime_nsec() as u64,
        modified: (meta.mtime() as u64) * 1_000_000_000 + meta.mtime_nsec() as u64,
    }
}

/// An open file.
pub struct Handle(File);

/// The lowest number of the shell's own descriptors, out of the way of those that it passes on.
const HIGH: i32 = 200;

fn high(fd: i32) -> Result<Handle> {
    // SAFETY: plain fcntl/close on a number that this function owns.
    unsafe {
        let moved = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, HIGH);
        let error = errno();
        libc::close(fd);
        if moved < 0 { Err(error) } else { Ok(Handle(File::from_raw_fd(moved))) }
    }
}

impl Handle {
    /// Reads at most `len` bytes; none means end of file.
    pub fn read(&self, len: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; len.min(1 << 20)];
        loop {
            match (&self.0).read(&mut bytes) {
                Ok(count) => {
                    bytes.truncate(count);
                    return Ok(bytes);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(from_io(&error)),
            }
        }
    }
    /// Writes all bytes.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        (&self.0).write_all(bytes).map_err(|error| from_io(&error))
    }
    /// Moves the offset.
    pub fn seek(&self, whence: Whence, offset: i64) -> Result<u64> {
        let to = match whence {
            Whence::Start => SeekFrom::Start(offset as u64),
            Whence::Current => SeekFrom::Current(offset),
            Whence::End => SeekFrom::End(offset),
        };
        (&self.0).seek(to).map_err(|error| from_io(&error))
    }
    /// Returns facts about the file.
    pub fn stat(&self) -> Result<Stat> {
        self.0.metadata().map(|meta| stat_from(&meta)).map_err(|error| from_io(&error))
    }
    /// Waits until a read would not wait, or a handled signal is pending; returns whether it was the former.
    pub fn readable_or_signal(&self) -> bool {
        super::linux_signals::wait(&[self.0.as_raw_fd()], true, -1) == Some(0)
    }
    /// Works like `readable_or_signal`, but with a timeout; returns whether a read would not wait now.
    pub fn readable_within(&self, time: std::time::Duration) -> bool {
        let mut wanted = libc::pollfd { fd: self.0.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // Rounded up, so that there is no busy polling just before the timeout.
        let millis = i32::try_from(time.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
        // SAFETY: one descriptor, valid during the call.
        unsafe { libc::poll(&raw mut wanted, 1, millis) > 0 }
    }
    /// Returns the settings, if it is a terminal that has them.
    pub fn settings(&self) -> Result<Settings> {
        terminal::settings(self.0.as_raw_fd() as u32).map_err(|error| from_io(&error))
    }
    /// Sets them at once.
    pub fn set_settings(&self, settings: &Settings) -> Result<()> {
        terminal::set_settings(self.0.as_raw_fd() as u32, settings, false).map_err(|error| from_io(&error))
    }
    /// Returns the lines and columns of a terminal.
    pub fn size(&self) -> Result<(u16, u16)> {
        terminal::size(self.0.as_raw_fd() as u32).map_err(|error| from_io(&error))
    }
    /// Returns whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        std::io::IsTerminal::is_terminal(&self.0)
    }
}

fn cstring(bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| Errno::Invalid)
}

/// Opens a file.
pub fn open(path: &[u8], how: OpenHow, mode: u32) -> Result<Handle> {
    let mut flags = libc::O_CLOEXEC;
    flags |= if how.read && how.write {
        libc::O_RDWR
    } else if how.write {
        libc::O_WRONLY
    } else {
        libc::O_RDONLY
    };
    for (on, flag) in
        [(how.append, libc::O_APPEND), (how.create, libc::O_CREAT), (how.exclusive, libc::O_EXCL), (how.truncate, libc::O_TRUNC)]
    {
        if on {
            flags |= flag;
        }
    }
    let path = cstring(path)?;
    // SAFETY: a valid C string and plain flags.
    let fd = unsafe { libc::open(path.as_ptr(), flags, mode) };
    if fd < 0 { Err(errno()) } else { high(fd) }
}

/// Creates a file without a name.
pub fn anonymous() -> Result<Handle> {
    // SAFETY: a valid C string and plain flags.
    let fd = unsafe { libc::memfd_create(c"sh".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 { Err(errno()) } else { high(fd) }
}

/// Creates a pipe: reading end, writing end.
pub fn pipe() -> Result<(Handle, Handle)> {
    let mut ends = [0; 2];
    // SAFETY: the array has room for both ends.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(errno());
    }
    Ok((high(ends[0])?, high(ends[1])?))
}

/// Takes over the descriptors with which this process started.
pub fn take_inherited() -> Vec<(u32, Handle)> {
    let mut taken = Vec::new();
    for number in 0..HIGH {
        // SAFETY: fcntl on a number only asks.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
        if flags >= 0
            && flags & libc::FD_CLOEXEC == 0
            && let Ok(handle) = high(number)
        {
            taken.push((number as u32, handle));
        }
    }
    taken
}

/// Prepares the process: nothing to do, because Rust ignores SIGPIPE.
pub fn init() {}

/// Sets the permission bits that new files do not get.
pub fn set_umask(mask: u32) {
    // SAFETY: umask only sets a number.
    unsafe { libc::umask(mask as libc::mode_t) };
}

/// Returns the permission bits that new files do not get.
pub fn umask() -> u32 {
    // SAFETY: umask only sets a number; there is no way to ask.
    unsafe {
        let mask = libc::umask(0o022);
        libc::umask(mask);
        mask as u32
    }
}

/// Starts a program.
pub fn spawn(what: Spawn<'_>) -> Result<super::Child> {
    let (report, reported) = pipe()?;
    let program = Program::new(&what)?;
    // SAFETY: the child only calls async-signal-safe functions on memory prepared above.
    unsafe {
        let pid = libc::fork();
        if pid < 0 {
            return Err(errno());
        }
        if pid == 0 {
            for number in 0..HIGH {
                libc::close(number);
            }
            let code = program.enter(&what);
            libc::write(reported.0.as_raw_fd(), (&raw const code).cast(), 4);
            libc::_exit(127);
        }
        drop(reported);
        let told = report.read(4)?;
        if let Ok(code) = <[u8; 4]>::try_from(told.as_slice()) {
            let mut status = 0;
            libc::waitpid(pid, &mut status, 0);
            return Err(from_io(&std::io::Error::from_raw_os_error(i32::from_ne_bytes(code))));
        }
        let handle = libc::syscall(libc::SYS_pidfd_open, pid, 0) as i32;
        if handle < 0 {
            return Err(errno());
        }
        let handle = high(handle)?.0.into();
        Ok(super::Child::new(pid, handle))
    }
}

/// Replaces this process by a program; returns the reason if that failed. Descriptors below 200 are closed then.
pub fn exec(what: Spawn<'_>) -> Errno {
    match Program::new(&what) {
        // SAFETY: no object owns a descriptor below `HIGH`: ours are above.
        Ok(program) => from_io(&std::io::Error::from_raw_os_error(unsafe { program.enter(&what) })),
        Err(error) => error,
    }
}

/// A program in the form that execve(2) requires.
struct Program {
    program: CString,
    cwd: CString,
    argv: Vec<*const libc::c_char>,
    envp: Vec<*const libc::c_char>,
    _strings: Vec<CString>,
}

impl Program {
    fn new(what: &Spawn<'_>) -> Result<Self> {
        let program = cstring(what.program)?;
        access_or(&if what.program.starts_with(b"/") { what.program.to_vec() } else { [what.cwd, b"/", what.program].concat() })?;
        let list = |texts: &[Vec<u8>], strings: &mut Vec<CString>| -> Result<Vec<*const libc::c_char>> {
            let mut pointers = Vec::new();
            for text in texts {
                let text = cstring(text)?;
                // The bytes of a CString do not move with it.
                pointers.push(text.as_ptr());
                strings.push(text);
            }
            pointers.push(std::ptr::null());
            Ok(pointers)
        };
        let mut strings = Vec::new();
        let (argv, envp) = (list(what.args, &mut strings)?, list(&what.env, &mut strings)?);
        Ok(Self { program, cwd: cstring(what.cwd)?, argv, envp, _strings: strings })
    }

    /// Becomes it; returns the error number if that failed.
    ///
    /// # Safety
    /// Descriptors below 200 are replaced.
    unsafe fn enter(&self, what: &Spawn<'_>) -> i32 {
        // SAFETY: plain numbers, and pointers to memory that lives as long as `self`.
        unsafe {
            libc::chdir(self.cwd.as_ptr());
            for (number, handle) in &what.fds {
                libc::dup2(handle.0.as_raw_fd(), *number as i32);
            }
            if let Some(group) = what.group {
                libc::setpgid(0, group as i32);
            }
            libc::umask(what.umask as libc::mode_t);
            for (limit, bound) in Limited::ALL.into_iter().zip(what.limits) {
                // The builtin has checked it.
                let _ = bound.map(|bound| set_limit(limit, bound));
            }
            super::linux_signals::in_child(what.ignored);
            libc::execve(self.program.as_ptr(), self.argv.as_ptr(), self.envp.as_ptr());
            let code = *libc::__errno_location();
            libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            code
        }
    }
}

fn access_or(program: &[u8]) -> Result<()> {
    if stat(program, true)?.kind == Kind::Directory { Err(Errno::IsDirectory) } else { Ok(()) }
}

/// Returns facts about a path.
pub fn stat(at: &[u8], follow: bool) -> Result<Stat> {
    let meta = if follow { std::fs::metadata(path(at)) } else { std::fs::symlink_metadata(path(at)) };
    meta.map(|meta| stat_from(&meta)).map_err(|error| from_io(&error))
}

/// Returns whether the user may use the file: bits 4 read, 2 write, 1 execute.
pub fn access(path: &[u8], want: u32) -> bool {
    // SAFETY: a valid C string.
    cstring(path).is_ok_and(|path| unsafe { libc::access(path.as_ptr(), want as i32) == 0 })
}

/// Reads the names in a directory, without `.` and `..`.
pub fn read_dir(at: &[u8]) -> Result<Vec<DirEntry>> {
    super::read_dir_std(path(at))
}

/// Returns this process's id.
pub fn pid() -> u32 {
    std::process::id()
}

/// Works like `pid`, but requested once: a process keeps its id.
pub fn own_pid() -> u32 {
    use std::sync::OnceLock;
    static PID: OnceLock<u32> = OnceLock::new();
    *PID.get_or_init(std::process::id)
}

/// Returns the parent's id.
pub fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Returns the user's id.
pub fn uid() -> u32 {
    // SAFETY: always succeeds.
    unsafe { libc::getuid() }
}

/// Returns the machine's name.
pub fn hostname() -> Vec<u8> {
    std::fs::read("/proc/sys/kernel/hostname").map(|name| name.trim_ascii().to_vec()).unwrap_or_default()
}

/// Returns the arguments of this process.
pub fn args() -> Vec<Vec<u8>> {
    std::env::args_os().map(OsStringExt::into_vec).collect()
}

/// Returns the environment of this process.
pub fn env() -> Vec<Vec<u8>> {
    std::env::vars_os().map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat()).collect()
}

/// Returns the processor time in nanoseconds, of this process and of its ended children.
pub fn times() -> (u64, u64) {
    let of = |who| {
        // SAFETY: a pointer to a zeroed local.
        unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            (usage.ru_utime.tv_sec as u64 + usage.ru_stime.tv_sec as u64) * 1_000_000_000
                + (usage.ru_utime.tv_usec as u64 + usage.ru_stime.tv_usec as u64) * 1000
        }
    };
    (of(libc::RUSAGE_SELF), of(libc::RUSAGE_CHILDREN))
}

fn limited(what: Limited) -> libc::__rlimit_resource_t {
    match what {
        Limited::ProcessorTime => libc::RLIMIT_CPU,
        Limited::Memory => libc::RLIMIT_AS,
        Limited::OpenFiles => libc::RLIMIT_NOFILE,
        Limited::Processes => libc::RLIMIT_NPROC,
    }
}

/// Returns a limit of this process.
pub fn limit(what: Limited) -> Bound {
    let mut found = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: it writes to a variable of ours.
    unsafe { libc::getrlimit(limited(what), &raw mut found) };
    let value = |value| (value != libc::RLIM_INFINITY).then_some(value);
    Bound { soft: value(found.rlim_cur), hard: value(found.rlim_max) }
}

/// Sets a limit of this process, and of the programs it starts.
pub fn set_limit(what: Limited, to: Bound) -> Result<()> {
    let value = |value: Option<u64>| value.unwrap_or(libc::RLIM_INFINITY);
    let limit = libc::rlimit { rlim_cur: value(to.soft), rlim_max: value(to.hard) };
    // SAFETY: it reads a variable of ours.
    match unsafe { libc::setrlimit(limited(what), &raw const limit) } {
        0 => Ok(()),
        _ => Err(from_io(&std::io::Error::last_os_error())),
    }
}

/// Returns the physical path, with symbolic links resolved.
pub fn canonicalize(at: &[u8]) -> Result<Vec<u8>> {
    super::canonical::canonicalize(at, |link| {
        std::fs::read_link(path(link)).map(|target| target.into_os_string().into_vec()).map_err(|error| from_io(&error))
    })
}

/// Returns the directory in which the process starts; `PWD` is used if it names the same directory.
pub fn working_directory(named: Option<Vec<u8>>) -> Vec<u8> {
    let own = std::env::current_dir().map_or_else(|_| b"/".to_vec(), |dir| dir.into_os_string().into_vec());
    match (named.as_ref().and_then(|named| stat(named, true).ok()), stat(&own, true), named) {
        (Some(there), Ok(here), Some(named)) if there.inode == here.inode && there.device == here.device => named,
        _ => own,
    }
}

/// Ends the process.
pub fn exit(status: i32) -> ! {
    std::process::exit(status & 0xff)
}
