//! `tree --fromfile`: a tree of the paths in a list.

use super::tree::{Entry, Walk};
use crate::sys::{self, Kind};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The entries below a name; a path that ends with a slash is a directory too.
#[derive(Default)]
struct Node {
    folder: bool,
    below: BTreeMap<Vec<u8>, Self>,
}

/// Reads the tree of a list; `.` is standard input. `None` if the list cannot be read.
pub(super) fn read(walk: &Walk<'_>, list: &OsStr) -> Option<Entry> {
    let source: &OsStr = if list == "." { OsStr::new("-") } else { list };
    let bytes = crate::text::slurp(source).ok()?;
    let mut root = Node { folder: true, ..Node::default() };
    for line in bytes.split(|b| *b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut node = &mut root;
        let mut parts = line.split(|b| *b == b'/').peekable();
        while let Some(part) = parts.next() {
            if !part.is_empty() {
                node = node.below.entry(part.to_vec()).or_default();
                node.folder |= parts.peek().is_some();
            }
        }
    }
    let stat = sys::stat(Path::new(list), true).ok();
    let mut entry = Entry { name: list.to_owned(), path: PathBuf::from(list), stat, ..Entry::default() };
    entry.folder = true;
    fill(walk, &mut entry, root, 1, false);
    Some(entry)
}

fn fill(walk: &Walk<'_>, entry: &mut Entry, node: Node, depth: usize, all: bool) {
    let mut inside = Vec::new();
    for (name, below) in node.below {
        let name: OsString = sys::os_string(name);
        let path = entry.path.join(&name);
        let kind = if below.folder { Kind::Dir } else { Kind::File };
        let mut child = Entry { name, path, folder: below.folder, listed: Some(kind), ..Entry::default() };
        if !walk.wanted(&child, all) {
            continue;
        }
        if child.folder && depth < walk.level {
            let all = walk.opens(&child);
            fill(walk, &mut child, below, depth + 1, all);
        }
        inside.push(child);
    }
    walk.finish(&mut inside);
    entry.inside = Some(inside);
}
