//! The table, in Markdown: a row for each measurement, with its ratio to a peer and its bar.

use std::time::Duration;

/// Times of one thing.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Returns the time below which this many of a thousand are.
    pub(crate) fn at(&mut self, per_mille: usize) -> Duration {
        self.0.sort_unstable();
        self.0.get(self.0.len() * per_mille / 1000).copied().unwrap_or_default()
    }

    pub(crate) fn median(&mut self) -> Duration {
        self.at(500)
    }

    /// Returns the median, and the times above which the slowest tenth and hundredth are.
    pub(crate) fn show(&mut self) -> String {
        format!("{} (p90 {}, p99 {})", show(self.median()), show(self.at(900)), show(self.at(990)))
    }
}

impl Extend<Duration> for Times {
    fn extend<I: IntoIterator<Item = Duration>>(&mut self, times: I) {
        self.0.extend(times);
    }
}

/// One row. Empty cells stay empty.
#[derive(Default)]
pub(crate) struct Row {
    pub what: String,
    pub wisp: String,
    pub beside: String,
    pub theirs: String,
    pub ratio: String,
    pub bar: &'static str,
    /// Whether the bar is met, if there is one.
    pub met: Option<bool>,
}

const WIDTHS: [usize; 6] = [50, 38, 52, 38, 8, 11];

pub(crate) struct Table {
    filter: String,
    met: usize,
    missed: Vec<String>,
}

impl Table {
    pub(crate) fn new(filter: String) -> Self {
        Self { filter, met: 0, missed: Vec::new() }
    }

    /// Returns whether the rows with these words are requested.
    pub(crate) fn wants(&self, words: &str) -> bool {
        words.contains(&self.filter)
    }

    pub(crate) fn head(&self) {
        line(&["what", "wisp", "beside", "it", "ratio", "bar"], "");
        let dashes: Vec<String> = WIDTHS.iter().map(|width| "-".repeat(*width)).collect();
        line(&dashes.iter().map(String::as_str).collect::<Vec<_>>(), "-");
    }

    pub(crate) fn row(&mut self, row: &Row) {
        let verdict = match row.met {
            None => "",
            Some(true) => "met",
            Some(false) => "NOT MET",
        };
        match row.met {
            Some(true) => self.met += 1,
            Some(false) => self.missed.push(format!("{} ({})", row.what, row.bar)),
            None => {}
        }
        line(&[&row.what, &row.wisp, &row.beside, &row.theirs, &row.ratio, row.bar], verdict);
    }

    pub(crate) fn end(&self) {
        println!("\n{} of {} bars met{}", self.met, self.met + self.missed.len(), if self.missed.is_empty() { "" } else { "; not:" });
        for missed in &self.missed {
            println!("- {missed}");
        }
    }
}

fn line(cells: &[&str], verdict: &str) {
    let cells: Vec<String> = cells.iter().zip(WIDTHS).map(|(cell, width)| format!("{cell:<width$}")).collect();
    println!("| {} | {verdict} |", cells.join(" | "));
}

/// Returns the ratio of the first to the second.
pub(crate) fn ratio(ours: Duration, theirs: Duration) -> f64 {
    ours.as_secs_f64() / theirs.as_secs_f64()
}

/// Returns a ratio of wisp to a peer: below one as a fraction, because the bars are written so.
pub(crate) fn show_ratio(ratio: f64) -> String {
    if ratio < 1.0 { format!("1/{:.1}", 1.0 / ratio) } else { format!("{ratio:.2} x") }
}

pub(crate) fn show(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ms if ms < 10.0 => format!("{ms:.3} ms"),
        ms if ms < 10_000.0 => format!("{ms:.1} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    }
}
