//! Symbolic links in write mounts. A guest cannot follow one out of its mount, but the next program on the host that
//! follows it could read or write anywhere. So the rule concerns the text of a link, not its present target: it names
//! one file beside it.
//!
//! The rule holds after any rename, because it does not depend on the place and because what it allows never changes
//! the depth: a link's target is in the link's own directory. Links of other forms belong to the host. They stay
//! where they are, a directory that contains one cannot move to another directory, and no link of a guest may lead to
//! one, not even through other links.

use super::dir::{HostDir, directory_of};
use wisp_vfs::{FileType, FsError, MAX_LINKS_FOLLOWED, Mount as _, Refused};

/// Maximum names that are checked before a directory moves. A directory with more is copied.
const MAX_MOVED: usize = 10_000;

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// Returns whether the text of a link is a single name, of a file beside it.
fn names_a_sibling(text: &str) -> bool {
    !text.is_empty() && !text.contains('/') && text != "." && text != ".."
}

/// Checks whether a link in `directory` may have this text: a name beside it that does not lead to a link of another form.
pub(super) fn check(mount: &HostDir, directory: &str, says: &str) -> Result<(), FsError> {
    let mut says = says.to_owned();
    for _ in 0..MAX_LINKS_FOLLOWED {
        if !names_a_sibling(&says) {
            return Err(FsError::Refused(Refused::Trap));
        }
        let next = join(directory, &says);
        match mount.metadata(&next) {
            Ok(metadata) if metadata.is_symlink() => says = mount.read_link(&next)?,
            Ok(_) | Err(FsError::NotFound | FsError::NameTooLong) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Checks again a link that has just got the name `path`: another session with the same folder may have put a
/// different one in its place between the check and the change. Such a link is removed.
pub(super) fn check_moved(mount: &HostDir, path: &str) -> Result<(), FsError> {
    let checked = match mount.read_link(path) {
        // Not a link, or removed: a change by another process.
        Err(FsError::Invalid | FsError::NotFound) => return Ok(()),
        Err(error) => Err(error),
        Ok(says) => check(mount, directory_of(path), &says),
    };
    if checked.is_err() {
        mount.unlink(path)?;
    }
    checked
}

/// Returns whether the directory at `path` may move to another directory: all links in it have the form that means the same
/// everywhere.
pub(super) fn may_move(mount: &HostDir, path: &str) -> bool {
    let (mut left, mut seen) = (vec![path.to_owned()], 0);
    while let Some(directory) = left.pop() {
        let Ok(entries) = mount.read_dir(&directory) else { return false };
        seen += entries.len();
        if seen > MAX_MOVED {
            return false;
        }
        for entry in entries {
            let path = join(&directory, &entry.name);
            match entry.kind {
                FileType::Directory => left.push(path),
                FileType::Symlink if !mount.read_link(&path).is_ok_and(|says| names_a_sibling(&says)) => return false,
                _ => {}
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_a_sibling() {
        for text in ["a", "...", "..a", "a b", "-"] {
            assert!(names_a_sibling(text), "{text}");
        }
        for text in ["", ".", "..", "/", "/a", "a/", "a/b", "./a", "../a", "a/.."] {
            assert!(!names_a_sibling(text), "{text}");
        }
    }

    #[test]
    fn directories_of_paths() {
        assert_eq!([directory_of("a"), directory_of("a/b"), directory_of("a/b/c")], ["", "a", "a/b"]);
    }
}
