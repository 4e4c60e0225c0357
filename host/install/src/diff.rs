//! A unified diff of one edit. What lies between the first different line and the last counts as different: an entry is one place.

use std::fmt::Write as _;
use std::path::Path;

/// Lines around the edit.
const AROUND: usize = 3;

/// Returns the diff, or nothing if the texts are the same. A text that is missing is `/dev/null`.
pub(crate) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    if before == after {
        return String::new();
    }
    let (old, new) = (lines(before), lines(after));
    let same = |(one, other): &(&&str, &&str)| one == other;
    let top = old.iter().zip(&new).take_while(same).count();
    let bottom = old[top..].iter().rev().zip(new[top..].iter().rev()).take_while(same).count();
    let start = top.saturating_sub(AROUND);
    let last = |lines: &[&str]| (lines.len() - bottom + AROUND).min(lines.len());
    let (old_end, new_end) = (last(&old), last(&new));

    let mut diff = String::new();
    let name = |text: Option<&str>| text.map_or_else(|| "/dev/null".to_owned(), |_| path.display().to_string());
    // Writing to a string does not fail.
    let _ = write!(
        diff,
        "--- {}\n+++ {}\n@@ -{} +{} @@\n",
        name(before),
        name(after),
        range(start, old_end - start),
        range(start, new_end - start)
    );
    for line in &old[start..top] {
        push(&mut diff, ' ', line);
    }
    for line in &old[top..old.len() - bottom] {
        push(&mut diff, '-', line);
    }
    for line in &new[top..new.len() - bottom] {
        push(&mut diff, '+', line);
    }
    for line in &old[old.len() - bottom..old_end] {
        push(&mut diff, ' ', line);
    }
    diff
}

fn lines(text: Option<&str>) -> Vec<&str> {
    text.map(|text| text.split_inclusive('\n').collect()).unwrap_or_default()
}

/// Returns a range of lines as a hunk has it: an empty one names the line before it.
fn range(start: usize, count: usize) -> String {
    let first = if count == 0 { start } else { start + 1 };
    format!("{first},{count}")
}

fn push(diff: &mut String, sign: char, line: &str) {
    diff.push(sign);
    diff.push_str(line);
    if !line.ends_with('\n') {
        diff.push_str("\n\\ No newline at end of file\n");
    }
}
