//! `readlink` and `realpath`: resolve names.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{sys, text};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{Error, Result, Write};
use std::path::{Component, Path, PathBuf};

const READLINK_OPTIONS: &[Opt] = &[
    flag("f", "canonicalize", "follow every link in every part; all but the last must exist"),
    flag("e", "canonicalize-existing", "the same; all must exist"),
    flag("m", "canonicalize-missing", "the same; no part has to exist"),
    flag("n", "no-newline", "no newline at the end"),
    flag("qs", "quiet", "no messages (the default)"),
    flag("", "silent", ""),
    flag("v", "verbose", "messages about errors"),
    flag("z", "zero", "end each line with NUL"),
];

const READLINK: Syntax = Syntax {
    usage: "[OPTION]... FILE...",
    about: "Print the target of each symbolic link, or the path of FILE without links, `.` and `..`.",
    options: READLINK_OPTIONS,
    ..Syntax::COMMON
};

const REALPATH_OPTIONS: &[Opt] = &[
    flag("E", "canonicalize", "all parts but the last must exist (the default)"),
    flag("e", "canonicalize-existing", "all parts must exist"),
    flag("m", "canonicalize-missing", "no part has to exist"),
    flag("L", "logical", "`..` before links"),
    flag("P", "physical", "resolve links as they occur (the default)"),
    flag("q", "quiet", "no messages about errors"),
    value("", "relative-to", "relative to the directory VALUE"),
    value("", "relative-base", "absolute for names outside VALUE"),
    flag("s", "strip", "do not follow links"),
    flag("", "no-symlinks", ""),
    flag("z", "zero", "end each line with NUL"),
];

const REALPATH: Syntax = Syntax {
    usage: "[OPTION]... FILE...",
    about: "Print the absolute path of each FILE, without links, `.` and `..`.",
    options: REALPATH_OPTIONS,
    ..Syntax::COMMON
};

/// The maximum number of links to follow.
const LINKS: usize = 40;

/// Which components of a name may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    None,
    Last,
    Any,
}

impl Missing {
    fn of(line: &Line) -> Option<Self> {
        Some(match line.last_of(&["canonicalize", "canonicalize-existing", "canonicalize-missing"])? {
            "canonicalize-existing" => Self::None,
            "canonicalize-missing" => Self::Any,
            _ => Self::Last,
        })
    }
}

/// Runs `readlink`.
pub(crate) fn readlink(args: Vec<OsString>) -> u8 {
    READLINK.run(&args, run_readlink)
}

fn run_readlink(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return READLINK.misuse(args, "missing operand");
    }
    let missing = Missing::of(&line);
    let posix = std::env::var_os("POSIXLY_CORRECT").is_some();
    let verbose = line.last_of(&["quiet", "silent", "verbose"]).map_or(posix, |last| last == "verbose");
    let mut bare = line.has("no-newline");
    if bare && line.operands.len() > 1 {
        text::complain("readlink", "ignoring --no-newline with multiple arguments");
        bare = false;
    }
    let end: &[u8] = match (bare, line.has("zero")) {
        (true, _) => b"",
        (_, true) => b"\0",
        _ => b"\n",
    };
    let (mut out, mut status) = (text::output(), 0);
    for name in &line.operands {
        let found = match missing {
            Some(missing) => canonical(Path::new(name), missing, true),
            None => link(Path::new(name)),
        };
        match found {
            Ok(path) => drop(out.write_all(path.as_os_str().as_encoded_bytes()).and_then(|()| out.write_all(end))),
            Err(error) => {
                status = 1;
                if verbose {
                    let _ = out.flush();
                    text::complain("readlink", format!("{}: {}", text::quote_if_needed(name), text::reason(&error)));
                }
            }
        }
    }
    status | text::finish("readlink", out.flush())
}

/// Returns the target of a link. For any other file, the error is "invalid argument".
fn link(path: &Path) -> Result<PathBuf> {
    if sys::stat(path, false)?.is_link() { std::fs::read_link(path) } else { Err(Error::from_raw_os_error(libc::EINVAL)) }
}

