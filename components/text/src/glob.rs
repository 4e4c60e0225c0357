//! Patterns of file names: `*`, `?`, `[a-z]`, backslashes.

/// Whether a name matches.
pub fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where the last star was, and what it has taken.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if p == pattern.len() && n == name.len() {
            return true;
        }
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
            continue;
        }
        if n < name.len()
            && let Some(length) = one(&pattern[p..], name[n])
        {
            p += length;
            n += 1;
            continue;
        }
        match star {
            Some((at, taken)) if taken < name.len() => {
                star = Some((at, taken + 1));
                (p, n) = (at + 1, taken + 1);
            }
            _ => return false,
        }
    }
}

/// How long the pattern of one character is, if it matches `b`.
fn one(pattern: &[u8], b: u8) -> Option<usize> {
    match pattern.first()? {
        b'?' => Some(1),
        b'\\' if pattern.len() > 1 => (pattern[1] == b).then_some(2),
        b'[' => {
            let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
            let start = 1 + usize::from(negated);
            let end = start + 1 + pattern.get(start + 1..)?.iter().position(|c| *c == b']')?;
            let set = &pattern[start..end];
            let mut found = false;
            let mut at = 0;
            while at < set.len() {
                if at + 2 < set.len() && set[at + 1] == b'-' {
                    found |= (set[at]..=set[at + 2]).contains(&b);
                    at += 3;
                } else {
                    found |= set[at] == b;
                    at += 1;
                }
            }
            (found != negated).then_some(end + 1)
        }
        c => (*c == b).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_match() {
        for (pattern, name, expected) in [
            ("*.c", "a.c", true),
            ("*.c", "a.h", false),
            ("a*b*c", "aXbYbZc", true),
            ("[a-c]?", "bz", true),
            ("[!a]", "a", false),
            ("\\*", "*", true),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
