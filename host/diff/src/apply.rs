//! Puts the hunks of one file into its contents.
//!
//! A file may be a quarter of a gigabyte of line ends, so its lines are not listed: places are found by searching for
//! line ends from a place that is known. Beside the file and the result, this holds a few lines of one hunk.

mod rules;
mod text;

use crate::hunk::{Hunk, HunkLines, Kind, Line};
pub use rules::{Misfit, Outcome, Rules, Why};
use text::{Place, Text};

/// Old lines of a hunk that are held while its place is searched; the others are read from the diff each time. Real hunks
/// have fewer.
const KEPT: usize = 1_024;

/// Applies every hunk that fits. Returns what came of each, and the new contents.
pub fn apply_each(old: &[u8], hunks: &[Hunk<'_>], rules: Rules) -> (Vec<Outcome>, Vec<u8>) {
    let mut application = Application::new(old, hunks, rules);
    let outcomes = hunks.iter().map(|hunk| application.hunk(hunk)).collect();
    (outcomes, application.finish())
}

/// Applies all hunks. Returns the new contents, and how many lines the furthest hunk was from the place that it names.
///
/// # Errors
/// If a hunk does not fit: the first.
pub fn apply_all<'a>(old: &'a [u8], hunks: &[Hunk<'a>], rules: Rules) -> Result<(Vec<u8>, usize), Misfit<'a>> {
    let mut application = Application::new(old, hunks, rules);
    let mut furthest = 0;
    for (number, hunk) in (1..).zip(hunks) {
        let Outcome::Applied { offset, .. } = application.hunk(hunk) else {
            let (line, why) = application.mismatch(hunk);
            return Err(Misfit { hunk: number, line, why });
        };
        furthest = furthest.max(offset.unsigned_abs());
    }
    Ok((application.finish(), furthest))
}

/// The state between two hunks.
struct Application<'f> {
    text: Text<'f>,
    rules: Rules,
    /// The comparisons that are left.
    work: u64,
    /// The new contents so far, and how many lines they have.
    out: Vec<u8>,
    lines: usize,
    /// How far the old contents are done.
    done: Place,
    /// How much further down the last hunk was than its head says.
    shift: isize,
}

/// What a hunk consists of.
struct Shape {
    lines: usize,
    old: usize,
    /// Lines of context before the first change, and after the last.
    before: usize,
    after: usize,
}

impl Shape {
    fn of(hunk: &Hunk<'_>) -> Self {
        let (mut shape, mut changed) = (Self { lines: 0, old: 0, before: 0, after: 0 }, false);
        for line in hunk.lines() {
            shape.lines += 1;
            shape.old += usize::from(line.kind != Kind::Added);
            changed |= line.kind != Kind::Context;
            shape.before += usize::from(!changed);
            shape.after = if line.kind == Kind::Context { shape.after + 1 } else { 0 };
        }
        shape
    }
}

/// What is searched for: some of the old lines of a hunk. The first are at hand.
struct Wanted<'h, 'd> {
    first: Vec<Line<'d>>,
    rest: HunkLines<'h, 'd>,
    /// How many of the old lines in `rest` are wanted.
    more: usize,
}

impl<'h, 'd> Wanted<'h, 'd> {
    fn of(hunk: &'h Hunk<'d>, skip: usize, count: usize) -> Self {
        let mut rest = hunk.lines();
        let first: Vec<_> = rest.by_ref().filter(|line| line.kind != Kind::Added).skip(skip).take(count.min(KEPT)).collect();
        Self { more: count - first.len(), first, rest }
    }
}

/// A place that fits, and how many lines of context were left out to find it.
struct Found {
    place: Place,
    fuzz: usize,
    before: usize,
    after: usize,
}

impl<'f> Application<'f> {
    fn new(old: &'f [u8], hunks: &[Hunk<'_>], rules: Rules) -> Self {
        let added = hunks.iter().flat_map(Hunk::lines).filter(|line| line.kind == Kind::Added);
        // Each new line may add its own line break, and the last line of the file may get one.
        let out = Vec::with_capacity(old.len() + 1 + added.map(|line| line.text.len() + 1).sum::<usize>());
        Self { text: Text::new(old, rules), rules, work: rules.work, out, lines: 0, done: Place::default(), shift: 0 }
    }

    fn hunk(&mut self, hunk: &Hunk<'_>) -> Outcome {
        let shape = Shape::of(hunk);
        let Some(Found { place, fuzz, before, after }) = self.find(hunk, &shape) else { return Outcome::Failed };
        let offset = signed(place.line).saturating_sub_unsigned(before).saturating_sub_unsigned(said(hunk));
        self.shift = offset;
        self.copy(place);
        let line = self.lines + 1 - before.min(self.lines);
        for line in hunk.lines().take(shape.lines - after).skip(before) {
            match line.kind {
                // As the file has it: its last line may have no line break, and its blanks may differ.
                Kind::Context => self.copy(self.text.forward(self.done, self.done.line + 1)),
                Kind::Removed => self.done = self.text.forward(self.done, self.done.line + 1),
                Kind::Added => {
                    self.push(line.text);
                    if !line.unended {
                        self.out.push(b'\n');
                    }
                    self.lines += 1;
                }
            }
        }
        let line = if hunk.new.1 == 0 { hunk.new.0.max(line.saturating_sub(1)) } else { line };
        Outcome::Applied { line, offset, fuzz }
    }

    fn finish(mut self) -> Vec<u8> {
        let rest = &self.text.bytes[self.done.byte..];
        if !rest.is_empty() {
            self.push(rest);
        }
        self.out
    }

    /// Adds a text; what was the last line until now gets its line break.
    fn push(&mut self, text: &[u8]) {
        if self.out.last().is_some_and(|byte| *byte != b'\n') {
            self.out.push(b'\n');
        }
        self.out.extend_from_slice(text);
    }

    /// Adds the lines of the file up to a place.
    fn copy(&mut self, to: Place) {
        let lines = &self.text.bytes[self.done.byte..to.byte];
        if !lines.is_empty() {
            self.push(lines);
        }
        self.lines += to.line - self.done.line;
        self.done = to;
    }

    /// Returns the line, from 0, where a hunk should begin after those before it.
    fn expected(&self, hunk: &Hunk<'_>) -> usize {
        said(hunk).saturating_add_signed(self.shift)
    }

    /// Finds where all the old lines of a hunk are, leaving out more and more context.
    fn find(&mut self, hunk: &Hunk<'_>, shape: &Shape) -> Option<Found> {
        let context = shape.before.max(shape.after);
        for fuzz in 0..=self.rules.fuzz.min(context) {
            let before = (fuzz + shape.before).saturating_sub(context);
            let after = (fuzz + shape.after).saturating_sub(context).min(shape.old - before);
            let wanted = Wanted::of(hunk, before, shape.old - before - after);
            let first = self.expected(hunk).saturating_add(before);
            let starts = self.rules.anchors && fuzz + shape.before < context && hunk.old.0 <= 1;
            let ends = self.rules.anchors && fuzz + shape.after < context;
            if let Some(place) = self.locate(&wanted, first, (starts, ends)) {
                return Some(Found { place, fuzz, before, after });
            }
        }
        None
    }

    /// Finds the wanted lines at the line `first` or as near as possible, but not in what is done.
    fn locate(&mut self, wanted: &Wanted<'_, '_>, first: usize, (starts, ends): (bool, bool)) -> Option<Place> {
        let (text, least, work) = (&self.text, self.done, &mut self.work);
        let count = wanted.first.len() + wanted.more;
        let most = text.count.checked_sub(count).filter(|most| *most >= least.line)?;
        let expected = text.forward(least, first.clamp(least.line, most));
        if count == 0 {
            return Some(expected);
        }
        if starts {
            return (least.line == 0 && fits(text, least.byte, wanted, work)).then_some(least);
        }
        if ends {
            let last = text.forward(least, most);
            return fits(text, last.byte, wanted, work).then_some(last);
        }
        if fits(text, expected.byte, wanted, work) {
            return Some(expected);
        }
        let (mut before, mut after) = (expected, expected);
        while *work > 0 && (before.line > least.line || after.line < most) {
            // As `patch` and git do: of two places that are equally near, the later one.
            if after.line < most {
                let place = text.forward(after, after.line + 1);
                text::spend(work, place.byte - after.byte);
                after = place;
                if fits(text, after.byte, wanted, work) {
                    return Some(after);
                }
            }
            if before.line > least.line {
                let place = text.back(before);
                text::spend(work, before.byte - place.byte);
                before = place;
                if fits(text, before.byte, wanted, work) {
                    return Some(before);
                }
            }
        }
        None
    }

    /// Says why a hunk has not been found: the line of the diff that differs at the place that it names, and how.
    fn mismatch<'d>(&self, hunk: &Hunk<'d>) -> (usize, Why<'d>)
    where
        'f: 'd,
    {
        if self.work == 0 {
            // Of the place that is named, as of any other.
            return (self.differing(hunk).map_or(hunk.at, |(line, _)| line), Why::Work);
        }
        self.differing(hunk).unwrap_or((hunk.at, Why::Taken))
    }

    fn differing<'d>(&self, hunk: &Hunk<'d>) -> Option<(usize, Why<'d>)>
    where
        'f: 'd,
    {
        let expected = self.expected(hunk).clamp(self.done.line, self.text.count.max(self.done.line));
        let mut at = self.text.forward(self.done, expected);
        for line in hunk.lines().filter(|line| line.kind != Kind::Added) {
            if let Some(byte) = self.text.past(at.byte, &line) {
                at = Place { line: at.line + 1, byte };
                continue;
            }
            let (here, wanted) = (at.line + 1, line.text);
            let there = &self.text.bytes[at.byte..self.text.forward(at, here).byte];
            let why = if there.is_empty() {
                Why::Short { lines: self.text.count, line: here, wanted }
            } else if plain(there) == plain(wanted) {
                Why::Ends { line: here }
            } else {
                Why::Differs { line: here, there, wanted }
            };
            return Some((line.at, why));
        }
        None
    }
}

