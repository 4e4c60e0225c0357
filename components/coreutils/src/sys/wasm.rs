//! The system inside wisp.

use super::{Start, Usage};
use std::io::Result;
use wisp_guest::{files, monotonic_clock, poll, process};
use wisp_tool::sys::{Stat, error, facts, full, spelled};

pub use super::lock::LockFile;

/// A started process.
pub struct Child(process::Child);

impl Child {
    /// Returns a child that was started elsewhere.
    pub(super) fn of(child: process::Child) -> Self {
        Self(child)
    }
    /// Returns what is ready when it has ended.
    pub(super) fn ended(&self) -> wisp_guest::Pollable {
        self.0.subscribe()
    }
    /// Waits until it ends. Returns the status that a shell sees.
    pub fn wait(&mut self) -> u8 {
        self.0.wait().code
    }
    /// Returns the status, if it has ended.
    pub fn try_wait(&mut self) -> Option<u8> {
        self.0.try_wait().map(|s| s.code)
    }
    /// Returns whether a signal ended it; known only after its end.
    pub fn signal(&self) -> Option<u8> {
        self.0.try_wait().and_then(|s| s.signal)
    }
    /// Sends a signal.
    pub fn kill(&mut self, signal: u8) -> Result<()> {
        process::kill(self.0.pid(), signal).map_err(error)
    }
    /// Waits at most `ns` nanoseconds, or until a signal arrives that was passed to [`handle_signals`].
    pub fn wait_event(&mut self, ns: Option<u64>) -> Event {
        let signals = process::take_signals();
        if signals != 0 {
            return Event::Signals(signals);
        }
        let mut waits = vec![self.0.subscribe(), process::signals_pollable()];
        waits.extend(ns.map(monotonic_clock::subscribe_duration));
        poll(&waits.iter().collect::<Vec<_>>());
        drop(waits);
        match (self.try_wait(), process::take_signals()) {
            (Some(status), _) => Event::Ended(status),
            (None, 0) => Event::Time,
            (None, signals) => Event::Signals(signals),
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
        self.0.pid()
    }
}

/// The reason why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The child ended with this status.
    Ended(u8),
    /// These signals arrived: bit n - 1 is signal n.
    Signals(u64),
    /// The time passed.
    Time,
}

/// Returns the descriptors with which a program starts: ours, except standard input.
fn descriptors(start: &Start<'_>) -> Result<Vec<(u32, files::OpenFile)>> {
    let mut open = Vec::new();
    for number in process::descriptors() {
        if number == 0 && *start.stdin != super::Input::Inherit {
            continue;
        }
        if let Ok(file) = process::inherited(number) {
            open.push((number, file));
        }
    }
    let input = match start.stdin {
        super::Input::Inherit => None,
        super::Input::Null => Some("/dev/null".to_owned()),
        super::Input::File(path) => Some(full(path)),
    };
    if let Some(path) = input {
        open.push((0, files::open(&path, files::OpenFlags::READ, 0).map_err(error)?));
    }
    if let Some(file) = start.file {
        let free = (3..).find(|number| open.iter().all(|(taken, _)| taken != number));
        open.push((free.unwrap_or(u32::MAX), file.handle()?));
    }
    Ok(open)
}

/// Starts a program, which inherits our descriptors.
pub fn spawn(start: &Start<'_>) -> Result<Child> {
    let open = descriptors(start)?;
    let given = open.iter().map(|(number, file)| process::Descriptor { number: *number, file }).collect();
    let command = command(start, given);
    let started = if start.own_group {
        process::spawn_with(&command, process::Attributes { ignored_signals: None, umask: None, group: Some(0) })
    } else {
        process::spawn(&command)
    };
    started.map(Child).map_err(error)
}

/// Replaces this process with a program. Returns only if that fails.
pub fn exec(start: &Start<'_>) -> std::io::Error {
    let open = match descriptors(start) {
        Ok(open) => open,
        Err(error) => return error,
    };
    let given = open.iter().map(|(number, file)| process::Descriptor { number: *number, file }).collect();
    error(process::exec(&command(start, given)))
}

