//! Sort keys: a part of a line, and how it is compared.

use crate::version;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a key is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum By {
    /// Byte by byte.
    #[default]
    Bytes,
    /// As decimal numbers (`-n`).
    Numbers,
    /// As floating-point numbers (`-g`).
    Floats,
    /// As sizes with units (`-h`).
    Sizes,
    /// As names of months (`-M`).
    Months,
    /// As versions: numbers in the text count by their value (`-V`).
    Versions,
    /// In random order, with equal keys together (`-R`).
    Chance,
}

impl By {
    /// Returns whether leading blanks do not count.
    fn skips_blanks(self) -> bool {
        matches!(self, Self::Numbers | Self::Floats | Self::Sizes | Self::Months)
    }
}

/// The ordering letters of a key, or of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Manner {
    /// How it is compared.
    pub by: By,
    /// In reverse (`-r`).
    pub reverse: bool,
    /// Letters count as capitals (`-f`).
    pub fold: bool,
    /// Only blanks, letters and digits count (`-d`).
    pub dictionary: bool,
    /// Only printable characters count (`-i`).
    pub printable: bool,
    /// The letters that choose a comparison, as bits. More than one is a contradiction.
    pub orders: u8,
}

const ORDERS: [char; 6] = ['n', 'g', 'h', 'M', 'V', 'R'];

/// A key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    start_field: usize,
    start_char: usize,
    /// Field and character. Without a field, the key extends to the end of the line.
    end: Option<(usize, usize)>,
    skip_start: bool,
    skip_end: bool,
    /// How it is compared.
    pub manner: Manner,
    /// Whether the key has letters of its own.
    own: bool,
}

impl Manner {
    /// Applies a letter. Returns whether it is an ordering letter.
    pub(super) fn letter(&mut self, letter: char) -> bool {
        if let Some(at) = ORDERS.iter().position(|o| *o == letter) {
            self.orders |= 1 << at;
        }
        match letter {
            'n' => self.by = By::Numbers,
            'g' => self.by = By::Floats,
            'h' => self.by = By::Sizes,
            'M' => self.by = By::Months,
            'V' => self.by = By::Versions,
            'R' => self.by = By::Chance,
            'r' => self.reverse = true,
            'f' => self.fold = true,
            'd' => self.dictionary = true,
            'i' => self.printable = true,
            _ => return false,
        }
        true
    }

    /// Returns the letters that contradict each other, if any.
    pub(super) fn conflict(&self) -> Option<String> {
        let text = u32::from(self.dictionary || self.printable);
        let plain = (self.orders & 0b1111).count_ones();
        if plain + u32::from(self.orders & 0b11_0000 != 0 || text != 0) < 2 {
            return None;
        }
        let given = |letter: char| match letter {
            'd' => self.dictionary,
            'f' => self.fold,
            'i' => self.printable && !self.dictionary,
            letter => ORDERS.iter().position(|o| *o == letter).is_some_and(|at| self.orders & (1 << at) != 0),
        };
        Some("dfghiMnRV".chars().filter(|letter| given(*letter)).collect())
    }

    /// Compares two keys.
    pub(super) fn compare(&self, a: &[u8], b: &[u8], chance: &[u8]) -> Ordering {
        let order = match self.by {
            By::Numbers => numbers(a, b),
            By::Floats => floats(a, b),
            By::Sizes => sizes(a, b),
            By::Months => month(a).cmp(&month(b)),
            By::Versions => version::compare(a, b),
            By::Chance => {
                let (a, b): (Vec<u8>, Vec<u8>) = (self.letters(a).collect(), self.letters(b).collect());
                let hash = |key: &[u8]| {
                    let mut hasher = DefaultHasher::new();
                    (chance, key).hash(&mut hasher);
                    hasher.finish()
                };
                hash(&a).cmp(&hash(&b)).then_with(|| a.cmp(&b))
            }
            By::Bytes if self.fold || self.dictionary || self.printable => self.letters(a).cmp(self.letters(b)),
            By::Bytes => a.cmp(b),
        };
        if self.reverse { order.reverse() } else { order }
    }

    fn letters<'a>(&self, text: &'a [u8]) -> impl Iterator<Item = u8> + 'a {
        let manner = *self;
        text.iter()
            .copied()
            .filter(move |b| {
                (!manner.dictionary || b.is_ascii_alphanumeric() || *b == b' ' || *b == b'\t')
                    && (!manner.printable || (0x20..0x7f).contains(b))
            })
            .map(move |b| if manner.fold { b.to_ascii_uppercase() } else { b })
    }
}

