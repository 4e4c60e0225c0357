//! Repetition: `*`, `+`, `?`, intervals, and what they mean where there is nothing to repeat.

use crate::parse::{Flavor, Parser};

impl Parser<'_> {
    /// Returns whether an operator was read that is ignored, where nothing can be repeated yet. One that is a character there is
    /// left for the caller.
    pub(crate) fn operator_is_ignored(&mut self) -> Result<bool, String> {
        const NOTHING: &str = "Invalid preceding regular expression";
        if self.options.flavor == Flavor::Extended {
            let operator = self.rest().starts_with(b"{") || self.repetition()?.is_some();
            return if operator { Err(NOTHING.into()) } else { Ok(false) };
        }
        let before = self.at;
        self.repetition()?;
        if self.at == before {
            return Ok(false);
        }
        match self.options.flavor {
            Flavor::Basic if self.source[before] != b'*' => return Err(NOTHING.into()),
            Flavor::Egrep => {
                self.ignored.push(self.operator(before));
                return Ok(true);
            }
            _ => self.at = before,
        }
        Ok(false)
    }

    /// Returns the name of the operator that begins at `at`, for grep's warnings.
    pub(crate) fn operator(&self, at: usize) -> &'static str {
        match self.source[at] {
            b'*' => "*",
            b'+' => "+",
            b'?' => "?",
            _ => "{...}",
        }
    }

    /// Reads a repetition operator, if one is here: at least, at most.
    pub(crate) fn repetition(&mut self) -> Result<Option<(u32, Option<u32>)>, String> {
        let extended = !self.basic();
        if self.take(b"*") {
            return Ok(Some((0, None)));
        }
        let gnu = !extended && !self.options.posix;
        if (extended && self.take(b"+")) || (gnu && self.take(b"\\+")) {
            return Ok(Some((1, None)));
        }
        if (extended && self.take(b"?")) || (gnu && self.take(b"\\?")) {
            return Ok(Some((0, Some(1))));
        }
        let open: &[u8] = if extended { b"{" } else { b"\\{" };
        if self.rest().starts_with(open) { self.interval(open.len()) } else { Ok(None) }
    }

    fn interval(&mut self, open: usize) -> Result<Option<(u32, Option<u32>)>, String> {
        let start = self.at;
        self.at += open;
        let close: &[u8] = if self.basic() { b"\\}" } else { b"}" };
        let low = self.number();
        let high = if self.take(b",") { self.number().map_or(Some(None), |n| Some(Some(n))) } else { None };
        let done = self.take(close);
        let range = match (low, high) {
            (Some(low), None) => Some((low, Some(low))),
            (low, Some(high)) => Some((low.unwrap_or(0), high)),
            (None, None) => None,
        };
        match range {
            Some((low, high)) if done => {
                if high.is_some_and(|h| h < low) {
                    return Err("Invalid content of \\{\\}".into());
                }
                if low > 32767 || high.is_some_and(|h| h > 32767) {
                    return Err("Regular expression too big".into());
                }
                Ok(Some((low, high)))
            }
            // A brace that begins no interval is itself.
            _ if matches!(self.options.flavor, Flavor::Awk | Flavor::Egrep) => {
                self.at = start;
                Ok(None)
            }
            _ if done => Err("Invalid content of \\{\\}".into()),
            _ if self.rest().is_empty() || !self.rest().windows(close.len()).any(|w| w == close) => Err("Unmatched \\{".into()),
            _ => Err("Invalid content of \\{\\}".into()),
        }
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest().iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.rest()[..digits]).ok()?;
        let number = if digits == 0 { None } else { Some(text.parse().unwrap_or(u32::MAX)) };
        self.at += digits;
        number
    }
}