/// Runs a program and waits. Returns its output and its status.
pub fn output(start: &Start<'_>) -> Result<(Vec<u8>, u8)> {
    let (read, write) = process::pipe().map_err(error)?;
    let null = files::open("/dev/null", files::OpenFlags::READ, 0).map_err(error)?;
    let descriptors = [(0, &null), (1, &write), (2, &write)].map(|(number, file)| process::Descriptor { number, file });
    let child = process::spawn(&command(start, descriptors.into())).map_err(error)?;
    // Our end must be closed, or reading never ends.
    drop(write);
    let mut all = Vec::new();
    loop {
        let part = read.read(1 << 16).map_err(error)?;
        if part.is_empty() {
            return Ok((all, child.wait().code));
        }
        all.extend(part);
    }
}

pub(super) fn command<'a>(start: &Start<'_>, descriptors: Vec<process::Descriptor<'a>>) -> process::Command<'a> {
    process::Command {
        // The path as given: the host resolves it from the working directory, and a script sees it.
        program: spelled(start.program.as_os_str()),
        arguments: start.args.iter().map(|a| a.as_encoded_bytes().to_vec()).collect(),
        environment: start.env.to_vec(),
        working_directory: full(start.cwd),
        descriptors,
        // Only SIGPIPE is not inherited automatically.
        ignore_broken_pipe: process::ignored_signals() & (1 << 12) != 0,
    }
}

/// Returns the ignored signals, also in child processes: bit n - 1 is signal n.
pub fn ignored_signals() -> u64 {
    process::ignored_signals()
}

/// Ignores these signals, and no others.
pub fn ignore_signals(signals: u64) {
    process::ignore_signals(signals);
    process::ignore_broken_pipe(signals & (1 << 12) != 0);
}

/// Holds these signals for [`Child::wait_for`] instead of letting them take effect.
pub fn handle_signals(signals: u64) {
    process::handle_signals(signals);
}

/// Sends a signal to a whole process group.
pub fn kill_group(group: u32, signal: u8) -> Result<()> {
    process::kill_group(group, signal).map_err(error)
}

/// Returns the processor time of the children that have ended, in nanoseconds.
pub fn child_time() -> u64 {
    process::times().1
}

/// Makes this process the leader of a new process group.
pub fn lead_group() {
    // A process that is a leader already stays one.
    let _ = process::set_group(0, 0);
}

/// Implements kill(2).
pub fn kill(pid: u32, signal: u8) -> Result<()> {
    process::kill(pid, signal).map_err(error)
}

/// Returns the usage of the filesystem.
pub fn usage() -> Usage {
    let u = files::space_usage();
    Usage { bytes: u.bytes, max_bytes: u.max_bytes, files: u.files, max_files: u.max_files }
}

/// Returns the mounted filesystems: path and access.
pub fn mounts() -> Vec<(String, String)> {
    files::mounts().into_iter().map(|m| (m.path, m.access)).collect()
}

/// Returns the machine's name.
pub fn host_name() -> String {
    wisp_guest::HOST_NAME.to_owned()
}

/// Returns whether standard output writes to a file.
pub fn is_output_file(file: &Stat) -> bool {
    let Ok(Ok(out)) = process::inherited(1).map(|f| f.stat()) else { return false };
    out.kind == files::FileType::Regular && file.dev == out.device && file.ino == out.inode
}

/// Returns facts about standard input.
pub fn stat_input() -> Result<Stat> {
    process::inherited(0).and_then(|f| f.stat()).map(facts).map_err(error)
}

fn input_kind() -> Option<files::FileType> {
    process::inherited(0).ok().and_then(|f| f.stat().ok()).map(|s| s.kind)
}

/// Returns whether standard input is a pipe or a terminal, where a short read does not mean the end.
pub fn input_is_stream() -> bool {
    input_kind().is_none_or(|kind| kind == files::FileType::Fifo)
}

/// Returns whether standard input is a directory.
pub fn input_is_directory() -> bool {
    input_kind() == Some(files::FileType::Directory)
}

/// Moves the position of standard output forward. With `fill`, extends the file to it.
pub fn seek_output(bytes: u64, fill: bool) -> Result<()> {
    let output = process::inherited(1).map_err(error)?;
    let at = output.seek(files::Whence::Current, i64::try_from(bytes).unwrap_or(i64::MAX)).map_err(error)?;
    if fill && output.stat().map_err(error)?.size < at { output.set_size(at).map_err(error) } else { Ok(()) }
}

/// Writes to standard output. A pipe without a reader has an error of its own.
pub fn write_output(bytes: &[u8]) -> Result<()> {
    process::write_to(1, bytes).map_err(error)
}
