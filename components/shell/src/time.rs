//! Dates, for `printf %(…)T` and prompts. The sandbox's time zone is UTC.

use wisp_tool::calendar::{Civil, Zone, strftime};

/// A time as strftime(3) writes it.
pub fn format(pattern: &[u8], seconds: i64) -> Vec<u8> {
    strftime(if pattern.is_empty() { b"%X" } else { pattern }, &Civil::at(seconds), Zone::UTC)
}
