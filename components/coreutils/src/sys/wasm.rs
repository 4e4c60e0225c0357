//! The system inside wisp.

use super::{Start, Usage, stat};
use std::io::Result;
use std::path::Path;
use wisp_guest::{files, process};
use wisp_tool::sys::{error, full};

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
    process::spawn(&command(start, descriptors)?).map(Child).map_err(error)
}

/// Run a program to its end: what it printed and its status.
pub fn output(start: &Start<'_>) -> Result<(Vec<u8>, u8)> {
    let (read, write) = process::pipe().map_err(error)?;
    let null = files::open("/dev/null", files::OpenFlags::READ, 0).map_err(error)?;
    let descriptors = [(0, &null), (1, &write), (2, &write)].map(|(number, file)| process::Descriptor { number, file });
    let child = process::spawn(&command(start, descriptors.into())?).map_err(error)?;
    // Ours must be closed, or the end never comes.
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

fn command<'a>(start: &Start<'_>, descriptors: Vec<process::Descriptor<'a>>) -> Result<process::Command<'a>> {
    Ok(process::Command {
        program: full(start.program)?,
        arguments: start.args.iter().map(|a| a.as_encoded_bytes().to_vec()).collect(),
        environment: start.env.to_vec(),
        working_directory: full(start.cwd)?,
        descriptors,
        // PIPE alone is not inherited by itself.
        ignore_broken_pipe: process::ignored_signals() & (1 << 12) != 0,
    })
}

/// Ignore SIGHUP, in what is started from here too.
pub fn ignore_hangup() {
    process::ignore_signals(process::ignored_signals() | 1);
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

/// Usage of the filesystem.
pub fn usage() -> Usage {
    let u = files::space_usage();
    Usage { bytes: u.bytes, max_bytes: u.max_bytes, files: u.files, max_files: u.max_files }
}

/// The mounted filesystems: path and access.
pub fn mounts() -> Vec<(String, String)> {
    files::mounts().into_iter().map(|m| (m.path, m.access)).collect()
}

/// The machine's name.
pub fn host_name() -> String {
    std::env::var("HOSTNAME").unwrap_or_else(|_| "wisp".to_owned())
}

/// Whether the file at `path` is what standard output writes to.
pub fn is_output(path: &Path) -> bool {
    let Ok(Ok(out)) = process::inherited(1).map(|f| f.stat()) else { return false };
    out.kind == files::FileType::Regular && stat(path, true).is_ok_and(|s| s.dev == out.device && s.ino == out.inode)
}

/// Whether standard input is a pipe or a terminal: a short read is no sign of its end.
pub fn input_is_stream() -> bool {
    process::inherited(0).ok().and_then(|f| f.stat().ok()).is_none_or(|s| s.kind == files::FileType::Fifo)
}
