//! Applies the hunks of one file to its contents.

use super::PatchReject;
use super::parse::{Hunk, Kind, Line};
use crate::files::error::shown;

/// Comparisons of lines for one file. Attack: a hunk of many equal lines against a file of many equal lines, whose place
/// takes the product of both to find. A real diff needs a few for each line of the file.
const MAX_WORK: u64 = 20_000_000;

/// The new contents, and how far the furthest hunk was from the place that it names.
pub(super) fn apply(file: &str, old: &[u8], hunks: &[Hunk<'_>]) -> Result<(Vec<u8>, u64), PatchReject> {
    let lines = Lines { lines: split(old) };
    let (mut out, mut done, mut shift, mut furthest, mut work) = (Vec::with_capacity(old.len()), 0, 0_i64, 0, MAX_WORK);
    for (number, hunk) in (1..).zip(hunks) {
        let wanted: Vec<&Line<'_>> = hunk.lines.iter().filter(|line| line.kind != Kind::Added).collect();
        // A hunk without old lines stands after the line that it names.
        let said = if wanted.is_empty() { hunk.old_start } else { hunk.old_start.saturating_sub(1) };
        let expected = said.saturating_add_signed(isize::try_from(shift).unwrap_or(0)).clamp(done, lines.lines.len().max(done));
        let place = lines.place(&wanted, expected, done, &mut work);
        let Some(place) = place else {
            let (line, reason) = lines.mismatch(&wanted, expected, hunk.at);
            let reason = if work == 0 { "its place cannot be found in reasonable time".to_owned() } else { reason };
            return Err(PatchReject { file: Some(file.to_owned()), hunk: Some(number), line, reason });
        };
        furthest = furthest.max(place.abs_diff(said) as u64);
        shift = i64::try_from(place).unwrap_or(i64::MAX) - i64::try_from(said).unwrap_or(i64::MAX);
        for line in &lines.lines[done..place] {
            push(&mut out, line);
        }
        let mut at = place;
        for line in &hunk.lines {
            match line.kind {
                Kind::Context => {
                    // As the file has it: its last line may have no line break.
                    push(&mut out, lines.lines[at]);
                    at += 1;
                }
                Kind::Removed => at += 1,
                Kind::Added => {
                    push(&mut out, line.text);
                    if !line.unended {
                        out.push(b'\n');
                    }
                }
            }
        }
        done = at;
    }
    for line in &lines.lines[done..] {
        push(&mut out, line);
    }
    Ok((out, furthest))
}

/// Adds a line; what was the last line until now gets its line break.
fn push(out: &mut Vec<u8>, line: &[u8]) {
    if out.last().is_some_and(|byte| *byte != b'\n') {
        out.push(b'\n');
    }
    out.extend_from_slice(line);
}

/// A line without its end.
fn plain(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The lines of a text, with their line breaks.
fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

struct Lines<'f> {
    lines: Vec<&'f [u8]>,
}

impl Lines<'_> {
    /// Whether the file's line is that of the hunk. The last line of a file needs no line break, whatever the hunk says.
    fn is(&self, at: usize, wanted: &Line<'_>) -> bool {
        let Some(line) = self.lines.get(at) else { return false };
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        text == wanted.text && (!wanted.unended || at + 1 == self.lines.len())
    }

    /// Where all the wanted lines are: at `expected`, or as near as possible, not before `least`.
    fn place(&self, wanted: &[&Line<'_>], expected: usize, least: usize, work: &mut u64) -> Option<usize> {
        let most = self.lines.len().checked_sub(wanted.len()).filter(|most| *most >= least)?;
        if wanted.is_empty() {
            return Some(expected.min(most));
        }
        let expected = expected.clamp(least, most);
        let fits = |at: usize, work: &mut u64| {
            wanted.iter().enumerate().all(|(number, line)| {
                *work = work.saturating_sub(1);
                *work > 0 && self.is(at + number, line)
            })
        };
        for distance in 0..=(most - least) {
            let before = expected.checked_sub(distance).filter(|at| *at >= least);
            let after = Some(expected + distance).filter(|at| distance > 0 && *at <= most);
            for at in [before, after].into_iter().flatten() {
                if fits(at, work) {
                    return Some(at);
                }
            }
            if *work == 0 {
                return None;
            }
        }
        None
    }

    /// Where the lines differ at the place that the hunk names: the line of the diff, and what is there.
    fn mismatch(&self, wanted: &[&Line<'_>], expected: usize, head: usize) -> (usize, String) {
        let text = |bytes: &[u8]| shown(String::from_utf8_lossy(bytes).trim_end_matches(['\r', '\n']));
        let first = wanted.iter().enumerate().find(|(number, line)| !self.is(expected + number, line));
        let Some((number, line)) = first else {
            return (head, "its lines are only at a place that an earlier hunk changes".to_owned());
        };
        let here = expected + number + 1;
        let reason = match self.lines.get(expected + number) {
            None => format!("the file has {} lines, and the hunk expects line {here} to be `{}`", self.lines.len(), text(line.text)),
            Some(there) if plain(there) == plain(line.text) => {
                format!("line {here} of the file and of the hunk have different line ends (CR LF and LF)")
            }
            Some(there) => {
                format!("line {here} of the file is `{}`, and the hunk expects `{}`; no other place fits", text(there), text(line.text))
            }
        };
        (line.at, reason)
    }
}
