//! `tree --gitignore`: the patterns of `.gitignore` files.

use crate::sys;
use std::path::{Path, PathBuf};
use wisp_tool::wildcard::{self, How};

/// One pattern.
#[derive(Clone)]
struct Rule {
    /// The directory of its file.
    base: PathBuf,
    pattern: Vec<u8>,
    /// `!`: the entries that it names are shown.
    shown: bool,
    /// Whether it has a slash, so that it applies to the path below `base`, not to a name.
    whole: bool,
    folders: bool,
}

/// The patterns of a directory and of those above it.
#[derive(Clone, Default)]
pub(super) struct Rules(Vec<Rule>);

impl Rules {
    /// Returns these patterns and those of a directory.
    pub(super) fn with(&self, folder: &Path) -> Self {
        let mut all = self.clone();
        // A missing file has no patterns.
        let text = std::fs::read(folder.join(".gitignore")).unwrap_or_default();
        for line in text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end).filter(|l| !l.is_empty() && !l.starts_with(b"#")) {
            let (shown, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
            let (folders, line) = line.strip_suffix(b"/").map_or((false, line), |rest| (true, rest));
            let whole = line.contains(&b'/');
            let pattern = line.strip_prefix(b"/").unwrap_or(line).to_vec();
            all.0.push(Rule { base: folder.to_path_buf(), pattern, shown, whole, folders });
        }
        all
    }

    /// Returns whether an entry is hidden: the last pattern that matches decides.
    pub(super) fn hide(&self, path: &Path, folder: bool) -> bool {
        let name = path.file_name().unwrap_or_default();
        let fits = |rule: &&Rule| {
            let below = || path.strip_prefix(&rule.base).map(|p| sys::bytes(p.as_os_str()).to_vec()).unwrap_or_default();
            let text = if rule.whole { below() } else { sys::bytes(name).to_vec() };
            (folder || !rule.folders) && fits(&rule.pattern, &text)
        };
        self.0.iter().rev().find(fits).is_some_and(|rule| !rule.shown)
    }
}

/// Matches a pattern part by part; `**` stands for any number of parts.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (first, rest) = match pattern.iter().position(|b| *b == b'/') {
        Some(at) => (&pattern[..at], Some(&pattern[at + 1..])),
        None => (pattern, None),
    };
    let cut = text.iter().position(|b| *b == b'/');
    if first == b"**" {
        let Some(rest) = rest else { return true };
        return fits(rest, text) || cut.is_some_and(|at| fits(pattern, &text[at + 1..]));
    }
    let part = &text[..cut.unwrap_or(text.len())];
    match (rest, cut) {
        (None, None) => wildcard::matches(first, part, How::default()),
        (Some(rest), Some(at)) => wildcard::matches(first, part, How::default()) && fits(rest, &text[at + 1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn patterns_fit_paths() {
        assert!(super::fits(b"a/*.c", b"a/x.c"));
        assert!(super::fits(b"**/x", b"a/b/x"));
        assert!(super::fits(b"a/**", b"a/b/x"));
        assert!(!super::fits(b"a/*", b"a/b/x"));
    }
}
