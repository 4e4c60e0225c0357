//! The tree of an expression, and the sets of characters in it.

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
    Group(Box<Node>, usize),
    /// One after the other.
    Cat(Vec<Node>),
    /// One of them.
    Alt(Vec<Node>),
    /// Repeated: at least, at most.
    Repeat(Box<Node>, u32, Option<u32>),
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
    /// The set of all characters, or of all bytes.
    pub(crate) fn any(utf8: bool) -> Set {
        if utf8 { Set { ranges: vec![(0, 0xd7ff), (0xe000, MAX)] } } else { Set { ranges: vec![(0, 255)] } }
    }
    /// Add a range; `normalize` must follow.
    pub(crate) fn add(&mut self, low: u32, high: u32) {
        self.ranges.push((low, high));
    }
    /// Sort and merge.
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
    /// Everything that is not in it.
    pub(crate) fn negate(&mut self, utf8: bool) {
        self.normalize();
        let mut out = Vec::new();
        for (low, high) in Set::any(utf8).ranges {
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
    /// Whether a character is in it.
    pub(crate) fn contains(&self, c: u32) -> bool {
        let at = self.ranges.partition_point(|r| r.1 < c);
        self.ranges.get(at).is_some_and(|r| r.0 <= c)
    }
    /// Add the other case of every letter in it.
    pub(crate) fn fold(&mut self, utf8: bool) {
        self.normalize();
        let mut more = Vec::new();
        for (low, high) in &self.ranges {
            // Beyond this there are no two cases, and the set may well be everything.
            for c in *low..=(*high).min(if utf8 { 0x1_e943 } else { 127 }) {
                for other in variants(c) {
                    more.push((other, other));
                }
            }
        }
        self.ranges.extend(more);
        self.normalize();
    }
}

/// The other cases of a character.
pub(crate) fn variants(c: u32) -> Vec<u32> {
    let Some(c) = char::from_u32(c) else { return Vec::new() };
    if c.is_ascii() {
        return match c {
            'a'..='z' => vec![c.to_ascii_uppercase() as u32],
            'A'..='Z' => vec![c.to_ascii_lowercase() as u32],
            _ => Vec::new(),
        };
    }
    let mut found = Vec::new();
    let mut take = |mut other: Box<dyn Iterator<Item = char>>| {
        if let (Some(one), None) = (other.next(), other.next())
            && one != c
        {
            found.push(one as u32);
        }
    };
    take(Box::new(c.to_lowercase()));
    take(Box::new(c.to_uppercase()));
    found
}

/// The members of `[:name:]`.
pub(crate) fn class(name: &[u8], utf8: bool) -> Option<Set> {
    let test: fn(char) -> bool = match name {
        b"alpha" => char::is_alphabetic,
        b"digit" => |c| c.is_ascii_digit(),
        b"alnum" => char::is_alphanumeric,
        b"upper" => char::is_uppercase,
        b"lower" => char::is_lowercase,
        b"space" => |c| c.is_whitespace() && !matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}'),
        b"blank" => |c| {
            c == '\t'
                || (c.is_whitespace() && !c.is_control() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{2028}' | '\u{2029}' | '\u{202f}'))
        },
        b"punct" => |c| c.is_ascii_punctuation() || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control()),
        b"cntrl" => |c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'),
        b"xdigit" => |c| c.is_ascii_hexdigit(),
        b"print" => |c| !c.is_control(),
        b"graph" => |c| !c.is_control() && !c.is_whitespace(),
        _ => return None,
    };
    let mut set = Set::default();
    // The characters of the first planes one by one; beyond are ideographs (letters) and nothing else of note.
    let ascii_only = matches!(name, b"digit" | b"xdigit") || !utf8;
    let last = if ascii_only { 0x7f } else { 0x1_ffff };
    let mut start = None;
    for c in 0..=last {
        let inside = char::from_u32(c).is_some_and(test);
        match (start, inside) {
            (None, true) => start = Some(c),
            (Some(low), false) => {
                set.add(low, c - 1);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(low) = start {
        set.add(low, last);
    }
    if !ascii_only && matches!(name, b"alpha" | b"alnum" | b"print" | b"graph") {
        set.add(0x2_0000, if matches!(name, b"alpha" | b"alnum") { 0x3_23af } else { MAX });
    }
    set.normalize();
    Some(set)
}

/// Whether a character is part of a word: `\w`.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
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
    }

    #[test]
    fn classes_know_letters_beyond_ascii() {
        let alpha = class(b"alpha", true).unwrap();
        assert!(alpha.contains('é' as u32) && alpha.contains('日' as u32) && !alpha.contains('1' as u32));
        assert!(!class(b"alpha", false).unwrap().contains(0xe9));
        assert!(class(b"nope", true).is_none());
    }
}
