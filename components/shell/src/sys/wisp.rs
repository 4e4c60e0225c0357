//! The sandbox: `wisp:sandbox` through `wisp-guest`.

use super::{Bound, DirEntry, Errno, Kind, Limited, Limits, OpenHow, Result, Spawn, Stat, Whence};
use std::ffi::OsStr;
use std::path::Path;
use wisp_guest::{files, process, spelling, terminal};
use wisp_tool::sys::terminal::Settings;

/// Returns the program to start for another process of this shell.
pub fn shell_program() -> Vec<u8> {
    b"/usr/bin/sh".to_vec()
}

impl From<files::ErrorCode> for Errno {
    fn from(code: files::ErrorCode) -> Self {
        use files::ErrorCode as E;
        match code {
            E::Access => Self::Access,
            E::NotPermitted => Self::NotPermitted,
            E::NoEntry => Self::NoEntry,
            E::NoSuchDevice => Self::NoDevice,
            E::Exist => Self::Exist,
            E::IsDirectory => Self::IsDirectory,
            E::NotDirectory => Self::NotDirectory,
            E::NotEmpty => Self::NotEmpty,
            E::Loop => Self::Loop,
            E::NameTooLong => Self::NameTooLong,
            E::IllegalByteSequence => Self::IllegalBytes,
            E::BadDescriptor => Self::BadDescriptor,
            E::Invalid => Self::Invalid,
            E::FileTooLarge => Self::FileTooLarge,
            E::InsufficientSpace => Self::NoSpace,
            E::TooManyOpenFiles => Self::TooManyOpenFiles,
            E::ReadOnly => Self::ReadOnly,
            E::CrossDevice => Self::CrossDevice,
            E::BrokenPipe => Self::BrokenPipe,
            E::IllegalSeek => Self::IllegalSeek,
            E::Busy => Self::Busy,
            E::WouldBlock => Self::WouldBlock,
            E::NoProcess => Self::NoProcess,
            E::NotExecutable => Self::NotExecutable,
            E::ArgumentsTooLong => Self::ArgumentsTooLong,
            E::InsufficientMemory => Self::NoMemory,
            E::Unsupported => Self::Unsupported,
            // The shell makes no sockets; one that it was given can be reset.
            E::Io
            | E::ConnectionRefused
            | E::ConnectionReset
            | E::NotConnected
            | E::NotSocket
            | E::AddressInUse
            | E::AddressNotAvailable
            | E::NoBufferSpace => Self::Io,
        }
    }
}

/// Returns a path as libc takes it. WASI's `OsStr` is any bytes, as on Unix; only the safe constructor is unstable.
fn os(path: &[u8]) -> &Path {
    // SAFETY: std's OsStr on WASI is a byte string without invariants (`sys/os_str/bytes.rs`), its encoding the identity.
    Path::new(unsafe { OsStr::from_encoded_bytes_unchecked(path) })
}

fn stat_from(stat: files::Stat) -> Stat {
    Stat {
        device: stat.device,
        inode: stat.inode,
        kind: match stat.kind {
            files::FileType::Regular => Kind::Regular,
            files::FileType::Directory => Kind::Directory,
            files::FileType::SymbolicLink => Kind::Symlink,
            files::FileType::CharacterDevice => Kind::CharDevice,
            files::FileType::Fifo => Kind::Fifo,
            files::FileType::Socket => Kind::Socket,
        },
        mode: stat.mode,
        uid: stat.uid,
        gid: stat.gid,
        size: stat.size,
        accessed: stat.accessed,
        modified: stat.modified,
    }
}

/// An open-file description of the host.
pub struct Handle(files::OpenFile);

