//! Names of files in a diff.

use std::fmt::Write as _;

use crate::mistake::Mistake;

/// Returns a name as git writes it: in quotes, with escapes as in C, if it has control characters, quotes or backslashes.
pub fn quoted(name: &str) -> String {
    if !name.contains(|char: char| char.is_control() || matches!(char, '"' | '\\')) {
        return name.to_owned();
    }
    let mut text = "\"".to_owned();
    for char in name.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            char if char.is_control() => {
                for byte in char.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a string does not fail.
                    let _ = write!(text, "\\{byte:03o}");
                }
            }
            char => text.push(char),
        }
    }
    text + "\""
}

/// Reads a name that may be in quotes, and is nothing else of its line. A lenient reader takes of a wrong one what it can.
pub(crate) fn unquoted(text: &str, lenient: bool) -> Result<String, Mistake> {
    let Some(inner) = text.strip_prefix('"') else { return Ok(text.to_owned()) };
    let (bytes, right) = unescaped(inner);
    if lenient {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    if !right {
        return Err(Mistake::NameQuoted);
    }
    String::from_utf8(bytes).map_err(|_| Mistake::NameNotUtf8)
}

/// Reads up to a quote. Returns the bytes, and whether the quote and every escape are right.
fn unescaped(inner: &str) -> (Vec<u8>, bool) {
    let (mut bytes, mut rest, mut right) = (Vec::new(), inner.bytes().peekable(), true);
    loop {
        match rest.next() {
            None => return (bytes, false),
            Some(b'"') => return (bytes, right),
            Some(b'\\') => {
                let Some(escaped) = rest.next() else { return (bytes, false) };
                bytes.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'a' => 7,
                    b'b' => 8,
                    b'f' => 12,
                    b'v' => 11,
                    b'"' | b'\\' => escaped,
                    b'0'..=b'7' => {
                        let (mut value, mut digits) = (u32::from(escaped - b'0'), 1);
                        while let Some(digit) = rest.next_if(|byte| digits < 3 && (b'0'..=b'7').contains(byte)) {
                            (value, digits) = ((value << 3) | u32::from(digit - b'0'), digits + 1);
                        }
                        right &= digits == 3 && value < 256;
                        // Of a larger one, which is wrong, the last eight bits.
                        (value & 0xff) as u8
                    }
                    other => {
                        right = false;
                        other
                    }
                });
            }
            Some(byte) => bytes.push(byte),
        }
    }
}

/// Reads the name in a line `--- NAME` or `+++ NAME`: up to a tab, after which `diff` writes the time.
pub(crate) fn of_header(text: &str, lenient: bool) -> Result<String, Mistake> {
    let name =
        if text.starts_with('"') { unquoted(text, lenient)? } else { text.split('\t').next().unwrap_or_default().trim_end().to_owned() };
    if name.is_empty() && !lenient {
        return Err(Mistake::NameMissing);
    }
    Ok(name)
}

/// Reads the two names of `diff --git`. They are not quoted if they are simple: then they are equal but for their prefix. A lenient
/// reader knows them by their length alone.
pub(crate) fn of_git(text: &str, lenient: bool) -> Option<[String; 2]> {
    if let Some(inner) = text.strip_prefix('"') {
        let (one, other) = text.split_at_checked(inner.find("\" ")? + 2)?;
        return Some([unquoted(one, lenient).ok()?, unquoted(other.trim_start(), lenient).ok()?]);
    }
    let (one, other) = text.split_at_checked(text.len() / 2)?;
    let other = other.strip_prefix(' ')?;
    let same = one.strip_prefix("a/").is_some_and(|one| other.strip_prefix("b/") == Some(one)) || one == other;
    (same || lenient).then(|| [one.to_owned(), other.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_name_is_read_as_it_was() {
        for name in ["plain", "with space", "tab\there", "q\"uote\\", "line\nbreak\u{7}", "täb"] {
            assert_eq!(unquoted(&quoted(name), false).as_deref(), Ok(name));
            assert_eq!(unquoted(&quoted(name), true).as_deref(), Ok(name));
        }
        assert_eq!((quoted("täb").as_str(), quoted("a\u{7}b").as_str()), ("täb", "\"a\\007b\""));
        assert_eq!(unquoted("\"t\\303\\244b\"", false).as_deref(), Ok("täb"));
    }

    #[test]
    fn a_wrong_name_is_a_mistake_or_read_as_far_as_it_goes() {
        for (text, mistake, lenient) in [
            ("\"open", Mistake::NameQuoted, "open"),
            ("\"a\\qb\"", Mistake::NameQuoted, "aqb"),
            ("\"a\\40b\"", Mistake::NameQuoted, "a b"),
            ("\"\\377\"", Mistake::NameNotUtf8, "\u{fffd}"),
        ] {
            assert_eq!(unquoted(text, false), Err(mistake), "{text}");
            assert_eq!(unquoted(text, true).as_deref(), Ok(lenient), "{text}");
        }
        assert_eq!(of_header("", false), Err(Mistake::NameMissing));
        assert_eq!(of_header("a b \t2026-01-01", false).as_deref(), Ok("a b"));
    }

    #[test]
    fn the_names_of_git_are_told_apart() {
        let names = |text, lenient| of_git(text, lenient).map(|[one, other]| format!("{one}|{other}"));
        assert_eq!(names("a/x y b/x y", false).as_deref(), Some("a/x y|b/x y"));
        assert_eq!(names("x x", false).as_deref(), Some("x|x"));
        assert_eq!(names("\"a/\\t\" \"b/\\t\"", false).as_deref(), Some("a/\t|b/\t"));
        assert_eq!((names("a/x b/y", false), names("a/x b/long", true)), (None, None));
        assert_eq!(names("old/x new/x", true).as_deref(), Some("old/x|new/x"));
    }
}