/// Returns the line, from 0, where a hunk begins by its head. One without old lines stands after the line that it names.
fn said(hunk: &Hunk<'_>) -> usize {
    if hunk.old.1 == 0 { hunk.old.0 } else { hunk.old.0.saturating_sub(1) }
}

fn signed(line: usize) -> isize {
    isize::try_from(line).unwrap_or(isize::MAX)
}

/// Returns whether all the wanted lines are at this byte.
fn fits(text: &Text<'_>, mut byte: usize, wanted: &Wanted<'_, '_>, work: &mut u64) -> bool {
    let mut is = |line: &Line<'_>| text.past(byte, line).inspect(|next| byte = *next).is_some();
    for line in &wanted.first {
        *work = work.saturating_sub(1);
        if *work == 0 || !is(line) {
            return false;
        }
        text::spend(work, line.text.len());
    }
    let (mut rest, mut more) = (wanted.rest.clone(), wanted.more);
    while more > 0
        && let Some(line) = rest.next()
    {
        // It was read from the diff again, so it counts whether it is compared or not.
        *work = work.saturating_sub(1);
        text::spend(work, line.text.len());
        if *work == 0 {
            return false;
        }
        if line.kind != Kind::Added {
            if !is(&line) {
                return false;
            }
            more -= 1;
        }
    }
    true
}

/// Returns a line without its end.
fn plain(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests;
