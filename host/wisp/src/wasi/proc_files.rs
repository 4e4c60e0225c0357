//! The files of `/proc`: facts about the sandbox and its processes, in Linux's formats. They hold nothing of the host, and
//! nothing of another session.
//!
//! As for a user of Linux, each process can read the arguments of all others in its session. Their environment, directory,
//! program and descriptors are their own: a variable may have been taken from a process that has no right to it.

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;

use super::limits::bound;
use super::proc_texts::{LimitRows, Numbers, process_pages, process_stat, system_stat, uuid};
use super::{Charge, HostMemory, ProcessRandom};
use super::{Facts, ProcessClock};
use wisp_net::Net;
use wisp_process::{Activity, Limited, Process, ProcessTable};
use wisp_vfs::{Fs, FsError, USER, Viewer};

/// The name of the virtual machine that programs see as their host.
pub const HOST_NAME: &str = "wisp";

/// The paths of the computed files.
pub const PROC_FILES: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/mounts",
    "/proc/self/cmdline",
    "/proc/self/comm",
    "/proc/self/environ",
    "/proc/self/limits",
    "/proc/self/mounts",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
    "/proc/stat",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/ostype",
    "/proc/sys/kernel/random/uuid",
    "/proc/uptime",
    "/proc/version",
];

/// The paths of the computed symbolic links: the process's starting directory, its program, and its descriptors.
pub const PROC_LINKS: &[&str] = &["/proc/self/cwd", "/proc/self/exe", "/proc/self/fd"];

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What one process finds in `/proc`.
pub struct ProcView {
    /// The session's filesystem, for its mounts.
    pub fs: Fs,
    /// The process that reads.
    pub process: Arc<Process>,
    /// All processes of the session.
    pub processes: Arc<ProcessTable>,
    /// The session's limits.
    pub facts: Arc<Facts>,
    /// The process's clock.
    pub clock: ProcessClock,
    /// The process's randomness.
    pub random: ProcessRandom,
    /// The account of `limits.memory`, which pays for open files.
    pub memory: Arc<dyn HostMemory>,
    /// The program's path.
    pub program: String,
    /// The directory it started in.
    pub working_directory: String,
    /// Its arguments.
    pub arguments: Arc<Vec<Vec<u8>>>,
    /// Its environment.
    pub environment: Arc<Vec<Vec<u8>>>,
    /// The session's network, if the process may not use it: arguments of others with its placeholders are not shown.
    pub unseen: Option<Net>,
}

impl Viewer for ProcView {
    fn text(&self, name: &str, process: Option<u32>) -> Result<Bytes, FsError> {
        let of = &self.of(process)?;
        let text = match name {
            "/proc/cpuinfo" => "processor\t: 0\nvendor_id\t: wisp\nmodel name\t: WebAssembly\ncpu cores\t: 1\n\n".to_owned(),
            "/proc/filesystems" => "nodev\ttmpfs\nnodev\toverlay\nnodev\twisp\n".to_owned(),
            "/proc/loadavg" => self.load(),
            "/proc/meminfo" => self.memory_info(),
            "/proc/mounts" | "/proc/self/mounts" => mounts(&self.fs.mounts()),
            "/proc/self/cmdline" => return self.charged(ended_by_zeros(&self.arguments_of(of))),
            "/proc/self/comm" => format!("{}\n", of.shown().name()),
            "/proc/self/environ" => return self.own(of).and_then(|()| self.charged(ended_by_zeros(&self.environment))),
            "/proc/self/limits" => self.limits(of),
            "/proc/self/stat" => self.stat(of),
            "/proc/self/statm" => process_pages(of.memory()),
            "/proc/self/status" => self.status(of),
            "/proc/stat" => self.system_stat(),
            "/proc/sys/kernel/hostname" => format!("{HOST_NAME}\n"),
            "/proc/sys/kernel/osrelease" => format!("{VERSION}\n"),
            "/proc/sys/kernel/ostype" => "wisp\n".to_owned(),
            "/proc/sys/kernel/random/uuid" => uuid(&self.random.bytes(16)),
            "/proc/uptime" => uptime(self.clock.monotonic()),
            "/proc/version" => format!("wisp version {VERSION} (WASI 0.2)\n"),
            _ => return Err(FsError::NotFound),
        };
        self.charged(text.into_bytes())
    }