/// Runs `realpath`.
pub(crate) fn realpath(args: Vec<OsString>) -> u8 {
    REALPATH.run(&args, run_realpath)
}

fn run_realpath(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return REALPATH.misuse(args, "missing operand");
    }
    let missing = Missing::of(&line).unwrap_or(Missing::Last);
    let way = line.last_of(&["strip", "no-symlinks", "logical", "physical"]);
    let real = |path: &Path| match way {
        Some("strip" | "no-symlinks") => canonical(path, missing, false),
        Some("logical") => canonical(&canonical(path, missing, false)?, missing, true),
        _ => canonical(path, missing, true),
    };
    let complain = |name: &OsString, error: &Error| {
        text::complain("realpath", format!("{}: {}", text::quote_if_needed(name), text::reason(error)));
        1
    };
    let directory = |key: &str| -> std::result::Result<Option<PathBuf>, u8> {
        let Some(name) = line.last(key).map(OsString::from) else { return Ok(None) };
        let found = real(Path::new(&name)).map_err(|error| complain(&name, &error))?;
        match missing == Missing::None && !sys::stat(&found, true).is_ok_and(|stat| stat.is_dir()) {
            true => Err(complain(&name, &Error::from_raw_os_error(libc::ENOTDIR))),
            false => Ok(Some(found)),
        }
    };
    let (to, base) = match directory("relative-to").and_then(|to| Ok((to, directory("relative-base")?))) {
        Ok(both) => both,
        Err(status) => return status,
    };
    let (to, base) = match (to, base) {
        (None, Some(base)) => (Some(base.clone()), Some(base)),
        // A path outside the base stays absolute.
        (Some(to), Some(base)) if !to.starts_with(&base) => (None, Some(base)),
        both => both,
    };
    let end: &[u8] = if line.has("zero") { b"\0" } else { b"\n" };
    let (mut out, mut status) = (text::output(), 0);
    for name in &line.operands {
        let path = match real(Path::new(name)) {
            Ok(path) => path,
            Err(error) => {
                status = 1;
                if !line.has("quiet") {
                    let _ = out.flush();
                    complain(name, &error);
                }
                continue;
            }
        };
        let within = base.as_ref().is_none_or(|base| path.starts_with(base));
        let shown = match &to {
            Some(to) if within => relative(&path, to),
            _ => path,
        };
        let _ = out.write_all(shown.as_os_str().as_encoded_bytes()).and_then(|()| out.write_all(end));
    }
    status | text::finish("realpath", out.flush())
}

/// Returns the relative path from a directory to a file, both given as absolute paths.
fn relative(path: &Path, from: &Path) -> PathBuf {
    let common = path.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(path.components().skip(common)).collect();
    if way.as_os_str().is_empty() { ".".into() } else { way }
}

/// Returns the absolute path of a name, without `.` and `..`, and without links if they are followed.
fn canonical(path: &Path, missing: Missing, follow: bool) -> Result<PathBuf> {
    if path.as_os_str().is_empty() {
        return Err(Error::from_raw_os_error(libc::ENOENT));
    }
    // A name with a slash at its end must be a directory: an empty component stands for the slash.
    let split =
        |path: &Path| -> Vec<Vec<u8>> { path.as_os_str().as_encoded_bytes().split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect() };
    let mut parts: VecDeque<Vec<u8>> = split(&sys::absolute(path)).into();
    let (mut done, mut links) = (PathBuf::from("/"), 0);
    while let Some(part) = parts.pop_front() {
        match part.as_slice() {
            b"" | b"." => continue,
            b".." => {
                done.pop();
                continue;
            }
            _ => {}
        }
        let next = done.join(sys::path_from_bytes(&part));
        if !follow {
            if missing != Missing::Any {
                check(&next, &parts, missing)?;
            }
            done = next;
            continue;
        }
        match sys::stat(&next, false) {
            Ok(stat) if stat.is_link() => {
                links += 1;
                if links > LINKS {
                    if missing != Missing::Any {
                        return Err(Error::from_raw_os_error(libc::ELOOP));
                    }
                    done = next;
                    continue;
                }
                let target = std::fs::read_link(&next)?;
                if target.is_absolute() {
                    done = "/".into();
                }
                for part in split(&target).into_iter().rev() {
                    parts.push_front(part);
                }
                continue;
            }
            Ok(stat) => {
                if !parts.is_empty() && !stat.is_dir() && missing != Missing::Any {
                    return Err(Error::from_raw_os_error(libc::ENOTDIR));
                }
            }
            Err(_) if missing == Missing::Any => {}
            Err(error) if missing == Missing::Last && error.kind() == std::io::ErrorKind::NotFound && parts.iter().all(Vec::is_empty) => {}
            Err(error) => return Err(error),
        }
        done = next;
    }
    Ok(done)
}

