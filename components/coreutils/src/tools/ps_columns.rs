//! The columns of `ps`: their titles, widths and values, as procps has them.

use super::process_table::{PAGE, Process, TICKS};
use crate::{names, sys};
use std::io::{Error, ErrorKind, Result};
use wisp_tool::calendar::{self, TimeZone};

/// A column as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) key: &'static str,
    pub(crate) title: String,
    pub(crate) width: usize,
    pub(crate) right: bool,
}

/// Names of the same column, its title, its width, and whether its values are at the right.
type Known = (&'static [&'static str], &'static str, usize, bool);

const KNOWN: &[Known] = &[
    (&["pid", "tgid"], "PID", 5, true),
    (&["ppid"], "PPID", 5, true),
    (&["pgid"], "PGID", 5, true),
    (&["pgrp"], "PGRP", 5, true),
    (&["sid"], "SID", 5, true),
    (&["sess", "session"], "SESS", 5, true),
    (&["tpgid"], "TPGID", 5, true),
    (&["lwp"], "LWP", 5, true),
    (&["tid"], "TID", 5, true),
    (&["spid"], "SPID", 5, true),
    (&["nlwp"], "NLWP", 4, true),
    (&["thcount"], "THCNT", 5, true),
    (&["uid"], "UID", 5, true),
    (&["euid"], "EUID", 5, true),
    (&["ruid"], "RUID", 5, true),
    (&["gid"], "GID", 5, true),
    (&["egid"], "EGID", 5, true),
    (&["rgid"], "RGID", 5, true),
    (&["user", "uname"], "USER", 8, false),
    (&["euser"], "EUSER", 8, false),
    (&["ruser"], "RUSER", 8, false),
    (&["uid_hack"], "UID", 8, false),
    (&["group"], "GROUP", 8, false),
    (&["egroup"], "EGROUP", 8, false),
    (&["rgroup"], "RGROUP", 8, false),
    (&["args", "command"], "COMMAND", 27, false),
    (&["cmd"], "CMD", 27, false),
    (&["comm", "ucomm"], "COMMAND", 15, false),
    (&["ucmd"], "CMD", 15, false),
    (&["fname"], "COMMAND", 8, false),
    (&["tty", "tt"], "TT", 8, false),
    (&["tname", "tty4", "tty8", "longtname"], "TTY", 8, false),
    (&["stat"], "STAT", 4, false),
    (&["s", "state"], "S", 1, false),
    (&["time", "cputime", "atime"], "TIME", 8, true),
    (&["times", "cputimes"], "TIME", 8, true),
    (&["bsdtime"], "TIME", 6, true),
    (&["etime"], "ELAPSED", 11, true),
    (&["etimes"], "ELAPSED", 7, true),
    (&["start"], "STARTED", 8, true),
    (&["lstart"], "STARTED", 24, true),
    (&["bsdstart"], "START", 6, true),
    (&["start_time"], "START", 5, false),
    (&["stime"], "STIME", 5, false),
    (&["%cpu", "pcpu"], "%CPU", 4, true),
    (&["c", "util"], "C", 2, true),
    (&["cp"], "CP", 3, true),
    (&["%mem", "pmem"], "%MEM", 4, true),
    (&["vsz", "vsize"], "VSZ", 6, true),
    (&["rss", "rssize", "rsz"], "RSS", 5, true),
    (&["size"], "SIZE", 5, true),
    (&["sz"], "SZ", 5, true),
    (&["drs"], "DRS", 5, true),
    (&["trs"], "TRS", 4, true),
    (&["majflt"], "MAJFLT", 6, true),
    (&["maj_flt"], "MAJFL", 6, true),
    (&["minflt"], "MINFLT", 6, true),
    (&["min_flt"], "MINFL", 6, true),
    (&["pri"], "PRI", 3, true),
    (&["priority"], "PRI", 3, true),
    (&["opri", "intpri"], "PRI", 3, true),
    (&["ni", "nice"], "NI", 3, true),
    (&["cls", "class"], "CLS", 3, true),
    (&["rtprio"], "RTPRIO", 6, true),
    (&["psr"], "PSR", 3, true),
    (&["f", "flag", "flags"], "F", 1, true),
    (&["wchan", "wname"], "WCHAN", 6, false),
    (&["addr"], "ADDR", 4, true),
    (&["exe"], "EXE", 27, false),
    (&["label"], "LABEL", 31, false),
    (&["cgroup"], "CGROUP", 27, false),
];

