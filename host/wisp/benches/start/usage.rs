//! What the machine reports about this process.

use std::fs;
use std::time::Duration;

/// Returns the CPU time of this process, all its threads.
pub(crate) fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Returns the resident bytes of this process.
pub(crate) fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok().and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or_default() * rustix::param::page_size() as u64
}

/// Returns the bytes of memory that only this process has, and of its page tables.
pub(crate) fn private() -> (u64, u64) {
    let sum = |file: &str, names: &[&str]| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let of = |line: &str| names.iter().find_map(|name| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        text.lines().filter_map(of).sum::<u64>() * 1024
    };
    (sum("/proc/self/smaps_rollup", &["Private_Clean:", "Private_Dirty:"]), sum("/proc/self/status", &["VmPTE:"]))
}

/// Mappings and open descriptors of this process.
pub(crate) fn maps_and_descriptors() -> (usize, usize) {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default().lines().count();
    (maps, fs::read_dir("/proc/self/fd").map_or(0, Iterator::count))
}

/// Returns the processors that this process may use.
pub(crate) fn processors() -> Vec<usize> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default();
    let range = |part: &str| {
        let (first, last) = part.trim().split_once('-').unwrap_or((part.trim(), part.trim()));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}