    fn link(&self, name: &str, process: Option<u32>) -> Result<String, FsError> {
        let process = self.of(process)?;
        self.own(&process)?;
        match name {
            "/proc/self/cwd" => Ok(self.working_directory.clone()),
            "/proc/self/exe" => Ok(self.program.clone()),
            "/proc/self/fd" => Ok("/dev/fd".to_owned()),
            _ => Err(FsError::NotFound),
        }
    }

    fn processes(&self) -> Vec<u32> {
        self.processes.listed().iter().map(|process| process.pid()).collect()
    }

    fn has_process(&self, id: u32) -> bool {
        self.processes.find(id).is_some()
    }
}

impl ProcView {
    /// Returns the process in whose directory a file was reached: for `None`, the one that reads.
    fn of(&self, process: Option<u32>) -> Result<Arc<Process>, FsError> {
        process.map_or_else(|| Some(self.process.clone()), |id| self.processes.find(id)).ok_or(FsError::NotFound)
    }

    /// Checks that a process is the one that reads.
    fn own(&self, process: &Process) -> Result<(), FsError> {
        if process.pid() == self.process.pid() { Ok(()) } else { Err(FsError::Access) }
    }

    /// Returns the arguments of a process; none after its end.
    fn arguments_of(&self, process: &Process) -> Arc<Vec<Vec<u8>>> {
        if process.pid() == self.process.pid() {
            return self.arguments.clone();
        }
        let arguments = process.shown().arguments().filter(|_| process.activity() != Activity::Ended).unwrap_or_default();
        let is_unseen = |argument: &Vec<u8>| self.unseen.as_ref().is_some_and(|net| net.mentions_placeholder(argument));
        if arguments.iter().any(is_unseen) {
            return Arc::new(arguments.iter().filter(|&argument| !is_unseen(argument)).cloned().collect());
        }
        arguments
    }

    /// Charges the text to the session's memory for as long as it is held.
    fn charged(&self, text: Vec<u8>) -> Result<Bytes, FsError> {
        let charge = Charge::new(&self.memory, text.len() as u64).ok_or(FsError::OutOfMemory)?;
        Ok(Bytes::from_owner(Held { text, _charge: charge }))
    }

    fn memory_info(&self) -> String {
        let free = self.memory.left() / 1024;
        let rows = [
            ("MemTotal", self.facts.memory / 1024),
            ("MemFree", free),
            ("MemAvailable", free),
            ("Buffers", 0),
            ("Cached", 0),
            ("SwapTotal", 0),
            ("SwapFree", 0),
        ];
        let mut text = String::new();
        for (name, kilobytes) in rows {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "{:<16}{kilobytes:>9} kB", format!("{name}:"));
        }
        text
    }

    /// Returns the number of processes now, in place of load averages, which are not kept.
    fn load(&self) -> String {
        let running = self.processes.running();
        let (count, last) = (running.len(), running.iter().map(|process| process.pid()).max().unwrap_or_default());
        format!("{count}.00 {count}.00 {count}.00 {count}/{count} {last}\n")
    }

    /// Returns the processor time in nanoseconds, of the process and of its ended children; 0 where time is virtual.
    fn times(&self, process: &Process) -> (u64, u64) {
        if self.facts.deterministic { (0, 0) } else { process.times() }
    }

    fn limits(&self, process: &Process) -> String {
        let of = |what| bound(process, &self.facts, what);
        let (cpu, memory) = (of(Limited::ProcessorTime), of(Limited::Memory));
        LimitRows { cpu, memory, open_files: of(Limited::OpenFiles), processes: of(Limited::Processes) }.text()
    }

    fn stat(&self, process: &Process) -> String {
        process_stat(&Numbers {
            name: process.shown().name(),
            state: state(process.activity()).0,
            pid: process.pid(),
            parent: process.parent(),
            group: process.group(),
            session: process.session(),
            foreground: process.has_terminal().then(|| process.foreground()),
            times: self.times(process),
            began: process.shown().began(),
            memory: process.memory(),
            memory_limit: bound(process, &self.facts, Limited::Memory).soft,
        })
    }

    fn system_stat(&self) -> String {
        let running = self.processes.running();
        let busy = running.iter().map(|process| self.times(process)).map(|(own, children)| own + children).sum::<u64>();
        let (uptime, last) = (self.clock.monotonic(), running.iter().map(|process| process.pid()).max().unwrap_or_default());
        let boot = self.clock.wall().saturating_sub(uptime) / 1_000_000_000;
        system_stat(busy, uptime, boot, last, running.len())
    }

    fn status(&self, process: &Process) -> String {
        let memory = process.memory() / 1024;
        let (letter, word) = state(process.activity());
        let mut text = String::new();
        let _ = writeln!(text, "Name:\t{}\nUmask:\t{:04o}\nState:\t{letter} ({word})", process.shown().name(), process.umask());
        let _ = writeln!(text, "Tgid:\t{0}\nPid:\t{0}\nPPid:\t{1}\nTracerPid:\t0", process.pid(), process.parent());
        for name in ["Uid", "Gid"] {
            let _ = writeln!(text, "{name}:\t{USER}\t{USER}\t{USER}\t{USER}");
        }
        let _ = writeln!(text, "FDSize:\t{}\nGroups:\t{USER}", self.facts.open_files);
        // Linear memory never shrinks, so the current size is also the peak.
        for name in ["VmPeak", "VmSize", "VmHWM", "VmRSS"] {
            let _ = writeln!(text, "{name}:\t{memory:>8} kB");
        }
        let _ = writeln!(text, "Threads:\t1\nSigIgn:\t{:016x}", process.signals().ignored().0);
        text
    }
}

