//! The formats: normal, unified, context, side by side, ed.

use super::hunks::{Change, groups};
use super::lines::Text;
use crate::regex::Regex;
use std::io::{Result, Write};
use std::rc::Rc;

/// How the output looks.
pub(super) struct Style {
    /// Lines of context.
    pub context: usize,
    /// The names in the headers.
    pub labels: [String; 2],
    /// `-p`, `-F`: matches a line that begins a function.
    pub function: Option<Rc<Regex>>,
    /// `-t`: tabs as blanks.
    pub expand: bool,
    /// `--tabsize`.
    pub tab: usize,
    /// `--color`: rows of `-y` have color.
    pub color: bool,
    /// `-T`: a tab before the text.
    pub initial_tab: bool,
    /// Columns of `-y`.
    pub width: usize,
    /// `--left-column`.
    pub left_column: bool,
    /// `--suppress-blank-empty`.
    pub suppress_blank: bool,
    /// `--suppress-common-lines`.
    pub suppress_common: bool,
}

const UNFINISHED: &[u8] = b"\\ No newline at end of file\n";

struct Printer<'a> {
    out: &'a mut dyn Write,
    style: &'a Style,
}

impl Printer<'_> {
    fn line(&mut self, mark: &str, text: &Text, at: usize) -> Result<()> {
        let mut bytes = mark.as_bytes().to_vec();
        let line = &text.lines[at];
        if self.style.suppress_blank && line.is_empty() {
            bytes.truncate(bytes.trim_ascii_end().len());
        }
        if self.style.initial_tab {
            while bytes.last() == Some(&b' ') && bytes.len() > 1 {
                bytes.pop();
            }
            bytes.push(b'\t');
        }
        if self.style.expand {
            bytes.extend(expand(line, self.style.tab));
        } else {
            bytes.extend_from_slice(line);
        }
        bytes.push(b'\n');
        if text.unfinished && at + 1 == text.lines.len() {
            bytes.extend_from_slice(UNFINISHED);
        }
        self.out.write_all(&bytes)
    }

    /// Prints one side of a group in the context format; nothing if that side did not change. A change is where it begins, how
    /// many lines it has here, and their mark.
    fn half<'a>(
        &mut self,
        text: &Text,
        (mut at, end): (usize, usize),
        changes: impl Iterator<Item = (usize, usize, &'a str)> + Clone,
    ) -> Result<()> {
        if changes.clone().all(|(_, count, _)| count == 0) {
            return Ok(());
        }
        for (start, count, mark) in changes {
            for line in at..start {
                self.line("  ", text, line)?;
            }
            for line in start..start + count {
                self.line(mark, text, line)?;
            }
            at = start + count;
        }
        for line in at..end {
            self.line("  ", text, line)?;
        }
        Ok(())
    }
}

fn expand(line: &[u8], tab: usize) -> Vec<u8> {
    let (mut out, mut column) = (Vec::new(), 0);
    for b in line {
        if *b == b'\t' {
            let missing = tab - column % tab;
            out.extend(std::iter::repeat_n(b' ', missing));
            column += missing;
        } else {
            out.push(*b);
            column += usize::from(b & 0xc0 != 0x80);
        }
    }
    out
}

/// Returns the `3,5` of normal output; `2` before an empty range.
fn span(start: usize, count: usize) -> String {
    match count {
        0 => start.to_string(),
        1 => (start + 1).to_string(),
        _ => format!("{},{}", start + 1, start + count),
    }
}

/// Prints the normal format.
pub(super) fn normal(out: &mut dyn Write, style: &Style, a: &Text, b: &Text, changes: &[Change]) -> Result<()> {
    let mut p = Printer { out, style };
    for group in groups(changes, 0) {
        let Some((first, last)) = group.first().zip(group.last()) else { continue };
        let (deleted, inserted) = (last.old + last.deleted - first.old, last.new + last.inserted - first.new);
        let letter = match (deleted, inserted) {
            (0, _) => 'a',
            (_, 0) => 'd',
            _ => 'c',
        };
        writeln!(p.out, "{}{letter}{}", span(first.old, deleted), span(first.new, inserted))?;
        for at in first.old..first.old + deleted {
            p.line("< ", a, at)?;
        }
        if letter == 'c' {
            p.out.write_all(b"---\n")?;
        }
        for at in first.new..first.new + inserted {
            p.line("> ", b, at)?;
        }
    }
    Ok(())
}

/// Returns the last line before `at` that begins a function.
fn heading(style: &Style, a: &Text, at: usize) -> Option<Vec<u8>> {
    let regex = style.function.as_ref()?;
    let line = a.lines[..at].iter().rev().find(|l| regex.is_match(l))?;
    let mut cut = line[..line.len().min(40)].to_vec();
    while cut.last().is_some_and(u8::is_ascii_whitespace) {
        cut.pop();
    }
    Some(cut)
}

