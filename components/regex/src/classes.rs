//! The classes: the members of `[:alpha:]` and its kind.

use crate::ast::Set;
use crate::letters::is_alpha;

// ALPHA, UPPER, LOWER: made by build.rs from std's tables.
include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The last character that may be a space or a control character.
const LAST_SPACE: u32 = 0x3000;

fn is_alnum(c: char) -> bool {
    c.is_ascii_digit() || is_alpha(c)
}

/// Returns whether a character is part of a word: `\w`.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || is_alnum(c)
}

type Test = fn(char) -> bool;

/// Returns the set that build.rs packed.
fn unpacked(table: &[u8]) -> Set {
    let mut set = Set::default();
    let (mut at, mut inside, mut length, mut shift) = (0, false, 0, 0);
    for byte in table {
        length |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            if inside {
                set.add(at, at + length - 1);
            }
            at += length;
            (inside, length, shift) = (!inside, 0, 0);
        }
    }
    set
}

/// Returns the characters up to `last` that pass a test.
fn filtered(last: u32, test: Test) -> Set {
    let mut set = Set::default();
    for c in (0..=last).filter(|c| char::from_u32(*c).is_some_and(test)) {
        set.add(c, c);
    }
    set.normalize();
    set
}

fn is_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}')
}

/// Returns the members of `[:name:]`.
pub(crate) fn class(name: &[u8], utf8: bool) -> Option<Set> {
    // What is none of these.
    let none_of = |test: Test, letters: &[u8]| {
        let mut set = filtered(LAST_SPACE, test);
        set.ranges.extend(unpacked(letters).ranges);
        set.negate(true);
        set
    };
    let mut set = match name {
        b"alpha" => unpacked(ALPHA),
        b"digit" => filtered(0x7f, |c| c.is_ascii_digit()),
        b"alnum" => {
            let mut set = unpacked(ALPHA);
            set.add(u32::from(b'0'), u32::from(b'9'));
            set.normalize();
            set
        }
        b"upper" => unpacked(UPPER),
        b"lower" => unpacked(LOWER),
        b"space" => filtered(LAST_SPACE, is_space),
        b"blank" => filtered(LAST_SPACE, |c| c == '\t' || (is_space(c) && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}'))),
        b"punct" => none_of(|c| c.is_whitespace() || c.is_control() || c.is_ascii_digit(), ALPHA),
        b"cntrl" => filtered(LAST_SPACE, |c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')),
        b"xdigit" => filtered(0x7f, |c| c.is_ascii_hexdigit()),
        b"print" => none_of(char::is_control, &[]),
        b"graph" => none_of(|c| c.is_whitespace() || c.is_control(), &[]),
        _ => return None,
    };
    if !utf8 {
        set.ranges.retain(|range| range.0 < 0x80);
        set.ranges.iter_mut().for_each(|range| range.1 = range.1.min(0x7f));
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_know_letters_beyond_ascii() {
        let alpha = class(b"alpha", true).unwrap();
        assert!(alpha.contains('é' as u32) && alpha.contains('日' as u32) && !alpha.contains('1' as u32));
        assert!(!class(b"alpha", false).unwrap().contains(0xe9));
        assert!(class(b"nope", true).is_none());
    }

    #[test]
    fn tables_are_what_they_were_made_from() {
        let tests: [(&[u8], Test); 4] =
            [(b"alpha", is_alpha), (b"alnum", is_alnum), (b"upper", char::is_uppercase), (b"lower", char::is_lowercase)];
        for (name, test) in tests {
            let set = class(name, true).unwrap();
            assert!(('\0'..=char::MAX).all(|c| set.contains(u32::from(c)) == test(c)), "{name:?}");
        }
        assert!((LAST_SPACE + 1..=u32::from(char::MAX)).filter_map(char::from_u32).all(|c| !c.is_whitespace() && !c.is_control()));
    }

    #[test]
    fn ascii_is_cut_where_it_ends() {
        let ascii = |name: &[u8]| class(name, false).unwrap().ranges;
        assert_eq!(ascii(b"alnum"), [(48, 57), (65, 90), (97, 122)]);
        assert_eq!(ascii(b"punct"), [(33, 47), (58, 64), (91, 96), (123, 126)]);
        assert_eq!(ascii(b"print"), [(32, 126)]);
        assert_eq!(ascii(b"graph"), [(33, 126)]);
        assert_eq!(ascii(b"cntrl"), [(0, 31), (127, 127)]);
        assert_eq!(ascii(b"blank"), [(9, 9), (32, 32)]);
    }

    /// As GNU sed 4.9's `[[:alpha:]]` and `[[:alnum:]]`.
    #[test]
    fn digits_of_other_scripts_are_letters() {
        let (alpha, alnum) = (class(b"alpha", true).unwrap(), class(b"alnum", true).unwrap());
        assert!(alpha.contains('٣' as u32) && alnum.contains('٣' as u32));
        assert!(!alnum.contains('²' as u32) && !alnum.contains('½' as u32) && !is_word('²'));
    }
}