impl Handle {
    /// Reads at most `len` bytes; none means end of file.
    pub fn read(&self, len: usize) -> Result<Vec<u8>> {
        Ok(self.0.read(len.min(1 << 20) as u32)?)
    }
    /// Writes all bytes.
    pub fn write(&self, mut bytes: &[u8]) -> Result<()> {
        // The host takes up to 64 MiB in one call, and copies them.
        while bytes.len() > 1 << 20 {
            let (part, rest) = bytes.split_at(1 << 20);
            self.0.write(part)?;
            bytes = rest;
        }
        Ok(self.0.write(bytes)?)
    }
    /// Moves the offset.
    pub fn seek(&self, whence: Whence, offset: i64) -> Result<u64> {
        let whence = match whence {
            Whence::Start => files::Whence::Start,
            Whence::Current => files::Whence::Current,
            Whence::End => files::Whence::End,
        };
        Ok(self.0.seek(whence, offset)?)
    }
    /// Returns facts about the file.
    pub fn stat(&self) -> Result<Stat> {
        Ok(stat_from(self.0.stat()?))
    }
    /// Waits until a read would not wait, or a handled signal is pending; returns whether it was the former.
    pub fn readable_or_signal(&self) -> bool {
        let (readable, signals) = (self.0.subscribe_read(), process::signals_pollable());
        !wisp_guest::poll(&[&signals, &readable]).contains(&0)
    }
    /// Works like `readable_or_signal`, but with a timeout; returns whether a read would not wait now.
    pub fn readable_within(&self, time: std::time::Duration) -> bool {
        let timer = wisp_guest::monotonic_clock::subscribe_duration(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let (readable, signals) = (self.0.subscribe_read(), process::signals_pollable());
        wisp_guest::poll(&[&readable, &signals, &timer]).contains(&0)
    }
    /// Returns the settings, if it is a terminal that has them.
    pub fn settings(&self) -> Result<Settings> {
        let terminal::Settings { input, output, control, local, characters } = terminal::get_settings(&self.0)?;
        let characters = characters.try_into().map_err(|_| Errno::Io)?;
        Ok(Settings { input, output, control, local, characters })
    }
    /// Sets them at once.
    pub fn set_settings(&self, settings: &Settings) -> Result<()> {
        let Settings { input, output, control, local, characters } = *settings;
        let settings = terminal::Settings { input, output, control, local, characters: characters.to_vec() };
        Ok(terminal::set_settings(&self.0, &settings)?)
    }
    /// Returns the lines and columns of a terminal.
    pub fn size(&self) -> Result<(u16, u16)> {
        let size = terminal::get_size(&self.0)?;
        Ok((size.rows, size.columns))
    }
    /// Returns whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.0.is_terminal()
    }
}

/// Opens a file.
pub fn open(path: &[u8], how: OpenHow, mode: u32) -> Result<Handle> {
    let mut flags = files::OpenFlags::empty();
    flags.set(files::OpenFlags::READ, how.read);
    flags.set(files::OpenFlags::WRITE, how.write);
    flags.set(files::OpenFlags::APPEND, how.append);
    flags.set(files::OpenFlags::CREATE, how.create);
    flags.set(files::OpenFlags::EXCLUSIVE, how.exclusive);
    flags.set(files::OpenFlags::TRUNCATE, how.truncate);
    Ok(Handle(files::open(&spelling::spell(path), flags, mode)?))
}

/// Creates a file without a name.
pub fn anonymous() -> Result<Handle> {
    Ok(Handle(files::anonymous()?))
}

/// Creates a pipe: reading end, writing end.
pub fn pipe() -> Result<(Handle, Handle)> {
    let (read, write) = process::pipe()?;
    Ok((Handle(read), Handle(write)))
}

/// Takes over the descriptors with which this process started.
pub fn take_inherited() -> Vec<(u32, Handle)> {
    let mut taken = Vec::new();
    for number in process::descriptors() {
        if let Ok(file) = process::inherited(number) {
            taken.push((number, Handle(file)));
            // It was just listed; if the call fails all the same, the original only stays open a little longer.
            let _ = process::release(number);
        }
    }
    taken
}

/// Prepares the process: a broken pipe returns an error instead of ending the process.
pub fn init() {
    process::ignore_broken_pipe(true);
}

/// A started process.
pub struct Child(process::Child);

impl Child {
    /// Returns its id.
    pub fn pid(&self) -> u32 {
        self.0.pid()
    }
    /// Waits until it ends; returns the status as in `$?`.
    pub fn wait(&self) -> i32 {
        i32::from(self.0.wait().code)
    }
    /// Waits until it ends or a handled signal is pending.
    pub fn wait_or_signal(&self) -> Option<i32> {
        let (ended, signals) = (self.0.subscribe(), process::signals_pollable());
        wisp_guest::poll(&[&ended, &signals]);
        self.try_wait()
    }
    /// Returns its status if it has ended.
    pub fn try_wait(&self) -> Option<i32> {
        self.0.try_wait().map(|status| i32::from(status.code))
    }
    /// Returns the signal that has stopped it, if it is stopped.
    pub fn stopped(&self) -> Option<u8> {
        self.0.stopped()
    }
    /// Records that it was continued: `stopped` reports that already.
    pub fn goes_on(&self) {}
    /// Waits until it ends or is stopped or, on request, until a handled signal is pending.
    pub fn wait_change(&self, signals: bool) -> Option<i32> {
        wait_any(&[self], signals, true);
        self.try_wait()
    }
    /// Returns the signal that ended it, if one did.
    pub fn signal(&self) -> Option<u8> {
        self.0.try_wait().and_then(|status| status.signal)
    }
}

