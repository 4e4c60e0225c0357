//! Patterns of names, matched as by fnmatch(3): `*`, `?`, `[a-z]`, `[![:digit:]]`, `\`. A character is a UTF-8
//! character, or a byte that is not part of one.

use crate::text::first_char;

/// How a pattern is matched; by default `.` and `/` are not special.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct How {
    /// Ignores the case of letters.
    pub fold: bool,
    /// `*`, `?` and brackets match no `/`.
    pub pathname: bool,
    /// `*`, `?` and brackets match no period at the start of the name.
    pub period: bool,
    /// The name may continue with a `/` where the pattern ends.
    pub leading: bool,
}

/// Returns whether a pattern has special characters.
pub fn is_pattern(text: &[u8]) -> bool {
    text.iter().any(|b| b"*?[\\".contains(b))
}

/// Returns whether a pattern matches the whole of a name.
pub fn matches(pattern: &[u8], name: &[u8], how: How) -> bool {
    if how.period && name.first() == Some(&b'.') && matches!(pattern.first(), Some(b'*' | b'?' | b'[')) {
        return false;
    }
    let (mut p, mut n) = (0, 0);
    // The position after the last `*`: the rest of the pattern, and the rest of the name after what the star has
    // matched.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if p == pattern.len() && (n == name.len() || (how.leading && name[n] == b'/')) {
            return true;
        }
        if pattern.get(p) == Some(&b'*') {
            p += 1;
            star = Some((p, n));
            continue;
        }
        if p < pattern.len()
            && n < name.len()
            && let Some((in_pattern, in_name)) = one(&pattern[p..], &name[n..], how)
        {
            (p, n) = (p + in_pattern, n + in_name);
            continue;
        }
        match star {
            Some((after, taken)) if taken < name.len() && !(how.pathname && name[taken] == b'/') => {
                n = taken + first_char(&name[taken..]).1;
                p = after;
                star = Some((after, n));
            }
            _ => return false,
        }
    }
}

/// Returns the lengths of the parts of the pattern and the name, neither of them empty, that match as one character.
fn one(pattern: &[u8], name: &[u8], how: How) -> Option<(usize, usize)> {
    let (c, length) = first_char(name);
    let slash = how.pathname && name[0] == b'/';
    let literal = |pattern: &[u8], before: usize| {
        let (wanted, taken) = first_char(pattern);
        let same = match (wanted, c) {
            (Some(a), Some(b)) => a == b || (how.fold && a.to_lowercase().eq(b.to_lowercase())),
            _ => pattern[0] == name[0],
        };
        same.then_some((before + taken, length))
    };
    match pattern[0] {
        b'?' => (!slash).then_some((1, length)),
        b'[' => match bracket(pattern, c, how.fold) {
            Some((hit, end)) => (hit && !slash).then_some((end, length)),
            None => literal(pattern, 0),
        },
        b'\\' if pattern.len() > 1 => literal(&pattern[1..], 1),
        _ => literal(pattern, 0),
    }
}

/// Returns whether a character is in the bracket expression at the start of `pattern`, and that expression's length; `None` if
/// it does not end, or names an unknown class. A byte that is not a character is in no set.
fn bracket(pattern: &[u8], c: Option<char>, fold: bool) -> Option<(bool, usize)> {
    let mut at = 1;
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    at += usize::from(negated);
    let first = at;
    let mut hit = false;
    let any =
        |test: &dyn Fn(char) -> bool| c.is_some_and(|c| test(c) || (fold && (c.to_lowercase().any(test) || c.to_uppercase().any(test))));
    loop {
        match (*pattern.get(at)?, pattern.get(at + 1)) {
            (b']', _) if at > first => return Some((hit != negated, at + 1)),
            (b'[', Some(b':')) => {
                let end = pattern[at + 2..].windows(2).position(|two| two == b":]")?;
                let class = class(&pattern[at + 2..at + 2 + end])?;
                hit |= any(&class);
                at += end + 4;
                continue;
            }
            (b'\\', Some(_)) => at += 1,
            _ => {}
        }
        let (low, length) = first_char(&pattern[at..]);
        at += length;
        let mut high = low;
        if pattern.get(at) == Some(&b'-') && pattern.get(at + 1).is_some_and(|b| *b != b']') {
            at += 1 + usize::from(pattern[at + 1] == b'\\' && at + 2 < pattern.len());
            let end = first_char(&pattern[at..]);
            (high, at) = (end.0, at + end.1);
        }
        if let (Some(low), Some(high)) = (low, high) {
            hit |= any(&|c| (low..=high).contains(&c));
        }
    }
}

/// Returns the characters of a class of POSIX's, by its name: `digit`.
pub fn class(name: &[u8]) -> Option<fn(char) -> bool> {
    Some(match name {
        b"alpha" => char::is_alphabetic,
        b"digit" => |c| c.is_ascii_digit(),
        b"alnum" => char::is_alphanumeric,
        b"upper" => char::is_uppercase,
        b"lower" => char::is_lowercase,
        b"space" => char::is_whitespace,
        b"blank" => |c| c == ' ' || c == '\t',
        b"punct" => |c| c.is_ascii_punctuation(),
        b"cntrl" => char::is_control,
        b"xdigit" => |c| c.is_ascii_hexdigit(),
        b"print" => |c| !c.is_control(),
        b"graph" => |c| !c.is_control() && !c.is_whitespace(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match() {
        for (pattern, name, want) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rsx", false),
            ("a*b*c", "aXbYbZc", true),
            ("*a*b*c", "xxaxxbxxc", true),
            ("?", "", false),
            ("?", "é", true),
            ("??", "é", false),
            ("*", "", true),
            ("", "", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[^a-c]?", "b1", false),
            ("[]x]", "]", true),
            ("[a\\]]", "]", true),
            ("[a-]", "-", true),
            ("[à-ü]", "é", true),
            ("[[:digit:]]*", "1a", true),
            ("[[:nonsense:]]", "a", false),
            ("[", "[", true),
            ("[a", "[a", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("a\\", "a\\", true),
            ("a", "ab", false),
            ("*a", "aab", false),
            ("*/b", "x/y/b", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes(), How::default()), want, "{pattern} {name}");
        }
        assert!(matches(b"?\xff*", b"\xfe\xff\xfd", How::default()));
    }

    #[test]
    fn periods_slashes_and_case() {
        let with = |change: fn(&mut How)| {
            let mut how = How::default();
            change(&mut how);
            how
        };
        let [period, fold, pathname, leading] =
            [with(|how| how.period = true), with(|how| how.fold = true), with(|how| how.pathname = true), with(|how| how.leading = true)];
        assert!(!matches(b"*", b".a", period) && matches(b".*", b".a", period) && matches(b"*", b"a.", period));
        assert!(
            matches(b"A*[x-z]", b"abcY", fold) && matches("É".as_bytes(), "é".as_bytes(), fold) && !matches(b"A", b"a", How::default())
        );
        assert!(!matches(b"*", b"a/b", pathname) && !matches(b"a?b", b"a/b", pathname) && !matches(b"a[/]b", b"a/b", pathname));
        assert!(matches(b"a*", b"abc/d", leading) && !matches(b"a", b"abc/d", leading) && matches(b"a", b"a/d", leading));
    }
}
