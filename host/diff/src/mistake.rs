//! What can be wrong with a diff.

use std::error::Error;
use std::fmt::{Display, Formatter, Result};

/// A mistake in a diff, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrong<'d> {
    /// The line of the diff, from 1: one after the last, if more should follow.
    pub line: usize,
    /// That line with its end; empty after the last.
    pub text: &'d [u8],
    /// What is wrong.
    pub mistake: Mistake,
}

/// What is wrong with a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// A hunk without names before it.
    HunkWithoutNames,
    /// `---`, `+++`, `rename` or `copy` without a name.
    NameMissing,
    /// A name in quotes that has no end, or an unknown escape.
    NameQuoted,
    /// A name in quotes that is not UTF-8.
    NameNotUtf8,
    /// A mode that is no octal number.
    Mode,
    /// A mode of a symbolic link or a module of git.
    NotAFile,
    /// A file that is no text.
    Binary,
    /// A file whose contents the diff leaves out.
    WithoutContents,
    /// The head of a hunk that cannot be read.
    HunkHead,
    /// The diff ends within a hunk.
    Ends {
        /// How many old lines are missing.
        old: usize,
        /// How many new lines are missing.
        new: usize,
        /// Whether the hunk has any line.
        begun: bool,
    },
    /// Something else stands between the lines of a hunk.
    NoLineOfHunk {
        /// How many old lines are missing.
        old: usize,
        /// How many new lines are missing.
        new: usize,
    },
    /// The hunk has more old lines, or more new ones, than its head says.
    MoreLines,
    /// `\` at the start of a hunk.
    NothingEnds,
}

impl Display for Mistake {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::HunkWithoutNames => "a hunk without a file: `--- NAME` and `+++ NAME` must come before it",
            Self::NameMissing => "the name of the file is missing",
            Self::NameQuoted => "a quoted name that does not end, or has an unknown escape",
            Self::NameNotUtf8 => "a name that is not UTF-8",
            Self::Mode => "a mode is an octal number",
            Self::NotAFile => "only files can be patched, not links or submodules",
            Self::Binary => "binary files cannot be patched: write them as a whole",
            Self::WithoutContents => "the diff does not have the contents of this file: write it as a whole",
            Self::HunkHead => "the head of a hunk is `@@ -LINE,COUNT +LINE,COUNT @@`",
            Self::Ends { old, new, .. } => return write!(f, "the diff ends in the hunk: {old} old and {new} new lines are missing"),
            Self::NoLineOfHunk { old, new } => {
                return write!(f, "a line of a hunk begins with ` `, `-` or `+`; {old} old and {new} new lines are missing");
            }
            Self::MoreLines => "the hunk has more lines than its head says",
            Self::NothingEnds => "`\\` without a line before it",
        })
    }
}

impl Error for Mistake {}
