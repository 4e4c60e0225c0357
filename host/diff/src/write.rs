//! Writes the hunks of a unified diff.

use std::ops::Range;

use crate::compare::{Marks, compare};

/// Lines that are shown before and after a change.
const CONTEXT: usize = 3;

/// Lines of the old text that become lines of the new one.
#[derive(Clone)]
struct Edit {
    old: Range<usize>,
    new: Range<usize>,
}

/// Writes the hunks that turn `old` into `new`. Returns how many lines were added and removed, which are the fewest that can be found
/// in reasonable time.
pub fn hunks(to: &mut Vec<u8>, old: &[u8], new: &[u8]) -> (u64, u64) {
    let [old_lines, new_lines] = [lines(old), lines(new)];
    let edits = edits(&compare(&old_lines, &new_lines));
    let mut group: Vec<Edit> = Vec::new();
    for edit in &edits {
        // Contexts that meet are one.
        if group.last().is_some_and(|last| edit.old.start - last.old.end > 2 * CONTEXT) {
            hunk(to, &old_lines, &new_lines, &group);
            group.clear();
        }
        group.push(edit.clone());
    }
    hunk(to, &old_lines, &new_lines, &group);
    let sum = |range: fn(&Edit) -> &Range<usize>| edits.iter().map(|edit| range(edit).len() as u64).sum();
    (sum(|edit| &edit.new), sum(|edit| &edit.old))
}

/// Writes one hunk that turns `old` into `new`, for an edit of one place: all that lies between the first different line and the last
/// is replaced. Nothing is written if the texts are the same.
pub fn one_hunk(to: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    let [old, new] = [lines(old), lines(new)];
    let top = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let bottom = old[top..].iter().rev().zip(new[top..].iter().rev()).take_while(|(one, other)| one == other).count();
    let edit = Edit { old: top..old.len() - bottom, new: top..new.len() - bottom };
    if !edit.old.is_empty() || !edit.new.is_empty() {
        hunk(to, &old, &new, &[edit]);
    }
}

/// Returns the lines of a text, with their ends.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn edits(marks: &Marks) -> Vec<Edit> {
    let run = |marks: &[bool], from: usize| from + marks[from..].iter().take_while(|mark| **mark).count();
    let (mut old, mut new, mut edits) = (0, 0, Vec::new());
    while old < marks.old.len() || new < marks.new.len() {
        let edit = Edit { old: old..run(&marks.old, old), new: new..run(&marks.new, new) };
        // What follows is the same in both.
        (old, new) = (edit.old.end + 1, edit.new.end + 1);
        if !edit.old.is_empty() || !edit.new.is_empty() {
            edits.push(edit);
        }
        (old, new) = (old.min(marks.old.len()), new.min(marks.new.len()));
    }
    edits
}

fn hunk(to: &mut Vec<u8>, old: &[&[u8]], new: &[&[u8]], group: &[Edit]) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    let before = first.old.start.min(CONTEXT);
    let after = (old.len() - last.old.end).min(CONTEXT);
    let old_range = first.old.start - before..last.old.end + after;
    let new_range = first.new.start - before..last.new.end + after;
    let [old_place, new_place] = [&old_range, &new_range].map(place);
    to.extend_from_slice(format!("@@ -{old_place} +{new_place} @@\n").as_bytes());
    let mut at = old_range.start;
    for edit in group {
        old[at..edit.old.start].iter().for_each(|text| line(to, b' ', text));
        old[edit.old.clone()].iter().for_each(|text| line(to, b'-', text));
        new[edit.new.clone()].iter().for_each(|text| line(to, b'+', text));
        at = edit.old.end;
    }
    old[at..old_range.end].iter().for_each(|text| line(to, b' ', text));
}

/// Returns lines as the head of a hunk names them. No lines are after the one before them.
fn place(lines: &Range<usize>) -> String {
    range(lines.start + usize::from(!lines.is_empty()), lines.len())
}

/// Returns lines as the head of a hunk names them: the first, from 1, and how many, if it is not one.
pub fn range(start: usize, count: usize) -> String {
    if count == 1 { start.to_string() } else { format!("{start},{count}") }
}

fn line(to: &mut Vec<u8>, mark: u8, text: &[u8]) {
    to.push(mark);
    to.extend_from_slice(text);
    if !text.ends_with(b"\n") {
        to.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::{hunks, one_hunk};

    fn diff(old: &str, new: &str) -> (String, (u64, u64)) {
        let mut text = Vec::new();
        let counts = hunks(&mut text, old.as_bytes(), new.as_bytes());
        (String::from_utf8(text).unwrap(), counts)
    }

    #[test]
    fn hunks_are_those_of_diff() {
        assert_eq!(diff("same\n", "same\n"), (String::new(), (0, 0)));
        assert_eq!(diff("", "a\nb\n").0, "@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!(diff("a\n", "").0, "@@ -1 +0,0 @@\n-a\n");
        assert_eq!(diff("a", "a\n").0, "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
        let ten: String = (1..=20).map(|line| format!("{line}\n")).collect();
        let (text, counts) = diff(&ten, &ten.replace("2\n3\n", "two\n3\n").replace("19\n", ""));
        assert_eq!(text, "@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -16,5 +16,4 @@\n 16\n 17\n 18\n-19\n 20\n");
        assert_eq!(counts, (1, 2));
        // Seven lines between two changes are two hunks, six are one.
        let far = diff(&ten, &ten.replace("4\n5\n", "x\n5\n").replace("12\n", "y\n")).0;
        let near = diff(&ten, &ten.replace("4\n5\n", "x\n5\n").replace("11\n", "y\n")).0;
        assert_eq!((far.matches("@@ -").count(), near.matches("@@ -").count()), (2, 1), "{far}\n{near}");
    }
    #[test]
    fn an_edit_of_one_place_is_one_hunk() {
        let one = |old: &str, new: &str| {
            let mut text = Vec::new();
            one_hunk(&mut text, old.as_bytes(), new.as_bytes());
            String::from_utf8(text).unwrap()
        };
        // A line within the edit that stays is replaced by itself.
        assert_eq!(one("1\n2\n3\n4\n5\n", "1\na\n3\nb\n5\n"), "@@ -1,5 +1,5 @@\n 1\n-2\n-3\n-4\n+a\n+3\n+b\n 5\n");
        assert_eq!((one("x\n", "x\n"), one("", "")), (String::new(), String::new()));
        assert_eq!(one("", "a"), "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
    }
}