impl Key {
    /// Returns the whole line as a key.
    pub(super) fn whole(manner: Manner, skip_blanks: bool) -> Self {
        let skip_start = skip_blanks || manner.by.skips_blanks();
        Self { start_field: 0, start_char: 0, end: None, skip_start, skip_end: false, manner, own: true }
    }

    /// Reads `F[.C][LETTERS][,F[.C][LETTERS]]`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let bad = |why: &str| format!("{why}: invalid field specification {}", crate::text::quote(text));
        let mut key =
            Self { start_field: 0, start_char: 0, end: None, skip_start: false, skip_end: false, manner: Manner::default(), own: false };
        let (field, char, rest) = position(text, "at field start")?;
        let (letters, end) = rest.split_once(',').map_or((rest, None), |(s, e)| (s, Some(e)));
        if field == 0 {
            return Err(bad("field number is zero"));
        }
        if char == Some(0) {
            return Err(bad("character offset is zero"));
        }
        (key.start_field, key.start_char) = (field - 1, char.unwrap_or(1) - 1);
        key.take(letters, true).map_err(|()| bad("stray character in field spec"))?;
        if let Some(end) = end {
            let (field, char, letters) = position(end, "after ','")?;
            if field == 0 {
                return Err(bad("field number is zero"));
            }
            key.end = Some((field - 1, char.unwrap_or(0)));
            key.take(letters, false).map_err(|()| bad("stray character in field spec"))?;
        }
        Ok(key)
    }

    fn take(&mut self, letters: &str, start: bool) -> Result<(), ()> {
        for letter in letters.chars() {
            self.own = true;
            match letter {
                'b' if start => self.skip_start = true,
                'b' => self.skip_end = true,
                letter if self.manner.letter(letter) => {}
                _ => return Err(()),
            }
        }
        Ok(())
    }

    /// Applies the letters of the command line, unless the key has its own.
    pub(super) fn inherit(&mut self, manner: Manner, skip_blanks: bool) {
        if !self.own {
            self.manner = manner;
            (self.skip_start, self.skip_end) = (skip_blanks, skip_blanks);
        }
        // Numbers and months always begin after blanks.
        self.skip_start |= self.manner.by.skips_blanks();
    }

    /// Returns the part of a line that is the key.
    pub(super) fn part<'a>(&self, line: &'a [u8], separator: Option<u8>) -> &'a [u8] {
        let start = self.start(line, separator);
        let end = self.end(line, separator);
        if end <= start { &[] } else { &line[start..end] }
    }

    /// Returns the position where the key begins.
    pub(super) fn begin(&self, line: &[u8], separator: Option<u8>) -> usize {
        self.start(line, separator)
    }

    fn start(&self, line: &[u8], separator: Option<u8>) -> usize {
        let mut at = 0;
        for _ in 0..self.start_field {
            if at >= line.len() {
                break;
            }
            at = match separator {
                Some(tab) => memchr::memchr(tab, &line[at..]).map_or(line.len(), |n| at + n + 1),
                None => skip_field(line, at),
            };
        }
        if self.skip_start {
            at = skip_blanks(line, at);
        }
        at.saturating_add(self.start_char).min(line.len())
    }

    fn end(&self, line: &[u8], separator: Option<u8>) -> usize {
        let Some((field, char)) = self.end else { return line.len() };
        let mut left = if char == 0 { field.saturating_add(1) } else { field };
        let mut at = 0;
        while at < line.len() && left > 0 {
            left -= 1;
            at = match separator {
                Some(tab) => memchr::memchr(tab, &line[at..]).map_or(line.len(), |n| at + n),
                None => skip_field(line, at),
            };
            if separator.is_some() && at < line.len() && (left > 0 || char > 0) {
                at += 1;
            }
        }
        if char > 0 {
            if self.skip_end {
                at = skip_blanks(line, at);
            }
            at = at.saturating_add(char).min(line.len());
        }
        at
    }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t' || byte == b'\n'
}

/// Returns the first position from `at` on that is not a blank.
pub(super) fn skip_blanks(line: &[u8], at: usize) -> usize {
    line[at.min(line.len())..].iter().position(|b| !is_blank(*b)).map_or(line.len(), |n| at + n)
}

