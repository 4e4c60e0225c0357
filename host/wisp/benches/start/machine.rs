//! What the machine reports about itself.

use std::fs;

/// Returns a description of the machine.
pub(crate) fn about() -> String {
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |(_, name)| name);
    format!("{processors} processors, {model}, Linux {}; {}", kernel.trim(), load())
}

/// Returns its load: with more than one running process for each processor, absolute times mean little.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!("load average {}", load.split(' ').next().unwrap_or("unknown"))
}
