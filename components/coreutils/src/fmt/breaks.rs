//! Where the lines of a paragraph end: the cheapest way to break it.
//!
//! GNU's manual lists the preferences: lines near the goal and of even length, and breaks at the end of a sentence, not
//! after its first word or before its last. The weights were measured: in paragraphs made so that a single preference
//! decides one break, the length at which the real program decides otherwise shows the weight.

/// A word of a paragraph.
#[derive(Debug, Default, Clone)]
pub(super) struct Word {
    /// Its bytes.
    pub text: Vec<u8>,
    /// The spaces after it, unless a line ends there.
    pub space: usize,
    /// Whether it begins with a bracket or a quotation mark.
    pub opens: bool,
    /// Whether it ends with a punctuation mark of any kind.
    pub punctuated: bool,
    /// Whether it ends as a sentence does.
    pub period: bool,
    /// Whether it is the last word of a sentence.
    pub last: bool,
}

/// How wide lines are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// The best length.
    pub goal: usize,
    /// Lines are shorter than this, except a line of one longer word.
    pub width: usize,
    /// Columns before the first line's words.
    pub first: usize,
    /// Columns before those of the other lines.
    pub other: usize,
}

// The unit is a hundredth of a column, squared.
const LINE: i64 = 70 * 70;
const WIDOW: i64 = 200 * 200;
const ORPHAN: i64 = 150 * 150;
const SENTENCE: i64 = 50 * 50;
const INSIDE: i64 = 600 * 600;
const PUNCTUATION: i64 = 40 * 40;
const BRACKET: i64 = 40 * 40;

/// Returns the words that begin a line, except the first line.
pub(super) fn breaks(words: &[Word], measure: Measure) -> Vec<usize> {
    // For the text that begins with each word: the lowest cost, the length of its first line, and the word that begins its
    // second line.
    let mut best = vec![(0i64, 0usize, words.len()); words.len() + 1];
    for start in (0..words.len()).rev() {
        let mut length = if start == 0 { measure.first } else { measure.other };
        let mut least = i64::MAX;
        for end in start + 1..=words.len() {
            length += words[end - 1].text.len();
            let (rest, next, _) = best[end];
            let line = if end == words.len() {
                0
            } else {
                square(measure.goal, length) + if best[end].2 < words.len() { square(length, next) / 2 } else { 0 }
            };
            if line + rest < least {
                least = line + rest;
                best[start] = (least, length, end);
            }
            length += words[end - 1].space;
            if end == words.len() || length + words[end].text.len() >= measure.width {
                break;
            }
        }
        best[start].0 += price(words, start);
    }
    let mut found = Vec::new();
    let mut at = best.first().map_or(0, |b| b.2);
    while at < words.len() {
        found.push(at);
        at = best[at].2;
    }
    found
}

fn square(a: usize, b: usize) -> i64 {
    // A single word of any length fits on a line.
    let far = (a.abs_diff(b) as i64).min(1 << 20) * 10;
    far * far
}

/// Returns the cost of beginning a line with this word.
fn price(words: &[Word], at: usize) -> i64 {
    let word = &words[at];
    let mut price = LINE;
    if at > 0 {
        let before = &words[at - 1];
        price += match (before.period, before.last) {
            (true, true) => -SENTENCE,
            (true, false) => INSIDE,
            _ if before.punctuated => -PUNCTUATION,
            _ if at > 1 && words[at - 2].last => WIDOW / (before.text.len() as i64 + 2),
            _ => 0,
        };
    }
    price
        + if word.opens {
            -BRACKET
        } else if word.last {
            ORPHAN / (word.text.len() as i64 + 2)
        } else {
            0
        }
}
