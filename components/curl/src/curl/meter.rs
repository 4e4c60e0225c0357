//! The progress meter: only at a terminal, and never in the output itself.

use super::options::Global;
use super::output::Output;
use std::time::{Duration, Instant};

/// The meter of one transfer, or none.
pub(super) struct Meter {
    on: bool,
    bar: bool,
    expected: Option<u64>,
    began: Instant,
    shown: Option<Instant>,
    last: u64,
}

impl Meter {
    /// Creates a meter, if a person can see it and the body goes to a file.
    pub(super) fn new(global: &Global, output: &Output, expected: Option<u64>, head: bool) -> Self {
        let on = !global.silent && !global.no_meter && !head && output.is_file() && wisp_tool::sys::is_terminal(2);
        if on && !global.bar {
            eprintln!("  % Received        Total      Speed   Time");
        }
        Self { on, bar: global.bar, expected, began: Instant::now(), shown: None, last: 0 }
    }

    /// Counts received bytes.
    pub(super) fn update(&mut self, received: u64) {
        self.last = received;
        if self.on && self.shown.is_none_or(|shown| shown.elapsed() > Duration::from_millis(200)) {
            self.show();
        }
    }

    fn show(&mut self) {
        self.shown = Some(Instant::now());
        let part = self.expected.filter(|expected| *expected > 0).map(|expected| self.last as f64 / expected as f64);
        let seconds = self.began.elapsed().as_secs_f64();
        if self.bar {
            let part = part.unwrap_or(0.0).min(1.0);
            eprint!("\r{:<60} {:5.1}%", "#".repeat((part * 60.0) as usize), part * 100.0);
            return;
        }
        let percent = part.map_or("  -".into(), |part| format!("{:3.0}", part * 100.0));
        let total = self.expected.map_or("-".into(), short);
        let speed = short((self.last as f64 / seconds.max(0.001)) as u64);
        eprint!("\r{percent} {:>8} {total:>12} {speed:>8}/s {seconds:5.1}s", short(self.last));
    }

    /// Ends the meter; the last numbers stay.
    pub(super) fn end(&mut self) {
        if self.on {
            self.show();
            eprintln!();
            self.on = false;
        }
    }
}

/// Returns `1234`, `12.3k`, `4.5M`.
fn short(bytes: u64) -> String {
    match bytes {
        0..10_000 => bytes.to_string(),
        10_000..10_000_000 => format!("{:.1}k", bytes as f64 / 1024.0),
        10_000_000..10_000_000_000 => format!("{:.1}M", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1}G", bytes as f64 / 1_073_741_824.0),
    }
}
