//! File name patterns, matched against text.

use wisp_tool::wildcard::{self, How};

/// `*`, `?` and brackets do not match a leading period.
pub(crate) const PERIOD: u32 = 1;
/// The case of letters does not matter.
pub(crate) const FOLD: u32 = 2;

/// Returns whether the whole of `name` matches `pattern`.
pub(crate) fn matches(pattern: &str, name: &str, flags: u32) -> bool {
    let how = How { period: flags & PERIOD != 0, fold: flags & FOLD != 0, ..How::default() };
    wildcard::matches(pattern.as_bytes(), name.as_bytes(), how)
}
