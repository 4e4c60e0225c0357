//! The names of the parts: a prefix, and a suffix that counts.

/// The characters of suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// `a` to `z`.
    Letters,
    /// Decimal digits (`-d`).
    Digits,
    /// Hexadecimal digits (`-x`).
    Hex,
}

impl Alphabet {
    /// Returns its characters.
    pub(super) fn characters(self) -> &'static [u8] {
        match self {
            Self::Letters => b"abcdefghijklmnopqrstuvwxyz",
            Self::Digits => b"0123456789",
            Self::Hex => b"0123456789abcdef",
        }
    }

    /// Returns the length that `count` different suffixes need.
    pub(super) fn length(self, count: u64) -> usize {
        let base = self.characters().len() as u64;
        std::iter::successors(Some(count.saturating_sub(1)), |rest| Some(rest / base).filter(|rest| *rest > 0)).count()
    }
}

/// A sequence of suffixes.
#[derive(Debug, Clone)]
pub(super) struct Suffixes {
    alphabet: Alphabet,
    next: u64,
    length: usize,
    /// Whether suffixes become longer before they run out: those that begin with the last character are all longer.
    grows: bool,
}

impl Suffixes {
    /// Creates suffixes of `length` characters, beginning with number `start`.
    pub(super) fn new(alphabet: Alphabet, start: u64, length: usize, grows: bool) -> Self {
        Self { alphabet, next: start, length, grows }
    }
}

impl Iterator for Suffixes {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let characters = self.alphabet.characters();
        let base = characters.len() as u64;
        let all = base.checked_pow(self.length as u32).unwrap_or(u64::MAX);
        let most = if self.grows { all / base * (base - 1) } else { all };
        if self.next >= most {
            if !self.grows {
                return None;
            }
            // One more character and one more `z` before them: `zaaa` follows `yz`, `zzaaaa` follows `zyzz`.
            self.length += 1;
            self.next = 0;
            return self.next();
        }
        let lead = if self.grows { self.length - 2 } else { 0 };
        let mut rest = self.next;
        let mut suffix: Vec<u8> = (0..self.length)
            .map(|_| {
                let character = characters[(rest % base) as usize];
                rest /= base;
                character
            })
            .collect();
        suffix.extend(vec![characters[characters.len() - 1]; lead]);
        suffix.reverse();
        self.next += 1;
        String::from_utf8(suffix).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_grow() {
        let mut letters = Suffixes::new(Alphabet::Letters, 0, 2, true);
        assert_eq!(letters.next().as_deref(), Some("aa"));
        assert_eq!(letters.nth(24).as_deref(), Some("az"));
        assert_eq!(letters.nth(25 * 26 - 27).as_deref(), Some("yz"));
        assert_eq!(letters.next().as_deref(), Some("zaaa"));
        assert_eq!(letters.nth(25 * 26 * 26 - 2).as_deref(), Some("zyzz"));
        assert_eq!(letters.next().as_deref(), Some("zzaaaa"));
        let mut digits = Suffixes::new(Alphabet::Digits, 0, 2, true);
        assert_eq!(digits.nth(89).as_deref(), Some("89"));
        assert_eq!(digits.next().as_deref(), Some("9000"));
    }

    #[test]
    fn suffixes_run_out() {
        assert_eq!(Suffixes::new(Alphabet::Digits, 8, 1, false).collect::<Vec<_>>(), ["8", "9"]);
        assert_eq!(Suffixes::new(Alphabet::Hex, 14, 2, false).take(3).collect::<Vec<_>>(), ["0e", "0f", "10"]);
        assert_eq!((Alphabet::Letters.length(26), Alphabet::Letters.length(27), Alphabet::Digits.length(1)), (1, 2, 1));
    }
}
