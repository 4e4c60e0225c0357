//! The report for people: a table of the suites, and the failing cases.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::expected::Expected;
use crate::run::Result;

/// The counts of a group of cases.
#[derive(Debug, Default)]
struct Row {
    cases: usize,
    passed: usize,
    failed: usize,
    skipped: BTreeMap<String, usize>,
}

/// The results of a run.
#[derive(Debug)]
pub struct Report {
    rows: BTreeMap<String, Row>,
    /// Unexpected failures and unexpected passes, which make the run fail.
    pub wrong: Vec<String>,
    second: usize,
}

/// The suite and, if it has parts, the part: a row of the table.
fn group(id: &str) -> String {
    let mut parts = id.split('/');
    let suite = parts.next().unwrap_or_default();
    match parts.next() {
        Some(part) if suite == "bashkit" => format!("{suite} {part}"),
        _ => suite.to_owned(),
    }
}

impl Report {
    /// Adds up the counts.
    pub fn new(cases: &[Case], skipped: &BTreeMap<usize, String>, results: &[Result], expected: &Expected) -> Self {
        let mut report = Self { rows: BTreeMap::new(), wrong: Vec::new(), second: 0 };
        for (index, reason) in skipped {
            let row = report.rows.entry(group(&cases[*index].id)).or_default();
            row.cases += 1;
            // Reasons of single cases are in the verdicts; the table shows their kind.
            let kind = reason.split(':').next().unwrap_or_default().to_owned();
            *row.skipped.entry(kind).or_default() += 1;
        }
        for result in results {
            let id = &cases[result.index].id;
            report.second += usize::from(result.second && result.verdict.is_ok());
            let row = report.rows.entry(group(id)).or_default();
            row.cases += 1;
            match (&result.verdict, expected.reason(id)) {
                (Ok(()), None) => row.passed += 1,
                // A race is sometimes lost and sometimes won.
                (Ok(()), Some(reason)) if reason.starts_with("a race ") => row.passed += 1,
                (Ok(()), Some(_)) => {
                    row.passed += 1;
                    report.wrong.push(format!("{id}: passes; take it out of tests/conformance/expected.toml"));
                }
                (Err(_), Some(_)) => row.failed += 1,
                (Err(error), None) => {
                    row.failed += 1;
                    report.wrong.push(format!("{id}: {error}"));
                }
            }
        }
        report.wrong.sort();
        report
    }

    /// The table.
    pub fn table(&self) -> String {
        let mut text = format!("{:<16} {:>6} {:>7} {:>7} {:>8} {:>9}\n", "suite", "cases", "passed", "failed", "skipped", "rate");
        for (name, row) in &self.rows {
            let (skipped, counted) = (row.skipped.values().sum::<usize>(), row.passed + row.failed);
            let rate = if counted == 0 { "-".to_owned() } else { format!("{:.2} %", 100.0 * row.passed as f64 / counted as f64) };
            text += &format!("{name:<16} {:>6} {:>7} {:>7} {skipped:>8} {rate:>9}\n", row.cases, row.passed, row.failed);
        }
        for (name, row) in &self.rows {
            for (reason, count) in &row.skipped {
                text += &format!("skipped of {name}: {count}: {reason}\n");
            }
        }
        if self.second > 0 {
            text += &format!("{} passed at the second try\n", self.second);
        }
        text
    }
}

/// The lines in which two texts differ, each side marked, without the equal lines around them.
pub fn difference(wanted: &str, found: &str) -> String {
    let (left, right): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), found.lines().collect());
    let before = left.iter().zip(&right).take_while(|(one, other)| one == other).count();
    let most = left.len().min(right.len()) - before;
    let after = left.iter().rev().zip(right.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let mut text = format!("  (line {})\n", before + 1);
    for (mark, side) in [('-', &left), ('+', &right)] {
        for line in side[before..side.len() - after].iter().take(12) {
            text += &format!("  {mark} {line}\n");
        }
    }
    if left == right {
        text += "  the last line ends differently\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(difference("a\nb\nc", "a\nx\ny\nc"), "  (line 2)\n  - b\n  + x\n  + y\n");
        assert_eq!(difference("a", "a\na"), "  (line 2)\n  + a\n");
    }
}
