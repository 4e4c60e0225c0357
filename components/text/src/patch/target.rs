//! The messages of `patch`, and the choice of the file for a patch.

use super::Job;
use super::parse::Patch;
use crate::{sys, text};
use std::path::Path;

/// Returns a name for a message, quoted if a shell needs quotes.
pub(super) fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./+:@%,=~^]#{}".contains(c);
    let first = |c: char| !"~#{".contains(c);
    if !name.starts_with(first) {
        return String::from_utf8_lossy(&wisp_tool::text::shell_quoted(name.as_bytes())).into_owned();
    }
    wisp_tool::text::quoted_unless(name, plain)
}

impl Job {
    pub(super) fn say(&self, message: &str) {
        if !self.quiet {
            self.tell(message);
        }
    }

    /// Prints a message; with `-o -` not to standard output, where the patched file goes.
    pub(super) fn tell(&self, message: &str) {
        if self.to_output() {
            eprintln!("{message}");
        } else {
            println!("{message}");
        }
    }

    pub(super) fn to_output(&self) -> bool {
        self.output.as_ref().is_some_and(|output| output == "-")
    }

    /// Returns a name without its first components.
    pub(super) fn stripped(&self, name: &str) -> Option<String> {
        if name == "/dev/null" {
            return None;
        }
        match self.strip {
            // Without -p, only the last component counts.
            None => Some(name.rsplit('/').next().unwrap_or(name).to_owned()),
            Some(count) => {
                let mut rest = name;
                for _ in 0..count {
                    rest = rest.split_once('/')?.1.trim_start_matches('/');
                }
                Some(rest.to_owned())
            }
        }
    }

    /// Returns the file that a patch is for.
    pub(super) fn target(&self, patch: &Patch<'_>) -> Option<String> {
        if let Some(file) = &self.file {
            return Some(text::show(file));
        }
        let mut names: Vec<String> = Vec::new();
        let mut refused: Vec<String> = Vec::new();
        for name in [&patch.old, &patch.new, &patch.index].into_iter().flatten().filter_map(|n| self.stripped(n)) {
            let inside = std::env::current_dir().unwrap_or_default();
            let outside = name.starts_with('/') && !Path::new(&name).starts_with(&inside);
            if outside || name.split('/').any(|part| part == "..") {
                // Do not mention a name that would not be used.
                let wanted = patch.missing != (0, 0) || sys::stat(Path::new(&name), false).is_ok();
                if wanted && !refused.contains(&name) {
                    println!("Ignoring potentially dangerous file name {}", quoted(&name));
                    refused.push(name);
                }
            } else {
                names.push(name);
            }
        }
        let there = |n: &&String| sys::stat(Path::new(n.as_str()), false).is_ok_and(|stat| !stat.is_dir());
        let existing: Vec<&String> = names.iter().filter(there).collect();
        // The best name is the one with the fewest components, then the shortest.
        let best = |all: &[&String]| {
            all.iter().min_by_key(|n| (n.matches('/').count(), n.rsplit('/').next().map_or(0, str::len), n.len())).map(|n| (*n).clone())
        };
        if let Some(found) = best(&existing) {
            return Some(found);
        }
        if patch.missing != (0, 0) || patch.mode.is_some() { best(&names.iter().collect::<Vec<_>>()) } else { None }
    }
}
