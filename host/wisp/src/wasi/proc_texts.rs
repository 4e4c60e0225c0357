//! The longer files of `/proc`, as texts in Linux's formats. A field that has no meaning here is 0.

use std::fmt::Write as _;
use std::sync::Arc;

use wisp_process::Bound;

/// Bytes of a page, as programs that read counts of pages assume.
const PAGE: u64 = 4096;

/// Nanoseconds of a clock tick (100 in a second).
const TICK: u64 = 10_000_000;

/// The stack of a process in bytes: that of its wasm code (`runtime/config.rs`).
const STACK: u64 = 32 << 20;

/// The number of the terminal that controls a process: that of `/dev/pts/0`. Each process sees at most one.
const TERMINAL: u32 = 136 << 8;

/// A process, for its files.
pub(super) struct Numbers {
    /// At most 15 bytes.
    pub name: Arc<str>,
    pub state: char,
    pub pid: u32,
    pub parent: u32,
    pub group: u32,
    pub session: u32,
    /// The process group in the foreground of its terminal, if it has one.
    pub foreground: Option<u32>,
    /// Processor time of the process and of its ended children, in nanoseconds.
    pub times: (u64, u64),
    /// When it began, in nanoseconds since the session did.
    pub began: u64,
    /// Bytes.
    pub memory: u64,
    pub memory_limit: u64,
}

/// Returns `/proc/PID/stat` (proc(5)): 52 fields.
pub(super) fn process_stat(of: &Numbers) -> String {
    let Numbers { name, state, pid, parent, group, session, foreground, times: (own, children), began, memory, memory_limit } = of;
    let (own, children, began, pages) = (own / TICK, children / TICK, began / TICK, memory / PAGE);
    let terminal = foreground.map_or(0, |_| TERMINAL);
    let foreground = foreground.map_or(-1, i64::from);
    let mut text = format!("{pid} ({name}) {state} {parent} {group} {session} {terminal} {foreground}");
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, " 0 0 0 0 0 {own} 0 {children} 0 20 0 1 0 {began}");
    let _ = write!(text, " {memory} {pages} {memory_limit}");
    // Addresses, signals, wait channel, processor, and what follows it: unknown, or 0.
    text.push_str(&" 0".repeat(27));
    text.push('\n');
    text
}

/// Returns `/proc/self/statm`: seven counts of pages.
pub(super) fn process_pages(memory: u64) -> String {
    let pages = memory / PAGE;
    format!("{pages} {pages} 0 0 0 {pages} 0\n")
}

/// `/proc/self/limits`: the limits that apply to the process.
pub(super) struct LimitRows {
    pub cpu: Bound,
    pub memory: Bound,
    pub open_files: Bound,
    pub processes: Bound,
}

impl LimitRows {
    /// Returns the text.
    pub(super) fn text(&self) -> String {
        let fixed = |value| Bound { soft: value, hard: value };
        let rows = [
            ("Max cpu time", self.cpu, "seconds"),
            ("Max file size", Bound::NONE, "bytes"),
            ("Max data size", self.memory, "bytes"),
            ("Max stack size", fixed(STACK), "bytes"),
            ("Max core file size", fixed(0), "bytes"),
            ("Max resident set", Bound::NONE, "bytes"),
            ("Max processes", self.processes, "processes"),
            ("Max open files", self.open_files, "files"),
            ("Max locked memory", fixed(0), "bytes"),
            ("Max address space", self.memory, "bytes"),
            ("Max file locks", Bound::NONE, "locks"),
            ("Max pending signals", Bound::NONE, "signals"),
            ("Max msgqueue size", fixed(0), "bytes"),
            ("Max nice priority", fixed(0), ""),
            ("Max realtime priority", fixed(0), ""),
            ("Max realtime timeout", Bound::NONE, "us"),
        ];
        let value = |value: u64| if value == u64::MAX { "unlimited".to_owned() } else { value.to_string() };
        let mut text = format!("{:<25} {:<20} {:<20} {:<10}\n", "Limit", "Soft Limit", "Hard Limit", "Units");
        for (name, Bound { soft, hard }, unit) in rows {
            let _ = writeln!(text, "{name:<25} {:<20} {:<20} {unit:<10}", value(soft), value(hard));
        }
        text
    }
}

