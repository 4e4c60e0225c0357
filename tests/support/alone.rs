//! Tests that measure their process: its memory, its maps, its processor time. What other tests do would be measured too.

/// Whether this process is for one test, whose name this is. If not, starts one that is, waits for it, and says no: the
/// test has passed there.
///
/// # Panics
/// When the test has failed there, or there is none of this name.
pub fn alone(name: &str) -> bool {
    const ALONE: &str = "WISP_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let made = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", name, "--nocapture"])
        .env(ALONE, "1")
        .output()
        .expect("this test starts");
    let said = String::from_utf8_lossy(&made.stdout);
    assert!(made.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&made.stderr));
    false
}

/// Memory that this process has now, in bytes.
///
/// # Panics
/// When the system does not say it.
pub fn resident() -> u64 {
    kibibytes("VmRSS:") << 10
}

/// The most memory that this process has had, in bytes.
///
/// # Panics
/// When the system does not say it.
pub fn peak() -> u64 {
    kibibytes("VmHWM:") << 10
}

fn kibibytes(row: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says what a process holds");
    let found = status.lines().find_map(|line| line.strip_prefix(row)?.trim().strip_suffix(" kB")?.parse().ok());
    found.expect("it has this row")
}
