//! `wisp doctor`: shows what this machine offers, and what is slower without it.

use std::fmt::{self, Write as _};
use std::fs;

use wisp::confine::offered;
use wisp::policy::Policy;
use wisp::{CodeOrigin, Engine, EngineBuilder, EngineError, Session};
use wisp_service::Store;

use crate::{Failure, engine, print, resident};

/// Prints the report. The code is 1 if something that wisp needs is missing, or that confines it.
pub(crate) fn doctor() -> Result<u8, Failure> {
    let mut report = String::new();
    machine(&mut report);
    let confined = confinement(&mut report);
    let engine = engine::components().map_err(EngineError::from).and_then(|components| engine::builder(components).build());
    let healthy = engine.is_ok();
    match engine {
        Ok(engine) => {
            memory(&mut report, &engine);
            if engine.memory_fallback().is_none() {
                let room = Room::here();
                line(&mut report, room.sessions() >= FEW, "live sessions", &room.to_string());
            }
            cache(&mut report, &engine);
            shipped(&mut report, &engine);
            tools(&mut report, &engine);
            helpers(&mut report);
            let agents = crate::hooks::agents().into_iter().chain([crate::codex_install::line()]);
            for (connected, client, found) in crate::mcp::clients().into_iter().chain(agents) {
                line(&mut report, connected, client, &found);
            }
        }
        Err(error) => line(&mut report, false, "engine", &error.to_string()),
    }
    print(&report)?;
    Ok(u8::from(!healthy || !confined))
}

/// Prints one line: a mark, the subject, and what was found.
fn line(report: &mut String, good: bool, about: &str, found: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(report, "{} {about:<14} {found}", if good { "ok  " } else { "--  " });
}

fn machine(report: &mut String) {
    line(report, true, "wisp", &format!("{}, with wasmtime {}", crate::version::line(), env!("WASMTIME_VERSION")));
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy().into_owned();
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    line(
        report,
        true,
        "machine",
        &format!("{} {release} {}, {cpus} processors", system.sysname().to_string_lossy(), system.machine().to_string_lossy()),
    );
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    match limit {
        None => line(report, true, "address space", &format!("not limited: up to {} processes at once", EngineBuilder::MAX_PROCESSES)),
        Some(bytes) => {
            line(report, false, "address space", &format!("limited to {} GiB (ulimit -v): each process reserves 4 GiB of it", bytes >> 30));
        }
    }
}

/// Checks the available means to confine `wisp run`. Returns whether they are there.
fn confinement(report: &mut String) -> bool {
    let offered = offered();
    let said = |there: bool, good: &'static str, bad: &'static str| if there { good } else { bad };
    let files = said(
        offered.files,
        "files and ports by Landlock",
        "no Landlock (Linux 5.13): wisp's own access to files and ports of the host is not restricted",
    );
    let calls = said(offered.calls, "system calls by seccomp", "no seccomp filters: wisp's own system calls are not restricted");
    let confined = offered.files && offered.calls;
    line(report, confined, "confinement", &format!("{files}; {calls}"));
    confined
}

/// Reports how the memory of processes is made on this machine, as the engine found by trying.
fn memory(report: &mut String, engine: &Engine) {
    match engine.memory_fallback() {
        None => line(report, true, "memory", "copy on write: written pages are copied back after each process; interpreters can be forked"),
        Some(reason) => {
            let found = format!("wasmtime's pool: {reason}; starts are slower, and interpreters cannot be forked");
            line(report, false, "memory", &found);
        }
    }
}

/// A machine that holds fewer live sessions than this has a limit that is worth changing.
const FEW: u64 = 1_000;

/// What a small Python that waits for its next evaluation takes: maps (one of its two memories has three of them; it has
/// one more while its stack is in use), memory (it has written 0.7 MiB), and reserved address space, of which a process has
/// 128 TiB: 4 GiB and 64 MiB for each of two memories, 34 MiB for its stack.
const MAPS_OF_ONE: u64 = 6;
const MEMORY_OF_ONE: u64 = 1 << 20;
const SPACE_OF_ONE: u64 = (2 * (4096 + 64) + 34) << 20;
const SPACE: u64 = 128 << 40;

/// How many live sessions this machine has room for, each with a small Python, in one process.
struct Room {
    /// The kernel's limit of maps for a process.
    maps: Option<u64>,
    /// Bytes of memory that are free.
    memory: Option<u64>,
    /// Bytes of address space that this process may reserve.
    space: u64,
}

impl Room {
    fn here() -> Self {
        let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
        let free = |text: String| {
            let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
            Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
        };
        let machine = fs::read_to_string("/proc/meminfo").ok().and_then(free);
        // In a container, its own limit may be lower; `max` is none.
        let memory = machine.into_iter().chain(number("/sys/fs/cgroup/memory.max")).min();
        let space = rustix::process::getrlimit(rustix::process::Resource::As).current.map_or(SPACE, |limit| limit.min(SPACE));
        Self { maps: number("/proc/sys/vm/max_map_count"), memory, space }
    }