/// Returns the column of this name; `None` if `ps` has none.
pub(crate) fn column(name: &str) -> Option<Column> {
    let (keys, title, width, right) = KNOWN.iter().find(|(keys, ..)| keys.contains(&name))?;
    Some(Column { key: keys.first().copied()?, title: (*title).to_owned(), width: *width, right: *right })
}

/// Returns whether a column shows the whole command, as far as there is room.
pub(crate) fn is_command(key: &str) -> bool {
    matches!(key, "args" | "cmd" | "exe" | "label" | "cgroup")
}

/// Facts about the session to which values of processes relate.
pub(crate) struct Facts {
    /// How long it has existed, in ticks.
    uptime: u64,
    /// When it began, in seconds since 1970.
    boot: i64,
    /// Its memory, in KiB.
    memory: u64,
    /// The present, in seconds since 1970.
    now: i64,
}

impl Facts {
    /// Reads them from `/proc`.
    pub(crate) fn read() -> Result<Self> {
        let file = |path: &str| {
            std::fs::read_to_string(path).map_err(|error| Error::new(error.kind(), format!("{path}: {}", crate::text::reason(&error))))
        };
        let value = |path: &str, name: &str| {
            let text = file(path)?;
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let value = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            value.ok_or_else(|| Error::new(ErrorKind::InvalidData, format!("{path}: it has no {name}")))
        };
        let uptime = file("/proc/uptime")?;
        let uptime: f64 = uptime.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or_default();
        Ok(Self {
            uptime: (uptime * TICKS as f64) as u64,
            boot: i64::try_from(value("/proc/stat", "btime")?).unwrap_or_default(),
            memory: value("/proc/meminfo", "MemTotal:")?,
            now: calendar::seconds(calendar::now()),
        })
    }

    /// Returns the seconds for which the process has existed.
    fn elapsed(&self, process: &Process) -> u64 {
        self.uptime.saturating_sub(process.began) / TICKS
    }

    /// Returns the thousandths of a processor that the process has used since it began.
    fn load(&self, process: &Process) -> u64 {
        (process.used * 1000 / TICKS).checked_div(self.elapsed(process)).unwrap_or_default()
    }

    /// Returns the thousandths of the memory that the process uses.
    fn share(&self, process: &Process) -> u64 {
        (process.resident * 1000).checked_div(self.memory).unwrap_or_default().min(999)
    }

    /// Returns when the process began, in seconds since 1970.
    fn began(&self, process: &Process) -> i64 {
        self.boot.saturating_add_unsigned(process.began / TICKS)
    }

    /// Returns when the process began, in a format of strftime.
    fn shown(&self, process: &Process, format: &str) -> String {
        let at = i128::from(self.began(process)) * 1_000_000_000;
        String::from_utf8_lossy(&TimeZone::local().strftime(format.as_bytes(), at)).into_owned()
    }

    /// Returns whether the process began within the last day.
    fn is_recent(&self, process: &Process) -> bool {
        self.now.saturating_sub(self.began(process)) < calendar::DAY
    }

    /// Returns the value of a column.
    pub(crate) fn value(&self, key: &str, process: &Process) -> String {
        let seconds = process.used / TICKS;
        match key {
            "pid" | "lwp" | "tid" | "spid" => process.pid.to_string(),
            "ppid" => process.parent.to_string(),
            "pgid" | "pgrp" => process.group.to_string(),
            "sid" | "sess" => process.session.to_string(),
            "tpgid" => process.foreground.to_string(),
            "nlwp" | "thcount" => process.threads.to_string(),
            "uid" | "euid" | "ruid" | "gid" | "egid" | "rgid" => sys::uid().to_string(),
            "user" | "euser" | "ruser" | "uid_hack" => names::users().show(sys::uid()),
            "group" | "egroup" | "rgroup" => names::groups().show(sys::uid()),
            "args" | "cmd" => process.command(),
            "comm" | "ucmd" => process.name.clone(),
            "fname" => process.name.chars().take(8).collect(),
            "tty" | "tname" => process.terminal_name().unwrap_or_else(|| "?".to_owned()),
            "stat" => stat(process),
            "s" => process.state.to_string(),
            "time" => clock(seconds),
            "times" => seconds.to_string(),
            "bsdtime" => format!("{}:{:02}", seconds / 60, seconds % 60),
            "etime" => elapsed(self.elapsed(process)),
            "etimes" => self.elapsed(process).to_string(),
            "start" => self.shown(process, if self.is_recent(process) { "%H:%M:%S" } else { "%b %d" }),
            "lstart" => self.shown(process, "%a %b %e %H:%M:%S %Y"),
            "bsdstart" => self.shown(process, if self.is_recent(process) { "%H:%M" } else { "%b %d" }),
            "start_time" | "stime" => self.shown(process, self.short(process)),
            "%cpu" => tenths(self.load(process)),
            "c" => (self.load(process) / 10).min(99).to_string(),
            "cp" => self.load(process).min(999).to_string(),
            "%mem" => tenths(self.share(process)),
            "vsz" | "size" | "drs" => process.size.to_string(),
            "rss" => process.resident.to_string(),
            "sz" => (process.size / PAGE).to_string(),
            "trs" | "majflt" | "maj_flt" | "minflt" | "min_flt" | "psr" | "f" => "0".to_owned(),
            "pri" => (39 - process.priority.0).to_string(),
            "priority" => process.priority.0.to_string(),
            "opri" => (60 + process.priority.0).to_string(),
            "ni" => process.priority.1.to_string(),
            "cls" => "TS".to_owned(),
            _ => "-".to_owned(),
        }
    }

