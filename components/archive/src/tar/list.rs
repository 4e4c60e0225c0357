//! Listing members, one per line.

use super::Tar;
use super::header::{Kind, Member};
use crate::text;
use std::io::Write;
use wisp_tool::calendar::{Civil, TimeZone};

/// Returns `-rw-r--r--`.
fn mode_text(member: &Member) -> String {
    let letter = match member.kind {
        Kind::Dir => 'd',
        Kind::Symlink => 'l',
        Kind::Hardlink => 'h',
        Kind::Fifo => 'p',
        Kind::Other(b'3') => 'c',
        Kind::Other(b'4') => 'b',
        _ => '-',
    };
    let mut out = String::from(letter);
    for (shift, special, set) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let bits = member.mode >> shift;
        out.push(if bits & 4 != 0 { 'r' } else { '-' });
        out.push(if bits & 2 != 0 { 'w' } else { '-' });
        let on = member.mode & special != 0;
        out.push(match (bits & 1 != 0, on) {
            (true, true) => set,
            (false, true) => set.to_ascii_uppercase(),
            (true, false) => 'x',
            (false, false) => '-',
        });
    }
    out
}

impl Tar {
    /// Returns a member's line, at the level of detail that was asked for.
    pub(crate) fn line(&mut self, member: &Member, name: &[u8], long: bool) -> String {
        let shown = text::escape(name);
        if !long {
            return shown;
        }
        let who = |name: &[u8], id: u64| {
            if name.is_empty() || self.options.numeric { id.to_string() } else { text::shown(name) }
        };
        let owner = format!("{}/{}", who(&member.user, member.uid), who(&member.group, member.gid));
        let size = member.size.to_string();
        let wide = owner.len() + 1 + size.len();
        self.width = self.width.max(wide);
        let pad = self.width - owner.len() - 1;
        let utc = TimeZone::Utc;
        let zone = if self.options.utc { &utc } else { TimeZone::local() };
        let (Civil { year, month, day, hour, minute, second, .. }, _) = zone.civil(member.mtime);
        let mut when = format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}");
        if self.options.full_time {
            when += &format!(":{second:02}");
            if member.nanos != 0 {
                when += format!(".{:09}", member.nanos).trim_end_matches('0');
            }
        }
        let link = match member.kind {
            Kind::Symlink => format!(" -> {}", text::escape(&member.link)),
            Kind::Hardlink => format!(" link to {}", text::escape(&member.link)),
            _ => String::new(),
        };
        format!("{} {owner} {size:>pad$} {when} {shown}{link}", mode_text(member))
    }

    /// Prints the line of a member that is written or read.
    pub(crate) fn say(&mut self, member: &Member, name: &[u8], long: bool, to_stderr: bool) {
        let line = self.line(member, name, long) + "\n";
        // Writing data notices a reader that is gone.
        if to_stderr {
            let _ = std::io::stderr().write_all(&text::written(&line));
        } else {
            let _ = std::io::stdout().write_all(&text::written(&line));
        }
    }
}
