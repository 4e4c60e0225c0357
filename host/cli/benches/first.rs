//! `just bench first`: the first start on a machine, with an empty cache, compared with the same from `just dist`
//! (with machine code beside the binary) and with any later start.
//!
//! Wall time of the whole program. A first start compiles on all processors, so other load on the machine counts
//! double.

#![allow(clippy::disallowed_methods, reason = "a benchmark runs programs and lays out folders")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// First starts that are timed: each takes seconds.
const FIRST: usize = 3;

/// Other starts that are timed.
const OTHER: usize = 20;

const ROWS: [(&str, &[&str]); 5] = [
    ("echo hi", &["--", "echo", "hi"]),
    ("echo hi, instructions counted", &["--policy", "counted.toml", "--", "echo", "hi"]),
    ("sh -c 'echo hi'", &["--", "sh", "-c", "echo hi"]),
    ("sh -c 'echo hi | wc -c'", &["--", "sh", "-c", "echo hi | wc -c"]),
    ("python3 -c 'print(2+2)'", &["--", "python3", "-c", "print(2+2)"]),
];

const COUNTED: &str = "extends = \"offline\"\n[limits]\ninstructions = 1_000_000_000\n";

fn main() -> Result<()> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let wisp = PathBuf::from(env!("CARGO_BIN_EXE_wisp"));
    let target = wisp.parent().and_then(Path::parent).ok_or("the binary is not in a target folder")?;
    let dist = target.join("dist/wisp");
    let scratch = tempfile::tempdir()?;
    std::fs::write(scratch.path().join("counted.toml"), COUNTED)?;
    println!("{:<32} {:>16} {:>22} {:>14}", "p50", "empty cache", "empty cache, dist", "later starts");
    for (name, words) in ROWS.iter().filter(|row| row.0.contains(&filter)) {
        let first = median(FIRST, || start(&wisp, scratch.path(), words, true))?;
        let later = median(OTHER, || start(&wisp, scratch.path(), words, false))?;
        let shipped = if dist.with_extension("code").is_dir() {
            show(median(OTHER, || start(&dist, scratch.path(), words, true))?)
        } else {
            "run `just dist`".to_owned()
        };
        println!("{name:<32} {:>16} {shipped:>22} {:>14}", show(first), show(later));
    }
    Ok(())
}

/// Returns one start, with a cache that is empty or left by the previous start.
fn start(wisp: &Path, scratch: &Path, words: &[&str], empty: bool) -> Result<Duration> {
    let cache = scratch.join("cache");
    if empty && cache.exists() {
        std::fs::remove_dir_all(&cache)?;
    }
    let mut command = Command::new(wisp);
    command.arg("run").args(words).current_dir(scratch).env("XDG_CACHE_HOME", &cache);
    let began = Instant::now();
    let output = command.stdin(Stdio::null()).output()?;
    let took = began.elapsed();
    if !output.status.success() || output.stdout.is_empty() {
        return Err(format!("{words:?}: {output:?}").into());
    }
    Ok(took)
}

fn median(runs: usize, mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let mut times = (0..runs).map(|_| run()).collect::<Result<Vec<_>>>()?;
    times.sort_unstable();
    Ok(times[runs / 2])
}

fn show(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
