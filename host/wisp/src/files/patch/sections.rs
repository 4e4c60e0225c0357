//! What a diff says about each file. It may come from a model, so every mistake is named with its line.

use crate::files::error::FilesReason;
use wisp_api::PatchReject;
use wisp_diff::{Head, Hunk, Moved, Reader, Reading, Wrong};

/// Maximum sections of a diff. Attack: each costs some 400 bytes beside its 12 in the diff. Changes to all of a large
/// project have some 20,000.
const MAX_SECTIONS: u64 = 65_536;

/// Maximum hunks of a diff. Attack: each costs 80 bytes beside its 13 in the diff.
const MAX_HUNKS: u64 = 1 << 20;

/// What a diff says about one file.
#[derive(Debug, Default)]
pub(super) struct Section<'d> {
    /// The line of the diff where it begins.
    pub(super) at: usize,
    /// The names, without prefixes; none for `/dev/null`.
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// Whether the names differ because the file is renamed or copied.
    pub(super) moves: Option<Moved>,
    /// The permissions that it gets.
    pub(super) new_mode: Option<u32>,
    pub(super) hunks: Vec<Hunk<'d>>,
}

fn reject(file: Option<&str>, hunk: Option<usize>, line: usize, reason: impl Into<String>) -> PatchReject {
    PatchReject { file: file.map(str::to_owned), hunk, line, reason: reason.into() }
}

/// Reads all sections.
pub(super) fn parse(diff: &[u8]) -> Result<Vec<Section<'_>>, FilesReason> {
    let (mut reader, mut sections, mut hunks) = (Reader::new(diff, Reading::Strict), Vec::new(), 0);
    let in_head = |wrong: Wrong<'_>| reject(None, None, wrong.line, wrong.mistake.to_string());
    while let Some(head) = reader.head().map_err(in_head)? {
        let mut section = section(head)?;
        loop {
            let in_hunk = |wrong: Wrong<'_>| {
                let file = section.new.as_deref().or(section.old.as_deref());
                reject(file, Some(section.hunks.len() + 1), wrong.line, wrong.mistake.to_string())
            };
            let Some(hunk) = reader.hunk().map_err(in_hunk)? else { break };
            section.hunks.push(hunk);
            hunks += 1;
            if hunks > MAX_HUNKS {
                return Err(FilesReason::Bound { what: "hunks in the diff", limit: MAX_HUNKS });
            }
        }
        if sections.len() as u64 >= MAX_SECTIONS {
            return Err(FilesReason::Bound { what: "files in the diff", limit: MAX_SECTIONS });
        }
        sections.push(section);
    }
    if sections.is_empty() {
        return Err(reject(None, None, 1, "there is no diff: no line begins with `--- `, and none with `diff --git `").into());
    }
    Ok(sections)
}

/// Returns the section that a head begins.
fn section<'d>(head: Head<'_>) -> Result<Section<'d>, PatchReject> {
    let wrong = |reason: &str| reject(None, None, head.at, reason);
    let section = Section { at: head.at, new_mode: head.new_mode.map(|mode| mode & 0o777), ..Section::default() };
    if let Some((from, to, moved)) = head.moved() {
        // These names have no prefix.
        return Ok(Section { old: Some(from.to_owned()), new: Some(to.to_owned()), moves: Some(moved), ..section });
    }
    let (mut old, mut new) = match (head.old, head.new, head.git_names) {
        (Some(old), Some(new), _) => without_prefixes(there(old), there(new)),
        // No contents change: only a mode, or an empty file is created or deleted.
        (None, None, Some([old, new])) => without_prefixes(Some(old), Some(new)),
        (None, None, None) => return Err(wrong("the names in this line cannot be told apart")),
        (_, _, _) => return Err(wrong("`--- NAME` must be followed by `+++ NAME`")),
    };
    if head.created {
        old = None;
    }
    if head.deleted {
        new = None;
    }
    if old.is_none() && new.is_none() {
        return Err(wrong("both names are `/dev/null`"));
    }
    Ok(Section { old, new, ..section })
}

fn there(name: String) -> Option<String> {
    Some(name).filter(|name| name != "/dev/null")
}

/// Takes `a/` and `b/` away if each name that there is has its own.
fn without_prefixes(old: Option<String>, new: Option<String>) -> (Option<String>, Option<String>) {
    let without = |name: &Option<String>, prefix: &str| name.as_ref().map(|name| name.strip_prefix(prefix).map(str::to_owned));
    match (without(&old, "a/"), without(&new, "b/")) {
        (Some(None), _) | (_, Some(None)) => (old, new),
        (one, other) => (one.flatten(), other.flatten()),
    }
}
