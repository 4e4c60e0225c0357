//! Names with numbers in them: `a9` before `a10`.

use std::cmp::Ordering;

/// Compare names with the numbers in them by value.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let digits = |s: &[u8]| s.iter().position(|c| !c.is_ascii_digit()).unwrap_or(s.len());
        let words = |s: &[u8]| s.iter().position(u8::is_ascii_digit).unwrap_or(s.len());
        let (wa, wb) = (words(a), words(b));
        match a[..wa].cmp(&b[..wb]) {
            Ordering::Equal => {}
            other => return other,
        }
        (a, b) = (&a[wa..], &b[wb..]);
        let (na, nb) = (digits(a), digits(b));
        let strip = |s: &[u8]| s.iter().position(|c| *c != b'0').map_or(Vec::new(), |at| s[at..].to_vec());
        let (va, vb) = (strip(&a[..na]), strip(&b[..nb]));
        match va.len().cmp(&vb.len()).then_with(|| va.cmp(&vb)) {
            Ordering::Equal if na == 0 && nb == 0 => return Ordering::Equal,
            Ordering::Equal => {}
            other => return other,
        }
        (a, b) = (&a[na..], &b[nb..]);
        if a.is_empty() || b.is_empty() {
            return a.len().cmp(&b.len());
        }
    }
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
    }
}