/// Returns the lines of a group with its context: the first one and the one after the last, in both files.
fn bounds(group: &[Change], context: usize, a: &Text, b: &Text) -> (usize, usize, usize, usize) {
    let (first, last) = (group[0], group[group.len() - 1]);
    let before = context.min(first.old).min(first.new);
    let (old_end, new_end) = (last.old + last.deleted, last.new + last.inserted);
    let after = context.min(a.lines.len() - old_end).min(b.lines.len() - new_end);
    (first.old - before, old_end + after, first.new - before, new_end + after)
}

/// Prints the unified format.
pub(super) fn unified(out: &mut dyn Write, style: &Style, a: &Text, b: &Text, changes: &[Change]) -> Result<()> {
    let groups = groups(changes, style.context);
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out, "--- {}\n+++ {}", style.labels[0], style.labels[1])?;
    let mut p = Printer { out, style };
    for group in groups {
        let (old, old_end, new, new_end) = bounds(group, style.context, a, b);
        let range = |start: usize, end: usize| match end - start {
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            count => format!("{},{count}", start + 1),
        };
        write!(p.out, "@@ -{} +{} @@", range(old, old_end), range(new, new_end))?;
        if let Some(text) = heading(style, a, old) {
            p.out.write_all(b" ")?;
            p.out.write_all(&text)?;
        }
        p.out.write_all(b"\n")?;
        let mut at = old;
        for change in group {
            for line in at..change.old {
                p.line(" ", a, line)?;
            }
            for line in change.old..change.old + change.deleted {
                p.line("-", a, line)?;
            }
            for line in change.new..change.new + change.inserted {
                p.line("+", b, line)?;
            }
            at = change.old + change.deleted;
        }
        for line in at..old_end {
            p.line(" ", a, line)?;
        }
    }
    Ok(())
}

/// Prints the context format.
pub(super) fn context(out: &mut dyn Write, style: &Style, a: &Text, b: &Text, changes: &[Change]) -> Result<()> {
    let groups = groups(changes, style.context);
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out, "*** {}\n--- {}", style.labels[0], style.labels[1])?;
    let mut p = Printer { out, style };
    for group in groups {
        let (old, old_end, new, new_end) = bounds(group, style.context, a, b);
        p.out.write_all(b"***************")?;
        if let Some(text) = heading(style, a, old) {
            p.out.write_all(b" ")?;
            p.out.write_all(&text)?;
        }
        let range = |start: usize, end: usize| match end - start {
            0 => format!("{start}"),
            1 => format!("{}", start + 1),
            _ => format!("{},{end}", start + 1),
        };
        writeln!(p.out, "\n*** {} ****", range(old, old_end))?;
        p.half(a, (old, old_end), group.iter().map(|c| (c.old, c.deleted, if c.inserted > 0 { "! " } else { "- " })))?;
        writeln!(p.out, "--- {} ----", range(new, new_end))?;
        p.half(b, (new, new_end), group.iter().map(|c| (c.new, c.inserted, if c.deleted > 0 { "! " } else { "+ " })))?;
    }
    Ok(())
}

/// Prints a script for `ed`: from the end to the start.
pub(super) fn ed(out: &mut dyn Write, b: &Text, changes: &[Change]) -> Result<()> {
    for change in changes.iter().rev().filter(|c| !c.ignored) {
        let letter = match (change.deleted, change.inserted) {
            (0, _) => 'a',
            (_, 0) => 'd',
            _ => 'c',
        };
        writeln!(out, "{}{letter}", span(change.old, change.deleted))?;
        if change.inserted > 0 {
            for line in &b.lines[change.new..change.new + change.inserted] {
                // A line with only a dot would end the input: write two dots and remove one.
                if line == b"." {
                    out.write_all(b"..\n.\ns/.//\na\n")?;
                } else {
                    out.write_all(line)?;
                    out.write_all(b"\n")?;
                }
            }
            out.write_all(b".\n")?;
        }
    }
    Ok(())
}

/// Prints the same from the start to the end.
pub(super) fn forward(out: &mut dyn Write, b: &Text, changes: &[Change]) -> Result<()> {
    for change in changes.iter().filter(|c| !c.ignored) {
        let letter = match (change.deleted, change.inserted) {
            (0, _) => 'a',
            (_, 0) => 'd',
            _ => 'c',
        };
        writeln!(out, "{letter}{}", span(change.old, change.deleted).replace(',', " "))?;
        if change.inserted > 0 {
            for line in &b.lines[change.new..change.new + change.inserted] {
                out.write_all(line)?;
                out.write_all(b"\n")?;
            }
            out.write_all(b".\n")?;
        }
    }
    Ok(())
}

