//! Which members are meant: names on the command line, patterns that exclude.

use wisp_tool::wildcard::{How, is_pattern, matches};

/// Patterns of `--exclude`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Excludes {
    pub patterns: Vec<Pattern>,
}

/// One pattern with the options that held when it was given.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub text: Vec<u8>,
    pub anchored: bool,
    pub wildcards: bool,
    pub slash: bool,
    pub fold: bool,
}

impl Pattern {
    fn hits(&self, name: &[u8]) -> bool {
        let text = self.text.strip_suffix(b"/").filter(|t| !t.is_empty()).unwrap_or(&self.text);
        let how = How { pathname: !self.slash, leading: true, fold: self.fold, ..How::default() };
        let one = |name: &[u8]| {
            if self.wildcards && is_pattern(text) {
                matches(text, name, how)
            } else {
                name == text || (name.starts_with(text) && name.get(text.len()) == Some(&b'/'))
            }
        };
        if one(name) {
            return true;
        }
        !self.anchored && name.iter().enumerate().any(|(at, b)| *b == b'/' && one(&name[at + 1..]))
    }
}

impl Excludes {
    /// Returns whether a name is excluded.
    pub(crate) fn hit(&self, name: &[u8]) -> bool {
        let name = name.strip_suffix(b"/").filter(|n| !n.is_empty()).unwrap_or(name);
        self.patterns.iter().any(|p| p.hits(name))
    }
}

/// The names that are wanted, and whether each was found.
pub(super) struct Wanted {
    names: Vec<(Vec<u8>, bool)>,
    pub wildcards: bool,
    pub slash: bool,
    pub recursive: bool,
    /// A name means members in any folder.
    pub anywhere: bool,
}

impl Wanted {
    /// Selects all of these; none means everything.
    pub(super) fn new(names: Vec<Vec<u8>>, wildcards: bool, slash: bool, recursive: bool) -> Self {
        Self { names: names.into_iter().map(|n| (n, false)).collect(), wildcards, slash, recursive, anywhere: false }
    }

    /// Returns whether a member is wanted.
    pub(super) fn hit(&mut self, name: &[u8]) -> bool {
        if self.names.is_empty() {
            return true;
        }
        let bare = |n: &[u8]| {
            let end = n.iter().rposition(|b| *b != b'/').map_or(n.len().min(1), |at| at + 1);
            n[..end].to_vec()
        };
        let name = bare(name);
        let how = How { pathname: !self.slash, leading: self.recursive, ..How::default() };
        let mut hit = false;
        for (wanted, found) in &mut self.names {
            let text = bare(wanted);
            let inside =
                |at: usize| name[at + 1..] == text || (self.wildcards && is_pattern(&text) && matches(&text, &name[at + 1..], how));
            let inner = self.anywhere && name.iter().enumerate().any(|(at, b)| *b == b'/' && inside(at));
            let below = self.recursive && name.starts_with(&text) && name.get(text.len()) == Some(&b'/');
            if name == text || below || inner || (self.wildcards && is_pattern(&text) && matches(&text, &name, how)) {
                *found = true;
                hit = true;
            }
        }
        hit
    }

    /// Returns the names that no member had.
    pub(super) fn missed(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().filter(|(_, found)| !found).map(|(name, _)| name.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(text: &str, anchored: bool) -> Excludes {
        Excludes { patterns: vec![Pattern { text: text.into(), anchored, wildcards: true, slash: true, fold: false }] }
    }

    #[test]
    fn patterns_exclude_what_is_below() {
        assert!(excludes("*.o", false).hit(b"src/a.o"));
        assert!(excludes("target", false).hit(b"x/target/debug"));
        assert!(!excludes("target", true).hit(b"x/target"));
        assert!(!excludes("tar", false).hit(b"x/target"));
        assert!(excludes("./a/*", false).hit(b"./a/b"));
    }

    #[test]
    fn names_include_what_is_below() {
        let mut wanted = Wanted::new(vec![b"d/".to_vec(), b"*.c".to_vec()], true, true, true);
        assert!(wanted.hit(b"d/x"));
        assert!(wanted.hit(b"q/r.c"));
        assert!(!wanted.hit(b"dx"));
        assert_eq!(wanted.missed().count(), 0);
    }
}
