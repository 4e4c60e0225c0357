//! A walk through a tree: sorted, without following symbolic links, holding one page of names for each directory on
//! the way.

use std::collections::VecDeque;

use super::error::{At, Done};
use super::path::join;
use super::view::View;
use wisp_api::FileEntry;
use wisp_vfs::{DirEntry, FileType, FsError, MAX_PATH, Node, Stat};

/// Names of a directory that are read at a time. A guest can put all that the quota allows into one.
pub(super) const PAGE: usize = 1_000;

/// Directories that could not be read and are named.
const MAX_UNREADABLE: usize = 100;

/// The directories between the top of a walk and its files, at most. Attack: a hundred thousand nested directories.
const MAX_DEPTH: usize = 1_000;

/// A file that the walk came to.
pub(super) struct Step {
    pub(super) entry: FileEntry,
    /// Its path from the top of the walk.
    pub(super) relative: String,
}

pub(super) struct Walk<'v> {
    view: &'v View,
    cursors: Vec<Cursor>,
    /// Names deeper than this are left out; those in the top have depth 1.
    depth: usize,
    /// The device of the top, if others are not entered.
    device: Option<u64>,
    top_device: u64,
    /// Directories that could not be read, the first hundred.
    pub(super) unreadable: Vec<(String, FsError)>,
    /// Whether something was not entered because it is deeper than any walk goes.
    pub(super) cut: bool,
}

/// A directory that is being read.
struct Cursor {
    node: Node,
    path: String,
    relative: String,
    /// The last name that was read.
    after: String,
    page: VecDeque<(DirEntry, Stat)>,
    ended: bool,
}

impl<'v> Walk<'v> {
    /// Creates a walk below the directory `top`, a path without `..`, that comes to names of at most this depth.
    pub(super) fn new(view: &'v View, top: &str, depth: usize) -> Done<Self> {
        let node = view.directory(top).at(top)?;
        let top_device = node.stat().at(top)?.dev;
        let top = Cursor::new(node, top.to_owned(), String::new());
        Ok(Self { view, cursors: vec![top], depth, device: None, top_device, unreadable: Vec::new(), cut: false })
    }

    /// Does not enter what is mounted below the top.
    pub(super) fn one_filesystem(mut self) -> Self {
        self.device = Some(self.top_device);
        self
    }

    /// Returns the next file. A directory comes before what is in it.
    pub(super) fn next(&mut self) -> Done<Option<Step>> {
        loop {
            let depth = self.cursors.len();
            let Some(cursor) = self.cursors.last_mut() else { return Ok(None) };
            if cursor.page.is_empty() && !cursor.ended {
                self.view.check()?;
                match cursor.node.read_dir_after(&cursor.after, PAGE) {
                    Ok(page) => cursor.take(page),
                    // The top is what was asked for.
                    Err(error) if depth == 1 => return Err(error).at(&cursor.path),
                    Err(error) => {
                        cursor.ended = true;
                        note(&mut self.unreadable, cursor.path.clone(), error);
                    }
                }
            }
            let Some((entry, stat)) = cursor.page.pop_front() else {
                if cursor.ended {
                    self.cursors.pop();
                }
                continue;
            };
            let path = join(&cursor.path, &entry.name);
            let relative = if cursor.relative.is_empty() { entry.name.clone() } else { format!("{}/{}", cursor.relative, entry.name) };
            let elsewhere = self.device.is_some_and(|device| device != stat.dev);
            if stat.kind == FileType::Directory && depth < self.depth && !elsewhere {
                if depth >= MAX_DEPTH || path.len() > MAX_PATH {
                    self.cut = true;
                } else {
                    match self.view.open_beside(&cursor.node, &entry.name) {
                        Ok(node) => self.cursors.push(Cursor::new(node, path.clone(), relative.clone())),
                        // Removed, or replaced by a link, since its name was read.
                        Err(FsError::NotFound | FsError::NotDirectory | FsError::Loop) => {}
                        Err(error) => note(&mut self.unreadable, path.clone(), error),
                    }
                }
            }
            return Ok(Some(Step { entry: FileEntry { path, stat }, relative }));
        }
    }
}

fn note(unreadable: &mut Vec<(String, FsError)>, path: String, error: FsError) {
    if unreadable.len() < MAX_UNREADABLE {
        unreadable.push((path, error));
    }
}

impl Cursor {
    fn new(node: Node, path: String, relative: String) -> Self {
        Self { node, path, relative, after: String::new(), page: VecDeque::new(), ended: false }
    }

    fn take(&mut self, page: Vec<(DirEntry, Stat)>) {
        match page.last() {
            Some((entry, _)) => self.after.clone_from(&entry.name),
            None => self.ended = true,
        }
        self.page = page.into();
    }
}
