//! Paths as text: limits, components, and joining. Does not access files.

use super::FsError;

/// Maximum bytes of a path, everywhere in a session: PATH_MAX of Linux.
pub const MAX_PATH: usize = 4096;
/// NAME_MAX of Linux: bytes of the name, not of its spelling.
const MAX_NAME: usize = 255;
/// Maximum bytes of the spelling of a name.
pub(super) const MAX_SPELLING: usize = wisp_spelling::most(MAX_NAME);
/// Maximum symbolic links that are followed in one path, as on Linux.
pub const MAX_LINKS_FOLLOWED: usize = 40;

/// Checks a whole path before any component is resolved.
pub(super) fn check(path: &str) -> Result<(), FsError> {
    if path.is_empty() {
        return Err(FsError::NotFound);
    }
    if path.len() > MAX_PATH {
        return Err(FsError::NameTooLong);
    }
    // A text that spells nothing would be the name of another on the host.
    if path.contains('\0') || !wisp_spelling::is_spelling(path) {
        return Err(FsError::IllegalBytes);
    }
    Ok(())
}

/// Returns whether a name has more bytes than a file's may.
pub(super) fn is_too_long(name: &str) -> bool {
    name.len() > MAX_NAME && wisp_spelling::len(name) > MAX_NAME
}

/// Returns the components of an absolute path that the host side names: no `.` or `..`.
pub(super) fn names(path: &str) -> Result<Vec<&str>, FsError> {
    check(path)?;
    if !path.starts_with('/') {
        return Err(FsError::Invalid);
    }
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    if names.iter().any(|name| matches!(*name, "." | "..")) {
        return Err(FsError::Invalid);
    }
    if names.iter().any(|name| is_too_long(name)) {
        return Err(FsError::NameTooLong);
    }
    Ok(names)
}

/// The components still to be walked; the next one is last.
#[derive(Debug, Default)]
pub(super) struct Pending {
    names: Vec<String>,
    /// While more than this many components are left, the next one comes from a symbolic link of a host mount and
    /// must not leave the mount.
    inside: Option<usize>,
    /// Whether the path as a whole ends with `/` and so must be a directory.
    pub(super) slash: bool,
}

impl Pending {
    pub(super) fn new(path: &str) -> Self {
        let mut pending = Self::default();
        pending.push(path);
        pending
    }

    /// Puts the components of a path before those that are left.
    fn push(&mut self, path: &str) {
        if self.names.is_empty() {
            self.slash |= path.ends_with('/');
        }
        self.names.extend(path.split('/').rev().filter(|name| !name.is_empty()).map(str::to_owned));
    }

    /// Continues with the target of a symbolic link. `host`: the link is in a host mount, and its target must not
    /// lead out of it.
    pub(super) fn follow(&mut self, target: &str, host: bool) {
        if host && self.inside.is_none() {
            self.inside = Some(self.names.len());
        }
        self.push(target);
    }

    /// Returns the next component, and whether it must not leave the mount.
    pub(super) fn next(&mut self) -> Option<(String, bool)> {
        let name = self.names.pop()?;
        let inside = self.inside.is_some_and(|floor| self.names.len() >= floor);
        if !inside {
            self.inside = None;
        }
        Some((name, inside))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Joins `directory` and `name`, both relative to a mount.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// Returns the directory of a path relative to a mount, and its last component. `None` for the mount itself.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    if path.is_empty() {
        return None;
    }
    Some(path.rsplit_once('/').unwrap_or(("", path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(path: &str) -> Vec<String> {
        let mut pending = Pending::new(path);
        std::iter::from_fn(|| pending.next().map(|(name, _)| name)).collect()
    }

    #[test]
    fn components() {
        assert_eq!(walk("/a//b/./c/"), ["a", "b", ".", "c"]);
        assert_eq!(walk("../a/.."), ["..", "a", ".."]);
        assert!(walk("/").is_empty());
        assert!(Pending::new("a/").slash && !Pending::new("a/b").slash);
    }

    #[test]
    fn text_of_a_host_link_is_marked_until_it_ends() {
        let mut pending = Pending::new("link/rest");
        assert_eq!(pending.next(), Some(("link".into(), false)));
        pending.follow("a/b", true);
        assert_eq!(pending.next(), Some(("a".into(), true)));
        pending.follow("c", true);
        assert_eq!(pending.next(), Some(("c".into(), true)));
        assert_eq!(pending.next(), Some(("b".into(), true)));
        assert_eq!(pending.next(), Some(("rest".into(), false)));
        assert_eq!(pending.next(), None);
    }

    #[test]
    fn limits() {
        assert_eq!(check(""), Err(FsError::NotFound));
        assert_eq!(check(&"a".repeat(4096)), Ok(()));
        assert_eq!(check(&"a".repeat(4097)), Err(FsError::NameTooLong));
        assert_eq!(check("a\0"), Err(FsError::IllegalBytes));
        assert_eq!(check("caf\u{f7e9}"), Ok(()));
        assert_eq!(check("caf\u{f7c3}\u{f7a9}"), Err(FsError::IllegalBytes), "that is the spelling of no name: `é` is");
        assert!(!is_too_long(&"\u{f7ff}".repeat(255)) && is_too_long(&"\u{f7ff}".repeat(256)) && is_too_long(&"é".repeat(128)));
    }
}