/// Returns the position after a field; its leading blanks belong to it.
fn skip_field(line: &[u8], at: usize) -> usize {
    let at = skip_blanks(line, at);
    line[at..].iter().position(|b| is_blank(*b)).map_or(line.len(), |n| at + n)
}

fn position<'a>(text: &'a str, place: &str) -> Result<(usize, Option<usize>, &'a str), String> {
    let count = |t: &'a str, place: &str| -> Result<(usize, &'a str), String> {
        let end = t.find(|c: char| !c.is_ascii_digit()).unwrap_or(t.len());
        if end == 0 {
            return Err(format!("invalid number {place}: invalid count at start of {}", crate::text::quote(t)));
        }
        // A number that is too large is past the end of every line.
        Ok((t[..end].parse().unwrap_or(usize::MAX), &t[end..]))
    };
    let (field, rest) = count(text, place)?;
    match rest.strip_prefix('.') {
        None => Ok((field, None, rest)),
        Some(rest) => count(rest, "after '.'").map(|(char, rest)| (field, Some(char), rest)),
    }
}

/// Returns the sign, the digits before and after the point, and what follows.
fn decimal(text: &[u8]) -> (bool, &[u8], &[u8], &[u8]) {
    let text = &text[skip_blanks(text, 0)..];
    let (negative, text) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits = |t: &[u8]| t.iter().position(|b| !b.is_ascii_digit()).unwrap_or(t.len());
    let zeros = text.iter().position(|b| *b != b'0').unwrap_or(text.len());
    let text = &text[zeros..];
    let (whole, rest) = text.split_at(digits(text));
    let (part, rest) = match rest.strip_prefix(b".") {
        Some(rest) => rest.split_at(digits(rest)),
        None => (&[][..], rest),
    };
    let part = &part[..part.iter().rposition(|b| *b != b'0').map_or(0, |n| n + 1)];
    (negative && !(whole.is_empty() && part.is_empty()), whole, part, rest)
}

fn numbers(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (decimal(a), decimal(b));
    magnitude(a.0, (a.1, a.2), b.0, (b.1, b.2))
}

