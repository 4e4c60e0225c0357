//! Hunks of context and normal diffs, which only GNU's `patch` reads.

use crate::hunk::{Hunk, Kind, Line};
use crate::lines::Lines;
use crate::mistake::{Mistake, Wrong};

/// The line before each hunk of a context diff.
pub(crate) const STARS: &[u8] = b"***************";

/// First line and count.
type Range = (usize, usize);

/// Takes a line of the diff, without the mark and the blank before its text.
fn take<'d>(lines: &mut Lines<'d>, kind: Kind, text: &'d [u8]) -> Line<'d> {
    let (at, unended) = (lines.at, lines.whole().last() != Some(&b'\n'));
    lines.next();
    Line { kind, text, unended, at }
}

/// Reads `\ No newline at end of file`.
fn end<'d>(lines: &mut Lines<'d>, list: &mut [Line<'d>]) {
    lines.next();
    if let Some(last) = list.last_mut() {
        last.unended = true;
    }
}

/// Reads a hunk of a context diff: the old lines, then the new ones.
pub(crate) fn context<'d>(lines: &mut Lines<'d>) -> Result<Hunk<'d>, Wrong<'d>> {
    let at = lines.at;
    lines.next();
    let (old, old_lines) = side(lines, ["*** ", " ****"], Kind::Removed)?;
    let (new, new_lines) = side(lines, ["--- ", " ----"], Kind::Added)?;
    let list = merge(old_lines, new_lines);
    let count = |not: Kind| list.iter().filter(|line| line.kind != not).count();
    Ok(Hunk::of_list(at, [(old, count(Kind::Added)), (new, count(Kind::Removed))], list))
}

/// Reads the lines that one file has: where they begin, and which they are.
fn side<'d>(lines: &mut Lines<'d>, [open, close]: [&str; 2], changed: Kind) -> Result<(usize, Vec<Line<'d>>), Wrong<'d>> {
    let head = String::from_utf8_lossy(lines.whole());
    let bounds = head.trim_end().strip_prefix(open).and_then(|head| head.strip_suffix(close));
    let Some(bounds) = bounds else { return Err(Wrong { line: lines.at, text: lines.whole(), mistake: Mistake::HunkHead }) };
    let start = bounds.split_once(',').map_or(bounds, |(start, _)| start).parse().unwrap_or(0);
    lines.next();
    let mut list = Vec::new();
    while let Some(line) = lines.peek() {
        match line {
            [b' ', b' ', text @ ..] => list.push(take(lines, Kind::Context, text)),
            [b'-' | b'+' | b'!', b' ', text @ ..] => list.push(take(lines, changed, text)),
            [b'\\', ..] => end(lines, &mut list),
            _ => break,
        }
    }
    Ok((start, list))
}

/// Returns the two sides of a context hunk as one list; an empty side equals the unchanged lines of the other.
fn merge<'d>(old: Vec<Line<'d>>, new: Vec<Line<'d>>) -> Vec<Line<'d>> {
    let kept = |side: &[Line<'d>]| side.iter().filter(|line| line.kind == Kind::Context).copied().collect::<Vec<_>>();
    let old = if old.is_empty() { kept(&new) } else { old };
    let new = if new.is_empty() { kept(&old) } else { new };
    let (mut list, mut old, mut new) = (Vec::new(), old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        list.extend(std::iter::from_fn(|| old.next_if(|line| line.kind != Kind::Context)));
        list.extend(std::iter::from_fn(|| new.next_if(|line| line.kind != Kind::Context)));
        match (old.next(), new.next()) {
            (Some(line), _) | (None, Some(line)) => list.push(line),
            (None, None) => return list,
        }
    }
}

/// Returns whether a line is the head of a hunk in a normal diff.
pub(crate) fn is_command(line: &[u8]) -> bool {
    command(line).is_some()
}

/// Reads `3,5c4`: the old range, the letter, the new range.
fn command(line: &[u8]) -> Option<(Range, u8, Range)> {
    let text = std::str::from_utf8(line).ok()?.trim_end();
    let at = text.find(['a', 'c', 'd'])?;
    let ends = |text: &str| -> Option<Range> {
        let (start, end) = text.split_once(',').unwrap_or((text, text));
        let (start, end): (usize, usize) = (start.parse().ok()?, end.parse().ok()?);
        Some((start, end.checked_add(1)?.checked_sub(start)?))
    };
    Some((ends(&text[..at])?, text.as_bytes()[at], ends(&text[at + 1..])?))
}

/// Reads a hunk of a normal diff, whose head is next.
pub(crate) fn normal<'d>(lines: &mut Lines<'d>) -> Option<Hunk<'d>> {
    let at = lines.at;
    let (old, letter, new) = lines.next().and_then(command)?;
    let mut list = Vec::new();
    while let Some(line) = lines.peek() {
        match line {
            [b'<', b' ', text @ ..] => list.push(take(lines, Kind::Removed, text)),
            [b'>', b' ', text @ ..] => list.push(take(lines, Kind::Added, text)),
            [b'\\', ..] => end(lines, &mut list),
            [b'-', b'-', b'-', ..] => {
                lines.next();
            }
            _ => break,
        }
    }
    // If nothing is deleted, the number is that of the line before.
    let old = if letter == b'a' { (old.0, 0) } else { old };
    let new = if letter == b'd' { (new.0, 0) } else { new };
    Some(Hunk::of_list(at, [old, new], list))
}
