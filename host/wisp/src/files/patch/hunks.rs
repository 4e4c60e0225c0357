//! Applies the hunks of one file to its contents.
//!
//! A file may be a quarter of a gigabyte of line ends, so its lines are not listed: places are found by searching for
//! line ends from a place that is known. Beside the file and the result, this holds a few lines of one hunk.

use super::parse::{Hunk, HunkLines, Kind, Line};
use wisp_api::{PatchReject, shown};

/// Comparisons of lines for one file. Attack: a hunk of many equal lines against a file of many equal lines, whose place
/// takes the product of both to find. A real diff needs a few for each line of the file.
const MAX_WORK: u64 = 20_000_000;

/// Bytes that are searched or compared in the time of one comparison of short lines. Attack: lines of megabytes, each of
/// which counts as one.
const STRIDE: usize = 256;

/// Old lines of a hunk that are held while its place is searched; the others are read from the diff each time. Real hunks
/// have fewer.
const KEPT: usize = 1_024;

/// How much of a line an error is made from. It shows less.
const SHOWN: usize = 4_096;

/// The new contents, and how far the furthest hunk was from the place that it names.
pub(super) fn apply(file: &str, old: &[u8], hunks: &[Hunk<'_>]) -> Result<(Vec<u8>, u64), PatchReject> {
    let text = Text::new(old);
    let added = hunks.iter().flat_map(Hunk::lines).filter(|line| line.kind == Kind::Added);
    // Each new line may add its own line break, and the last line of the file may get one.
    let mut out = Vec::with_capacity(old.len() + 1 + added.map(|line| line.text.len() + 1).sum::<usize>());
    let (mut done, mut shift, mut furthest, mut work) = (Place::default(), 0_i64, 0, MAX_WORK);
    for (number, hunk) in (1..).zip(hunks) {
        // A hunk without old lines stands after the line that it names.
        let said = if hunk.old == 0 { hunk.old_start } else { hunk.old_start.saturating_sub(1) };
        let expected = said.saturating_add_signed(isize::try_from(shift).unwrap_or(0)).clamp(done.line, text.count.max(done.line));
        let Some(place) = text.find(hunk, expected, done, &mut work) else {
            let (line, reason) = text.mismatch(hunk, text.forward(done, expected));
            let reason = if work == 0 { "its place cannot be found in reasonable time".to_owned() } else { reason };
            return Err(PatchReject { file: Some(file.to_owned()), hunk: Some(number), line, reason });
        };
        furthest = furthest.max(place.line.abs_diff(said) as u64);
        shift = i64::try_from(place.line).unwrap_or(i64::MAX) - i64::try_from(said).unwrap_or(i64::MAX);
        push_lines(&mut out, &old[done.byte..place.byte]);
        let mut at = place;
        for line in hunk.lines() {
            match line.kind {
                Kind::Context => {
                    // As the file has it: its last line may have no line break.
                    let next = text.forward(at, at.line + 1);
                    push_lines(&mut out, &old[at.byte..next.byte]);
                    at = next;
                }
                Kind::Removed => at = text.forward(at, at.line + 1),
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
    push_lines(&mut out, &old[done.byte..]);
    Ok((out, furthest))
}

/// Adds a line; what was the last line until now gets its line break.
fn push(out: &mut Vec<u8>, line: &[u8]) {
    if out.last().is_some_and(|byte| *byte != b'\n') {
        out.push(b'\n');
    }
    out.extend_from_slice(line);
}

/// Adds lines of the file, which may be none.
fn push_lines(out: &mut Vec<u8>, lines: &[u8]) {
    if !lines.is_empty() {
        push(out, lines);
    }
}

/// A line without its end.
fn plain(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Where a line begins.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// Its number, from 0.
    line: usize,
    byte: usize,
}

/// What is searched for: the lines of a hunk. The first old ones are at hand.
struct Wanted<'d> {
    first: Vec<Line<'d>>,
    rest: HunkLines<'d>,
}

impl<'d> Wanted<'d> {
    fn of(hunk: &Hunk<'d>) -> Self {
        let mut rest = hunk.lines();
        let first = rest.by_ref().filter(|line| line.kind != Kind::Added).take(KEPT).collect();
        Self { first, rest }
    }
}

/// The contents of a file.
struct Text<'f> {
    bytes: &'f [u8],
    /// How many lines it has.
    count: usize,
}

fn spend(work: &mut u64, bytes: usize) {
    *work = work.saturating_sub((bytes / STRIDE) as u64);
}

impl<'f> Text<'f> {
    fn new(bytes: &'f [u8]) -> Self {
        let unended = bytes.last().is_some_and(|byte| *byte != b'\n');
        Self { bytes, count: memchr::memchr_iter(b'\n', bytes).count() + usize::from(unended) }
    }

    /// The place of a line that is not before `from`. This is not counted as work: it passes lines that no hunk has
    /// passed, or those over which a search went back, which was counted.
    fn forward(&self, from: Place, line: usize) -> Place {
        let Some(ends) = line.checked_sub(from.line).and_then(|lines| lines.checked_sub(1)) else { return from };
        let end = memchr::memchr_iter(b'\n', &self.bytes[from.byte..]).nth(ends);
        Place { line, byte: end.map_or(self.bytes.len(), |end| from.byte + end + 1) }
    }

    /// The place of the line before, if there is one.
    fn back(&self, from: Place) -> Place {
        let (Some(line), Some(end)) = (from.line.checked_sub(1), from.byte.checked_sub(1)) else { return from };
        Place { line, byte: memchr::memrchr(b'\n', &self.bytes[..end]).map_or(0, |end| end + 1) }
    }

    /// Where the next line begins, if the line at this byte is that of the hunk. The last line of a file needs no line
    /// break, whatever the hunk says.
    fn past(&self, byte: usize, wanted: &Line<'_>) -> Option<usize> {
        let line = self.bytes.get(byte..).filter(|rest| !rest.is_empty())?;
        let next = match line.strip_prefix(wanted.text)? {
            [] => self.bytes.len(),
            [b'\n', rest @ ..] => self.bytes.len() - rest.len(),
            _ => return None,
        };
        (!wanted.unended || next == self.bytes.len()).then_some(next)
    }

    /// Whether all the wanted lines are at this byte.
    fn fits(&self, mut byte: usize, wanted: &Wanted<'_>, work: &mut u64) -> bool {
        let mut is = |line: &Line<'_>| self.past(byte, line).inspect(|next| byte = *next).is_some();
        for line in &wanted.first {
            *work = work.saturating_sub(1);
            if *work == 0 || !is(line) {
                return false;
            }
            spend(work, line.text.len());
        }
        wanted.rest.clone().all(|line| {
            // It was read from the diff again, so it counts whether it is compared or not.
            *work = work.saturating_sub(1);
            spend(work, line.text.len());
            *work > 0 && (line.kind == Kind::Added || is(&line))
        })
    }

    /// Where all the old lines of a hunk are: at the line `expected`, or as near as possible, not before `least`.
    fn find(&self, hunk: &Hunk<'_>, expected: usize, least: Place, work: &mut u64) -> Option<Place> {
        let most = self.count.checked_sub(hunk.old).filter(|most| *most >= least.line)?;
        let expected = self.forward(least, expected.clamp(least.line, most));
        if hunk.old == 0 {
            return Some(expected);
        }
        let wanted = Wanted::of(hunk);
        if self.fits(expected.byte, &wanted, work) {
            return Some(expected);
        }
        let (mut before, mut after) = (expected, expected);
        while *work > 0 && (before.line > least.line || after.line < most) {
            if before.line > least.line {
                let place = self.back(before);
                spend(work, before.byte - place.byte);
                before = place;
                if self.fits(before.byte, &wanted, work) {
                    return Some(before);
                }
            }
            if after.line < most {
                let place = self.forward(after, after.line + 1);
                spend(work, place.byte - after.byte);
                after = place;
                if self.fits(after.byte, &wanted, work) {
                    return Some(after);
                }
            }
        }
        None
    }

    /// Where the lines differ at the place that the hunk names: the line of the diff, and what is there.
    fn mismatch(&self, hunk: &Hunk<'_>, mut at: Place) -> (usize, String) {
        let text = |bytes: &[u8]| shown(String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).trim_end_matches(['\r', '\n']));
        for line in hunk.lines().filter(|line| line.kind != Kind::Added) {
            if let Some(byte) = self.past(at.byte, &line) {
                at = Place { line: at.line + 1, byte };
                continue;
            }
            let (here, there) = (at.line + 1, &self.bytes[at.byte..self.forward(at, at.line + 1).byte]);
            let reason = if there.is_empty() {
                format!("the file has {} lines, and the hunk expects line {here} to be `{}`", self.count, text(line.text))
            } else if plain(there) == plain(line.text) {
                format!("line {here} of the file and of the hunk have different line ends (CR LF and LF)")
            } else {
                format!("line {here} of the file is `{}`, and the hunk expects `{}`; no other place fits", text(there), text(line.text))
            };
            return (line.at, reason);
        }
        (hunk.at, "its lines are only at a place that an earlier hunk changes".to_owned())
    }
}