    /// Returns the format of the start in five characters: the time, the day, or the year.
    fn short(&self, process: &Process) -> &'static str {
        let day = |at: i64| TimeZone::local().civil(at).0;
        let (then, now) = (day(self.began(process)), day(self.now));
        if then.year != now.year {
            "%Y"
        } else if (then.month, then.day) == (now.month, now.day) {
            "%H:%M"
        } else {
            "%b%d"
        }
    }

    /// Returns what `--sort` compares; `None` for what cannot be sorted.
    pub(crate) fn rank(&self, key: &str, process: &Process) -> Option<Rank> {
        Some(match column(key)?.key {
            "%cpu" | "c" | "cp" => Rank::Number(i128::from(self.load(process))),
            "time" | "times" | "bsdtime" => Rank::Number(i128::from(process.used)),
            "etime" | "etimes" => Rank::Number(-i128::from(process.began)),
            "start" | "lstart" | "bsdstart" | "start_time" | "stime" => Rank::Number(i128::from(process.began)),
            "%mem" => Rank::Number(i128::from(process.resident)),
            key => {
                let value = self.value(key, process);
                value.parse().map_or(Rank::Text(value), Rank::Number)
            }
        })
    }
}

/// A value by which processes are sorted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Number(i128),
    Text(String),
}

/// Returns the state with its marks: `s` leads a session, `l` has threads, `+` is in the foreground of its terminal.
fn stat(process: &Process) -> String {
    let mut text = process.state.to_string();
    let marks = [
        (process.priority.1 < 0, '<'),
        (process.priority.1 > 0, 'N'),
        (process.session == process.pid, 's'),
        (process.threads > 1, 'l'),
        (process.foreground == i64::from(process.group), '+'),
    ];
    text.extend(marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)));
    text
}

/// Returns `1-02:03:04`, or without days `02:03:04`.
fn clock(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let days = if days > 0 { format!("{days}-") } else { String::new() };
    format!("{days}{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Returns `1-02:03:04`, without days `02:03:04`, without hours `03:04`.
fn elapsed(seconds: u64) -> String {
    if seconds < 3600 { format!("{:02}:{:02}", seconds / 60, seconds % 60) } else { clock(seconds) }
}

/// Returns thousandths as a percentage with one decimal; none from 100 on.
fn tenths(thousandths: u64) -> String {
    if thousandths > 999 { (thousandths / 10).to_string() } else { format!("{}.{}", thousandths / 10, thousandths % 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!((clock(3_723), clock(90_061)), ("01:02:03".to_owned(), "1-01:01:01".to_owned()));
        assert_eq!((elapsed(59), elapsed(3_600)), ("00:59".to_owned(), "01:00:00".to_owned()));
        assert_eq!([5, 425, 1_999].map(tenths), ["0.5", "42.5", "199"]);
    }

    #[test]
    fn names_of_a_column_are_one() {
        assert_eq!(column("pcpu").map(|column| (column.key, column.title)), Some(("%cpu", "%CPU".to_owned())));
        assert_eq!((column("command").map(|column| column.key), column("bogus")), (Some("args"), None));
    }
}
