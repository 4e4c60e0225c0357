//! Escapes that stand for one byte: `\n`, `\x41`, `\o101`, `\d65`, `\cA`, awk's `\101`.

use crate::parse::Flavor;

/// Decodes what follows a backslash: returns the byte it stands for, and how long the escape is without the backslash. grep knows none.
pub fn decode(after: &[u8], flavor: Flavor) -> Option<(u8, usize)> {
    if flavor.is_greps() {
        return None;
    }
    let awk = flavor == Flavor::Awk;
    let simple = match after.first()? {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'a' => 0x07,
        b'b' if awk => 0x08,
        b'0'..=b'7' if awk => return digits(after, 8, 3),
        b'x' => return digits(&after[1..], 16, 2).map(|(byte, len)| (byte, len + 1)),
        b'o' if !awk => return digits(&after[1..], 8, 3).map(|(byte, len)| (byte, len + 1)),
        b'd' if !awk => return digits(&after[1..], 10, 3).map(|(byte, len)| (byte, len + 1)),
        b'c' if !awk && after.starts_with(b"c\\\\") => return Some((0x1c, 3)),
        b'c' if !awk => return after.get(1).map(|b| (b.to_ascii_uppercase() ^ 0x40, 2)),
        _ => return None,
    };
    Some((simple, 1))
}

fn digits(text: &[u8], base: u32, most: usize) -> Option<(u8, usize)> {
    let mut value = 0;
    let mut len = 0;
    while let Some(digit) = text.get(len).and_then(|b| char::from(*b).to_digit(base)).filter(|_| len < most) {
        value = value * base + digit;
        len += 1;
    }
    (len > 0).then_some(((value & 0xff) as u8, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(decode(b"x41b", Flavor::Basic), Some((b'A', 3)));
        assert_eq!(decode(b"o101", Flavor::Basic), Some((b'A', 4)));
        assert_eq!(decode(b"d065", Flavor::Basic), Some((b'A', 4)));
        assert_eq!(decode(b"101", Flavor::Awk), Some((b'A', 3)));
        assert_eq!(decode(b"ca", Flavor::Extended), Some((1, 2)));
        assert_eq!(decode(b"q", Flavor::Awk), None);
        assert_eq!([Flavor::Grep, Flavor::Egrep, Flavor::Fixed].map(|flavor| decode(b"n", flavor)), [None; 3]);
    }
}