/// Waits until one of them has ended or, with `stops`, is stopped; returns its index. `None` if a handled signal came
/// first and `signals` is set.
pub fn wait_any(children: &[&Child], signals: bool, stops: bool) -> Option<usize> {
    if let ([child], false, false) = (children, signals, stops) {
        child.wait();
        return Some(0);
    }
    let subscribe = |child: &&Child| if stops { child.0.subscribe_change() } else { child.0.subscribe() };
    let mut pollables: Vec<_> = children.iter().map(subscribe).collect();
    pollables.extend(signals.then(process::signals_pollable));
    let borrowed: Vec<_> = pollables.iter().collect();
    wisp_guest::poll(&borrowed).first().map(|index| *index as usize).filter(|index| *index < children.len())
}

fn command<'a>(what: &'a Spawn<'_>) -> process::Command<'a> {
    process::Command {
        program: spelling::spell(what.program).into_owned(),
        arguments: what.args.to_vec(),
        environment: what.env.clone(),
        working_directory: spelling::spell(what.cwd).into_owned(),
        descriptors: what.fds.iter().map(|(number, handle)| process::Descriptor { number: *number, file: &handle.0 }).collect(),
        ignore_broken_pipe: super::ignores_pipe(what.ignored),
    }
}

/// Starts a program.
pub fn spawn(what: Spawn<'_>) -> Result<Child> {
    let attributes = process::Attributes { ignored_signals: Some(what.ignored), umask: Some(what.umask), group: what.group };
    limit_children(what.limits)?;
    Ok(Child(process::spawn_with(&command(&what), attributes)?))
}

/// Replaces this process by a program; returns the reason if that failed.
pub fn exec(what: Spawn<'_>) -> Errno {
    set_umask(what.umask);
    // If this fails, the caller sets its own ignored signals again.
    process::ignore_signals(what.ignored);
    process::exec(&command(&what)).into()
}

/// Sends a signal: to a process, for 0 to our process group, for a negative number to a process group.
pub fn kill(pid: i64, signal: u8) -> Result<()> {
    if pid == -1 {
        let own = process::pid();
        for other in process::processes().into_iter().filter(|other| other.pid != own) {
            // A process that ends in the meantime needs no signal.
            let _ = process::kill(other.pid, signal);
        }
        return Ok(());
    }
    let id = u32::try_from(pid.unsigned_abs()).map_err(|_| Errno::NoProcess)?;
    if pid > 0 {
        process::kill(id, signal)?;
    } else {
        process::kill_group(id, signal)?;
    }
    Ok(())
}

/// Returns all descendants of a process.
pub fn descendants(pid: u32) -> Vec<u32> {
    let mut found = vec![pid];
    let running = process::processes();
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(running.iter().filter(|entry| entry.parent == parent).map(|entry| entry.pid));
        at += 1;
    }
    found.remove(0);
    found
}

/// Makes a process group the target of Ctrl-C and Ctrl-Z; 0 is ours.
pub fn set_foreground(group: u32) {
    let group = if group == 0 { process::group(0).unwrap_or_default() } else { group };
    // If the group has ended, there is nothing to set.
    let _ = process::set_foreground(group);
}

/// Returns the signals that were ignored when this process started.
pub fn ignored_signals() -> u64 {
    process::ignored_signals()
}

/// Handles one set of signals and ignores another; `before` was ignored until now. No signal has its default action
/// in the meantime.
pub fn set_signals(handled: u64, before: u64, ignored: u64) {
    process::ignore_signals(before | ignored);
    process::handle_signals(handled);
    process::ignore_signals(ignored);
}

/// Takes the handled signals that arrived.
pub fn take_signals() -> u64 {
    process::take_signals()
}

/// Ends by a signal, as its default action does.
pub fn die(signal: u8) {
    process::handle_signals(0);
    // If it does not end us, the caller's exit does.
    let _ = process::kill(process::pid(), signal);
}

/// Sets the permission bits that new files do not get.
pub fn set_umask(mask: u32) {
    use std::cell::Cell;
    thread_local!(static TOLD: Cell<Option<u32>> = const { Cell::new(None) });
    if TOLD.replace(Some(mask)) != Some(mask) {
        process::umask(Some(mask));
    }
}