/// Returns `/proc/stat`: processor time since the session's start, and its processes. `busy` and `uptime` are in nanoseconds,
/// `boot` in seconds since 1970.
pub(super) fn system_stat(busy: u64, uptime: u64, boot: u64, last_pid: u32, running: usize) -> String {
    let idle = uptime.saturating_sub(busy) / TICK;
    let times = format!("{} 0 0 {idle} 0 0 0 0 0 0", busy / TICK);
    format!(
        "cpu  {times}\ncpu0 {times}\nintr 0\nctxt 0\nbtime {boot}\nprocesses {last_pid}\nprocs_running {running}\nprocs_blocked 0\nsoftirq 0\n"
    )
}

/// Returns a line with a random UUID (RFC 9562, version 4) of 16 random bytes.
pub(super) fn uuid(random: &[u8]) -> String {
    let mut text = String::with_capacity(37);
    for (place, byte) in random.iter().take(16).enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let byte = match place {
            6 => byte & 0x0f | 0x40,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        let _ = write!(text, "{byte:02x}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_says_its_version() {
        assert_eq!(uuid(&[0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff\n");
        assert_eq!(uuid(&[0; 16]), "00000000-0000-4000-8000-000000000000\n");
    }

    #[test]
    fn the_state_of_a_process_has_52_fields_in_their_places() {
        let of = Numbers {
            name: "a name with ) a".into(),
            state: 'S',
            pid: 7,
            parent: 3,
            group: 6,
            session: 2,
            foreground: Some(5),
            times: (2_000_000_000, 30_000_000),
            began: 12_340_000_000,
            memory: 8192,
            memory_limit: 1 << 20,
        };
        let text = process_stat(&of);
        // A reader takes the fields after the last parenthesis: the name is the program's choice.
        let (head, rest) = text.rsplit_once(')').unwrap();
        assert_eq!(head, "7 (a name with ) a");
        let fields: Vec<&str> = rest.split_whitespace().collect();
        assert_eq!(fields.len(), 50);
        // Numbered as in proc(5), where the state is the third.
        let field = |number: usize| fields[number - 3];
        assert_eq!([field(3), field(4), field(5), field(6), field(7), field(8)], ["S", "3", "6", "2", "34816", "5"]);
        assert_eq!([field(14), field(16), field(20)], ["200", "3", "1"]);
        assert_eq!([field(22), field(23), field(24), field(25)], ["1234", "8192", "2", "1048576"]);
        let apart = process_stat(&Numbers { foreground: None, ..of });
        assert!(apart.starts_with("7 (a name with ) a) S 3 6 2 0 -1 0 "), "{apart}");
        assert_eq!(process_pages(8192), "2 2 0 0 0 2 0\n");
    }

    #[test]
    fn limits_are_in_columns() {
        let rows = LimitRows {
            cpu: Bound { soft: 5, hard: 30 },
            memory: Bound { soft: 1 << 29, hard: 1 << 29 },
            open_files: Bound { soft: 256, hard: 256 },
            processes: Bound::NONE,
        };
        let text = rows.text();
        assert!(text.starts_with("Limit                     Soft Limit           Hard Limit           Units     \n"), "{text}");
        assert!(text.contains("Max cpu time              5                    30                   seconds   \n"), "{text}");
        assert!(text.contains("Max processes             unlimited            unlimited            processes \n"), "{text}");
        assert_eq!(text.lines().count(), 17);
    }

    #[test]
    fn time_that_nothing_used_is_idle() {
        let text = system_stat(2_000_000_000, 10_000_000_000, 1_700_000_000, 9, 2);
        assert!(text.starts_with("cpu  200 0 0 800 0 0 0 0 0 0\ncpu0 200 "), "{text}");
        assert!(text.contains("\nbtime 1700000000\nprocesses 9\nprocs_running 2\n"), "{text}");
    }
}
