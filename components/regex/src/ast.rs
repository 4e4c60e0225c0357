//! The tree of an expression, and the sets of characters in it.

use crate::case::variants;

/// A position that a character is not part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assert {
    /// `^`: the start of the text, or of a line.
    LineStart,
    /// `$`: the end of the text, or of a line.
    LineEnd,
    /// `` \` ``.
    TextStart,
    /// `\'`.
    TextEnd,
    /// `\b`, awk's `\y`.
    Word,
    /// `\B`.
    NotWord,
    /// `\<`.
    WordStart,
    /// `\>`.
    WordEnd,
    /// No word's character before.
    WordStartHalf,
    /// No word's character after.
    WordEndHalf,
}

/// A part of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    /// Nothing.
    Empty,
    /// These bytes: a character, or a byte that is none.
    Literal(Vec<u8>),
    /// One character of a set.
    Set(Set),
    /// A position.
    Assert(Assert),
    /// A group that is remembered, with its number.
    Group(Box<Self>, usize),
    /// One after the other.
    Cat(Vec<Self>),
    /// One of them.
    Alt(Vec<Self>),
    /// Repeated: at least, at most.
    Repeat(Box<Self>, u32, Option<u32>),
    /// What a group matched.
    Back(usize),
}

/// A set of characters (of bytes where text is not UTF-8): sorted ranges that do not touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Set {
    /// The ranges, both ends in.
    pub ranges: Vec<(u32, u32)>,
}

const MAX: u32 = 0x0010_ffff;

impl Set {
    /// Returns the set of all characters, or of all bytes.
    pub(crate) fn any(utf8: bool) -> Self {
        if utf8 { Self { ranges: vec![(0, 0xd7ff), (0xe000, MAX)] } } else { Self { ranges: vec![(0, 255)] } }
    }
    /// Adds a range; `normalize` must follow.
    pub(crate) fn add(&mut self, low: u32, high: u32) {
        self.ranges.push((low, high));
    }
    /// Sorts and merges.
    pub(crate) fn normalize(&mut self) {
        self.ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        for (low, high) in self.ranges.drain(..) {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        self.ranges = merged;
    }
    /// Makes it the set of everything that was not in it.
    pub(crate) fn negate(&mut self, utf8: bool) {
        self.normalize();
        let mut out = Vec::new();
        for (low, high) in Self::any(utf8).ranges {
            let mut next = low;
            for (a, b) in &self.ranges {
                if *b < next || *a > high {
                    continue;
                }
                if *a > next {
                    out.push((next, a - 1));
                }
                next = b + 1;
            }
            if next <= high {
                out.push((next, high));
            }
        }
        self.ranges = out;
    }
    /// Returns whether a character is in it.
    pub(crate) fn contains(&self, c: u32) -> bool {
        let at = self.ranges.partition_point(|r| r.1 < c);
        self.ranges.get(at).is_some_and(|r| r.0 <= c)
    }
    /// Takes a character out.
    pub(crate) fn remove(&mut self, c: u32) {
        let mut left = Vec::with_capacity(self.ranges.len() + 1);
        for (low, high) in self.ranges.drain(..) {
            if c < low || c > high {
                left.push((low, high));
                continue;
            }
            if low < c {
                left.push((low, c - 1));
            }
            if c < high {
                left.push((c + 1, high));
            }
        }
        self.ranges = left;
    }
    /// Adds the other case of every letter in it.
    pub(crate) fn fold(&mut self, utf8: bool) {
        self.normalize();
        let mut more = Vec::new();
        for (low, high) in &self.ranges {
            // Beyond this there are no two cases, and the set may well be everything.
            for c in *low..=(*high).min(if utf8 { 0x1_e943 } else { 127 }) {
                more.extend(variants(c, utf8).map(|other| (other, other)));
            }
        }
        self.ranges.extend(more);
        self.normalize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_negated_and_folded() {
        let mut set = Set { ranges: vec![(97, 99), (98, 105)] };
        set.fold(true);
        assert!(set.contains('C' as u32) && !set.contains('z' as u32));
        set.negate(true);
        assert!(!set.contains('C' as u32) && set.contains('z' as u32) && set.contains(0x1_f600));
        assert!(!set.contains(0xd800));
        for (c, left) in [(5, vec![(6, 9)]), (7, vec![(5, 6), (8, 9)]), (9, vec![(5, 8)]), (4, vec![(5, 9)])] {
            let mut set = Set { ranges: vec![(5, 9)] };
            set.remove(c);
            assert_eq!(set.ranges, left, "{c}");
        }
    }
}
