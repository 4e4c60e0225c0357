//! Numbers: powers, random numbers, bits.

use super::machine::{Run, fatal};

/// Implements `a^b`; integer exponents by multiplication, which is exact where that is possible.
pub(super) fn power(a: f64, b: f64) -> f64 {
    if b.trunc() == b && b.abs() <= 1024.0 { a.powi(b as i32) } else { a.powf(b) }
}

/// Random numbers: the additive generator of random(3) with 31 words, so that a seed gives the same sequence everywhere.
pub(super) struct Random {
    words: [u32; 34],
    recent: std::collections::VecDeque<u32>,
    /// The seed.
    pub seed: f64,
}

impl Random {
    /// Begins with a seed.
    pub(super) fn new(seed: u32) -> Self {
        let mut words = [0_u32; 34];
        words[0] = seed.max(1);
        for at in 1..31 {
            let before = i64::from(words[at - 1] as i32);
            let mut word = (16807 * before) % 2_147_483_647;
            if word < 0 {
                word += 2_147_483_647;
            }
            words[at] = word as u32;
        }
        for at in 31..34 {
            words[at] = words[at - 31];
        }
        let mut random = Self { words, recent: std::collections::VecDeque::with_capacity(34), seed: f64::from(seed) };
        random.recent.extend(random.words[3..].iter());
        (0..310).for_each(|_| {
            random.word();
        });
        random
    }

    fn word(&mut self) -> u32 {
        let (oldest, third) = (self.recent[0], self.recent[28]);
        let word = oldest.wrapping_add(third);
        self.recent.pop_front();
        self.recent.push_back(word);
        word >> 1
    }

    /// Returns the next number: at least 0, less than 1.
    pub(super) fn next(&mut self) -> f64 {
        f64::from(self.word()) / 2_147_483_648.0
    }
}

/// Returns the argument of a function on bits.
pub(super) fn bits(name: &str, n: f64) -> Run<u64> {
    if n < 0.0 {
        return fatal(format!("{name}: argument with negative value {} is not allowed", n.trunc()));
    }
    Ok(n as u64)
}

/// The bits that `compl` and shifts keep: as many as a number holds exactly.
pub(super) const BITS: u64 = (1 << 53) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_those_of_the_c_library() {
        let mut random = Random::new(1);
        assert_eq!(random.word(), 1_804_289_383);
        assert_eq!(random.word(), 846_930_886);
    }
}
