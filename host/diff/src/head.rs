//! What a diff says about a file before its hunks.

use crate::mistake::Mistake;
use crate::names;

/// The type of a file, in a mode.
const TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

/// What stands before the hunks of a file: names, and the extended headers of git.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head<'d> {
    /// The line of the diff where it begins, from 1.
    pub at: usize,
    /// The line of the diff where its hunks begin, or where they should after its names; of headers of git alone, `at`.
    pub hunks_at: usize,
    /// How its hunks are written; nothing if it has none.
    pub form: Option<Form>,
    /// The name in the line `---` (`***` of a context diff), `/dev/null` too.
    pub old: Option<String>,
    /// The name in the line `+++`.
    pub new: Option<String>,
    /// These two lines as they are; none if the hunks have none of their own.
    pub lines: Option<[&'d [u8]; 2]>,
    /// The text of the diff from the end of what was read before, up to these two lines.
    pub lead: &'d [u8],
    /// Whether there is a line `diff --git`.
    pub git: bool,
    /// Its two names, if they can be told apart.
    pub git_names: Option<[String; 2]>,
    /// The name in the line `Index:`, which only [`Reading::Patch`](crate::Reading::Patch) looks for.
    pub index: Option<String>,
    /// The names in `rename from` or `copy from`, and in `rename to` or `copy to`. They have no prefix.
    pub(crate) moved: (Option<(String, Moved)>, Option<String>),
    /// Whether it says `new file mode`.
    pub created: bool,
    /// Whether it says `deleted file mode`.
    pub deleted: bool,
    /// `old mode` and `deleted file mode`, with the bits for the type of the file.
    pub old_mode: Option<u32>,
    /// `new mode` and `new file mode`, likewise. That of a link may stand in the line `index`, for a lenient reader.
    pub new_mode: Option<u32>,
    /// Whether there is a `GIT binary patch`, for a lenient reader.
    pub binary: bool,
}

/// How hunks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `@@ -1 +1 @@`.
    Unified,
    /// As `diff -c`: `*** 1 ****`, `--- 1 ----`.
    Context,
    /// As `diff` without options: `1c1`.
    Normal,
}

/// Why a file has another name than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// It is renamed.
    Rename,
    /// It is a copy.
    Copy,
}

impl Head<'_> {
    /// Returns the old and the new name of a file that is renamed or copied.
    pub fn moved(&self) -> Option<(&str, &str, Moved)> {
        let (Some((from, how)), Some(to)) = (&self.moved.0, &self.moved.1) else { return None };
        Some((from, to, *how))
    }

    /// Returns whether git's headers alone are the change of a file.
    pub(crate) fn stands(&self) -> bool {
        self.git && (self.moved().is_some() || self.new_mode.is_some() || self.old_mode.is_some() || self.binary)
    }

    /// Returns whether it says of which file its hunks are.
    pub(crate) fn is_named(&self) -> bool {
        self.index.is_some() || self.old.is_some() || self.git_names.is_some()
    }

    /// Reads an extended header of git, without its line end. Returns whether it is one. A lenient reader takes what it can, and of
    /// the headers that other text may have, only those after `diff --git`.
    pub(crate) fn extended(&mut self, text: &str, lenient: bool) -> Result<bool, Mistake> {
        let git = |start: &str| text.strip_prefix(start).filter(|_| self.git || !lenient);
        if let Some(text) = text.strip_prefix("new file mode ") {
            (self.created, self.new_mode) = (true, mode(text, lenient)?);
        } else if let Some(text) = text.strip_prefix("new mode ") {
            self.new_mode = mode(text, lenient)?;
        } else if let Some(text) = git("deleted file mode ") {
            (self.deleted, self.old_mode) = (true, mode(text, lenient)?);
        } else if let Some(text) = git("old mode ") {
            self.old_mode = mode(text, lenient)?;
        } else if let Some((name, how)) = of(text, "from ") {
            self.moved.0 = Some((names::unquoted(name, lenient)?, how));
        } else if let Some((name, _)) = of(text, "to ") {
            self.moved.1 = Some(names::unquoted(name, lenient)?);
        } else if let Some(text) = git("index ") {
            let mode = text.split_whitespace().nth(1).and_then(|mode| u32::from_str_radix(mode, 8).ok());
            if lenient && self.new_mode.is_none() {
                // Permissions do not change; only this line says that it is a link.
                self.new_mode = mode.filter(|mode| mode & TYPE == LINK);
            }
        } else if git("GIT binary patch").is_some() {
            self.binary = true;
            return if lenient { Ok(true) } else { Err(Mistake::Binary) };
        } else if !lenient && text.starts_with("Binary files ") {
            return Err(Mistake::Binary);
        } else if !lenient && text.starts_with("Files ") && text.ends_with(" differ") {
            return Err(Mistake::WithoutContents);
        } else {
            return Ok(git("similarity index ").or_else(|| git("dissimilarity index ")).is_some());
        }
        Ok(true)
    }
}

/// Reads a mode. Others than those of files are symbolic links, and modules of git.
fn mode(text: &str, lenient: bool) -> Result<Option<u32>, Mistake> {
    let mode = u32::from_str_radix(text.trim(), 8).ok();
    match mode {
        _ if lenient => Ok(mode),
        None => Err(Mistake::Mode),
        Some(mode) if mode & !0o7777 != REGULAR => Err(Mistake::NotAFile),
        mode => Ok(mode),
    }
}

/// Returns the name after `rename` or `copy` and this word.
fn of<'t>(text: &'t str, word: &str) -> Option<(&'t str, Moved)> {
    let (rest, moved) = match text.strip_prefix("rename ") {
        Some(rest) => (rest, Moved::Rename),
        None => (text.strip_prefix("copy ")?, Moved::Copy),
    };
    Some((rest.strip_prefix(word)?, moved))
}