/// Returns the permission bits that new files do not get.
pub fn umask() -> u32 {
    process::umask(None)
}

/// Returns facts about a path.
pub fn stat(path: &[u8], follow: bool) -> Result<Stat> {
    Ok(stat_from(files::stat_at(&spelling::spell(path), follow)?))
}

/// Returns whether the user may use the file: bits 4 read, 2 write, 1 execute.
pub fn access(path: &[u8], want: u32) -> bool {
    stat(path, true).is_ok_and(|stat| {
        let shift = if stat.uid == 1000 {
            6
        } else if stat.gid == 1000 {
            3
        } else {
            0
        };
        (stat.mode >> shift) & want == want
    })
}

/// Reads the names in a directory, without `.` and `..`.
pub fn read_dir(path: &[u8]) -> Result<Vec<DirEntry>> {
    super::read_dir_std(os(path))
}

/// Returns this process's id.
pub fn pid() -> u32 {
    process::pid()
}

/// Works like `pid`, but requested once: a process keeps its id.
pub fn own_pid() -> u32 {
    use std::sync::OnceLock;
    static PID: OnceLock<u32> = OnceLock::new();
    *PID.get_or_init(process::pid)
}

/// Returns the parent's id.
pub fn parent() -> u32 {
    process::parent()
}

/// Returns the user's id.
pub fn uid() -> u32 {
    1000
}

/// Returns the machine's name.
pub fn hostname() -> Vec<u8> {
    wisp_guest::HOST_NAME.as_bytes().to_vec()
}

/// Returns the arguments of this process.
pub fn args() -> Vec<Vec<u8>> {
    process::arguments()
}

/// Returns the environment of this process.
pub fn env() -> Vec<Vec<u8>> {
    process::environment()
}

/// Returns the processor time in nanoseconds, of this process and of its ended children.
pub fn times() -> (u64, u64) {
    process::times()
}

fn limited(what: Limited) -> process::Limited {
    match what {
        Limited::ProcessorTime => process::Limited::ProcessorTime,
        Limited::Memory => process::Limited::Memory,
        Limited::OpenFiles => process::Limited::OpenFiles,
        Limited::Processes => process::Limited::Processes,
    }
}

fn bound(bound: Bound) -> process::Bound {
    process::Bound { soft: bound.soft, hard: bound.hard }
}

/// Returns a limit of this process.
pub fn limit(what: Limited) -> Bound {
    let process::Bound { soft, hard } = process::get_limit(limited(what));
    Bound { soft, hard }
}

/// Sets a limit of this process, and of the programs it starts.
pub fn set_limit(what: Limited, to: Bound) -> Result<()> {
    Ok(process::set_limit(limited(what), bound(to))?)
}

/// Sets the limits of the next programs where they are not ours.
fn limit_children(limits: Limits) -> Result<()> {
    use std::cell::Cell;
    thread_local!(static TOLD: Cell<Limits> = const { Cell::new([None; Limited::ALL.len()]) });
    let told = TOLD.get();
    if told == limits {
        return Ok(());
    }
    for (what, (before, now)) in Limited::ALL.into_iter().zip(told.into_iter().zip(limits)) {
        if before != now {
            process::set_child_limit(limited(what), now.map(bound))?;
        }
    }
    TOLD.set(limits);
    Ok(())
}

/// Returns the physical working directory, with symbolic links resolved.
pub fn canonicalize(path: &[u8]) -> Result<Vec<u8>> {
    super::canonical::canonicalize(path, |link| {
        let target = std::fs::read_link(os(link))?;
        Ok(target.into_os_string().into_encoded_bytes())
    })
}

/// Returns the directory in which the process starts: libc has none, and the host names it in `PWD`.
pub fn working_directory(named: Option<Vec<u8>>) -> Vec<u8> {
    let own = wisp_guest::environment::initial_cwd().map_or_else(|| b"/".to_vec(), |own| spelling::read(&own).into_owned());
    match (named.as_ref().and_then(|named| stat(named, true).ok()), stat(&own, true), named) {
        (Some(there), Ok(here), Some(named)) if there.inode == here.inode && there.device == here.device => named,
        // A removed directory remains the working directory: no relative path exists in it.
        _ => own,
    }
}

/// Ends the process.
pub fn exit(status: i32) -> ! {
    wisp_guest::exit((status & 0xff) as u8)
}
