//! Upper and lower case: which characters are one where case does not count.

/// Characters that do not survive a round trip through the other case: `ſ`, `ς`, `ı`.
const LONELY: [u32; 27] = [
    0xb5, 0x131, 0x17f, 0x1c5, 0x1c8, 0x1cb, 0x1f2, 0x345, 0x3c2, 0x3d0, 0x3d1, 0x3d5, 0x3d6, 0x3f0, 0x3f1, 0x3f5, 0x1c80, 0x1c81, 0x1c82,
    0x1c83, 0x1c84, 0x1c85, 0x1c86, 0x1c87, 0x1c88, 0x1e9b, 0x1fbe,
];

fn one(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

fn lower(c: char) -> char {
    one(c, c.to_lowercase())
}

/// Returns the upper case: characters that share it are one where case does not count.
pub(crate) fn key(c: char) -> char {
    if c.is_ascii() { c.to_ascii_uppercase() } else { one(c, c.to_uppercase()) }
}

/// Returns the other cases of a character; without UTF-8 only ASCII's letters have any.
pub(crate) fn variants(c: u32, utf8: bool) -> impl Iterator<Item = u32> {
    let c = char::from_u32(c).filter(|c| utf8 || c.is_ascii());
    let cased = c.filter(|c| if c.is_ascii() { c.is_ascii_alphabetic() } else { lower(*c) != *c || key(*c) != *c });
    let near = cased.map(|c| [lower(c), key(c), lower(key(c))]);
    let lonely = cased.filter(|_| utf8).map(|_| LONELY.iter().filter_map(|code| char::from_u32(*code)));
    let others = near.into_iter().flatten().chain(lonely.into_iter().flatten());
    others.filter(move |other| cased.is_some_and(|c| *other != c && key(*other) == key(c))).map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(c: char, utf8: bool) -> String {
        let mut found: Vec<char> = variants(c as u32, utf8).filter_map(char::from_u32).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().collect()
    }

    /// What `grep -io` of GNU grep 3.8 prints for these.
    #[test]
    fn cases_are_gnus() {
        let known = [
            ('a', "A"),
            ('S', "s\u{17f}"),
            ('k', "K"),
            ('\u{212a}', ""),
            ('i', "I\u{131}"),
            ('\u{3c3}', "\u{3a3}\u{3c2}"),
            ('\u{b5}', "\u{39c}\u{3bc}"),
            ('\u{e5}', "\u{c5}"),
            ('\u{1c5}', "\u{1c4}\u{1c6}"),
        ];
        for (c, others) in known {
            assert_eq!(all(c, true), others, "{c}");
        }
        assert_eq!([all('1', true), all('日', true), all('İ', true), all('é', false)], ["", "", "", ""]);
        assert_eq!(all('s', false), "S");
    }

    #[test]
    fn no_character_is_forgotten() {
        // Without Greek's small letters with iota, whose capitals std writes as two letters.
        let all = (0x80..0x1f80).chain(0x2000..0x1_f000);
        for c in all.filter_map(char::from_u32).filter(|c| key(*c) != *c) {
            assert!(variants(u32::from(key(c)), true).any(|other| other == u32::from(c)), "{c:?}");
        }
    }
}
