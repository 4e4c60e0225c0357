//! The contents of a file, as lines that are not listed.

use super::Rules;
use crate::hunk::Line;

/// Bytes that are searched or compared in the time of one comparison of short lines. Attack: lines of megabytes, each of
/// which counts as one.
const STRIDE: usize = 256;

/// Takes from the work that is left what these bytes cost.
pub(super) fn spend(work: &mut u64, bytes: usize) {
    *work = work.saturating_sub((bytes / STRIDE) as u64);
}

/// Where a line begins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// Its number, from 0.
    pub(super) line: usize,
    pub(super) byte: usize,
}

/// The contents of a file.
pub(super) struct Text<'f> {
    pub(super) bytes: &'f [u8],
    /// How many lines it has.
    pub(super) count: usize,
    /// `Rules::blanks` and `Rules::ends`.
    blanks: bool,
    ends: bool,
}

impl<'f> Text<'f> {
    pub(super) fn new(bytes: &'f [u8], rules: Rules) -> Self {
        let unended = bytes.last().is_some_and(|byte| *byte != b'\n');
        let count = memchr::memchr_iter(b'\n', bytes).count() + usize::from(unended);
        Self { bytes, count, blanks: rules.blanks, ends: rules.ends }
    }

    /// Returns the place of a line that is not before `from`. This is not counted as work: it passes lines that no hunk has
    /// passed, or those over which a search went back, which was counted.
    pub(super) fn forward(&self, from: Place, line: usize) -> Place {
        let Some(ends) = line.checked_sub(from.line).and_then(|lines| lines.checked_sub(1)) else { return from };
        let end = memchr::memchr_iter(b'\n', &self.bytes[from.byte..]).nth(ends);
        Place { line, byte: end.map_or(self.bytes.len(), |end| from.byte + end + 1) }
    }

    /// Returns the place of the line before, if there is one.
    pub(super) fn back(&self, from: Place) -> Place {
        let (Some(line), Some(end)) = (from.line.checked_sub(1), from.byte.checked_sub(1)) else { return from };
        Place { line, byte: memchr::memrchr(b'\n', &self.bytes[..end]).map_or(0, |end| end + 1) }
    }

    /// Returns where the next line begins, if the line at this byte is that of the hunk.
    pub(super) fn past(&self, byte: usize, wanted: &Line<'_>) -> Option<usize> {
        let rest = self.bytes.get(byte..).filter(|rest| !rest.is_empty())?;
        if self.blanks {
            let end = memchr::memchr(b'\n', rest);
            let same = words(&rest[..end.unwrap_or(rest.len())]).eq(words(wanted.text));
            return same.then(|| end.map_or(self.bytes.len(), |end| byte + end + 1));
        }
        let (next, unended) = match rest.strip_prefix(wanted.text)? {
            [] => (self.bytes.len(), true),
            [b'\n', rest @ ..] => (self.bytes.len() - rest.len(), false),
            _ => return None,
        };
        let agrees = if self.ends {
            unended == wanted.unended
        } else {
            // The last line of a file needs no line break, whatever the hunk says.
            !wanted.unended || next == self.bytes.len()
        };
        agrees.then_some(next)
    }
}

/// Returns what stands between the blanks of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
