//! Expanding patterns to file names.

use super::{Field, PATTERN_SPECIAL};
use crate::pattern::{Flags, Pattern, has_magic, unescape};
use crate::shell::{Flow, Run, Shell};
use crate::sys::{self, Kind};

/// How names are matched.
struct Walk {
    flags: Flags,
    dots: bool,
    /// `.` and `..` are found too.
    own_dots: bool,
    star: bool,
    /// How many parts there are from the first `**` on.
    first_star: usize,
    found: Vec<Vec<u8>>,
}

/// How many levels deep `**` descends.
const MAX_DEPTH: usize = 100;

impl Shell {
    /// Replaces a field by the names that match it.
    pub(crate) fn pathnames(&mut self, field: Field, out: &mut Vec<Vec<u8>>) -> Run<()> {
        let extglob = self.opts.shopt("extglob");
        let pattern = field.escaped(PATTERN_SPECIAL).into_owned();
        if !has_magic(&pattern, extglob) {
            out.push(field.text);
            return Ok(());
        }
        let found = self.glob(&pattern);
        if found.is_empty() {
            if self.opts.shopt("failglob") {
                self.error([b"no match: ", &field.text[..]].concat());
                return Err(Flow::Discard(1));
            }
            if !self.opts.shopt("nullglob") {
                out.push(field.text);
            }
        } else {
            out.extend(found);
        }
        Ok(())
    }

    /// Returns the names that match a pattern, sorted.
    pub fn glob(&mut self, pattern: &[u8]) -> Vec<Vec<u8>> {
        let ignore = self.get(crate::sym::GLOBIGNORE).filter(|text| !text.is_empty());
        let flags = Flags { extglob: self.opts.shopt("extglob"), nocase: self.opts.shopt("nocaseglob"), period: false };
        let mut walk = Walk {
            flags,
            dots: self.opts.shopt("dotglob") || ignore.is_some(),
            own_dots: !self.opts.shopt("globskipdots") && ignore.is_none(),
            star: self.opts.shopt("globstar"),
            first_star: 0,
            found: Vec::new(),
        };
        let absolute = pattern.first() == Some(&b'/');
        let trailing = pattern.last() == Some(&b'/');
        let mut parts: Vec<&[u8]> = split(pattern).into_iter().filter(|part| !part.is_empty()).collect();
        if walk.star {
            // Several in a row count as one.
            let written = parts.len();
            parts.dedup_by(|next, part| *next == b"**" && *part == b"**");
            let first = parts.iter().position(|part| *part == b"**").filter(|_| parts.len() == written);
            walk.first_star = first.map_or(0, |at| parts.len() - at);
        }
        let base = if absolute { b"/".to_vec() } else { Vec::new() };
        self.walk(&mut walk, base, &parts, trailing, 0);
        let mut found = walk.found;
        if let Some(ignore) = ignore {
            let patterns: Vec<Vec<Pattern>> =
                ignore_list(&ignore).iter().map(|one| split(one).into_iter().map(|part| Pattern::new(part, flags)).collect()).collect();
            found.retain(|name| {
                let parts: Vec<&[u8]> = name.split(|b| *b == b'/').collect();
                let ignored = |patterns: &Vec<Pattern>| {
                    patterns.len() == parts.len() && patterns.iter().zip(&parts).all(|(pattern, part)| pattern.matches(part))
                };
                !patterns.iter().any(ignored)
            });
        }
        found.sort();
        found.dedup();
        found
    }

