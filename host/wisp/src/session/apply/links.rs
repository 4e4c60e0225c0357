//! Which symbolic links lead out of a folder.

use wisp_vfs::{FsError, MAX_LINKS_FOLLOWED};

/// Maximum names that are looked up for it.
const MAX_NAMES: usize = 128;

/// Returns whether a link in `directory`, a path below the folder, leads out of the folder if it says `target`, or could once other files
/// are written. `link` returns what another link below the folder says.
///
/// Links on the way are resolved. A loop leads nowhere.
///
/// Attack: a link `a/b/../../x`, which stays inside as long as `b` is a directory. It is taken over, and a later `b` is a link to `.`,
/// which leads nowhere itself. So a `..` counts as leading out wherever it comes after a name. Those at the beginning start from a
/// directory that is real, and however the names after them change, each link on the way keeps to this rule too.
///
/// Attack: thousands of links through thousands of names each, deep down. One with more names than anybody writes leads out too.
pub(super) fn leads_out(directory: &str, target: &str, link: &dyn Fn(&str) -> Result<Option<String>, FsError>) -> Result<bool, FsError> {
    if is_unsteady(target) {
        return Ok(true);
    }
    let mut at: Vec<String> = names(directory).map(str::to_owned).collect();
    let mut left: Vec<String> = names(target).rev().map(str::to_owned).collect();
    let (mut followed, mut looked_up) = (0, 0);
    while let Some(name) = left.pop() {
        match name.as_str() {
            "." => continue,
            ".." => {
                if at.pop().is_none() {
                    return Ok(true);
                }
                continue;
            }
            _ => at.push(name),
        }
        looked_up += 1;
        if looked_up > MAX_NAMES {
            return Ok(true);
        }
        let Some(says) = link(&at.join("/"))? else { continue };
        followed += 1;
        if is_unsteady(&says) {
            return Ok(true);
        }
        if followed > MAX_LINKS_FOLLOWED {
            return Ok(false);
        }
        at.pop();
        left.extend(names(&says).rev().map(str::to_owned));
    }
    Ok(false)
}

/// Returns whether where it leads is not decided by the directories above the link alone: it is absolute, or has a `..` after a name.
fn is_unsteady(target: &str) -> bool {
    let mut names = names(target).filter(|name| *name != ".").skip_while(|name| *name == "..");
    target.starts_with('/') || names.any(|name| name == "..")
}

fn names(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(directory: &str, target: &str) -> bool {
        let links = [
            ("self", "."),
            ("far", "/etc"),
            ("sub/up", ".."),
            ("sub/loop", "loop"),
            ("deep", "sub/a/b"),
            ("chain", "sub/up/far"),
            ("unsteady", "sub/../a"),
            ("climbs", "../a"),
        ];
        leads_out(directory, target, &|path| Ok(links.iter().find(|(name, _)| *name == path).map(|(_, says)| (*says).to_owned()))).unwrap()
    }

    #[test]
    fn what_stays_inside_and_what_does_not() {
        let most = vec!["n"; MAX_NAMES].join("/");
        for (directory, target) in [
            ("", "a"),
            ("", "./sub/a"),
            ("sub", "../a"),
            ("sub", "./.././a"),
            ("sub/a", "../../b"),
            ("sub/a", "../../deep"),
            ("", "sub/loop"),
            ("", "."),
            ("sub", ".."),
            ("", "sub/up/self/a"),
            ("", most.as_str()),
        ] {
            assert!(!out(directory, target), "{directory}: {target}");
        }
        let more = format!("{most}/n");
        for (directory, target) in [
            ("", "/etc/passwd"),
            ("", ".."),
            ("sub", "../../a"),
            ("", "self/../a"),
            ("", "sub/up/../a"),
            ("", "far/passwd"),
            ("sub", "../chain"),
            ("", "climbs"),
            // Inside, as long as nothing on the way becomes a link.
            ("", "sub/../a"),
            ("sub/a", "../b/../c"),
            ("", "deep/../../x"),
            ("", "sub/up/unsteady"),
            ("", more.as_str()),
        ] {
            assert!(out(directory, target), "{directory}: {target}");
        }
    }
}
