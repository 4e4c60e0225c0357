//! Dates, for `printf %(…)T`, prompts and the history, in the zone of an exported `TZ`.

use crate::shell::Shell;
use crate::sym::intern;
use crate::vars::Attrs;
use wisp_tool::calendar::{Civil, Offset, strftime};

impl Shell {
    /// Formats a time in the format of strftime(3). The C library's years have 32 bits; beyond them the time is 1970.
    pub(crate) fn format_time(&self, pattern: &[u8], seconds: i64) -> Vec<u8> {
        // As in bash, a `TZ` that is not exported has no effect.
        let zone = self.vars.get(intern(b"TZ")).filter(|var| var.attrs.has(Attrs::EXPORT)).and_then(|var| var.value.scalar());
        let zone = zone.as_deref().map(String::from_utf8_lossy);
        let local = |seconds: i64| {
            let offset = Offset::local(zone.as_deref(), seconds);
            (Civil::at(seconds.saturating_add(offset.seconds)), offset)
        };
        let (mut civil, mut offset) = local(seconds);
        if i32::try_from(civil.year - 1900).is_err() {
            (civil, offset) = local(0);
        }
        strftime(if pattern.is_empty() { b"%X" } else { pattern }, &civil, offset.zone())
    }
}
