//! The lists of `cut`: `1,3-5,7-`.

use crate::text::quote;

/// What a list counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes.
    Byte,
    /// Characters.
    Character,
    /// Fields.
    Field,
}

/// Ranges that count from 1 and include both ends, sorted and without overlaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(usize, usize)>);

/// The end of a range that has none.
const ENDLESS: usize = usize::MAX;

impl Ranges {
    /// Reads a list. The error is GNU's message.
    pub(super) fn read(list: &str, unit: Unit) -> Result<Self, String> {
        let mut ranges = Vec::new();
        for word in list.split([',', ' ', '\t']) {
            ranges.push(range(word, unit)?);
        }
        ranges.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (from, to) in ranges {
            match merged.last_mut() {
                // Adjacent ranges are not joined: `--output-delimiter` is printed between them.
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        Ok(Self(merged))
    }

    /// Returns the complement: everything outside these ranges.
    pub(super) fn complement(&self) -> Self {
        let (mut gaps, mut next) = (Vec::new(), 1);
        for (from, to) in &self.0 {
            if *from > next {
                gaps.push((next, from - 1));
            }
            if *to == ENDLESS {
                return Self(gaps);
            }
            next = to + 1;
        }
        gaps.push((next, ENDLESS));
        Self(gaps)
    }

    /// Returns whether a number is in one of the ranges.
    pub(super) fn has(&self, number: usize) -> bool {
        self.0.iter().any(|(from, to)| *from <= number && number <= *to)
    }

    /// Returns whether all ranges end before a number.
    pub(super) fn end_before(&self, number: usize) -> bool {
        self.0.last().is_none_or(|(_, to)| *to < number)
    }

    /// Returns the parts of something of length `len`, counted from 0; the end of a part is not in it.
    pub(super) fn within(&self, len: usize) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().filter(move |(from, _)| *from <= len).map(move |(from, to)| (from - 1, (*to).min(len)))
    }
}

fn range(word: &str, unit: Unit) -> Result<(usize, usize), String> {
    let (numbered, invalid) = match unit {
        Unit::Field => ("fields are numbered from 1", "invalid field range"),
        _ => ("byte/character positions are numbered from 1", "invalid byte or character range"),
    };
    // An empty word is not a number, and neither is an end that is followed by a second `-`.
    let number = |digits: &str, rest: &str, none: usize| match digits.is_empty() {
        true => Ok(none),
        false => read(digits, rest, unit),
    };
    let Some((from, to)) = word.split_once('-') else {
        let only = number(word, word, 0)?;
        return if only == 0 { Err(numbered.into()) } else { Ok((only, only)) };
    };
    if from.is_empty() && to.is_empty() {
        return Err("invalid range with no endpoint: -".into());
    }
    let low = number(from, word, 1)?;
    if to.contains('-') {
        return Err(invalid.into());
    }
    let high = number(to, to, ENDLESS)?;
    match (low, high) {
        (0, _) => Err(numbered.into()),
        (low, high) if high < low => Err("invalid decreasing range".into()),
        range => Ok(range),
    }
}

/// Reads a number. `rest` is the part of a wrong word that the message shows.
fn read(digits: &str, rest: &str, unit: Unit) -> Result<usize, String> {
    if let Some(strange) = digits.find(|c: char| !c.is_ascii_digit()) {
        let what = if unit == Unit::Field { "field value" } else { "byte/character position" };
        return Err(format!("invalid {what} {}", quote(&rest[strange..])));
    }
    let too_large = || {
        let what = if unit == Unit::Field { "field number" } else { "byte/character offset" };
        format!("{what} {} is too large", quote(digits))
    };
    // GNU's cut counts in 64 bits. Lines here are never longer than 32 bits can count.
    let number = digits.parse::<u64>().ok().filter(|number| *number < u64::MAX).ok_or_else(too_large)?;
    Ok(usize::try_from(number).unwrap_or(ENDLESS - 1).min(ENDLESS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_merged() {
        let read = |list| Ranges::read(list, Unit::Byte).unwrap().0;
        assert_eq!(read("5-,1,3-4,2-3"), [(1, 1), (2, 4), (5, ENDLESS)]);
        assert_eq!(read("-3 2"), [(1, 3)]);
        assert_eq!(Ranges::read("2,4-5", Unit::Field).unwrap().complement().0, [(1, 1), (3, 3), (6, ENDLESS)]);
        assert_eq!(Ranges::read("1-", Unit::Field).unwrap().complement().0, []);
    }

    #[test]
    fn what_is_wrong_is_said_as_gnu_does() {
        for (list, message) in [
            ("0", "fields are numbered from 1"),
            ("", "fields are numbered from 1"),
            ("1,,2", "fields are numbered from 1"),
            ("-", "invalid range with no endpoint: -"),
            ("2-1", "invalid decreasing range"),
            ("1-2-3", "invalid field range"),
            ("1:2", "invalid field value ':2'"),
            ("1-a", "invalid field value 'a'"),
            ("99999999999999999999", "field number '99999999999999999999' is too large"),
        ] {
            assert_eq!(Ranges::read(list, Unit::Field), Err(message.to_owned()), "{list}");
        }
        assert_eq!(Ranges::read("a-", Unit::Byte), Err("invalid byte/character position 'a-'".into()));
    }
}
