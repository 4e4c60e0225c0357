//! When a hunk fits, and what is said of those that fit and those that do not.

/// How closely a hunk must agree with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How many lines of context, at the start and at the end of a hunk, may be left out of account, at most.
    pub fuzz: usize,
    /// Whether differences in blanks are none.
    pub blanks: bool,
    /// Whether a line break that only one of hunk and file has, at the end of the file, is a difference.
    pub ends: bool,
    /// Whether less context before the changes than after them means the start of the file, and the reverse its end.
    pub anchors: bool,
    /// How many comparisons of lines there may be. Attack: a hunk of many equal lines against a file of many equal lines, whose place
    /// takes the product of both to find. A real diff needs a few for each line of the file.
    pub work: u64,
}

impl Rules {
    /// Returns the rules for a hunk that fits where all its old lines are, wherever that is. A missing line break at the end of the
    /// file is forgiven.
    pub const fn exact(work: u64) -> Self {
        Self { fuzz: 0, blanks: false, ends: false, anchors: false, work }
    }

    /// Returns the rules of GNU's `patch`.
    pub const fn patch(fuzz: usize, blanks: bool) -> Self {
        Self { fuzz, blanks, ends: true, anchors: true, work: u64::MAX }
    }
}

/// What came of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the new contents.
    Applied {
        /// The line of the new file where it begins, from 1.
        line: usize,
        /// By how many lines that is further down than its head and the hunks before it say of the old file.
        offset: isize,
        /// How many lines of context were left out of account.
        fuzz: usize,
    },
    /// No place was found. The new contents are without it.
    Failed,
}

/// Why not all hunks of a file fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misfit<'a> {
    /// Which hunk, from 1.
    pub hunk: usize,
    /// The line of the diff: the first that differs at the place that the hunk names, or the hunk's own.
    pub line: usize,
    /// What is wrong there.
    pub why: Why<'a>,
}

/// What keeps a hunk from its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why<'a> {
    /// The search took more comparisons than the rules allow.
    Work,
    /// The file ends before.
    Short {
        /// How many lines the file has.
        lines: usize,
        /// The line that the hunk expects, from 1.
        line: usize,
        /// Its text.
        wanted: &'a [u8],
    },
    /// Only the ends of the lines differ: CR LF and LF.
    Ends {
        /// The line of the file, from 1.
        line: usize,
    },
    /// The lines differ.
    Differs {
        /// The line of the file, from 1.
        line: usize,
        /// The line of the file, with its end.
        there: &'a [u8],
        /// That of the hunk.
        wanted: &'a [u8],
    },
    /// Its lines are only where an earlier hunk has changed the file.
    Taken,
}
