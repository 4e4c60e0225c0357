//! Searching the contents of files, line by line.

use globset::GlobMatcher;
use memchr::{memchr, memchr_iter};
use regex::bytes::{Regex, RegexBuilder};

use super::error::{Done, Failed};
use super::list::matcher;
use super::path::absolute;
use super::read::whole;
use super::view::View;
use super::walk::Walk;
use super::{Files, FilesError, FilesOperation, FilesReason};
use wisp_api::{FileEntry, GrepMatch, GrepMatches};
use wisp_vfs::{FileType, FsError};

/// Maximum bytes of the program of a pattern. The pattern may come from a model; matching takes time in proportion to
/// the text whatever it is.
const MAX_PROGRAM: usize = 4 << 20;

/// Bytes of a line that a match returns.
const MAX_LINE: usize = 2_000;

/// What [`Files::grep`] looks for, and its bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct GrepOptions {
    literal: bool,
    ignore_case: bool,
    glob: Option<String>,
    matches: usize,
    bytes: u64,
    file_bytes: u64,
}

impl Default for GrepOptions {
    fn default() -> Self {
        Self { literal: false, ignore_case: false, glob: None, matches: 1_000, bytes: 256 << 20, file_bytes: 16 << 20 }
    }
}

impl GrepOptions {
    /// Creates a regular expression that respects case; at most 1,000 lines, 256 MiB in all and 16 MiB in a file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the pattern is plain text.
    pub fn literal(mut self, literal: bool) -> Self {
        self.literal = literal;
        self
    }

    /// Sets whether upper and lower case are the same.
    pub fn ignore_case(mut self, ignore: bool) -> Self {
        self.ignore_case = ignore;
        self
    }

    /// Searches only files whose name matches this pattern ([`Files::glob`]), or whose path below the directory does, if
    /// the pattern has a `/`.
    pub fn glob(mut self, glob: impl Into<String>) -> Self {
        self.glob = Some(glob.into());
        self
    }

    /// Sets how many lines are returned at most.
    pub fn matches(mut self, limit: usize) -> Self {
        self.matches = limit;
        self
    }

    /// Sets how many bytes are searched at most, in all files together.
    pub fn bytes(mut self, limit: u64) -> Self {
        self.bytes = limit;
        self
    }

    /// Sets how many bytes a file may have to be searched. Larger ones are named in [`GrepMatches::too_large`].
    pub fn file_bytes(mut self, limit: u64) -> Self {
        self.file_bytes = limit;
        self
    }
}

impl Files {
    /// Searches the file at `path`, or all files below the directory, for lines that match `pattern`, a regular expression
    /// in the syntax of ripgrep. Binary files (with a NUL byte) are skipped; symbolic links below a directory are not
    /// followed.
    ///
    /// # Errors
    /// If the pattern is not valid, or there is no such file or directory.
    pub async fn grep(&self, pattern: &str, path: &str, options: GrepOptions) -> Result<GrepMatches, FilesError> {
        let pattern = pattern.to_owned();
        let grep = move |view: &View, path: &str| -> Done<GrepMatches> { view.grep(&pattern, path, &options) };
        self.run(FilesOperation::Grep, absolute(path), true, grep).await
    }
}

/// Names of files that were skipped.
const MAX_NAMED: usize = 100;

struct Search<'s> {
    view: &'s View,
    options: &'s GrepOptions,
    regex: Regex,
    glob: Option<GlobMatcher>,
    bytes_left: u64,
    found: GrepMatches,
}

impl View {
    fn grep(&self, pattern: &str, path: &str, options: &GrepOptions) -> Done<GrepMatches> {
        let glob = options.glob.as_deref().map(matcher).transpose()?;
        let regex = compile(pattern, options)?;
        let mut search = Search { view: self, options, regex, glob, bytes_left: options.bytes, found: GrepMatches::default() };
        let stat = self.fs.stat(&self.root, path, true)?;
        if stat.kind != FileType::Directory {
            search.file(&FileEntry { path: self.plain(path)?, stat });
            return Ok(search.found);
        }
        let mut walk = Walk::new(self, &self.plain(path)?, usize::MAX)?;
        while let Some(step) = walk.next()? {
            if step.entry.stat.kind == FileType::Regular && search.wants(&step.relative) {
                search.file(&step.entry);
                if search.found.truncated {
                    break;
                }
            }
        }
        let mut found = search.found;
        found.truncated |= walk.cut;
        let left = MAX_NAMED.saturating_sub(found.unreadable.len());
        found.unreadable.extend(walk.unreadable.into_iter().map(|(path, _)| path).take(left));
        Ok(found)
    }
}

fn compile(pattern: &str, options: &GrepOptions) -> Done<Regex> {
    let text = if options.literal { regex::escape(pattern) } else { pattern.to_owned() };
    let built = RegexBuilder::new(&text).case_insensitive(options.ignore_case).size_limit(MAX_PROGRAM).build();
    built.map_err(|error| Failed::from(FilesReason::Pattern { pattern: pattern.to_owned(), reason: error.to_string() }))
}

impl Search<'_> {
    fn wants(&self, relative: &str) -> bool {
        match (&self.glob, self.options.glob.as_deref()) {
            (Some(glob), Some(text)) if text.contains('/') => glob.is_match(relative),
            (Some(glob), _) => glob.is_match(relative.rsplit('/').next().unwrap_or_default()),
            (None, _) => true,
        }
    }

    fn file(&mut self, entry: &FileEntry) {
        if entry.stat.size > self.options.file_bytes {
            name(&mut self.found.too_large, &entry.path);
            return;
        }
        if entry.stat.size > self.bytes_left {
            self.found.truncated = true;
            return;
        }
        let bytes = match self.view.open(&entry.path).map_err(FilesReason::from).and_then(|node| whole(&node, self.options.file_bytes)) {
            Ok(bytes) => bytes,
            // Removed since its name was read.
            Err(FilesReason::Fs(FsError::NotFound)) => return,
            Err(FilesReason::TooLarge { .. }) => return name(&mut self.found.too_large, &entry.path),
            Err(_) => return name(&mut self.found.unreadable, &entry.path),
        };
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        if memchr(0, &bytes).is_some() {
            self.found.binary += 1;
            return;
        }
        self.found.searched += 1;
        let mut start = 0;
        let ends = memchr_iter(b'\n', &bytes).chain((!bytes.is_empty() && !bytes.ends_with(b"\n")).then_some(bytes.len()));
        for (number, end) in (1..).zip(ends) {
            let line = &bytes[start..end];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            start = end + 1;
            let Some(first) = self.regex.find(line) else { continue };
            if self.found.matches.len() == self.options.matches {
                self.found.truncated = true;
                return;
            }
            let text = String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]).into_owned();
            self.found.matches.push(GrepMatch { path: entry.path.clone(), line: number, column: first.start() + 1, text });
        }
    }
}

fn name(names: &mut Vec<String>, path: &str) {
    if names.len() < MAX_NAMED {
        names.push(path.to_owned());
    }
}
