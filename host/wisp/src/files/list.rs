//! Finding files: the names in a directory, everything below it, patterns.

use globset::{GlobBuilder, GlobMatcher};

use super::error::{At, Done, Failed};
use super::path::{absolute, join, split};
use super::view::View;
use super::walk::Walk;
use super::{Files, FilesError, FilesOperation, FilesReason};
use wisp_api::{FileEntry, Listing};
use wisp_vfs::FsError;

/// Files in one answer, unless the caller asks for another number.
const ENTRIES: usize = 10_000;

/// Maximum names that a search for a pattern looks at. Attack: a million files, and a pattern that none matches. A
/// session has 100,000 by default.
const MAX_LOOKED_AT: u64 = 2_000_000;

/// Maximum bytes of a pattern.
const MAX_PATTERN: usize = 4096;

/// The bounds of [`Files::walk`] and [`Files::glob`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct WalkOptions {
    entries: usize,
    depth: usize,
    mounts: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { entries: ENTRIES, depth: usize::MAX, mounts: true }
    }
}

impl WalkOptions {
    /// Creates a search for at most 10,000 files, at any depth, mounts included.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many files are returned at most.
    pub fn entries(mut self, limit: usize) -> Self {
        self.entries = limit;
        self
    }

    /// Sets how deep the walk goes: with 1, only the names in the directory itself. It never goes deeper than 1,000.
    pub fn depth(mut self, limit: usize) -> Self {
        self.depth = limit;
        self
    }

    /// Sets whether mounts below the directory are entered.
    pub fn mounts(mut self, enter: bool) -> Self {
        self.mounts = enter;
        self
    }
}

impl Files {
    /// Returns the names in the directory `path` with facts about each, sorted; the first 10,000.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn list(&self, path: &str) -> Result<Listing, FilesError> {
        self.list_after(path, "", ENTRIES).await
    }

    /// Returns the names in the directory `path` that come after the name `after`, sorted, at most `limit`: the next page of a
    /// large directory begins after the last name of the page before it. The first begins after the empty name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn list_after(&self, path: &str, after: &str, limit: usize) -> Result<Listing, FilesError> {
        let (path, after) = (absolute(path), after.to_owned());
        // A mount point in it is looked at on the host.
        let long = !self.fs.mounts().is_empty();
        let list = move |view: &View, path: &str| -> Done<Listing> {
            let (shown, node) = (view.plain(path)?, view.directory(path)?);
            let mut page = node.read_dir_after(&after, limit.saturating_add(1))?;
            let truncated = page.len() > limit;
            page.truncate(limit);
            let entries = page.into_iter().map(|(entry, stat)| FileEntry { path: join(&shown, &entry.name), stat }).collect();
            Ok(Listing { entries, truncated, unreadable: Vec::new() })
        };
        self.run(FilesOperation::List, path, long, list).await
    }

    /// Returns everything below the directory `path`, sorted. Symbolic links are listed, not followed.
    ///
    /// # Errors
    /// If the directory cannot be read. One below it that cannot be read is named in the listing.
    pub async fn walk(&self, path: &str, options: WalkOptions) -> Result<Listing, FilesError> {
        let walk = move |view: &View, path: &str| -> Done<Listing> {
            let walk = Walk::new(view, &view.plain(path)?, options.depth)?;
            collect(if options.mounts { walk } else { walk.one_filesystem() }, options.entries, |_| true)
        };
        self.run(FilesOperation::List, absolute(path), true, walk).await
    }

    /// Returns the files whose path matches `pattern`, sorted. A relative pattern begins at `/home/user`.
    ///
    /// `*` and `?` match within a name, `**` any number of directories, `[a-z]` one character, `{a,b}` one of several;
    /// `\` takes the meaning away. Names that begin with a dot are like any others. Symbolic links are not followed,
    /// except in the part of the pattern before the first `*`, `?`, `[` or `{`.
    ///
    /// # Errors
    /// If the pattern is not valid. A directory that does not exist has no files that match.
    pub async fn glob(&self, pattern: &str, options: WalkOptions) -> Result<Listing, FilesError> {
        self.run(FilesOperation::Glob, absolute(pattern), true, move |view, pattern| view.glob(pattern, options)).await
    }
}

impl View {
    /// Returns the path of a directory for the results of a search: as it was asked for, if it has no `.` and `..`.
    pub(super) fn plain(&self, path: &str) -> Result<String, FsError> {
        if path.split('/').any(|name| name == "." || name == "..") {
            return self.canonical(path);
        }
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        // The empty path is no file.
        if path.is_empty() { Err(FsError::NotFound) } else { Ok(format!("/{}", names.join("/"))) }
    }

    fn glob(&self, pattern: &str, options: WalkOptions) -> Done<Listing> {
        if pattern.is_empty() {
            return Err(FilesReason::Pattern { pattern: String::new(), reason: "it is empty".to_owned() }.into());
        }
        let special = pattern.find(['*', '?', '[', '{', '\\']);
        let (top, rest) = match special {
            Some(at) => pattern[..at].rsplit_once('/').map_or(("/", pattern), |(top, _)| (top, &pattern[top.len() + 1..])),
            // A plain name: that file.
            None => split(pattern).unwrap_or(("/", "")),
        };
        let top = if top.is_empty() { "/" } else { top };
        let top = match self.plain(top).and_then(|plain| self.directory(&plain).map(|_| plain)) {
            Ok(top) => top,
            Err(FsError::NotFound | FsError::NotDirectory) => return Ok(Listing::default()),
            Err(error) => return Err(error).at(top),
        };
        if special.is_none() {
            let path = join(&top, rest);
            let found = self.fs.stat(&self.root, &path, false);
            let entries = found.map(|stat| FileEntry { path, stat }).into_iter().collect();
            return Ok(Listing { entries, ..Listing::default() });
        }
        let matcher = matcher(rest)?;
        // Without `**` (and a `/` in braces), each name of the pattern is one directory.
        let depth = if rest.contains("**") || rest.contains('{') { options.depth } else { options.depth.min(rest.split('/').count()) };
        let walk = Walk::new(self, &top, depth)?;
        let walk = if options.mounts { walk } else { walk.one_filesystem() };
        collect(walk, options.entries, |relative| matcher.is_match(relative))
    }
}

/// Returns what matches a pattern, in which `*` does not match `/`.
pub(super) fn matcher(pattern: &str) -> Done<GlobMatcher> {
    let wrong = |reason: String| Failed::from(FilesReason::Pattern { pattern: pattern.to_owned(), reason });
    if pattern.len() > MAX_PATTERN {
        return Err(wrong(format!("it has more than {MAX_PATTERN} bytes")));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).empty_alternates(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| wrong(error.kind().to_string()))
}

/// Returns the files of a walk that are wanted, by their paths from its top.
fn collect(mut walk: Walk<'_>, most: usize, wanted: impl Fn(&str) -> bool) -> Done<Listing> {
    let (mut listing, mut looked_at) = (Listing::default(), 0);
    while let Some(step) = walk.next()? {
        looked_at += 1;
        if looked_at > MAX_LOOKED_AT {
            listing.truncated = true;
            break;
        }
        if wanted(&step.relative) {
            if listing.entries.len() == most {
                listing.truncated = true;
                break;
            }
            listing.entries.push(step.entry);
        }
    }
    listing.truncated |= walk.cut;
    listing.unreadable = walk.unreadable.into_iter().map(|(path, _)| path).collect();
    Ok(listing)
}