/// Checks one component of a path without following links. Skipped if `rest` still names something.
fn check(next: &Path, rest: &VecDeque<Vec<u8>>, missing: Missing) -> Result<()> {
    let named = rest.iter().find(|part| !matches!(part.as_slice(), b"" | b"."));
    if named.is_some_and(|part| part != b"..") {
        return Ok(());
    }
    match sys::stat(next, true) {
        Ok(stat) if !rest.is_empty() && !stat.is_dir() => Err(Error::from_raw_os_error(libc::ENOTDIR)),
        Err(error) if missing == Missing::None || error.kind() != std::io::ErrorKind::NotFound || named.is_some() => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_from_one_to_the_other() {
        for (path, from, want) in
            [("/a/b", "/a", "b"), ("/a", "/a/b/c", "../.."), ("/a", "/a", "."), ("/x", "/a", "../x"), ("/", "/a", "..")]
        {
            assert_eq!(relative(Path::new(path), Path::new(from)), Path::new(want), "{path} from {from}");
        }
    }

    #[test]
    fn links_are_followed_and_parts_may_be_missing() {
        let scratch = std::env::temp_dir().join(format!("wisp-resolve-{}", std::process::id()));
        std::fs::create_dir_all(scratch.join("d")).unwrap();
        std::fs::write(scratch.join("f"), "").unwrap();
        let root = canonical(&scratch, Missing::None, true).unwrap();
        for (name, target) in [("l", "d"), ("loop", "loop"), ("dangling", "none")] {
            let _ = sys::symlink(Path::new(target), &scratch.join(name));
        }
        let at = |name: &str, missing, follow| {
            let found = canonical(&scratch.join(name), missing, follow);
            found.map(|path| path.strip_prefix(&root).unwrap().to_path_buf()).map_err(|error| error.raw_os_error())
        };
        assert_eq!(at("l/./../f", Missing::None, true), Ok("f".into()));
        assert_eq!(at("l/x", Missing::Last, true), Ok("d/x".into()));
        assert_eq!(at("l/x/", Missing::Last, true), Ok("d/x".into()));
        assert_eq!(at("l/x/y", Missing::Last, true), Err(Some(libc::ENOENT)));
        assert_eq!(at("l/x/y", Missing::Any, true), Ok("d/x/y".into()));
        assert_eq!(at("f/", Missing::Last, true), Err(Some(libc::ENOTDIR)));
        assert_eq!(at("f/x", Missing::Any, true), Ok("f/x".into()));
        assert_eq!(at("dangling", Missing::Last, true), Ok("none".into()));
        assert_eq!(at("dangling", Missing::None, true), Err(Some(libc::ENOENT)));
        assert_eq!(at("loop", Missing::Last, true), Err(Some(libc::ELOOP)));
        assert_eq!(at("l/x/y", Missing::Last, false), Ok("l/x/y".into()));
        assert_eq!(at("x/..", Missing::Last, false), Err(Some(libc::ENOENT)));
        assert_eq!(at("loop", Missing::Last, false), Err(Some(libc::ELOOP)));
        std::fs::remove_dir_all(&scratch).unwrap();
    }
}
