//! Shell patterns over bytes: `*`, `?`, `[…]`, `\`.

/// How a pattern is matched.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// `*`, `?` and `[…]` match `/` too.
    pub slash: bool,
    /// A pattern may end before the name does, at a `/`.
    pub leading: bool,
    /// Letters match whatever their case.
    pub fold: bool,
}

/// Whether a pattern has anything special in it.
pub fn is_pattern(text: &[u8]) -> bool {
    text.iter().any(|b| b"*?[\\".contains(b))
}

/// Whether a name matches a pattern.
pub fn matches(pattern: &[u8], name: &[u8], how: How) -> bool {
    // Where to go on after a `*` that took too little: the rest of the pattern, the rest of the name.
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut n) = (0, 0);
    loop {
        if p == pattern.len() && (n == name.len() || (how.leading && name[n] == b'/')) {
            return true;
        }
        let step = pattern.get(p).and_then(|c| match c {
            b'*' => {
                retry = Some((p, n));
                Some((p + 1, n))
            }
            _ => one(pattern, p, *name.get(n)?, how).map(|next| (next, n + 1)),
        });
        match (step, retry) {
            (Some(next), _) => (p, n) = next,
            (None, Some((star, from))) if from < name.len() && (how.slash || name[from] != b'/') => {
                retry = Some((star, from + 1));
                (p, n) = (star + 1, from + 1);
            }
            _ => return false,
        }
    }
}

/// Match one byte; gives where the pattern goes on.
fn one(pattern: &[u8], p: usize, byte: u8, how: How) -> Option<usize> {
    let equal = |a: u8, b: u8| a == b || (how.fold && a.eq_ignore_ascii_case(&b));
    match pattern[p] {
        b'?' => (how.slash || byte != b'/').then_some(p + 1),
        b'[' => match class(pattern, p, byte, how.fold) {
            Some((hit, end)) => (hit && (how.slash || byte != b'/')).then_some(end),
            None => (byte == b'[').then_some(p + 1),
        },
        b'\\' if p + 1 < pattern.len() => equal(pattern[p + 1], byte).then_some(p + 2),
        other => equal(other, byte).then_some(p + 1),
    }
}

fn class(pattern: &[u8], p: usize, byte: u8, fold: bool) -> Option<(bool, usize)> {
    let mut at = p + 1;
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    at += usize::from(negated);
    let first = at;
    let mut hit = false;
    loop {
        let mut low = *pattern.get(at)?;
        if low == b']' && at > first {
            return Some((hit != negated, at + 1));
        }
        if low == b'\\' {
            at += 1;
            low = *pattern.get(at)?;
        }
        at += 1;
        let mut high = low;
        if pattern.get(at) == Some(&b'-') && pattern.get(at + 1).is_some_and(|b| *b != b']') {
            high = *pattern.get(at + 1)?;
            at += 2;
        }
        let within = |b: u8| (low..=high).contains(&b);
        hit |= within(byte) || (fold && (within(byte.to_ascii_lowercase()) || within(byte.to_ascii_uppercase())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let all = How { slash: true, leading: false, fold: false };
        let part = How { slash: false, leading: true, fold: false };
        for (pattern, name, how, want) in [
            ("*.txt", "a/b.txt", all, true),
            ("*.txt", "a/b.txt", part, false),
            ("a*", "abc/d", part, true),
            ("[a-c]?", "b1", all, true),
            ("[!a-c]?", "b1", all, false),
            ("a\\*", "a*", all, true),
            ("a\\*", "ab", all, false),
            ("[", "[", all, true),
            ("*a*b*c", "xxaxxbxxc", all, true),
            ("", "", all, true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes(), how), want, "{pattern} {name}");
        }
    }
}