/// A text and its charge.
struct Held {
    text: Vec<u8>,
    _charge: Charge,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// Returns the letter and the word for what a process does (proc(5)).
fn state(activity: Activity) -> (char, &'static str) {
    match activity {
        Activity::Computes => ('R', "running"),
        Activity::Waits => ('S', "sleeping"),
        Activity::Stopped => ('T', "stopped"),
        Activity::Ended => ('Z', "zombie"),
    }
}

fn ended_by_zeros(strings: &[Vec<u8>]) -> Vec<u8> {
    strings.iter().flat_map(|string| string.iter().copied().chain([0])).collect()
}

/// Returns the seconds since the session's start, and 0 for the idle time, which is not known here.
fn uptime(nanoseconds: u64) -> String {
    let hundredths = nanoseconds / 10_000_000;
    format!("{}.{:02} 0.00\n", hundredths / 100, hundredths % 100)
}

/// Returns the mounted filesystems in the format of `mount`; blanks and backslashes in names are in octal, as on Linux.
fn mounts(rows: &[(String, &'static str)]) -> String {
    let mut text = "wisp / tmpfs rw 0 0\n".to_owned();
    for (guest, access) in rows {
        let mut name = String::new();
        for c in guest.chars() {
            match c {
                ' ' | '\t' | '\n' | '\\' => {
                    let _ = write!(name, "\\{:03o}", u32::from(c));
                }
                c => name.push(c),
            }
        }
        let (kind, how) = match *access {
            "overlay" => ("overlay", "rw"),
            "write" => ("wisp", "rw"),
            _ => ("wisp", "ro"),
        };
        let _ = writeln!(text, "{kind} {name} {kind} {how} 0 0");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{ended_by_zeros, mounts, uptime};

    #[test]
    fn mounts_are_rows_of_six_words() {
        let rows = mounts(&[("/mnt/a b".to_owned(), "read"), ("/w".to_owned(), "write"), ("/o".to_owned(), "overlay")]);
        assert_eq!(rows, "wisp / tmpfs rw 0 0\nwisp /mnt/a\\040b wisp ro 0 0\nwisp /w wisp rw 0 0\noverlay /o overlay rw 0 0\n");
    }

    #[test]
    fn words_end_with_zeros_and_times_have_hundredths() {
        assert_eq!(ended_by_zeros(&[b"a".to_vec(), b"".to_vec()]), b"a\0\0");
        assert_eq!(uptime(61_050_000_000), "61.05 0.00\n");
    }
}
