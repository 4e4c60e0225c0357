//! Hunks of a unified diff.

use std::ops::Range;

use super::lines::{Marks, compare};

/// Lines that are shown before and after a change.
const CONTEXT: usize = 3;

/// Lines of the old text that become lines of the new one.
#[derive(Clone)]
struct Edit {
    old: Range<usize>,
    new: Range<usize>,
}

/// Writes the hunks that turn `old` into `new`. Returns how many lines were added and removed.
pub(super) fn write(to: &mut Vec<u8>, old: &[u8], new: &[u8]) -> (u64, u64) {
    let [old_lines, new_lines] = [old, new].map(|text| text.split_inclusive(|byte| *byte == b'\n').collect::<Vec<&[u8]>>());
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
    to.extend_from_slice(format!("@@ -{} +{} @@\n", place(&old_range), place(&new_range)).as_bytes());
    let mut at = old_range.start;
    for edit in group {
        old[at..edit.old.start].iter().for_each(|text| line(to, b' ', text));
        old[edit.old.clone()].iter().for_each(|text| line(to, b'-', text));
        new[edit.new.clone()].iter().for_each(|text| line(to, b'+', text));
        at = edit.old.end;
    }
    old[at..old_range.end].iter().for_each(|text| line(to, b' ', text));
}

/// Lines as the head of a hunk names them: the first, from 1, and how many. No lines are after the one before them.
fn place(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
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
    use super::write;

    fn diff(old: &str, new: &str) -> (String, (u64, u64)) {
        let mut text = Vec::new();
        let counts = write(&mut text, old.as_bytes(), new.as_bytes());
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
}
