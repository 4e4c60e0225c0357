//! Order of names with numbers, `a9` before `a10`, as in the manual of GNU's coreutils for versions.

use std::cmp::Ordering;

/// Compares names; numbers in them count by their value. The empty name, `.` and `..` come first, then names that begin
/// with a period. An extension counts only if the names are equal without it.
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let class = |name: &[u8]| match name {
        b"" => 0,
        b"." => 1,
        b".." => 2,
        [b'.', ..] => 3,
        _ => 4,
    };
    let order = class(a).cmp(&class(b));
    if order.is_ne() || class(a) < 3 {
        return order;
    }
    parts(stem(a), stem(b)).then_with(|| parts(a, b))
}

/// Returns a name without its extensions. An extension is a period, a letter or `~`, then letters, digits and `~`.
fn stem(name: &[u8]) -> &[u8] {
    let mut end = name.len();
    while let Some(dot) = name[..end].iter().rposition(|c| *c == b'.') {
        let extension = &name[dot + 1..end];
        let first = extension.first().is_some_and(|c| c.is_ascii_alphabetic() || *c == b'~');
        if !first || !extension.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'~') {
            break;
        }
        end = dot;
    }
    &name[..end]
}

/// Compares parts without digits and numbers in turn.
fn parts(mut a: &[u8], mut b: &[u8]) -> Ordering {
    while !a.is_empty() || !b.is_empty() {
        // A tilde comes before the end, and letters come before all other characters.
        let rank = |c: Option<&u8>| match c {
            Some(b'~') => -1,
            Some(c) if c.is_ascii_digit() => 0,
            None => 0,
            Some(c) if c.is_ascii_alphabetic() => i32::from(*c),
            Some(c) => i32::from(*c) + 256,
        };
        let words = |s: &[u8]| s.iter().position(u8::is_ascii_digit).unwrap_or(s.len());
        let (wa, wb) = (words(a), words(b));
        for at in 0..wa.max(wb) {
            match rank(a[..wa].get(at)).cmp(&rank(b[..wb].get(at))) {
                Ordering::Equal => {}
                other => return other,
            }
        }
        (a, b) = (&a[wa..], &b[wb..]);
        let digits = |s: &[u8]| s.iter().position(|c| !c.is_ascii_digit()).unwrap_or(s.len());
        let (na, nb) = (digits(a), digits(b));
        let value = |s: &[u8]| s.iter().position(|c| *c != b'0').map_or(Vec::new(), |at| s[at..].to_vec());
        let (va, vb) = (value(&a[..na]), value(&b[..nb]));
        match va.len().cmp(&vb.len()).then_with(|| va.cmp(&vb)) {
            Ordering::Equal => {}
            other => return other,
        }
        (a, b) = (&a[na..], &b[nb..]);
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_value() {
        assert_eq!(compare(b"a10", b"a9"), Ordering::Greater);
        assert_eq!(compare(b"a1.2", b"a1.10"), Ordering::Less);
        assert_eq!(compare(b"a", b"a1"), Ordering::Less);
        assert_eq!(compare(b"x", b"x"), Ordering::Equal);
        assert_eq!(compare(b"a~", b"a"), Ordering::Less);
        assert_eq!(compare(b"a 9", b" d"), Ordering::Less);
        assert_eq!(compare(b"f-1.tar.gz", b"f-1.2.tar.gz"), Ordering::Less);
        assert_eq!(compare(b".a", b"a"), Ordering::Less);
        assert_eq!(compare(b"", b"."), Ordering::Less);
    }
}
