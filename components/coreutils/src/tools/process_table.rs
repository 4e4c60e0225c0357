//! The processes of this session, as `/proc` shows them: what `ps`, `pgrep` and their like print and select.

use std::io::{Error, ErrorKind, Result};

/// Clock ticks in a second: the unit of times in `/proc`.
pub(crate) const TICKS: u64 = 100;

/// KiB in a page: the unit of sizes in `/proc`.
pub(crate) const PAGE: u64 = 4;

/// A process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// Process id.
    pub(crate) pid: u32,
    /// The parent's id.
    pub(crate) parent: u32,
    /// The process group.
    pub(crate) group: u32,
    /// The id of the process that leads its session.
    pub(crate) session: u32,
    /// The number of its terminal; 0 if it has none.
    pub(crate) terminal: u64,
    /// The process group in the foreground of its terminal; -1 if it has none.
    pub(crate) foreground: i64,
    /// R, S, T or Z.
    pub(crate) state: char,
    /// The name of its program, at most 15 bytes.
    pub(crate) name: String,
    /// The arguments, the name by which it was called first; none once it has ended.
    pub(crate) arguments: Vec<Vec<u8>>,
    /// Processor time, in ticks.
    pub(crate) used: u64,
    /// When it began, in ticks since the session did.
    pub(crate) began: u64,
    /// The priority, and how nice it is.
    pub(crate) priority: (i64, i64),
    /// How many threads it has.
    pub(crate) threads: u64,
    /// Memory, in KiB.
    pub(crate) size: u64,
    /// Memory in use, in KiB.
    pub(crate) resident: u64,
}

/// How often the list of ids is read again because a process ended meanwhile.
const RETRIES: usize = 64;

/// Returns the processes, by id.
pub(crate) fn all() -> Result<Vec<Process>> {
    let mut tries = 0;
    let mut ids = loop {
        match ids() {
            // libc examines each file of a directory that it reads, and one was gone.
            Err(error) if error.kind() == ErrorKind::NotFound && tries < RETRIES => tries += 1,
            Err(error) => return Err(Error::new(error.kind(), format!("/proc: {}", crate::text::reason(&error)))),
            Ok(ids) => break ids,
        }
    };
    ids.sort_unstable();
    Ok(ids.into_iter().filter_map(one).collect())
}

/// Returns the ids of the processes.
fn ids() -> Result<Vec<u32>> {
    let mut ids = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        ids.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    Ok(ids)
}

/// Returns the process with this id, if there is one.
fn one(id: u32) -> Option<Process> {
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    let arguments = std::fs::read(format!("/proc/{id}/cmdline")).ok()?;
    parse(&String::from_utf8_lossy(&stat), &arguments)
}

/// Reads the texts of `/proc/PID/stat` and `/proc/PID/cmdline` (proc(5)).
fn parse(stat: &str, arguments: &[u8]) -> Option<Process> {
    // The name is the program's choice and may hold parentheses.
    let (head, rest) = stat.rsplit_once(')')?;
    let (pid, name) = head.split_once(" (")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    // Numbered as in the manual, where the state is the third.
    let field = |number: usize| fields.get(number - 3).copied().unwrap_or_default();
    let number = |at: usize| field(at).parse::<u64>().unwrap_or_default();
    let signed = |at: usize| field(at).parse::<i64>().unwrap_or_default();
    let id = |at: usize| field(at).parse::<u32>().unwrap_or_default();
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(arguments);
    let arguments = if arguments.is_empty() { Vec::new() } else { arguments.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect() };
    Some(Process {
        pid: pid.parse().ok()?,
        name: name.to_owned(),
        arguments,
        state: field(3).chars().next()?,
        parent: id(4),
        group: id(5),
        session: id(6),
        terminal: number(7),
        foreground: signed(8),
        used: number(14) + number(15),
        priority: (signed(18), signed(19)),
        threads: number(20),
        began: number(22),
        size: number(23) / 1024,
        resident: number(24) * PAGE,
    })
}

impl Process {
    /// Returns the command line as procps shows it: one line without blanks at its end, with `?` for what cannot be printed. A process that has ended has
    /// only its name.
    pub(crate) fn command(&self) -> String {
        if self.arguments.is_empty() {
            return format!("[{}]{}", self.name, if self.state == 'Z' { " <defunct>" } else { "" });
        }
        let shown = |c: char| match c {
            '\n' => ' ',
            '\u{fffd}' => '?',
            c if c.is_control() => '?',
            c => c,
        };
        String::from_utf8_lossy(&self.arguments.join(&b' ')).trim_end_matches(' ').chars().map(shown).collect()
    }

    /// Returns whether it runs the program of this name, or was called by it.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let called = self.arguments.first().map(|called| String::from_utf8_lossy(called).into_owned()).unwrap_or_default();
        let called = called.rsplit('/').next().unwrap_or_default();
        self.name == name || called == name || called.strip_prefix('-') == Some(name)
    }

    /// Returns the name of its terminal below `/dev`, if it has one.
    pub(crate) fn terminal_name(&self) -> Option<String> {
        // Of the numbers of Linux's pseudo-terminals, whose major number is 136.
        (self.terminal != 0).then(|| format!("pts/{}", self.terminal & 0xff))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "7 (a) b) S 3 6 2 34816 5 0 0 0 0 0 12 3 40 0 20 0 1 0 1234 8192 2 99 0 0\n";

    #[test]
    fn fields_are_in_the_places_of_the_manual() {
        let process = parse(STAT, b"/bin/sleep\0a  b\0\0").unwrap();
        assert_eq!((process.pid, process.name.as_str(), process.state), (7, "a) b", 'S'));
        assert_eq!((process.parent, process.group, process.session, process.foreground), (3, 6, 2, 5));
        assert_eq!((process.used, process.began, process.size, process.resident), (15, 1234, 8, 8));
        assert_eq!((process.priority, process.threads), ((20, 0), 1));
        assert_eq!(process.arguments, [&b"/bin/sleep"[..], b"a  b", b""]);
        assert_eq!(process.terminal_name().as_deref(), Some("pts/0"));
        assert!(process.is_called("sleep") && process.is_called("a) b") && !process.is_called("bin"));
        assert_eq!(parse("7 sleep", b""), None);
    }

    #[test]
    fn a_command_is_one_line() {
        let mut process = parse(STAT, b"sh\0-c\0a\n\tb\xff\0").unwrap();
        assert_eq!(process.command(), "sh -c a ?b?");
        process.arguments = [&b"a  b"[..], b"", b""].map(<[u8]>::to_vec).to_vec();
        assert_eq!(process.command(), "a  b");
        process.arguments.clear();
        assert_eq!(process.command(), "[a) b]");
        process.state = 'Z';
        assert_eq!(process.command(), "[a) b] <defunct>");
    }

    #[test]
    fn this_process_is_among_them() {
        let own = all().unwrap().into_iter().find(|process| process.pid == crate::sys::pid()).unwrap();
        assert_eq!(own.arguments.len(), std::env::args_os().len());
    }
}
