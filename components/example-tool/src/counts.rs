//! Counts words. Nothing here knows about wisp, so it is tested like any Rust code.

use std::collections::HashMap;

/// How often each word was seen. Words are letters and digits, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    seen: HashMap<String, u64>,
    partial: Vec<u8>,
    total: u64,
}

impl Counts {
    /// Counts a piece of text; a word may continue in the next piece.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // Bytes from 0x80 on belong to letters outside ASCII.
            if byte.is_ascii_alphanumeric() || *byte >= 0x80 {
                self.partial.push(*byte);
            } else {
                self.finish();
            }
        }
    }

    /// Ends the current word.
    pub(crate) fn finish(&mut self) {
        if self.partial.is_empty() {
            return;
        }
        let word = String::from_utf8_lossy(&self.partial).to_lowercase();
        self.partial.clear();
        *self.seen.entry(word).or_default() += 1;
        self.total += 1;
    }

    /// Returns the `top` most frequent words; equally frequent ones are in alphabetical order.
    pub(crate) fn most_frequent(&self, top: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> = self.seen.iter().map(|(word, count)| (word.as_str(), *count)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        all.truncate(top);
        all
    }

    /// Returns how many words were seen.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Returns how many different words there are.
    pub(crate) fn different(&self) -> usize {
        self.seen.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn words_are_counted_across_pieces() {
        let mut counts = Counts::default();
        counts.add(b"The cat, the c");
        counts.add("at; Ça 42".as_bytes());
        counts.finish();
        assert_eq!(counts.most_frequent(2), [("cat", 2), ("the", 2)]);
        assert_eq!((counts.total(), counts.different()), (6, 4));
        assert_eq!(counts.most_frequent(9)[3], ("ça", 1));
    }
}
