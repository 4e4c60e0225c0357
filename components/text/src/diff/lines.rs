//! Files as lines, and lines as classes of equal ones.

use crate::regex::Regex;
use std::collections::HashMap;
use std::rc::Rc;

/// Differences to ignore.
#[derive(Clone, Default)]
pub(super) struct Ignore {
    /// `-i`.
    pub case: bool,
    /// `-b`.
    pub space_change: bool,
    /// `-w`.
    pub all_space: bool,
    /// `-Z`.
    pub trailing_space: bool,
    /// `-E`.
    pub tabs: bool,
    /// `-B`.
    pub blank_lines: bool,
    /// `-I`.
    pub matching: Vec<Rc<Regex>>,
    /// `--strip-trailing-cr`.
    pub carriage_return: bool,
}

/// A file.
pub(super) struct Text {
    /// The lines without their ends.
    pub lines: Vec<Vec<u8>>,
    /// Whether the last line lacks its end.
    pub unfinished: bool,
}

impl Text {
    /// Cuts a file into lines.
    pub(super) fn new(bytes: &[u8], strip_cr: bool) -> Self {
        let unfinished = bytes.last().is_some_and(|b| *b != b'\n');
        let mut lines: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        if !unfinished {
            lines.pop();
        }
        if strip_cr {
            for line in &mut lines {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
            }
        }
        Self { lines, unfinished }
    }
}

/// Returns the classes of the lines of two files, and how many there are.
pub(super) fn classes(a: &Text, b: &Text, ignore: &Ignore) -> (Vec<u32>, Vec<u32>, usize) {
    let mut known: HashMap<(Vec<u8>, bool), u32> = HashMap::new();
    let mut number = |text: &Text| {
        let last = text.lines.len().saturating_sub(1);
        let mut all = Vec::with_capacity(text.lines.len());
        for (at, line) in text.lines.iter().enumerate() {
            // A last line without its end differs from one with an end, unless blanks are ignored.
            let cut = at == last && text.unfinished && !(ignore.all_space || ignore.space_change || ignore.trailing_space);
            let next = known.len() as u32;
            all.push(*known.entry((normal(line, ignore), cut)).or_insert(next));
        }
        all
    };
    let (one, other) = (number(a), number(b));
    let count = known.len();
    (one, other, count)
}

/// Returns a line without the differences to ignore.
fn normal(line: &[u8], ignore: &Ignore) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    let blank = |b: u8| b.is_ascii_whitespace() || b == 0x0b;
    if ignore.all_space {
        out.extend(line.iter().copied().filter(|b| !blank(*b)));
    } else if ignore.space_change {
        let mut pending = false;
        for b in line {
            if blank(*b) {
                pending = true;
            } else {
                if std::mem::take(&mut pending) {
                    out.push(b' ');
                }
                out.push(*b);
            }
        }
    } else if ignore.tabs {
        for b in line {
            if *b == b'\t' {
                let missing = 8 - out.len() % 8;
                out.extend(std::iter::repeat_n(b' ', missing));
            } else {
                out.push(*b);
            }
        }
    } else {
        out.extend_from_slice(line);
    }
    if ignore.trailing_space {
        while out.last().is_some_and(|b| blank(*b)) {
            out.pop();
        }
    }
    if ignore.case {
        out = crate::awk::lower(&out);
    }
    out
}

/// Returns whether a line may be ignored by `-B` or `-I`.
pub(super) fn trivial(line: &[u8], ignore: &Ignore) -> bool {
    let blank = if ignore.all_space || ignore.space_change || ignore.trailing_space {
        line.iter().all(u8::is_ascii_whitespace)
    } else {
        line.is_empty()
    };
    (ignore.blank_lines && blank) || ignore.matching.iter().any(|r| r.is_match(line))
}
