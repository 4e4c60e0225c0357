//! File name patterns, as fnmatch(3) matches them.

/// `*`, `?` and brackets do not match a leading period.
pub const PERIOD: u32 = 1;
/// Letters match in either case.
pub const FOLD: u32 = 2;
/// `*`, `?` and brackets do not match a slash.
pub const PATHNAME: u32 = 4;

/// Whether the whole of `name` matches `pattern`.
pub fn matches(pattern: &str, name: &str, flags: u32) -> bool {
    let fold =
        |s: &str| -> Vec<char> { if flags & FOLD != 0 { s.chars().flat_map(char::to_lowercase).collect() } else { s.chars().collect() } };
    let (pattern, name) = (fold(pattern), fold(name));
    if flags & PERIOD != 0 && name.first() == Some(&'.') && pattern.first() != Some(&'.') {
        return false;
    }
    run(&pattern, &name, flags)
}

fn run(pattern: &[char], name: &[char], flags: u32) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    let slash = |c: char| flags & PATHNAME != 0 && c == '/';
    loop {
        let step = match pattern.get(p) {
            Some('*') => {
                back = Some((p + 1, n));
                p += 1;
                continue;
            }
            None => n == name.len(),
            Some(_) if n == name.len() => false,
            Some('?') => {
                !slash(name[n]) && {
                    p += 1;
                    n += 1;
                    true
                }
            }
            Some('[') => match bracket(&pattern[p..], name[n]) {
                Some((hit, length)) => {
                    hit && !slash(name[n]) && {
                        p += length;
                        n += 1;
                        true
                    }
                }
                None => {
                    name[n] == '[' && {
                        p += 1;
                        n += 1;
                        true
                    }
                }
            },
            Some('\\') if p + 1 < pattern.len() => {
                pattern[p + 1] == name[n] && {
                    p += 2;
                    n += 1;
                    true
                }
            }
            Some(c) => {
                *c == name[n] && {
                    p += 1;
                    n += 1;
                    true
                }
            }
        };
        if step {
            if p >= pattern.len() && n == name.len() {
                return true;
            }
            if p < pattern.len() || n < name.len() {
                continue;
            }
        }
        match back {
            Some((after, from)) if from < name.len() && !slash(name[from]) => {
                back = Some((after, from + 1));
                (p, n) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

/// Whether `c` is in the bracket expression at the start of `pattern`, and the expression's length.
fn bracket(pattern: &[char], c: char) -> Option<(bool, usize)> {
    let mut at = 1;
    let negated = matches!(pattern.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let mut hit = false;
    let first = at;
    loop {
        let low = *pattern.get(at)?;
        if low == ']' && at > first {
            return Some((hit != negated, at + 1));
        }
        if low == '[' && pattern.get(at + 1) == Some(&':') {
            let end = pattern[at + 2..].windows(2).position(|w| w == [':', ']'])?;
            let class: String = pattern[at + 2..at + 2 + end].iter().collect();
            hit |= in_class(&class, c)?;
            at += end + 4;
            continue;
        }
        let (low, next) = if low == '\\' { (*pattern.get(at + 1)?, at + 2) } else { (low, at + 1) };
        if pattern.get(next) == Some(&'-') && pattern.get(next + 1).is_some_and(|c| *c != ']') {
            let high = pattern[next + 1];
            hit |= (low..=high).contains(&c);
            at = next + 2;
        } else {
            hit |= low == c;
            at = next;
        }
    }
}

fn in_class(class: &str, c: char) -> Option<bool> {
    Some(match class {
        "alpha" => c.is_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphanumeric(),
        "upper" => c.is_uppercase(),
        "lower" => c.is_lowercase(),
        "space" => c.is_whitespace(),
        "blank" => c == ' ' || c == '\t',
        "punct" => c.is_ascii_punctuation(),
        "cntrl" => c.is_control(),
        "xdigit" => c.is_ascii_hexdigit(),
        "print" => !c.is_control(),
        "graph" => !c.is_control() && !c.is_whitespace(),
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
            ("?", "", false),
            ("*", "", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x]", "]", true),
            ("[[:digit:]]*", "1a", true),
            ("[", "[", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("a", "ab", false),
            ("*a", "aab", false),
        ] {
            assert_eq!(matches(pattern, name, 0), want, "{pattern} {name}");
        }
        assert!(!matches("*", ".a", PERIOD));
        assert!(matches("A*", "abc", FOLD));
        assert!(!matches("*", "a/b", PATHNAME));
    }
}