    fn walk(&self, walk: &mut Walk, base: Vec<u8>, parts: &[&[u8]], trailing: bool, depth: usize) {
        let Some((part, rest)) = parts.split_first() else {
            let mut name = base;
            if trailing {
                if !sys::stat(&self.absolute(&name), true).is_ok_and(|stat| stat.kind == Kind::Directory) {
                    return;
                }
                if !name.ends_with(b"/") {
                    name.push(b'/');
                }
            }
            walk.found.push(name);
            return;
        };
        let join = |name: &[u8]| {
            let mut path = base.clone();
            if !path.is_empty() && !path.ends_with(b"/") {
                path.push(b'/');
            }
            path.extend_from_slice(name);
            path
        };
        if !has_magic(part, walk.flags.extglob) {
            let path = join(&unescape(part));
            if sys::stat(&self.absolute(&path), false).is_ok() {
                self.walk(walk, path, rest, trailing, depth);
            }
            return;
        }
        let dir = if base.is_empty() { self.process.cwd.to_vec() } else { self.absolute(&base) };
        if walk.star && *part == b"**" {
            if depth > MAX_DEPTH {
                return;
            }
            if !rest.is_empty() || !base.is_empty() {
                self.walk(
                    walk,
                    if rest.is_empty() && parts.len() == walk.first_star && !base.ends_with(b"/") {
                        [&base[..], b"/"].concat()
                    } else {
                        base.clone()
                    },
                    rest,
                    trailing,
                    depth,
                );
            }
            for entry in sys::read_dir(&dir).unwrap_or_default() {
                if entry.name.starts_with(b".") && !walk.dots {
                    continue;
                }
                let path = join(&entry.name);
                if entry.kind == Kind::Directory {
                    if rest.is_empty() {
                        self.walk(walk, path.clone(), rest, trailing, depth);
                        self.descend(walk, path, trailing, depth);
                    } else {
                        self.walk(walk, path, parts, trailing, depth + 1);
                    }
                } else if rest.is_empty() {
                    self.walk(walk, path, rest, trailing, depth);
                }
            }
            return;
        }
        // A group may begin with a dot in one of its alternatives.
        let group = walk.flags.extglob && matches!(part, [b'?' | b'*' | b'+' | b'@' | b'!', b'(', ..]);
        let pattern = Pattern::new(part, Flags { period: group && !walk.dots, ..walk.flags });
        let hidden = part.first() == Some(&b'.') || part.starts_with(b"\\.") || walk.dots || group;
        let mut entries = sys::read_dir(&dir).unwrap_or_default();
        if walk.own_dots && (part.first() == Some(&b'.') || group) {
            let pattern = Pattern::new(part, Flags { period: group, ..walk.flags });
            let own = [&b"."[..], b".."].into_iter().filter(|name| pattern.matches(name));
            entries.extend(own.map(|name| sys::DirEntry { name: name.to_vec(), kind: Kind::Directory }));
        }
        for entry in entries {
            if entry.name.starts_with(b".") && !hidden {
                continue;
            }
            if pattern.matches(&entry.name) {
                let path = join(&entry.name);
                if rest.is_empty() && !trailing {
                    walk.found.push(path);
                } else if sys::stat(&self.absolute(&path), true).is_ok_and(|stat| stat.kind == Kind::Directory) {
                    self.walk(walk, path, rest, trailing, depth);
                }
            }
        }
    }

    /// Finds everything below a directory, for a `**` at the end.
    fn descend(&self, walk: &mut Walk, base: Vec<u8>, trailing: bool, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for entry in sys::read_dir(&self.absolute(&base)).unwrap_or_default() {
            if entry.name.starts_with(b".") && !walk.dots {
                continue;
            }
            let path = [&base[..], b"/", &entry.name[..]].concat();
            self.walk(walk, path.clone(), &[], trailing, depth);
            if entry.kind == Kind::Directory {
                self.descend(walk, path, trailing, depth + 1);
            }
        }
    }
}

/// Returns the patterns of `GLOBIGNORE`: separated by colons, except inside brackets.
fn ignore_list(text: &[u8]) -> Vec<&[u8]> {
    let (mut list, mut from, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'[' => {
                let mut end = at + 1;
                while end < text.len() && (text[end] != b']' || end <= at + 1) {
                    end += if text[end..].starts_with(b"[:") {
                        text[end + 2..].iter().position(|b| *b == b']').map_or(1, |p| p + 3)
                    } else {
                        1
                    };
                }
                if end < text.len() {
                    at = end;
                }
            }
            b':' => {
                list.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    list.push(&text[from.min(text.len())..]);
    list
}

/// Splits a pattern at its slashes, including those in brackets.
fn split(pattern: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let (mut from, mut at, mut depth) = (0, 0, 0usize);
    while at < pattern.len() {
        match pattern[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'/' if depth == 0 => {
                parts.push(&pattern[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&pattern[from.min(pattern.len())..]);
    parts
}