    /// Returns each limit: the sessions that it allows, and its name.
    fn limits(&self) -> impl Iterator<Item = (u64, String)> {
        let maps = self.maps.map(|maps| (maps / MAPS_OF_ONE, format!("vm.max_map_count = {maps}")));
        let memory = self.memory.map(|memory| (memory / MEMORY_OF_ONE, format!("{} GiB of free memory, 1 MiB each", memory >> 30)));
        let space = (self.space / SPACE_OF_ONE, format!("{} TiB of address space", self.space >> 40));
        maps.into_iter().chain(memory).chain([space])
    }

    fn sessions(&self) -> u64 {
        self.limits().map(|(sessions, _)| sessions).min().unwrap_or(0)
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {} with a small Python each, in one process; none keeps a descriptor open", self.sessions())?;
        for (number, (sessions, limit)) in self.limits().enumerate() {
            write!(f, "{} {sessions} by {limit}", if number == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

fn cache(report: &mut String, engine: &Engine) {
    let Some(directory) = engine.cache().directory() else {
        return line(
            report,
            false,
            "code cache",
            "none: neither XDG_CACHE_HOME nor HOME is set; every run compiles what it starts, which takes seconds",
        );
    };
    if let Some(error) = engine.cache().refused() {
        return line(report, false, "code cache", &format!("none, so that every run compiles what it starts: {error}"));
    }
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes: Vec<u64> = files
        .filter(|file| file.file_name().to_string_lossy().ends_with(".cwasm"))
        .filter_map(|file| file.metadata().ok())
        .map(|facts| facts.len())
        .collect();
    let total = sizes.iter().sum::<u64>() >> 20;
    let found = format!("{} (private), {} files, {total} MiB", directory.display(), sizes.len());
    match engine.cache().keeps() {
        true => line(report, true, "code cache", &found),
        false => {
            line(report, false, "code cache", &format!("{found}; it cannot be written, so that what it lacks is compiled in every run"));
        }
    }
}

/// Checks the machine code beside the binary.
fn shipped(report: &mut String, engine: &Engine) {
    let beside = engine::beside().map(|path| path.display().to_string()).unwrap_or_default();
    match (engine.cache().shipped(), engine.shipped_refused()) {
        (Some((directory, files)), _) => line(report, true, "shipped code", &format!("{}, {files} files", directory.display())),
        (None, Some(reason)) => line(report, false, "shipped code", reason),
        (None, None) => line(report, true, "shipped code", &format!("none at {beside}: each tool is compiled at its first use")),
    }
}

fn tools(report: &mut String, engine: &Engine) {
    let components = engine.components();
    line(report, true, "components", &format!("from {}", components.place()));
    let compiled = compiled(engine);
    for component in components.list() {
        let state = match compiled.iter().find(|(name, _)| name == component.name()) {
            Some((_, Some(CodeOrigin::Shipped))) => "machine code shipped with wisp",
            Some((_, Some(_))) => "machine code cached",
            Some((_, None)) => "to be compiled at first use",
            None => "not in the default policy",
        };
        let size = component.size() as f64 / 1e6;
        line(report, true, &format!("  {}", component.name()), &format!("sha256 {}, {size:.1} MB, {state}", component.digest()));
    }
}

/// Checks the helpers that keep sessions open.
fn helpers(report: &mut String) {
    let running = Store::of_user().map(|store| resident::running(&store)).unwrap_or_default();
    let one = |helper: &resident::Running| format!("`{}` for {} (process {})", helper.session, helper.age(), helper.process);
    let found = match running.len() {
        0 => "none: `wisp run --resident --session NAME` keeps a session open".to_owned(),
        count => format!("{count}, one for each session: {}", running.iter().map(one).collect::<Vec<_>>().join(", ")),
    };
    line(report, true, "helpers", &found);
}

/// Returns the tools of the default policy, and where their machine code is.
fn compiled(engine: &Engine) -> Vec<(String, Option<CodeOrigin>)> {
    let session = tokio::runtime::Builder::new_current_thread()
        .build()
        .ok()
        .and_then(|runtime| runtime.block_on(engine.session(&Policy::offline()).build()).ok());
    session.as_ref().map(Session::compiled).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_decides_how_many_sessions_there_may_be() {
        let mut room = Room { maps: Some(65_530), memory: Some(20 << 30), space: SPACE };
        let found = "about 10921 with a small Python each, in one process; none keeps a descriptor open: 10921 by vm.max_map_count = 65530, \
                     20480 by 20 GiB of free memory, 1 MiB each, 16066 by 128 TiB of address space";
        assert_eq!(room.to_string(), found);
        room.memory = Some(512 << 20);
        assert_eq!(room.sessions(), 512);
        room = Room { maps: None, memory: None, space: 1 << 40 };
        assert_eq!(room.sessions(), (1 << 40) / SPACE_OF_ONE);
    }
}
