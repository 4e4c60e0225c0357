//! Names: where a path begins, what it is called when everything in it is resolved.

use super::view::View;
use wisp_policy::layout::HOME;
use wisp_vfs::{FileType, FsError, MAX_LINKS_FOLLOWED};

/// Returns `path` from the root: a relative one begins at the home directory. The empty path stays empty, and is no file.
pub(super) fn absolute(path: &str) -> String {
    if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("{HOME}/{path}") }
}

/// Joins `directory` and `name`.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.ends_with('/') { format!("{directory}{name}") } else { format!("{directory}/{name}") }
}

/// Returns the directory of an absolute path, and its last name: nothing for `/`, and for a path that ends in `.` or `..`.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    let (directory, name) = path.trim_end_matches('/').rsplit_once('/')?;
    if matches!(name, "" | "." | "..") {
        return None;
    }
    Some((if directory.is_empty() { "/" } else { directory }, name))
}

/// Returns whether `inner` is the path `outer` or is below it. Neither has `.`, `..` or double slashes.
pub(crate) fn within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl View {
    /// Returns the absolute path of an existing file without `.`, `..`, double slashes and symbolic links.
    pub(super) fn canonical(&self, path: &str) -> Result<String, FsError> {
        // Refuses what a walk refuses: links that lead out of a mount, loops, directories that cannot be searched.
        self.fs.stat(&self.root, path, true)?;
        let mut pending: Vec<String> = names(path);
        let (mut at, mut links) = (String::new(), 0);
        while let Some(name) = pending.pop() {
            if name == ".." {
                at.truncate(at.rfind('/').unwrap_or(0));
                continue;
            }
            let next = format!("{at}/{name}");
            if self.fs.stat(&self.root, &next, false)?.kind != FileType::Symlink {
                at = next;
                continue;
            }
            links += 1;
            if links > MAX_LINKS_FOLLOWED {
                return Err(FsError::Loop);
            }
            let target = self.fs.readlink(&self.root, &next)?;
            if target.starts_with('/') {
                at.clear();
            }
            pending.extend(names(&target));
        }
        Ok(if at.is_empty() { "/".to_owned() } else { at })
    }

    /// Returns `path`, with symbolic links in its last component followed: the name that a change must replace.
    pub(super) fn last_followed(&self, path: &str) -> Result<String, FsError> {
        match self.fs.stat(&self.root, path, true) {
            Ok(_) | Err(FsError::NotFound) => {}
            // The link leads out of a mount, for example.
            Err(error) => return Err(error),
        }
        let mut name = path.to_owned();
        for _ in 0..=MAX_LINKS_FOLLOWED {
            match self.fs.stat(&self.root, &name, false) {
                Ok(stat) if stat.kind == FileType::Symlink => {
                    let target = self.fs.readlink(&self.root, &name)?;
                    name = match split(&name) {
                        Some((directory, _)) if !target.starts_with('/') => join(directory, &target),
                        _ => target,
                    };
                }
                _ => return Ok(name),
            }
        }
        Err(FsError::Loop)
    }
}

/// Returns the components of a path, the first one last.
fn names(path: &str) -> Vec<String> {
    path.split('/').rev().filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_paths_begin() {
        assert_eq!(absolute("a/b"), "/home/user/a/b");
        assert_eq!(absolute("/a"), "/a");
        assert_eq!(absolute(""), "");
        assert_eq!(join("/", "a"), "/a");
        assert_eq!(join("/a", "b"), "/a/b");
    }

    #[test]
    fn last_names() {
        assert_eq!(split("/a/b"), Some(("/a", "b")));
        assert_eq!(split("/a/"), Some(("/", "a")));
        for none in ["/", "//", "/a/.", "/a/..", ""] {
            assert_eq!(split(none), None, "{none}");
        }
    }
}