/// Prints the files side by side.
pub(super) fn side_by_side(out: &mut dyn Write, style: &Style, a: &Text, b: &Text, changes: &[Change]) -> Result<()> {
    let tab = if style.expand { 1 } else { 8 };
    let half_width = ((style.width + tab + 3) / 2 / tab) * tab;
    let half = half_width.saturating_sub(3).min(style.width.saturating_sub(half_width));
    let column = if half == 0 { style.width } else { half_width };
    let mut side = Side { out, half, column, expand: style.expand, limit: style.width - column.min(style.width), color: style.color };
    let (mut i, mut j) = (0, 0);
    // Whether the row of these lines has an end: not if none of the lines that it shows has one.
    let ends = |i: Option<usize>, j: Option<usize>| {
        let last = |text: &Text, at: Option<usize>| at.is_none_or(|at| text.unfinished && at + 1 == text.lines.len());
        !(last(a, i) && last(b, j))
    };
    let common = |side: &mut Side<'_>, upto: usize, i: &mut usize, j: &mut usize| -> Result<()> {
        while *i < upto {
            if !style.suppress_common {
                let right = if style.left_column { None } else { Some(&b.lines[*j][..]) };
                side.row(Some(&a.lines[*i]), if style.left_column { '(' } else { ' ' }, right, ends(Some(*i), Some(*j)))?;
            }
            *i += 1;
            *j += 1;
        }
        Ok(())
    };
    for change in changes {
        common(&mut side, change.old, &mut i, &mut j)?;
        let both = change.deleted.min(change.inserted);
        for n in 0..both {
            let (left, right) = (&a.lines[i + n], &b.lines[j + n]);
            // Lines that differ in their ends only.
            let mark = match () {
                () if change.ignored => ' ',
                () if left != right => '|',
                () if a.unfinished && i + n + 1 == a.lines.len() => '\\',
                () => '/',
            };
            side.row(Some(left), mark, Some(right), ends(Some(i + n), Some(j + n)))?;
        }
        for n in both..change.deleted {
            side.row(Some(&a.lines[i + n]), '<', None, ends(Some(i + n), None))?;
        }
        for n in both..change.inserted {
            side.row(None, '>', Some(&b.lines[j + n]), ends(None, Some(j + n)))?;
        }
        i += change.deleted;
        j += change.inserted;
    }
    common(&mut side, a.lines.len(), &mut i, &mut j)
}

struct Side<'a> {
    out: &'a mut dyn Write,
    half: usize,
    column: usize,
    expand: bool,
    limit: usize,
    color: bool,
}

impl Side<'_> {
    /// Writes text truncated to a width; returns the columns it takes.
    fn half_line(&mut self, text: &[u8], limit: usize, out: &mut Vec<u8>) -> usize {
        let mut column = 0;
        let mut at = 0;
        while at < text.len() {
            let (_, length) = crate::text::first_char(&text[at..]);
            if text[at] == b'\t' {
                let next = column + 8 - column % 8;
                if next > limit && column >= limit {
                    break;
                }
                if next > limit {
                    at += 1;
                    column = limit.min(next);
                    continue;
                }
                if self.expand {
                    out.extend(std::iter::repeat_n(b' ', next - column));
                } else {
                    out.push(b'\t');
                }
                column = next;
            } else {
                if column + 1 > limit {
                    break;
                }
                out.extend_from_slice(&text[at..at + length]);
                column += 1;
            }
            at += length;
        }
        column
    }

    fn pad(&self, from: usize, to: usize, out: &mut Vec<u8>) {
        let mut column = from;
        if !self.expand {
            while column / 8 < to / 8 {
                out.push(b'\t');
                column = (column / 8 + 1) * 8;
            }
        }
        out.extend(std::iter::repeat_n(b' ', to.saturating_sub(column)));
    }

    fn row(&mut self, left: Option<&[u8]>, mark: char, right: Option<&[u8]>, ended: bool) -> Result<()> {
        let mut row = match mark {
            '<' if self.color => b"\x1b[31m".to_vec(),
            '>' if self.color => b"\x1b[32m".to_vec(),
            _ => Vec::new(),
        };
        let mut column = 0;
        let half = self.half;
        if let Some(left) = left {
            column = self.half_line(left, half, &mut row);
        }
        if mark != ' ' {
            let place = (half + self.column - 1) / 2;
            self.pad(column, place, &mut row);
            row.push(mark as u8);
            column = place + 1;
        }
        if let Some(right) = right
            && !right.is_empty()
        {
            self.pad(column, self.column, &mut row);
            let limit = half.min(self.limit.max(1));
            self.half_line(right, limit, &mut row);
        }
        row.extend(ended.then_some(b'\n'));
        if self.color && matches!(mark, '<' | '>') {
            row.extend_from_slice(b"\x1b[0m");
        }
        self.out.write_all(&row)
    }
}
