//! Which symbolic links lead out of a folder.

use wisp_vfs::FsError;

/// Maximum links that are followed to see where one leads, as in the kernel.
const MAX_FOLLOWED: usize = 40;

/// Whether a link in `directory`, a path below the folder, leads out of the folder if it says `target`. `link` returns what
/// another link below the folder says.
///
/// Links on the way are resolved, so that a `..` is counted from where it really is. A loop leads nowhere.
pub(super) fn leads_out(directory: &str, target: &str, link: &dyn Fn(&str) -> Result<Option<String>, FsError>) -> Result<bool, FsError> {
    if target.starts_with('/') {
        return Ok(true);
    }
    let mut at: Vec<String> = names(directory).map(str::to_owned).collect();
    let mut left: Vec<String> = names(target).rev().map(str::to_owned).collect();
    let mut followed = 0;
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
        let Some(says) = link(&at.join("/"))? else { continue };
        followed += 1;
        if says.starts_with('/') {
            return Ok(true);
        }
        if followed > MAX_FOLLOWED {
            return Ok(false);
        }
        at.pop();
        left.extend(names(&says).rev().map(str::to_owned));
    }
    Ok(false)
}

fn names(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(directory: &str, target: &str) -> bool {
        let links = [("self", "."), ("far", "/etc"), ("sub/up", ".."), ("sub/loop", "loop"), ("deep", "sub/a/b"), ("chain", "sub/up/far")];
        leads_out(directory, target, &|path| Ok(links.iter().find(|(name, _)| *name == path).map(|(_, says)| (*says).to_owned()))).unwrap()
    }

    #[test]
    fn what_stays_inside_and_what_does_not() {
        for (directory, target) in
            [("", "a"), ("", "sub/../a"), ("sub", "../a"), ("sub/a", "../../b"), ("", "deep/../../x"), ("", "sub/loop"), ("", ".")]
        {
            assert!(!out(directory, target), "{directory}: {target}");
        }
        for (directory, target) in [
            ("", "/etc/passwd"),
            ("", ".."),
            ("sub", "../../a"),
            ("", "self/../a"),
            ("", "sub/up/../a"),
            ("", "far/passwd"),
            ("sub", "../chain"),
            ("", "deep/../../../../x"),
        ] {
            assert!(out(directory, target), "{directory}: {target}");
        }
    }
}
