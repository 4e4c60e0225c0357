//! Changes, and groups of them with context.

use super::lines::{Ignore, Text, trivial};
use super::myers::Changes;

/// A change: `deleted` lines from `old` on become `inserted` lines from `new` on (counted from 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    /// Where it begins in the first file.
    pub old: usize,
    /// How many lines are deleted.
    pub deleted: usize,
    /// Where it begins in the second file.
    pub new: usize,
    /// How many lines are inserted.
    pub inserted: usize,
    /// Whether it is to be ignored.
    pub ignored: bool,
}

/// Returns the changes in order.
pub(super) fn changes(marks: &Changes, a: &Text, b: &Text, ignore: &Ignore) -> Vec<Change> {
    let mut all = Vec::new();
    let (mut i, mut j) = (0, 0);
    let (n, m) = (marks.old.len(), marks.new.len());
    while i < n || j < m {
        let deleted = marks.old[i.min(n)..].iter().take_while(|c| **c).count();
        let inserted = marks.new[j.min(m)..].iter().take_while(|c| **c).count();
        if deleted + inserted == 0 {
            i += 1;
            j += 1;
            continue;
        }
        let ignored = (ignore.blank_lines || !ignore.matching.is_empty())
            && a.lines[i..i + deleted].iter().chain(&b.lines[j..j + inserted]).all(|l| trivial(l, ignore));
        all.push(Change { old: i, deleted, new: j, inserted, ignored });
        i += deleted;
        j += inserted;
    }
    all
}

/// Groups changes whose contexts meet.
pub(super) fn groups(changes: &[Change], context: usize) -> Vec<&[Change]> {
    let mut all = Vec::new();
    let mut start = 0;
    for at in 1..=changes.len() {
        let apart = changes.get(at).is_none_or(|next| {
            let last = changes[at - 1];
            // An ignored change keeps a group together only when it is near.
            let most = if next.ignored { context } else { context.saturating_mul(2).saturating_add(1) };
            next.old - (last.old + last.deleted) >= most.max(1)
        });
        if apart {
            all.push(&changes[start..at]);
            start = at;
        }
    }
    all.retain(|group| group.iter().any(|c| !c.ignored));
    all
}