fn magnitude(a_negative: bool, a: (&[u8], &[u8]), b_negative: bool, b: (&[u8], &[u8])) -> Ordering {
    let size = |a: (&[u8], &[u8]), b: (&[u8], &[u8])| a.0.len().cmp(&b.0.len()).then_with(|| a.0.cmp(b.0)).then_with(|| a.1.cmp(b.1));
    match (a_negative, b_negative) {
        (false, false) => size(a, b),
        (true, true) => size(b, a),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

fn sizes(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (decimal(a), decimal(b));
    let unit = |n: &(bool, &[u8], &[u8], &[u8])| {
        let rank =
            n.3.first().and_then(|c| b"KMGTPEZYRQ".iter().position(|u| u == c || (*c == b'k' && *u == b'K'))).map_or(0, |at| at as i32 + 1);
        if n.1.is_empty() && n.2.is_empty() {
            0
        } else if n.0 {
            -rank
        } else {
            rank
        }
    };
    let sign = |n: &(bool, &[u8], &[u8], &[u8])| if n.0 { -1 } else { i32::from(!(n.1.is_empty() && n.2.is_empty())) };
    sign(&a).cmp(&sign(&b)).then_with(|| unit(&a).cmp(&unit(&b))).then_with(|| magnitude(a.0, (a.1, a.2), b.0, (b.1, b.2)))
}

/// Compares as floating-point numbers: text that is not a number sorts first, then NaN, then numbers.
fn floats(a: &[u8], b: &[u8]) -> Ordering {
    let rank = |f: Option<(f64, usize)>| match f {
        None => 0,
        Some((f, _)) if f.is_nan() => 1,
        Some(_) => 2,
    };
    let (a, b) = (float(a), float(b));
    rank(a).cmp(&rank(b)).then_with(|| a.map(|a| a.0).partial_cmp(&b.map(|b| b.0)).unwrap_or(Ordering::Equal))
}

/// Returns the number at the start of a text, as strtod(3) reads it, and its length.
pub(super) fn float(text: &[u8]) -> Option<(f64, usize)> {
    let blanks = skip_blanks(text, 0);
    let lower = String::from_utf8_lossy(&text[blanks..]).to_ascii_lowercase();
    let signed = usize::from(lower.starts_with(['+', '-']));
    let sign = if lower.starts_with('-') { -1.0 } else { 1.0 };
    let rest = &lower[signed..];
    let found = |value: f64, length: usize| Some((sign * value, blanks + signed + length));
    if rest.starts_with("inf") {
        return found(f64::INFINITY, if rest.starts_with("infinity") { 8 } else { 3 });
    }
    if rest.starts_with("nan") {
        return found(f64::NAN, 3);
    }
    let bytes = rest.as_bytes();
    let hex = bytes.starts_with(b"0x") && bytes.get(2).is_some_and(u8::is_ascii_hexdigit);
    let (mut end, mut point, mut digits, mut value) = (if hex { 2 } else { 0 }, None, 0, 0.0);
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'.' if point.is_none() => point = Some(digits),
            byte if (hex && byte.is_ascii_hexdigit()) || byte.is_ascii_digit() => {
                value = value * 16.0 + f64::from(char::from(*byte).to_digit(16).unwrap_or(0));
                digits += 1;
            }
            _ => break,
        }
        end += 1;
    }
    if digits == 0 {
        return None;
    }
    let mantissa = end;
    let mut exponent = 0i32;
    if bytes.get(end) == Some(if hex { &b'p' } else { &b'e' }) {
        let from = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let count = bytes[from.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        if count > 0 {
            exponent = rest[end + 1..from + count].parse().unwrap_or(i32::MAX / 2);
            end = from + count;
        }
    }
    if hex {
        let fraction = point.map_or(0, |at| digits - at);
        return found(value * 2f64.powi(exponent.saturating_sub(4 * fraction)), end);
    }
    let whole = if end > mantissa { &rest[..end] } else { &rest[..mantissa] };
    whole.parse::<f64>().ok().and_then(|f| found(f, end))
}

/// Returns the number of a month, from 1; 0 if the text does not name one.
pub(super) fn month(text: &[u8]) -> usize {
    const NAMES: [&[u8]; 12] = [b"JAN", b"FEB", b"MAR", b"APR", b"MAY", b"JUN", b"JUL", b"AUG", b"SEP", b"OCT", b"NOV", b"DEC"];
    let text = &text[skip_blanks(text, 0)..];
    NAMES.iter().position(|n| text.len() >= 3 && text[..3].eq_ignore_ascii_case(n)).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part<'a>(key: &str, line: &'a str, separator: Option<u8>) -> &'a str {
        let mut key = Key::parse(key).unwrap();
        key.inherit(Manner::default(), false);
        std::str::from_utf8(key.part(line.as_bytes(), separator)).unwrap()
    }

    #[test]
    fn keys_are_cut_out() {
        assert_eq!(part("2", "a  b c", None), "  b c");
        assert_eq!(part("2,2", "a  b c", None), "  b");
        assert_eq!(part("2b,2", "a  b c", None), "b");
        assert_eq!(part("2,2", "a:b:c", Some(b':')), "b");
        assert_eq!(part("2,3", "a:b:c", Some(b':')), "b:c");
        assert_eq!(part("1.2,1.3", "abcd", None), "bc");
        assert_eq!(part("3", "a:b", Some(b':')), "");
        assert_eq!(part("2n", "a 5", None), "5");
    }

    #[test]
    fn values_compare() {
        assert_eq!(numbers(b" 10", b"9"), Ordering::Greater);
        assert_eq!(numbers(b"-10", b"9"), Ordering::Less);
        assert_eq!(numbers(b"1.50", b"1.5"), Ordering::Equal);
        assert_eq!(numbers(b"x", b"0"), Ordering::Equal);
        assert_eq!(sizes(b"1K", b"999"), Ordering::Greater);
        assert_eq!(sizes(b"1M", b"2K"), Ordering::Greater);
        assert_eq!(sizes(b"1k", b"999"), Ordering::Greater);
        assert_eq!(sizes(b"1e3", b"9"), Ordering::Less);
        assert_eq!(floats(b"1e3", b"5"), Ordering::Greater);
        assert_eq!(floats(b"x", b"-inf"), Ordering::Less);
        assert_eq!(month(b" feb"), 2);
        assert!(Key::parse("0").is_err() && Key::parse("1q").is_err() && Key::parse("x").is_err());
    }
}
