//! Resolving symbolic links in a path, for `cd -P` and `pwd -P`.

use super::{Errno, Kind, Result};

/// Longest chain of links followed, as the kernel's limit.
const MAX_LINKS: usize = 40;

/// Resolves every symbolic link in the path; `read_link` reads one link.
pub(super) fn canonicalize(path: &[u8], read_link: impl Fn(&[u8]) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    let mut rest: Vec<Vec<u8>> = components(path);
    rest.reverse();
    let mut done: Vec<u8> = Vec::new();
    let mut links = 0;
    while let Some(part) = rest.pop() {
        if part == b".." {
            while done.pop().is_some_and(|byte| byte != b'/') {}
            continue;
        }
        let mut next = done.clone();
        next.push(b'/');
        next.extend_from_slice(&part);
        if super::stat(&next, false)?.kind == Kind::Symlink {
            links += 1;
            if links > MAX_LINKS {
                return Err(Errno::Loop);
            }
            let target = read_link(&next)?;
            if target.first() == Some(&b'/') {
                done.clear();
            }
            rest.extend(components(&target).into_iter().rev());
        } else {
            done = next;
        }
    }
    if done.is_empty() {
        done.push(b'/');
    }
    Ok(done)
}

fn components(path: &[u8]) -> Vec<Vec<u8>> {
    path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".").map(<[u8]>::to_vec).collect()
}
